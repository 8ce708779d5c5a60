/* SPDX-License-Identifier: MIT */
/* Collects the results of an interval table over a run (intervals.h). When the memory budget is
 * used up, further intervals and new candidates are not stored; only their number and the sum of
 * their counts are recorded. */
#include "intervals.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"

/* a + b, or UINT64_MAX. */
static uint64_t saturating(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

/* ---- memory ---- */

/* Bytes per tuple of the index map, including its growth. */
#define MAP_BYTES 96u

/* True if `bytes` more are within the memory limit. */
static bool may_use(const struct sl_intervals *all, uint64_t bytes)
{
    uint64_t used = all->series.n * sizeof(struct sl_interval_row) +
                    all->errors.capacity * sizeof *all->errors.interval +
                    all->sums_capacity * (sizeof *all->sum + MAP_BYTES) +
                    all->on_disk.n * sizeof *all->sum +
                    (all->candidates.n + all->n_now) * sizeof *all->now;
    return used + bytes <= all->memory_bytes;
}

/* True if an array of that capacity, which doubles when it is full, may get one more element. */
static bool may_add(const struct sl_intervals *all, size_t n, size_t capacity, size_t size)
{
    return n < capacity || may_use(all, (capacity ? capacity : 16) * size);
}

/* The index of a tuple in `sum`, to which it is added if necessary; SL_NO_INDEX if memory is used
 * up. */
static uint32_t place_of(struct sl_intervals *all, const struct sl_entry *entry)
{
    uint32_t at = sl_index_find(&all->tuples, entry->tuple.pc, entry->tuple.value);
    if (at != SL_NO_INDEX)
        return at;
    if (!may_add(all, all->tuples.n_keys, all->sums_capacity, sizeof *all->sum + MAP_BYTES)) {
        all->tuples_left_out++;
        if ((all->on_disk.n || all->tuples.n_keys >= SL_SUMS_IN_MEMORY) &&
            all->left_out_high < entry->high)
            all->left_out_high = entry->high;
        all->weight_left_out = saturating(all->weight_left_out, entry->count);
        return SL_NO_INDEX;
    }
    /* Grow first, so that every tuple in the map has a sum. */
    if (SL_GROW(all->sum, all->sums_capacity, (size_t)all->tuples.n_keys + 1))
        at = sl_index_add(&all->tuples, entry->tuple.pc, entry->tuple.value);
    all->out_of_memory |= at == SL_NO_INDEX;
    return at;
}

/* ---- sums ---- */

static int by_tuple(const void *left, const void *right)
{
    const struct sl_interval_sum *a = left, *b = right;
    return sl_tuple_order(a->entry.tuple, b->entry.tuple);
}

static void add_up(void *to, void *from)
{
    struct sl_interval_sum *sum = to, *part = from;
    sum->entry.count += part->entry.count;
    sum->entry.low += part->entry.low;
    sum->entry.high = saturating(sum->entry.high, part->entry.high);
    sum->listed = saturating(sum->listed, part->listed);
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
    *n = SL_SORT_AND_MERGE(sum, n_all, by_tuple, add_up);
    return sum;
}

struct sl_interval_sum *sl_intervals_sums(const struct sl_intervals *all, size_t *n)
{
    return sums_with(all, all->tuples.n_keys, n);
}

uint64_t sl_intervals_of(const struct sl_interval_sum *sums, size_t n, struct sl_tuple tuple)
{
    const struct sl_interval_sum wanted = {.entry.tuple = tuple};
    const struct sl_interval_sum *sum = bsearch(&wanted, sums, n, sizeof *sums, by_tuple);
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

/* At the end of interval `interval`: moves sums of tuples that were no candidates in it to disk, if
 * there are many. */
static void flush(struct sl_intervals *all, uint64_t interval)
{
    struct sl_index_map left = {0};
    size_t n = all->tuples.n_keys, n_left = 0;
    if (n < SL_SUMS_IN_MEMORY || n < all->flush_at || !may_use(all, n * sizeof *all->sum))
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
        entry.high = saturating(entry.high, all->unlisted_high - sum[i].listed);
        wanted = emit(context, &entry);
    }
    free(added_up);
    return true;
}

/* ---- an interval ---- */

/* Adds a candidate to its tuple's sum. Returns true if it was one in the previous interval. */
static bool add_candidate(struct sl_intervals *all, const struct sl_interval *interval,
                          const struct sl_entry *entry)
{
    uint32_t at = place_of(all, entry);
    if (at == SL_NO_INDEX)
        return false;
    struct sl_interval_sum *sum = &all->sum[at];
    bool stayed = sum->intervals && sum->last + 1 == interval->number;
    add_up(sum, &(struct sl_interval_sum){
                    .entry = *entry, .intervals = 1, .listed = interval->unlisted_high});
    sum->entry.tuple = entry->tuple;
    sum->last = interval->number;
    if (stayed)
        all->later.predicted += entry->count;
    if (all->candidates.n + all->n_now < all->candidates_max && may_use(all, sizeof *all->now)) {
        if (SL_GROW(all->now, all->now_capacity, all->n_now + 1))
            all->now[all->n_now++] = (struct sl_interval_candidate){interval->number, *entry};
        else
            all->out_of_memory = true;
    }
    return stayed;
}

static void measure(struct sl_intervals *all, const struct sl_interval *interval,
                    struct sl_interval_row *out)
{
    if (!sl_interval_errors_add(&all->errors, interval,
                                sl_interval_exact_list(all->exact, all->names))) {
        all->out_of_memory = true;
        return;
    }
    const struct sl_interval_error *error = &all->errors.interval[all->errors.n - 1];
    out->error = error->error;
    out->false_positive = error->part[SL_FALSE_POSITIVE];
    out->false_negative = error->part[SL_FALSE_NEGATIVE];
    out->neutral_positive = error->part[SL_NEUTRAL_POSITIVE];
    out->neutral_negative = error->part[SL_NEUTRAL_NEGATIVE];
}

static int by_count(const void *left, const void *right)
{
    const struct sl_interval_candidate *a = left, *b = right;
    if (a->entry.count != b->entry.count)
        return a->entry.count > b->entry.count ? -1 : 1;
    return sl_tuple_order(a->entry.tuple, b->entry.tuple);
}

static void store_candidates(struct sl_intervals *all)
{
    SL_SORT(all->now, all->n_now, by_count);
    for (size_t i = 0; i < all->n_now; i++)
        all->out_of_memory |= !sl_spool_add(&all->candidates, &all->now[i], sizeof *all->now);
    all->n_now = 0;
}

/* True if the series may grow. After the first refusal it never grows again, so that it has no
 * gaps. */
static bool may_add_row(struct sl_intervals *all)
{
    if (!all->rows_left_out && may_use(all, sizeof(struct sl_interval_row)) &&
        (!all->names ||
         may_add(all, all->errors.n, all->errors.capacity, sizeof *all->errors.interval)))
        return true;
    all->rows_left_out++;
    return false;
}

static void add_row(struct sl_intervals *all, const struct sl_interval *interval, uint64_t stayed)
{
    struct sl_interval_row row = {
        .number = interval->number,
        .first_event = interval->first_event,
        .events = interval->events,
        .weight = interval->weight,
        .threshold = interval->threshold,
        .candidates = interval->n_entries,
        .entered = interval->n_entries - stayed,
        .left = all->candidates_before - stayed,
        .drops = interval->drops,
        .partial = interval->partial,
        .error = NAN,
        .false_positive = NAN,
        .false_negative = NAN,
        .neutral_positive = NAN,
        .neutral_negative = NAN,
    };
    if (all->names)
        measure(all, interval, &row);
    all->out_of_memory |= !sl_spool_add(&all->series, &row, sizeof row);
}

void sl_intervals_add(void *intervals, const struct sl_interval *interval)
{
    struct sl_intervals *all = intervals;
    uint64_t stayed = 0;
    if (all->on_interval)
        all->on_interval(all->on_interval_context, interval);
    for (size_t i = 0; i < interval->n_entries; i++)
        stayed += add_candidate(all, interval, &interval->entry[i]);
    store_candidates(all);
    flush(all, interval->number);
    uint64_t unlisted = interval->unlisted_high;
    all->unlisted_high = saturating(all->unlisted_high,
                                    unlisted > all->left_out_high ? unlisted : all->left_out_high);
    all->left_out_high = 0;
    all->drops += interval->drops;
    if (all->n_intervals++) {
        all->later.events += interval->events;
        all->later.entered += interval->n_entries - stayed;
    }
    if (may_add_row(all))
        add_row(all, interval, stayed);
    else if (all->exact && all->names)
        sl_interval_exact_list(all->exact, all->names); /* marks the interval as ended */
    all->candidates_before = interval->n_entries;
}

void sl_intervals_warning(const struct sl_intervals *all, char *out, size_t capacity)
{
    char rows[100] = "", tuples[100] = "";
    *out = '\0';
    if (!all->rows_left_out && !all->tuples_left_out)
        return;
    if (all->rows_left_out)
        snprintf(rows, sizeof rows, "; %" PRIu64 " of %" PRIu64 " intervals are not listed",
                 all->rows_left_out, all->n_intervals);
    if (all->tuples_left_out)
        snprintf(tuples, sizeof tuples,
                 "; candidates with a total count of %" PRIu64 " are not stored",
                 all->weight_left_out);
    snprintf(out, capacity, "interval results reached their memory limit (%.0f MB)%s%s",
             (double)all->memory_bytes / 1e6, rows, tuples);
}

void sl_intervals_free(struct sl_intervals *all)
{
    sl_index_free(&all->tuples);
    free(all->sum);
    free(all->now);
    sl_spool_free(&all->on_disk);
    sl_spool_free(&all->series);
    sl_spool_free(&all->candidates);
    sl_interval_errors_free(&all->errors);
}
