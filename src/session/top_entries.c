/* SPDX-License-Identifier: MIT */
/* Finds the entries of a table with the highest counts, by quickselect instead of a full sort
 * (session.h). */
#include "session.h"

#include <stdlib.h>

#include "context_name.h"
#include "failure.h"
#include "detector_set.h"
#include "grow.h"
#include "index_map.h"
#include "random.h"
#include "resources.h"

/* Collects entries. Whenever there are twice as many as wanted, the lower half is dropped. From
 * then on, entries below the last remaining one are skipped; these are most entries, because many
 * have the same small count. */
struct collector {
    struct sl_top_entries *out;
    size_t capacity;
    bool full;            /* at least `wanted` entries were seen: */
    struct sl_entry last; /* the last of the top ones; its count is 0 until then */
    bool out_of_memory;
};

static int by_count(const void *left, const void *right)
{
    const struct sl_entry *a = left, *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return sl_tuple_order(a->tuple, b->tuple);
}

/* Moves the top n entries to the front, in any order except that the last of them is at n - 1
 * (quickselect). The pivots are random, because a profiled program controls the order of entries
 * and could make fixed pivots quadratic. */
static void select_top(struct sl_entry *entry, size_t n_all, size_t n)
{
    struct sl_entry *low = entry, *high = entry + n_all - 1, *wanted = entry + n - 1;
    uint64_t seed = sl_random_key();
    while (low < high) {
        struct sl_entry pivot = low[sl_random_below(&seed, (uint64_t)(high - low) + 1)], *i = low,
                        *k = high;
        while (i <= k) {
            while (by_count(i, &pivot) < 0)
                i++;
            while (by_count(k, &pivot) > 0)
                k--;
            if (i <= k) {
                struct sl_entry moved = *i;
                *i++ = *k;
                *k-- = moved;
            }
        }
        if (wanted <= k)
            high = k;
        else if (wanted >= i)
            low = i;
        else
            return;
    }
}

static void drop_lower_half(struct collector *c)
{
    struct sl_top_entries *out = c->out;
    if (out->n < out->wanted)
        return;
    if (out->wanted)
        select_top(out->entry, out->n, out->wanted);
    out->n = out->wanted;
    c->full = out->n > 0;
    if (c->full)
        c->last = out->entry[out->n - 1];
}

static bool collect(void *context, const struct sl_entry *entry)
{
    struct collector *c = context;
    struct sl_top_entries *out = c->out;
    if (out->tagged && entry->tuple.pc >> SL_TAG_SHIFT != out->tag)
        return true;
    out->distinct++;
    if (c->full && entry->count < c->last.count)
        return true;
    struct sl_entry own = *entry;
    if (out->tagged)
        own.tuple.pc &= SL_TAG_PC;
    if (c->full && by_count(&own, &c->last) > 0)
        return true;
    if (!SL_GROW(out->entry, c->capacity, out->n + 1)) {
        c->out_of_memory = true;
        return false;
    }
    out->entry[out->n] = own;
    if (++out->n / 2 >= out->wanted)
        drop_lower_half(c);
    return true;
}

/* ---- callers ---- */

struct callers {
    struct sl_index_map named; /* tuples of the detector, by their context name */
    struct sl_index_map there; /* entries by tuple */
    uint32_t *tuple;           /* by context name */
    size_t capacity;
};

static struct sl_tuple tuple_at(const struct sl_tuple_names *names, size_t i, bool tagged)
{
    uint64_t pc = names->pc[i];
    return (struct sl_tuple){tagged ? pc & SL_TAG_PC : pc, names->value ? names->value[i] : 0};
}

static bool name_all(struct callers *callers, const struct sl_top_entries *h,
                     const struct sl_tuple_names *names)
{
    for (size_t i = 0; i < names->n; i++) {
        struct sl_tuple tuple = tuple_at(names, i, h->tagged);
        if (h->tagged && names->pc[i] >> SL_TAG_SHIFT != h->tag)
            continue;
        uint32_t name = sl_index_add(&callers->named, sl_context_name(tuple.value, tuple.pc), 0);
        if (name == SL_NO_INDEX || !SL_GROW(callers->tuple, callers->capacity, (size_t)name + 1))
            return false;
        callers->tuple[name] = (uint32_t)i;
    }
    return true;
}

static bool add_callers(struct collector *c, struct callers *callers,
                        const struct sl_tuple_names *names)
{
    struct sl_top_entries *h = c->out;
    size_t n = h->n;
    for (size_t i = 0; i < n; i++)
        if (sl_index_add(&callers->there, h->entry[i].tuple.pc, h->entry[i].tuple.value) ==
            SL_NO_INDEX)
            return false;
    for (size_t i = 0; i < h->n; i++) { /* including the added ones */
        uint32_t name = sl_index_find(&callers->named, sl_context_caller(h->entry[i].tuple.value),
                                      0);
        if (name == SL_NO_INDEX)
            continue;
        struct sl_tuple tuple = tuple_at(names, callers->tuple[name], h->tagged);
        size_t before = callers->there.n_keys;
        if (sl_index_add(&callers->there, tuple.pc, tuple.value) == SL_NO_INDEX ||
            !SL_GROW(h->entry, c->capacity, h->n + 1))
            return false;
        if (callers->there.n_keys > before)
            h->entry[h->n++] = (struct sl_entry){.tuple = tuple};
    }
    SL_SORT(h->entry + n, h->n - n, by_count);
    return true;
}

static void complete(struct collector *c, const struct sl_tuple_names *names)
{
    struct callers callers = {0};
    if (!name_all(&callers, c->out, names) || !add_callers(c, &callers, names))
        c->out_of_memory = true;
    sl_index_free(&callers.named);
    sl_index_free(&callers.there);
    free(callers.tuple);
}

static bool count_intervals(struct sl_top_entries *h, const struct sl_intervals *all)
{
    uint64_t tag = h->tagged ? h->tag << SL_TAG_SHIFT : 0;
    size_t n;
    struct sl_interval_sum *sums = sl_intervals_sums(all, &n);
    h->intervals = calloc(h->n + 1, sizeof *h->intervals);
    for (size_t i = 0; sums && h->intervals && i < h->n; i++) {
        struct sl_tuple tuple = h->entry[i].tuple;
        tuple.pc |= tag;
        h->intervals[i] = sl_intervals_of(sums, n, tuple);
    }
    bool done = sums && h->intervals;
    free(sums);
    return done;
}

int sl_top_entries_find(struct sl_top_entries *top, const struct sl_evaluated_table *table,
                        const struct sl_tuple_names *names, struct sl_failure *f)
{
    struct collector c = {.out = top};
    bool by_intervals = table->kind->intervals;
    if (by_intervals || top->tagged)
        c.out_of_memory |= !sl_evaluated_table_each(table, names, collect, &c);
    else
        top->distinct += sl_table_drain_heavy(table->table, names, &c.last.count, collect, &c);
    drop_lower_half(&c);
    SL_SORT(top->entry, top->n, by_count);
    /* The exact table has each tuple once: if it has all tuples, no caller is missing. */
    bool all = table->kind == &sl_table_exact && !top->tagged && top->n == names->n;
    if (top->linked && top->n < top->wanted && !all)
        complete(&c, names);
    if (table->kind->intervals && !count_intervals(top, &table->intervals))
        c.out_of_memory = true;
    if (c.out_of_memory) {
        free(top->entry);
        free(top->intervals);
        return sl_out_of_memory(f);
    }
    return 0;
}
