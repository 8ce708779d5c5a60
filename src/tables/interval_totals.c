/* SPDX-License-Identifier: MIT */
/* Totals of a run for tables that report their tuples once per interval: adds up the counts of all
 * intervals. interval_totals.h defines the bounds of a total. */
#include "interval_totals.h"

#include <stdlib.h>
#include <string.h>

#include "grow.h"

/* Memory per entry: in both arrays, and in an index map that is at most half full and exists twice
 * while it grows. */
#define BYTES_PER_ENTRY (2 * sizeof(struct sl_entry) + 6 * 3 * sizeof(uint64_t))

static struct sl_entry *entry_of(struct sl_interval_totals *t, struct sl_tuple tuple)
{
    uint32_t at = sl_index_find(&t->tuples, tuple.pc, tuple.value);
    if (at == SL_NO_INDEX) {
        size_t n = t->tuples.n_keys + 1;
        if (n * BYTES_PER_ENTRY > t->memory_bytes || !SL_GROW(t->entry, t->capacity, n) ||
            !SL_GROW(t->in_progress, t->in_progress_capacity, n))
            return NULL;
        at = sl_index_add(&t->tuples, tuple.pc, tuple.value);
    }
    return at == SL_NO_INDEX ? NULL : &t->entry[at];
}

void sl_interval_totals_add(void *context, const struct sl_interval *interval)
{
    struct sl_interval_totals *t = context;
    t->unlisted_high += interval->unlisted_high;
    for (size_t i = 0; i < interval->n_entries; i++) {
        const struct sl_entry *e = &interval->entry[i];
        struct sl_entry *total = entry_of(t, e->tuple);
        if (!total) {
            t->lost++;
            t->lost_weight += e->count;
            continue;
        }
        total->tuple = e->tuple;
        total->count += e->count;
        total->low += e->low;
        total->high += e->high - interval->unlisted_high;
    }
}

bool sl_interval_totals_in_progress(void *context, const struct sl_entry *entry)
{
    struct sl_interval_totals_drain *d = context;
    uint32_t at = sl_index_find(&d->totals->tuples, entry->tuple.pc, entry->tuple.value);
    if (at != SL_NO_INDEX) {
        d->totals->in_progress[at] = *entry;
        return true;
    }
    struct sl_entry alone = *entry;
    alone.high += d->totals->unlisted_high;
    d->stopped = !d->emit(d->context, &alone);
    return !d->stopped;
}

void sl_interval_totals_emit(struct sl_interval_totals_drain *d)
{
    struct sl_interval_totals *t = d->totals;
    for (size_t i = 0; i < t->tuples.n_keys && !d->stopped; i++) {
        const struct sl_entry *now = &t->in_progress[i];
        struct sl_entry e = t->entry[i];
        e.count += now->count;
        e.low += now->low;
        e.high += now->high + t->unlisted_high;
        d->stopped = !d->emit(d->context, &e);
    }
    if (t->in_progress)
        memset(t->in_progress, 0, t->tuples.n_keys * sizeof *t->in_progress);
}

void sl_interval_totals_free(struct sl_interval_totals *t)
{
    sl_index_free(&t->tuples);
    free(t->entry);
    free(t->in_progress);
    *t = (struct sl_interval_totals){.memory_bytes = t->memory_bytes};
}
