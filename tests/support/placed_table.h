/* SPDX-License-Identifier: MIT */
/* Test helpers that open a table without a session, in memory that the test allocates, and read the
 * entries of the table. */
#ifndef SL_TESTS_PLACED_TABLE_H
#define SL_TESTS_PLACED_TABLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "sluice.h"

struct placed {
    struct sl_table *table;
    void *memory;
};

/* A spec that is not one is an error of the test. */
static inline struct placed place(const char *spec, const struct sl_table_host *host)
{
    struct placed p;
    struct sl_failure f;
    size_t bytes = sl_table_bytes(spec, host, &f);
    p.memory = bytes ? aligned_alloc(64, bytes) : NULL;
    if (p.memory)
        memset(p.memory, 0, bytes);
    if (!p.memory || sl_table_place(&p.table, spec, host, p.memory, &f) < 0) {
        printf("# %s: %s\n", spec, f.text);
        abort();
    }
    return p;
}

static inline void unplace(struct placed *p)
{
    sl_table_close(p->table);
    free(p->memory);
}

static inline void step_all(struct placed *p, const struct sl_event *event, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sl_table_step(p->table, &event[i]);
}

/* ---- a host that keeps the messages it is sent ---- */

struct inbox {
    struct sl_message *message;
    size_t n, capacity;
};

static inline void keep_messages(void *context, const struct sl_message *message, size_t n)
{
    struct inbox *inbox = context;
    while (inbox->n + n > inbox->capacity) {
        inbox->capacity = 2 * inbox->capacity + 1000;
        inbox->message = realloc(inbox->message, inbox->capacity * sizeof *message);
    }
    memcpy(inbox->message + inbox->n, message, n * sizeof *message);
    inbox->n += n;
}

static inline bool same_message(const struct sl_message *a, const struct sl_message *b)
{
    return a->tuple.pc == b->tuple.pc && a->tuple.value == b->tuple.value && a->count == b->count &&
           a->samples == b->samples && a->stream == b->stream;
}

static inline bool same_messages(const struct inbox *a, const struct inbox *b)
{
    size_t i = 0;
    while (i < a->n && i < b->n && same_message(&a->message[i], &b->message[i]))
        i++;
    return a->n == b->n && i == a->n;
}

/* ---- what a table drains, in order ---- */

struct entries {
    struct sl_entry *entry;
    size_t n, capacity;
};

static inline bool keep_entry(void *context, const struct sl_entry *entry)
{
    struct entries *all = context;
    if (all->n == all->capacity) {
        all->capacity = 2 * all->capacity + 1000;
        all->entry = realloc(all->entry, all->capacity * sizeof *entry);
    }
    all->entry[all->n++] = *entry;
    return true;
}

static inline int by_tuple(const void *left, const void *right)
{
    return memcmp(&((const struct sl_entry *)left)->tuple, &((const struct sl_entry *)right)->tuple,
                  sizeof(struct sl_tuple));
}

static inline struct entries drained(const struct sl_table *table,
                                     const struct sl_tuple_names *names)
{
    struct entries all = {NULL, 0, 0};
    sl_table_drain(table, names, keep_entry, &all);
    if (all.n)
        qsort(all.entry, all.n, sizeof *all.entry, by_tuple);
    return all;
}

/* Their counts, added up. */
static inline uint64_t counted(const struct entries *all)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < all->n; i++)
        sum += all->entry[i].count;
    return sum;
}

static inline bool same_entries(const struct entries *a, const struct entries *b)
{
    return a->n == b->n && (!a->n || !memcmp(a->entry, b->entry, a->n * sizeof *a->entry));
}

/* ---- two tables that are to be the same ---- */

static inline bool same_drained(const struct sl_table *a, const struct sl_table *b,
                                const struct sl_tuple_names *names)
{
    struct entries of_a = drained(a, names), of_b = drained(b, names);
    bool same = same_entries(&of_a, &of_b);
    free(of_a.entry);
    free(of_b.entry);
    return same;
}

static inline bool same_status(const struct sl_table_status *a, const struct sl_table_status *b)
{
    return a->events == b->events && a->weight == b->weight && a->drops == b->drops &&
           a->drops_weight == b->drops_weight && a->distinct == b->distinct &&
           a->storage_bits == b->storage_bits && a->bounds == b->bounds && a->sends == b->sends &&
           a->messages == b->messages && a->interrupts == b->interrupts &&
           a->message_weight == b->message_weight && a->residue == b->residue &&
           a->gap_min == b->gap_min && a->gap_median == b->gap_median && !strcmp(a->note, b->note);
}

/* How many of n events to give at once: often few, sometimes more than any group that
 * tables make of them, sometimes none. */
static inline size_t uneven(uint64_t *seed, size_t n)
{
    size_t some = (size_t)sl_random_below(seed, UINT64_C(1) << sl_random_below(seed, 14));
    return some < n ? some : n;
}

#endif
