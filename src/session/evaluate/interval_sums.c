/* SPDX-License-Identifier: MIT */
/* Adds up the counts of each candidate (frequent tuple) over all intervals of a run, and the number
 * of intervals in which the tuple was a candidate (intervals.h). */
#include <stdlib.h>
#include <string.h>

#include "intervals.h"

static int by_tuple(const void *left, const void *right)
{
    const struct sl_interval_sum *a = left, *b = right;
    return sl_tuple_order(a->entry.tuple, b->entry.tuple);
}

static void add_up(struct sl_interval_sum *sum, const struct sl_interval_sum *part)
{
    sum->entry.count += part->entry.count;
    sum->entry.low += part->entry.low;
    sum->entry.high = sl_saturating(sum->entry.high, part->entry.high);
    sum->listed = sl_saturating(sum->listed, part->listed);
    sum->intervals += part->intervals;
}

/* The sums on disk and the first n_others of those in memory, added up by tuple and sorted. */
static struct sl_interval_sum *sums_with(const struct sl_intervals *all, size_t n_others, size_t *n)
{
    size_t n_on_disk = all->on_disk.n, n_all = n_on_disk + n_others;
    struct sl_interval_sum *on_disk = sl_spool_read(&all->on_disk);
    struct sl_interval_sum *sum = on_disk ? realloc(on_disk, (n_all + 1) * sizeof *sum) : NULL;
    *n = 0;
    if (!sum) {
        free(on_disk);
        return NULL;
    }
    if (n_others)
        memcpy(sum + n_on_disk, all->sum, n_others * sizeof *sum);
    if (n_all)
        qsort(sum, n_all, sizeof *sum, by_tuple);
    for (size_t i = 0; i < n_all; i++)
        if (*n && !by_tuple(&sum[*n - 1], &sum[i]))
            add_up(&sum[*n - 1], &sum[i]);
        else
            sum[(*n)++] = sum[i];
    return sum;
}

struct sl_interval_sum *sl_intervals_sums(const struct sl_intervals *all, size_t *n)
{
    return sums_with(all, all->tuples.n_keys, n);
}

uint64_t sl_intervals_of(const struct sl_interval_sum *sums, size_t n, struct sl_tuple tuple)
{
    const struct sl_interval_sum wanted = {.entry.tuple = tuple};
    const struct sl_interval_sum *sum = n ? bsearch(&wanted, sums, n, sizeof *sums, by_tuple)
                                          : NULL;
    return sum ? sum->intervals : 0;
}

/* Adds up the sums on disk by tuple. If out of memory, they stay as they are. */
static void add_up_on_disk(struct sl_intervals *all)
{
    struct sl_spool fewer = {.directory = all->on_disk.directory};
    size_t n;
    struct sl_interval_sum *sum = sums_with(all, 0, &n);
    for (size_t i = 0; sum && i < n; i++)
        if (!sl_spool_add(&fewer, &sum[i], sizeof *sum))
            break;
    if (sum && fewer.n == n) {
        sl_spool_free(&all->on_disk);
        all->on_disk = fewer;
    } else {
        sl_spool_free(&fewer);
    }
    free(sum);
    all->add_up_at = 2 * all->on_disk.n + SL_SUMS_IN_MEMORY;
}

void sl_intervals_flush(struct sl_intervals *all, uint64_t interval)
{
    struct sl_index_map left = {0};
    size_t n = all->tuples.n_keys, n_left = 0;
    if (n < SL_SUMS_IN_MEMORY || n < all->flush_at ||
        !sl_intervals_may_use(all, n * sizeof *all->sum))
        return;
    for (size_t i = 0; i < n; i++) {
        struct sl_tuple tuple = all->sum[i].entry.tuple;
        if (all->sum[i].last == interval &&
            sl_index_add(&left, tuple.pc, tuple.value) == SL_NO_INDEX) {
            sl_index_free(&left);
            return;
        }
    }
    for (size_t i = 0; i < n; i++)
        if (all->sum[i].last == interval)
            all->sum[n_left++] = all->sum[i];
        else
            all->out_of_memory |= !sl_spool_add(&all->on_disk, &all->sum[i], sizeof *all->sum);
    memset(all->sum + n_left, 0, (n - n_left) * sizeof *all->sum);
    sl_index_free(&all->tuples);
    all->tuples = left;
    all->flush_at = 2 * n_left;
    if (all->on_disk.n >= all->add_up_at)
        add_up_on_disk(all);
}

bool sl_intervals_each(const struct sl_intervals *all,
                       bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    size_t n = all->tuples.n_keys;
    struct sl_interval_sum *added_up = all->on_disk.n ? sl_intervals_sums(all, &n) : NULL;
    if (all->on_disk.n && !added_up)
        return false;
    const struct sl_interval_sum *sum = added_up ? added_up : all->sum;
    bool wanted = true;
    for (size_t i = 0; i < n && wanted; i++) {
        struct sl_entry entry = sum[i].entry;
        entry.high = sl_saturating(entry.high, all->unlisted_high - sum[i].listed);
        wanted = emit(context, &entry);
    }
    free(added_up);
    return true;
}
