/* A hash table with linear probing, at most 5/8 full, doubled as it fills.
 *
 *     slot:  | pc (64) | value (64) | count (64) | samples (64) | substream (32) |
 *
 * A slot is likely not in the cache, and messages come a hundred at a time: the slots
 * of all are asked for before the first is looked at. */
#include "software.h"

#include <stdlib.h>

#include "grow.h"
#include "hash.h"

#define SLOTS_FIRST 256u

/* The tuple's slot, or the empty one where it would go. */
static struct sl_message *probe(struct sl_message *slot, uint64_t n_slots, struct sl_tuple tuple)
{
    uint64_t mask = n_slots - 1;
    for (uint64_t at = sl_mix_pair(tuple.pc, tuple.value) & mask;; at = (at + 1) & mask) {
        struct sl_message *s = &slot[at];
        if (!s->samples || (s->tuple.pc == tuple.pc && s->tuple.value == tuple.value))
            return s;
    }
}

static bool fits(const struct sl_software *software, uint64_t n_slots, uint64_t n_streams)
{
    return n_slots * sizeof *software->slot + n_streams * sizeof *software->stream <=
           software->memory_bytes;
}

static bool grow(struct sl_software *software)
{
    uint64_t n = software->n_slots ? 2 * software->n_slots : SLOTS_FIRST;
    struct sl_message *bigger;
    /* While moving, the old table is there too. */
    if (!fits(software, n + software->n_slots, software->room_streams) ||
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

static void make_room(struct sl_software *software, size_t n)
{
    while (!software->full && 8 * (software->n_used + n) > 5 * software->n_slots)
        software->full = !grow(software);
}

static bool add_to_stream(struct sl_software *software, size_t stream, uint64_t count,
                          uint64_t samples)
{
    if (stream >= software->n_streams) {
        /* Growing doubles at most, and moves. */
        if (!fits(software, software->n_slots, 3 * (stream + 16)) ||
            !SL_GROW(software->stream, software->room_streams, stream + 1))
            return false;
        software->n_streams = stream + 1;
    }
    software->stream[stream][0] += count;
    software->stream[stream][1] += samples;
    return true;
}

static void add_one(struct sl_software *software, const struct sl_message *message)
{
    bool counted = add_to_stream(software, message->stream, message->count, message->samples);
    struct sl_message *slot = NULL;
    if (counted && software->n_slots)
        slot = probe(software->slot, software->n_slots, message->tuple);
    /* A full table keeps the rest empty, so that probing ends soon. */
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
    make_room(software, n);
    for (size_t i = 0; i < n && software->n_slots; i++) {
        uint64_t hash = sl_mix_pair(message[i].tuple.pc, message[i].tuple.value);
        __builtin_prefetch(&software->slot[hash & (software->n_slots - 1)], 1);
    }
    for (size_t i = 0; i < n; i++)
        add_one(software, &message[i]);
}

bool sl_software_add_streams(struct sl_software *software, const struct sl_software *other)
{
    for (size_t i = other->n_streams; i--;)
        if (!add_to_stream(software, i, other->stream[i][0], other->stream[i][1]))
            return false;
    return true;
}

const struct sl_message *sl_software_find(const struct sl_software *software,
                                          struct sl_tuple tuple)
{
    const struct sl_message *slot =
        software->n_slots ? probe(software->slot, software->n_slots, tuple) : NULL;
    return slot && slot->samples ? slot : NULL;
}

uint64_t sl_software_estimate(const struct sl_software *software, const struct sl_message *sum,
                              enum sl_estimate estimate)
{
    if (estimate == SL_ESTIMATE_SUM || sum->stream >= software->n_streams)
        return sum->count;
    const uint64_t *stream = software->stream[sum->stream];
    if (!stream[1])
        return sum->count;
    unsigned __int128 share = (unsigned __int128)sum->samples * stream[0];
    return (uint64_t)((share + stream[1] / 2) / stream[1]);
}

void sl_software_free(struct sl_software *software)
{
    free(software->slot);
    free(software->stream);
}
