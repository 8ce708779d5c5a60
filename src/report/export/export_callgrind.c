/* SPDX-License-Identifier: MIT */
/* Report format `callgrind`: the file format of valgrind's callgrind, which callgrind_annotate and
 * KCachegrind read.
 *
 *     # callgrind format
 *     version: 1
 *     positions: instr line
 *     events: Ir
 *
 *     ob=/home/ann/primes
 *     fl=primes.c
 *     fn=is_prime
 *     0x1180 6 299998                 cost of the instruction
 *     fi=list.h                       code from another file, inlined
 *     0x11a0 12 100
 *     fe=primes.c                     back in the function's own file
 *     cfi=primes.c
 *     cfn=step
 *     calls=2 0x1150 3                number of calls, target
 *     0x1190 7 0                      call instruction, inclusive cost
 *     jcnd=149998/299998 0x1184 8     taken, executed, target
 *     0x1196 9                        branch instruction
 *     totals: 300098
 *
 * Costs are at instructions; those of a function without blocks are at its start. Inclusive costs
 * of calls come from a profile of contexts, or of functions with inclusive costs
 * (inclusive_costs.h), and are 0 otherwise. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "exporter.h"
#include "inclusive_costs.h"
#include "utf8.h"

struct writing {
    const struct sl_costs *costs;
    struct sl_inclusive_costs inclusive;
    struct sl_transfer_counts edges; /* sorted */
    uint64_t total[SL_COST_COLUMNS];
    FILE *out;
    /* Place of the last line: */
    uint64_t function_start;
    int64_t object;
    char function[1024], file[1024], own_file[1024]; /* own_file: of the function */
};

static const char *known(const char *text)
{
    return text ? text : "???";
}

/* The file of a function's start or, if that is not known, that of the code. */
static const char *file_of_function(const struct sl_cost_location *at)
{
    return known(at->function_file ? at->function_file : at->file);
}

/* Writes the object, function and file of a place if they have changed. */
static void go_to(struct writing *w, const struct sl_cost_location *at)
{
    char function[sizeof w->function], file[sizeof w->file];
    snprintf(function, sizeof function, "%s", at->function);
    if (w->object != at->object || w->function_start != at->function_start ||
        strcmp(w->function, function)) {
        if (w->object != at->object)
            fprintf(w->out, "ob=%s\n", known(at->path));
        fprintf(w->out, "fl=%s\nfn=%s\n", file_of_function(at), at->function);
        w->object = at->object;
        w->function_start = at->function_start;
        memcpy(w->function, function, sizeof function);
        snprintf(w->file, sizeof w->file, "%s", file_of_function(at));
        memcpy(w->own_file, w->file, sizeof w->file);
    }
    snprintf(file, sizeof file, "%s", known(at->file ? at->file : at->function_file));
    if (strcmp(w->file, file)) {
        fprintf(w->out, "%s=%s\n", strcmp(file, w->own_file) ? "fi" : "fe", file);
        memcpy(w->file, file, sizeof file);
    }
}

static void print_position(const struct writing *w, const struct sl_cost_location *at)
{
    fprintf(w->out, "0x%" PRIx64 " %d", at->own_address, at->line);
}

static int write_cost(void *context, const struct sl_cost_location *at, const uint64_t *cost)
{
    struct writing *w = context;
    go_to(w, at);
    print_position(w, at);
    for (size_t i = 0; i < w->costs->n_columns; i++) {
        fprintf(w->out, " %" PRIu64, cost[i]);
        w->total[i] += cost[i];
    }
    putc('\n', w->out);
    return 0;
}

static void print_call(struct writing *w, const struct sl_cost_location *from,
                       const struct sl_cost_location *to, uint64_t count, const uint64_t *cost)
{
    go_to(w, from);
    if (to->object != from->object)
        fprintf(w->out, "cob=%s\n", known(to->path));
    fprintf(w->out, "cfi=%s\ncfn=%s\n", file_of_function(to), to->function);
    fprintf(w->out, "calls=%" PRIu64 " ", count);
    print_position(w, to);
    putc('\n', w->out);
    print_position(w, from);
    for (size_t i = 0; i < w->costs->n_columns; i++)
        fprintf(w->out, " %" PRIu64, cost[i]);
    putc('\n', w->out);
}

static int write_call(void *context, const struct sl_cost_location *from,
                      const struct sl_cost_location *to, uint64_t count)
{
    struct writing *w = context;
    uint64_t cost[SL_COST_COLUMNS];
    sl_inclusive_costs_share(&w->inclusive, from->address, to->address, count, cost);
    print_call(w, from, to, count, cost);
    return 0;
}

static struct sl_cost_location beginning(const struct sl_db_function *function)
{
    return (struct sl_cost_location){.address = function->start,
                                     .own_address = function->own_start,
                                     .object = function->object,
                                     .path = function->path,
                                     .object_name = function->object_name,
                                     .function = function->name,
                                     .function_start = function->start,
                                     .function_file = function->file,
                                     .file = function->file,
                                     .line = function->line};
}

/* A tail call or a call through a stub: its place in the caller is not known. */
static int write_other(void *context, const struct sl_db_function *caller,
                       const struct sl_db_function *callee, uint64_t calls, const uint64_t *cost)
{
    struct sl_cost_location from = beginning(caller), to = beginning(callee);
    print_call(context, &from, &to, calls ? calls : 1, cost);
    return 0;
}

static int write_jump(void *context, const struct sl_cost_location *from,
                      const struct sl_cost_location *to, uint64_t count)
{
    struct writing *w = context;
    const struct sl_block_end *end = sl_db_code_branch(&w->costs->code, from->address);
    if (sl_db_code_falls_through(&w->costs->code, from->address, to->address))
        return 0;
    uint64_t executed = sl_transfer_counts_sum(&w->edges, from->address);
    go_to(w, from);
    if (to->function_start != from->function_start || to->object != from->object)
        fprintf(w->out, "jfi=%s\njfn=%s\n", file_of_function(to), to->function);
    if (end && end->branch == SL_BRANCH_CONDITIONAL)
        fprintf(w->out, "jcnd=%" PRIu64 "/%" PRIu64 " ", count, executed);
    else
        fprintf(w->out, "jump=%" PRIu64 " ", count);
    print_position(w, to);
    putc('\n', w->out);
    print_position(w, from);
    putc('\n', w->out);
    return 0;
}

static int write_head(const struct writing *w, struct sl_database *database, struct sl_failure *f)
{
    char *path = sl_utf8_printable(known(database->program.path));
    if (!path)
        return sl_report_no_memory(f);
    fputs("# callgrind format\nversion: 1\ncreator: sluice " SL_VERSION "\n", w->out);
    fprintf(w->out, "cmd: %s\npositions: instr line\nevents:", path);
    free(path);
    for (size_t i = 0; i < w->costs->n_columns; i++) {
        const char *name = w->costs->column[i].name;
        fprintf(w->out, " %s", strcmp(name, "instructions") ? name : "Ir");
    }
    fputs("\n\n", w->out);
    return 0;
}

static int write_all(struct writing *w, struct sl_database *database, struct sl_failure *f)
{
    int result = write_head(w, database, f);
    if (!result)
        result = sl_costs_each(w->costs, write_cost, w, f);
    if (!result)
        result = sl_inclusive_costs_load(&w->inclusive, w->costs, f);
    if (!result)
        result = sl_costs_transfers(w->costs, SL_FIELD_CALLEE, write_call, w, f);
    if (!result)
        result = sl_inclusive_costs_others(&w->inclusive, write_other, w);
    if (!result)
        result = sl_transfer_counts_load_first(&w->edges, database, SL_FIELD_TARGET, false,
                                               w->costs->n, f);
    if (!result)
        result = sl_costs_transfers(w->costs, SL_FIELD_TARGET, write_jump, w, f);
    fputs("totals:", w->out);
    for (size_t i = 0; i < w->costs->n_columns; i++)
        fprintf(w->out, " %" PRIu64, w->total[i]);
    putc('\n', w->out);
    sl_inclusive_costs_free(&w->inclusive);
    sl_transfer_counts_free(&w->edges);
    return result;
}

static int write_callgrind(const struct sl_output *o)
{
    struct sl_costs costs;
    struct writing writing = {.costs = &costs, .out = o->out, .object = -2};
    int result = sl_costs_open(&costs, o->database, o->config->n, o->f);
    if (result)
        return result;
    result = write_all(&writing, o->database, o->f);
    sl_costs_close(&costs);
    return result;
}

#define EDGES "call", "edge"
#define CONTEXTS "context(nested=1)"

const struct sl_exporter sl_callgrind_exporter = {
    .name = "callgrind",
    .summary = "profile for callgrind_annotate and KCachegrind: costs, calls, jumps",
    .default_specs = {SL_SPECS("block", EDGES, CONTEXTS, CONTEXTS ":count"),
                      SL_SPECS("block:cycles", "block", EDGES, CONTEXTS ":cycles",
                               CONTEXTS ":count")},
    .needs = "function block",
    .write = write_callgrind,
};
