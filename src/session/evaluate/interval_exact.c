/* SPDX-License-Identifier: MIT */
/* Exact profile of one interval, in a hash table that can be emptied in constant time
 * (intervals.h). */
#include "intervals.h"

#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "hash.h"

#define SLOTS_FIRST 4096u
/* Events whose slots are prefetched together. */
#define GROUP 32u

/* A slot with another epoch is empty. The first epoch is 1. */
struct sl_interval_slot {
    uint64_t value, count;
    uint32_t tuple_id, epoch;
};

static struct sl_interval_slot *find(struct sl_interval_slot *slot, size_t n_slots, uint32_t epoch,
                                     uint64_t hash, uint32_t tuple_id, uint64_t value)
{
    size_t at = hash & (n_slots - 1);
    while (slot[at].epoch == epoch && (slot[at].tuple_id != tuple_id || slot[at].value != value))
        at = (at + 1) & (n_slots - 1);
    return &slot[at];
}

/* Keeps the table at most half full. Returns false if out of memory. */
static bool grow(struct sl_interval_exact *x)
{
    size_t n = x->n_slots ? 2 * x->n_slots : SLOTS_FIRST;
    struct sl_interval_slot *bigger = calloc(n, sizeof *bigger);
    if (!bigger || !SL_GROW(x->used, x->used_capacity, n / 2 + 1)) {
        free(bigger);
        return false;
    }
    if (!x->epoch)
        x->epoch = 1;
    for (size_t i = 0; i < x->n_used; i++) {
        const struct sl_interval_slot *old = &x->slot[x->used[i]];
        struct sl_interval_slot *new = find(
            bigger, n, x->epoch, sl_mix_pair(old->tuple_id, old->value), old->tuple_id, old->value);
        *new = *old;
        x->used[i] = (uint32_t)(new - bigger);
    }
    free(x->slot);
    x->slot = bigger;
    x->n_slots = n;
    return true;
}

static void count_group(struct sl_interval_exact *x, const struct sl_batch *batch, size_t from,
                        size_t n)
{
    uint64_t hash[GROUP];
    for (size_t i = 0; i < n; i++) {
        hash[i] = sl_mix_pair(batch->tuple_id[from + i], batch->value ? batch->value[from + i] : 0);
        __builtin_prefetch(&x->slot[hash[i] & (x->n_slots - 1)], 1);
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t tuple_id = batch->tuple_id[from + i];
        uint64_t value = batch->value ? batch->value[from + i] : 0;
        struct sl_interval_slot *slot = find(x->slot, x->n_slots, x->epoch, hash[i], tuple_id,
                                             value);
        if (slot->epoch != x->epoch) {
            *slot = (struct sl_interval_slot){value, 0, tuple_id, x->epoch};
            x->used[x->n_used++] = (uint32_t)(slot - x->slot);
        }
        slot->count += batch->weight ? batch->weight[from + i] : 1;
    }
}

bool sl_interval_exact_observe(struct sl_interval_exact *x, const struct sl_batch *batch)
{
    for (size_t from = 0; from < batch->n; from += GROUP) {
        if (2 * (x->n_used + GROUP) > x->n_slots && !grow(x))
            return false;
        count_group(x, batch, from, batch->n - from < GROUP ? batch->n - from : GROUP);
    }
    return true;
}

struct sl_profile_list *sl_interval_exact_list(struct sl_interval_exact *x,
                                               const struct sl_tuple_names *names)
{
    for (size_t i = 0; i < x->n_used && !x->listed; i++) {
        const struct sl_interval_slot *slot = &x->slot[x->used[i]];
        if (i + GROUP < x->n_used)
            __builtin_prefetch(&x->slot[x->used[i + GROUP]]);
        uint64_t second = names->value ? names->value[slot->tuple_id] : slot->value;
        struct sl_entry entry = {.tuple = {names->pc[slot->tuple_id], second},
                                 .count = slot->count};
        sl_profile_list_add(&x->list, &entry);
    }
    x->listed = true;
    return &x->list;
}

void sl_interval_exact_clear(struct sl_interval_exact *x)
{
    x->n_used = 0;
    x->listed = false;
    sl_profile_list_clear(&x->list);
    if (++x->epoch == 0) { /* epochs repeat after 2^32 intervals */
        memset(x->slot, 0, x->n_slots * sizeof *x->slot);
        x->epoch = 1;
    }
}

void sl_interval_exact_free(struct sl_interval_exact *x)
{
    free(x->slot);
    free(x->used);
    sl_profile_list_free(&x->list);
    *x = (struct sl_interval_exact){0};
}
