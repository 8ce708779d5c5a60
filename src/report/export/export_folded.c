/* SPDX-License-Identifier: MIT */
/* Report format `folded`: folded stacks for flamegraph.pl, inferno and similar tools.
 *
 * A profile of contexts that is not by count gives one line per context:
 *
 *     _start;main;is_prime 34307562
 *
 * Without one, the "stack" is the code itself: object, function, inlined functions and, with a
 * profile of blocks, the source line. The number is the first cost column.
 *
 *     primes;is_prime;primes.c:25 299998 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "context_tree.h"
#include "costs.h"
#include "exporter.h"

struct writing {
    FILE *out;
    struct sl_failure *f;
    char *stack; /* of the previous row, and its cost so far */
    uint64_t cost;
};

/* A semicolon would start another frame. */
static void print_frame(const char *text, FILE *out)
{
    for (; *text; text++)
        putc(*text == ';' ? ':' : *text, out);
}

static int add_frame(void *context, const char *name, const char *file, int line)
{
    FILE *out = context;
    (void)file;
    (void)line;
    if (name && ftell(out))
        putc(';', out);
    if (name)
        print_frame(name, out);
    return 0;
}

/* "primes;is_prime;primes.c:25", inlined functions after the one that they are in; NULL if out of
 * memory. */
static char *stack_text(const struct sl_cost_location *at)
{
    char *stack = NULL;
    size_t size;
    FILE *out = open_memstream(&stack, &size);
    if (!out)
        return NULL;
    sl_cost_frames(at, add_frame, out);
    return fclose(out) ? NULL : stack;
}

static void write_stack(struct writing *w)
{
    if (w->stack && w->cost)
        fprintf(w->out, "%s %" PRIu64 "\n", w->stack, w->cost);
    free(w->stack);
}

static int add_row(void *context, const struct sl_cost_location *at, const uint64_t *cost)
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

static int write_places(const struct sl_output *o)
{
    struct sl_costs costs;
    struct writing writing = {.out = o->out, .f = o->f};
    int result = sl_costs_open(&costs, o->database, o->config->n, o->f);
    if (result)
        return result;
    result = sl_costs_lines(&costs, add_row, &writing, o->f);
    write_stack(&writing);
    sl_costs_close(&costs);
    return result;
}

static void print_callers(const struct sl_context_tree *tree, uint32_t *path, uint32_t context,
                          FILE *out)
{
    size_t n = 0;
    for (uint32_t at = context; at != SL_NO_INDEX; at = tree->context[at].parent)
        path[n++] = at;
    while (n-- > 0) {
        print_frame(tree->function[tree->context[path[n]].function].name, out);
        putc(n ? ';' : ' ', out);
    }
}

static int write_contexts(const struct sl_output *o, const struct sl_db_profile *profile)
{
    struct sl_context_tree tree;
    int result = sl_context_tree_load(&tree, o->database, &profile, 1, o->f);
    if (result)
        return result;
    result = sl_context_tree_merge(&tree, o->f);
    uint32_t *path = calloc(tree.n + 1, sizeof *path);
    for (uint32_t i = 0; path && !result && i < tree.n; i++)
        if (tree.cost[0][i]) {
            print_callers(&tree, path, i, o->out);
            fprintf(o->out, "%" PRIu64 "\n", tree.cost[0][i]);
        }
    if (!result && !path)
        result = sl_report_no_memory(o->f);
    sl_context_tree_free(&tree);
    free(path);
    return result;
}

static int write_folded(const struct sl_output *o)
{
    const struct sl_db_profile *contexts = sl_context_profile(&o->database->profiles, NULL, false);
    return contexts ? write_contexts(o, contexts) : write_places(o);
}

const struct sl_exporter sl_folded_exporter = {
    .name = "folded",
    .summary =
        "folded stacks for flame graphs: call stacks from a context profile, or source lines",
    .default_specs = {SL_SPECS("context(nested=1,inlined=1)"),
                      SL_SPECS("context(nested=1,inlined=1):cycles")},
    .needs = "context function block",
    .write = write_folded,
};
