/* SPDX-License-Identifier: MIT */
/* Opens, finishes and closes the tables of a group and, with --exact, the evaluator (table_set.h).
 * Each table and the evaluator get equal parts of the memory budget. */
#include "table_set.h"

#include <stdlib.h>

#include "failure.h"
#include "grow.h"

bool sl_table_set_add_table(struct sl_table_set *s, struct sl_evaluated_table *table)
{
    if (!SL_GROW(s->table, s->capacity, s->n + 1))
        return false;
    s->table[s->n++] = table;
    return true;
}

int sl_table_set_open(struct sl_table_set *s, const struct sl_evaluation_config *config,
                      const struct sl_table_host *host, struct sl_failure *f)
{
    struct sl_table_host share = *host;
    int error = 0;
    share.memory_bytes /= s->n + config->enabled;
    for (size_t i = 0; i < s->n && error >= 0; i++)
        error = sl_evaluated_table_open(s->table[i], &share, f);
    if (error < 0 || !config->enabled)
        return error;
    if (!(s->evaluator = calloc(1, sizeof *s->evaluator)))
        return sl_out_of_memory(f);
    return sl_evaluator_open(s->evaluator, config, s->table, s->n, &share, f);
}

bool sl_table_set_takes_totals(const struct sl_table_set *s)
{
    bool all = !s->evaluator;
    for (size_t i = 0; i < s->n; i++)
        all &= sl_table_accepts_totals(s->table[i]->kind);
    return all;
}

void sl_table_set_add(struct sl_table_set *s, uint32_t tuple_id, uint64_t times, uint64_t weight)
{
    for (size_t i = 0; i < s->n; i++)
        sl_table_add(s->table[i]->table, tuple_id, times, weight);
}

/* A table that failed during the run says so in its status; its entries are still usable. */
static int check_table(const struct sl_table *table, struct sl_failure *f)
{
    struct sl_table_status status;
    sl_table_status(table, &status);
    return status.failed ? sl_fail(f, SL_ENOMEM, "%s", status.note) : 0;
}

static int finish_tables(struct sl_table_set *s, const struct sl_tuple_names *names,
                         struct sl_failure *f)
{
    bool out_of_memory = false;
    int error = 0;
    for (size_t i = 0; i < s->n; i++) {
        struct sl_intervals *intervals = &s->table[i]->intervals;
        /* An interval table reports its last interval now; with names it is evaluated. */
        intervals->names = s->evaluator && s->evaluator->events ? names : NULL;
        sl_table_finish(s->table[i]->table);
        if (error >= 0)
            error = check_table(s->table[i]->table, f);
        intervals->names = NULL;
        out_of_memory |= intervals->out_of_memory;
    }
    if (out_of_memory)
        return sl_fail(f, SL_ENOMEM, "out of memory for the results of intervals");
    return error;
}

int sl_table_set_finish(struct sl_table_set *s, const struct sl_tuple_names *names,
                        struct sl_failure *f)
{
    int error = finish_tables(s, names, f);
    return error < 0 || !s->evaluator ? error : sl_evaluator_finish(s->evaluator, names, f);
}

uint64_t sl_table_set_exact_drops(const struct sl_table_set *s)
{
    struct sl_table_status status = {0};
    if (s->evaluator && s->evaluator->exact)
        sl_table_status(s->evaluator->exact, &status);
    return status.drops;
}

const struct sl_table *sl_table_set_exact(const struct sl_table_set *s)
{
    const struct sl_table *table = s->evaluator ? s->evaluator->exact : NULL;
    for (size_t i = 0; i < s->n && !table; i++)
        if (s->table[i]->kind == &sl_table_exact)
            table = s->table[i]->table;
    return table;
}

void sl_table_set_rest(struct sl_table_set *s)
{
    if (s->evaluator && s->evaluator->exact)
        sl_table_rest(s->evaluator->exact);
    for (size_t i = 0; i < s->n; i++)
        if (s->table[i]->table)
            sl_table_rest(s->table[i]->table);
}

void sl_table_set_close(struct sl_table_set *s)
{
    if (s->evaluator)
        sl_evaluator_close(s->evaluator);
    free(s->evaluator);
    free(s->table);
}
