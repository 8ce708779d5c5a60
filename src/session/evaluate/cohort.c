/* SPDX-License-Identifier: MIT */
#include "cohort.h"

#include <stdlib.h>

static uint64_t length_of(const struct sl_measured *table)
{
    return table->kind->intervals->length(table->config);
}

static struct sl_cohort *find(struct sl_cohort *list, uint64_t length)
{
    while (list && length_of(list->table[0]) != length)
        list = list->next;
    return list;
}

bool sl_cohort_join(struct sl_cohort **list, struct sl_measured *table)
{
    struct sl_cohort *cohort = find(*list, length_of(table));
    if (!cohort) {
        cohort = calloc(1, sizeof *cohort);
        if (!cohort)
            return false;
        cohort->next = *list;
        *list = cohort;
    }
    struct sl_measured **more = realloc(cohort->table, (cohort->n + 1) * sizeof *more);
    if (!more)
        return false;
    cohort->table = more;
    cohort->table[cohort->n++] = table;
    table->intervals.exact = &cohort->exact;
    return true;
}

void sl_cohort_observe(struct sl_cohort *cohort, const struct sl_batch *batch)
{
    for (size_t i = 0; i < cohort->n; i++)
        cohort->table[i]->intervals.names = batch->names;
    for (size_t done = 0; done < batch->n;) {
        struct sl_batch rest = sl_batch_part(batch, done, batch->n - done);
        struct sl_batch part = sl_batch_part(&rest, 0,
                                             sl_table_cut(cohort->table[0]->table, &rest));
        if (!sl_interval_exact_observe(&cohort->exact, &part))
            cohort->table[0]->intervals.out_of_memory = true;
        for (size_t i = 0; i < cohort->n; i++)
            sl_measured_observe(cohort->table[i], &part);
        if (cohort->exact.listed) /* the interval has ended, and all were judged by it */
            sl_interval_exact_clear(&cohort->exact);
        done += part.n;
    }
}

void sl_cohorts_free(struct sl_cohort *list)
{
    for (struct sl_cohort *next; list; list = next) {
        next = list->next;
        sl_interval_exact_free(&list->exact);
        free(list->table);
        free(list);
    }
}
