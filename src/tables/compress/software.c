/* SPDX-License-Identifier: MIT */
/* Software side of a stream compressor: adds up the counts of each tuple's messages in a hash
 * table. The table uses linear probing, and doubles its size when 5/8 of its slots are used.
 *
 *     slot:  | pc (64) | value (64) | count (64) | samples (64) | substream (32) |
 *
 * A slot is probably not in the cache, and messages arrive a hundred at a time, so the slots of all
 * are prefetched before the first one is read. */
#include "software.h"

#include <stdlib.h>

#include "hash.h"
#include "table.h"

#define SLOTS_FIRST 256u

/* The tuple's slot, or the empty slot where it would be added. */
static struct sl_message *probe(struct sl_message *slot, uint64_t n_slots, struct sl_tuple tuple)
{
    uint64_t mask = n_slots - 1;
    for (uint64_t at = sl_mix_pair(tuple.pc, tuple.value) & mask;; at = (at + 1) & mask) {
        struct sl_message *s = &slot[at];
        if (!s->samples || sl_tuple_same(s->tuple, tuple))
            return s;
    }
}

static bool grow(struct sl_software *software)
{
    uint64_t n = software->n_slots ? 2 * software->n_slots : SLOTS_FIRST;
    struct sl_message *bigger;
    /* Both tables exist while entries are moved. */
    if ((n + software->n_slots) * sizeof *bigger > software->memory_bytes ||
        !(bigger = calloc(n, sizeof *bigger)))
        return false;
    for (uint64_t i = 0; i < software->n_slots; i++)
        if (software->slot[i].samples)
            *probe(bigger, n, software->slot[i].tuple) = software->slot[i];
    free(software->slot);
    software->slot = bigger;
    software->n_slots = n;
    return true;
}

static void add_one(struct sl_software *software, const struct sl_message *message)
{
    struct sl_message *slot = NULL;
    if (software->n_slots)
        slot = probe(software->slot, software->n_slots, message->tuple);
    /* A full table keeps 3/8 of its slots empty, so that probes stay short. */
    if (!slot || (!slot->samples && 8 * software->n_used >= 5 * software->n_slots)) {
        software->drops++;
        software->drops_weight += message->count;
        return;
    }
    if (!slot->samples) {
        *slot = *message;
        software->n_used++;
    } else {
        slot->count += message->count;
        slot->samples += message->samples;
    }
}

void sl_software_add(void *context, const struct sl_message *message, size_t n)
{
    struct sl_software *software = context;
    while (!software->full && 8 * (software->n_used + n) > 5 * software->n_slots)
        software->full = !grow(software);
    for (size_t i = 0; i < n && software->n_slots; i++) {
        uint64_t hash = sl_mix_pair(message[i].tuple.pc, message[i].tuple.value);
        __builtin_prefetch(&software->slot[hash & (software->n_slots - 1)], 1);
    }
    for (size_t i = 0; i < n; i++)
        add_one(software, &message[i]);
}

const struct sl_message *sl_software_find(const struct sl_software *software, struct sl_tuple tuple)
{
    const struct sl_message *slot = software->n_slots
                                        ? probe(software->slot, software->n_slots, tuple)
                                        : NULL;
    return slot && slot->samples ? slot : NULL;
}
