/* SPDX-License-Identifier: MIT */
/* Finds the last access to each cache line in a part of a run, with a hash table that contains one
 * entry per line. */
#include "last_accesses.h"

#include <stdlib.h>
#include <string.h>

#include "hash.h"

#define LINE_LOG2 5
#define SLOTS_FIRST 4096u

static struct sl_touch *slot_of(const struct sl_last_accesses *t, uint64_t line)
{
    size_t at = sl_mix(line) & (t->n_slots - 1);
    while (t->slot[at].time && t->slot[at].line != line)
        at = (at + 1) & (t->n_slots - 1);
    return &t->slot[at];
}

static bool enlarge(struct sl_last_accesses *t)
{
    struct sl_last_accesses larger = {.n_slots = t->n_slots ? 2 * t->n_slots : SLOTS_FIRST};
    if (!(larger.slot = calloc(larger.n_slots, sizeof *larger.slot)))
        return false;
    for (size_t i = 0; i < t->n_slots; i++)
        if (t->slot[i].time)
            *slot_of(&larger, t->slot[i].line) = t->slot[i];
    free(t->slot);
    t->slot = larger.slot;
    t->n_slots = larger.n_slots;
    return true;
}

bool sl_last_accesses_add(struct sl_last_accesses *t, const struct sl_chunk *chunk)
{
    for (uint32_t i = 0; i < chunk->n_mems; i++) {
        uint64_t line = chunk->mem_addr[i] >> LINE_LOG2;
        if (2 * (t->n_lines + 1) > t->n_slots && !enlarge(t))
            return false;
        struct sl_touch *touch = slot_of(t, line);
        t->n_lines += !touch->time;
        *touch = (struct sl_touch){line, ++t->time,
                                   touch->stored | (chunk->mem_insn[i] & SL_MEM_STORE)};
    }
    return true;
}

bool sl_last_accesses_is_last(struct sl_last_accesses *t, uint64_t address, uint32_t *word)
{
    uint64_t line = address >> LINE_LOG2, size = UINT64_C(1) << (*word >> SL_MEM_SIZE_SHIFT & 7);
    const struct sl_touch *touch = slot_of(t, line);
    bool two = (address + size - 1) >> LINE_LOG2 != line;
    bool last = touch->time == ++t->asked;
    if (last && touch->stored)
        *word |= SL_MEM_STORE;
    return last || two;
}

void sl_last_accesses_clear(struct sl_last_accesses *t)
{
    if (t->n_slots)
        memset(t->slot, 0, t->n_slots * sizeof *t->slot);
    t->n_lines = 0;
}

void sl_last_accesses_free(struct sl_last_accesses *t)
{
    free(t->slot);
    *t = (struct sl_last_accesses){0};
}
