/* SPDX-License-Identifier: MIT */
/* Finds branches that are nearly always taken, indirect calls that nearly always call the same
 * function, and loads that nearly always read the same value (hints.h). Only the user's own code
 * with source lines is examined, and only instructions with at least 0.2 % of all executions. */
#include "hints.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "modules.h"
#include "transfer_counts.h"
#include "format.h"

#define OFTEN 0.002 /* minimum, relative to all executed instructions */
#define NEARLY 0.95
#define POINTERS 1000000 /* larger values are usually pointers, which do not help a user */

struct search {
    struct sl_hints *hints;
    struct sl_database *database;
    struct sl_costs costs;
    size_t column; /* instructions */
    struct sl_transfer_counts edges, calls, values;
    struct sl_failure *f;
};

static const char *name_at(const struct sl_cost_location *at)
{
    return at->inlined ? at->inlined->name : at->function;
}

/* Adds a hint. Takes `text`; NULL: out of memory. */
static int add_hint(struct search *a, const struct sl_cost_location *at, uint64_t executions,
                    char *text)
{
    char line[SL_COST_LINE_SIZE];
    struct sl_hints *hints = a->hints;
    const char *known = sl_cost_line(at, line);
    char *where = known ? strdup(known) : NULL;
    if (!text || !where || !SL_GROW(hints->hint, hints->capacity, hints->n + 1)) {
        free(text);
        free(where);
        return sl_db_fail_memory(a->f);
    }
    hints->hint[hints->n++] = (struct sl_hint){where, text, executions};
    return 0;
}

static int check_branch(struct search *a, const struct sl_cost_location *at,
                        const struct sl_block_end *end, uint64_t executions)
{
    uint64_t taken = 0;
    if (end->branch != SL_BRANCH_CONDITIONAL || end->target <= at->address)
        return 0;
    for (size_t i = sl_transfer_counts_from(&a->edges, at->address);
         i < a->edges.n && a->edges.transfer[i].from == at->address; i++)
        taken += a->edges.transfer[i].to == end->target ? a->edges.transfer[i].count : 0;
    taken = taken > executions ? executions : taken;
    if ((double)taken < NEARLY * (double)executions)
        return 0;
    return add_hint(
        a, at, executions,
        sl_asprintf("branch in %s is taken %.1f%% of %s times: make the common case fall through "
                    "(__builtin_expect or PGO)",
                    name_at(at), 100 * (double)taken / (double)executions, SL_NUMBER(executions)));
}

static int check_indirect_call(struct search *a, const struct sl_cost_location *at,
                               uint64_t executions)
{
    struct sl_transfer_count most;
    if (!sl_transfer_counts_most(&a->calls, at->address, 1, &most) ||
        (double)most.count < NEARLY * (double)executions)
        return 0;
    const struct sl_db_span *span = sl_db_span_at(&a->costs.lines, most.to);
    if (!span || !span->function->name)
        return 0;
    return add_hint(
        a, at, executions,
        sl_asprintf("indirect call in %s calls %s in %.1f%% of %s executions: compare the pointer "
                    "with that function and call it directly, or use PGO",
                    name_at(at), span->function->name,
                    100 * (double)most.count / (double)executions, SL_NUMBER(executions)));
}

static int check_load(struct search *a, const struct sl_cost_location *at, uint64_t executions)
{
    struct sl_transfer_count most;
    double of = a->database->program.load_sampling_period > 1
                    ? (double)a->database->program.load_sampling_period
                    : 1;
    if (!sl_transfer_counts_most(&a->values, at->address, 1, &most))
        return 0;
    uint64_t which = most.to;
    double share = of * (double)most.count / (double)executions;
    bool small = which < POINTERS || -which < POINTERS;
    if (share < NEARLY || !small)
        return 0;
    return add_hint(
        a, at, executions,
        sl_asprintf("load in %s reads %" PRId64 " in %s%.0f%% of %s executions: consider a special "
                    "case for %" PRId64 ", or keep it in a register",
                    name_at(at), (int64_t)which, of > 1 ? "about " : "",
                    100 * (share > 1 ? 1 : share), SL_NUMBER(executions), (int64_t)which));
}

static int check_row(void *context, const struct sl_cost_location *at, const uint64_t *cost)
{
    struct search *a = context;
    uint64_t executions = cost[a->column];
    if (!at->is_block || !at->file || !at->line ||
        !sl_is_own_object(&a->database->program, at->path) ||
        (double)executions < OFTEN * (double)a->database->program.instructions)
        return 0;
    const struct sl_block_end *end = sl_db_code_branch(&a->costs.code, at->address);
    return end && end->branch == SL_BRANCH_INDIRECT_CALL ? check_indirect_call(a, at, executions)
           : end                                         ? check_branch(a, at, end, executions)
                                                         : check_load(a, at, executions);
}

static int by_executions(const void *a, const void *b)
{
    const struct sl_hint *x = a, *y = b;
    int order = strcmp(x->where, y->where);
    return sl_order(y->executions, x->executions, order ? order : strcmp(x->text, y->text));
}

static void free_hint(struct sl_hint *hint)
{
    free(hint->where);
    free(hint->text);
}

static void free_duplicate(void *first, void *duplicate)
{
    (void)first;
    free_hint(duplicate);
}

int sl_hints_make(struct sl_hints *hints, struct sl_database *database, struct sl_failure *f)
{
    struct search a = {.hints = hints, .database = database, .f = f};
    *hints = (struct sl_hints){0};
    int result = sl_costs_open_any(&a.costs, database, 0, f);
    if (result)
        return result;
    a.column = sl_costs_block_column(&a.costs, "instructions");
    if (a.column < a.costs.n_columns) {
        result = sl_transfer_counts_load_first(&a.edges, database, SL_FIELD_TARGET, true, 0, f);
        if (!result)
            result = sl_transfer_counts_load_first(&a.calls, database, SL_FIELD_CALLEE, true, 0, f);
        if (!result)
            result = sl_transfer_counts_load_first(&a.values, database, SL_FIELD_VALUE, false, 0,
                                                   f);
        if (!result)
            result = sl_costs_each(&a.costs, check_row, &a, f);
    }
    hints->n = SL_SORT_AND_MERGE(hints->hint, hints->n, by_executions, free_duplicate);
    sl_transfer_counts_free(&a.edges);
    sl_transfer_counts_free(&a.calls);
    sl_transfer_counts_free(&a.values);
    sl_costs_close(&a.costs);
    return result;
}

void sl_hints_free(struct sl_hints *hints)
{
    for (size_t i = 0; i < hints->n; i++)
        free_hint(&hints->hint[i]);
    free(hints->hint);
    *hints = (struct sl_hints){0};
}
