/* SPDX-License-Identifier: MIT */
/* Plain model of the hot path table (hpt) for its unit test: one array of entries, and a search
 * through the set at each event. */
#ifndef SL_TESTS_HPT_NAIVE_H
#define SL_TESTS_HPT_NAIVE_H

#include <stdint.h>

#include "../support/placed_table.h"

struct plain_entry {
    struct sl_tuple tuple;
    uint64_t count, used, events;
};

struct plain {
    size_t entries, ways;
    char replacement; /* the second letter of its name */
    bool start;
    unsigned counter_bits;
    struct plain_entry *entry;
    uint64_t drops; /* events whose weight, or part of it, is in no entry */
};

/* Bit by bit. By how much the rest is turned, from no bit to eleven of them. */
static uint64_t set_plainly(uint64_t first, uint64_t rest, unsigned bits, bool start)
{
    static const unsigned turn[] = {0, 0, 1, 1, 1, 2, 1, 3, 3, 4, 3, 5};
    uint64_t set = 0;
    for (unsigned i = 0; i < 64 && bits; i++)
        set ^= (first >> i & 1) << i % bits;
    for (unsigned i = 0; i < 64 && bits && !start; i++)
        set ^= (rest >> i & 1) << (i % bits + turn[bits]) % bits;
    return set;
}

static void plain_step(struct plain *p, struct sl_tuple t, uint64_t w, uint64_t now)
{
    uint64_t sets = p->entries / p->ways, most = (UINT64_C(1) << p->counter_bits) - 1;
    unsigned bits = 0;
    while (sets >> (bits + 1))
        bits++;
    struct plain_entry *set = p->entry + set_plainly(t.pc, t.value, bits, p->start) * p->ways;
    struct plain_entry *victim = set;
    if (!w)
        return;
    for (struct plain_entry *e = set; e < set + p->ways; e++)
        if (e->count && e->tuple.pc == t.pc && e->tuple.value == t.value) {
            bool fits = e->count + w <= most;
            e->count = fits ? e->count + w : most;
            e->events += fits;
            p->drops += !fits;
            e->used = now;
            return;
        }
    for (struct plain_entry *e = set + p->ways; e-- > set;)
        if (p->replacement == 'r' ? e->used <= victim->used : e->count <= victim->count)
            victim = e;
    if (p->replacement == 'g' && victim->count > w) {
        uint64_t worn = victim->events * w / victim->count;
        victim->count -= w;
        victim->events -= worn;
        p->drops += worn + 1;
    } else {
        p->drops += victim->events + (w > most);
        *victim = (struct plain_entry){t, w < most ? w : most, now, w <= most};
    }
}

static struct entries plain_entries(const struct plain *p)
{
    struct entries all = {NULL, 0, 0};
    for (size_t i = 0; i < p->entries; i++)
        if (p->entry[i].count)
            keep_entry(&all,
                       &(struct sl_entry){.tuple = p->entry[i].tuple, .count = p->entry[i].count});
    if (all.n)
        qsort(all.entry, all.n, sizeof *all.entry, by_tuple);
    return all;
}

#endif
