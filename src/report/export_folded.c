/* Folded stacks, for flamegraph.pl, inferno and the like: a line for each place,
 *
 *     primes;is_prime;primes.c:25 299998
 *
 * There are no stacks in a profile, which says what a function cost and not on whose
 * behalf. So what is stacked is the code itself: the file, the function in it and, where
 * there is a profile of blocks, the source line. The number is the first of the costs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "costs.h"
#include "exporter.h"
#include "wording.h"

struct writing {
    FILE *out;
    struct sl_failure *f;
    char *stack; /* of the row before, and what it has cost so far */
    uint64_t cost;
};

/* A semicolon would begin another frame. */
static void print_frame(const char *text, FILE *out)
{
    for (; *text; text++)
        putc(*text == ';' ? ':' : *text, out);
}

/* "primes;is_prime;primes.c:25"; NULL when memory ran out. */
static char *stack_text(const struct sl_cost_place *at)
{
    char line[SL_COST_LINE_ROOM], *stack = NULL;
    size_t size;
    FILE *out = open_memstream(&stack, &size);
    if (!out)
        return NULL;
    if (at->object_name) {
        print_frame(at->object_name, out);
        putc(';', out);
    }
    print_frame(at->function, out);
    if (at->is_block && sl_cost_line(at, line)) {
        putc(';', out);
        print_frame(line, out);
    }
    return fclose(out) ? NULL : stack;
}

static void write_stack(struct writing *w)
{
    if (w->stack && w->cost)
        fprintf(w->out, "%s %" PRIu64 "\n", w->stack, w->cost);
    free(w->stack);
}

static int add_row(void *context, const struct sl_cost_place *at, const uint64_t *cost)
{
    struct writing *w = context;
    char *stack = stack_text(at);
    if (!stack)
        return sl_report_no_memory(w->f);
    if (w->stack && !strcmp(w->stack, stack)) {
        free(stack);
        w->cost += cost[0];
        return 0;
    }
    write_stack(w);
    w->stack = stack;
    w->cost = cost[0];
    return 0;
}

static int write_folded(sqlite3 *database, const struct sl_report_config *config, FILE *out,
                        struct sl_failure *f)
{
    struct sl_costs costs;
    struct writing writing = {.out = out, .f = f};
    int result = sl_costs_open(&costs, database, config, f);
    if (result)
        return result;
    result = sl_costs_each(&costs, add_row, &writing, f);
    write_stack(&writing);
    sl_costs_close(&costs);
    return result;
}

const struct sl_exporter sl_folded_exporter = {
    .name = "folded",
    .summary = "for flame graphs: file;function;line and the cost",
    .write = write_folded,
};
