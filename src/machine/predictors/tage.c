/* SPDX-License-Identifier: MIT */
/* TAGE branch predictor, after Seznec and Michaud, "A case for (partially) tagged geometric history
 * length branch prediction" (2006). It has a base table of 2-bit counters, which is indexed by
 * address, and tagged tables. Each tagged table is indexed with a longer part of the global branch
 * history than the table before it.
 *
 *      a ──► | 2 bits | ...                                       base, always present
 *      a, newest L1 outcomes ──► | tag | counter (3) | useful (2) | ...
 *      a, newest L2 outcomes ──► | tag | counter (3) | useful (2) | ...
 *      ...                                                        L1 < L2 < ..., geometric
 *
 * With fold(L, b) the XOR of the L newest outcomes, that of age j at bit j mod b:
 *
 *      index of table i = (a ^ a >> bits ^ fold(Li, bits)) mod entries,   bits = log2(entries)
 *      tag of table i   = (a ^ fold(Li, t) ^ fold(Li, t - 1) << 1) mod 2^t
 *
 * The *provider* is the table with the longest history whose tag matches, else the base; the
 * *alternative* is the prediction without it. A provider entry with a weak counter and no useful
 * bits is new: then a 4-bit counter, which learns which of the two is right in such cases, may
 * select the alternative.
 *
 * Learning: the provider's counter. If provider and alternative differ, `useful` is incremented if
 * the provider was right, else decremented. After a misprediction, the first table with a longer
 * history whose entry is not useful allocates it, with a weak counter; if there is none, all of
 * these entries become less useful. (The paper allocates a random one of the free entries; taking
 * the first one needs no random numbers.) After every `reset` branches the upper or the lower bits
 * of all useful counters are cleared, in turn.
 *
 * Initially histories are 0, base counters weakly taken, all tags 0 with weakly taken counters. As
 * in direction.c, a branch learns its outcome before the next one is predicted. */
#include "predictor.h"

#include <math.h>
#include <string.h>

#define WEAKLY_TAKEN 4 /* of 3 bits */
#define PREFER_MAX 15
#define PREFER_START 8

struct entry {
    uint16_t tag;
    uint8_t counter, useful;
};

/* The folded histories of all tables, updated by one outcome at a time. Arrays over tables, so that
 * the compiler can use vector instructions. */
struct folds {
    unsigned bits;
    uint32_t word[SL_TAGE_TABLES];
    uint32_t out[SL_TAGE_TABLES]; /* position of the outcome that becomes too old */
};

struct sl_tage {
    unsigned n_tables, entry_bits, tag_bits;
    uint64_t base_mask, reset;
    uint64_t left;   /* branches until the next reset */
    unsigned prefer; /* prefer the alternative of a new entry, from PREFER_START on */
    unsigned newest; /* index in outcome[] */
    bool clear_low;
    struct entry *entry[SL_TAGE_TABLES];
    uint32_t history[SL_TAGE_TABLES];
    struct folds index, tag, tag_short;
    uint8_t *base;
    uint8_t outcome[SL_TAGE_HISTORY]; /* a ring; the newest at `newest`, followed by older ones */
};

unsigned sl_tage_history(const struct sl_direction_config *c, unsigned table)
{
    if (c->tage_tables == 1)
        return (unsigned)c->tage_shortest;
    double ratio = (double)c->tage_longest / (double)c->tage_shortest;
    return (unsigned)((double)c->tage_shortest *
                          pow(ratio, (double)table / (double)(c->tage_tables - 1)) +
                      0.5);
}

size_t sl_tage_bytes(const struct sl_direction_config *c)
{
    return sizeof(struct sl_tage) +
           (size_t)(c->tage_tables * c->tage_entries) * sizeof(struct entry) +
           (size_t)c->bimodal_entries;
}

static void fold_to(struct folds *f, const uint32_t history[SL_TAGE_TABLES], unsigned bits)
{
    f->bits = bits;
    for (unsigned i = 0; i < SL_TAGE_TABLES; i++)
        f->out[i] = bits ? UINT32_C(1) << history[i] % bits : 0;
}

void sl_tage_init(struct sl_tage *t, const struct sl_direction_config *c)
{
    struct entry *entry = (struct entry *)(t + 1);
    *t = (struct sl_tage){.n_tables = (unsigned)c->tage_tables,
                          .entry_bits = (unsigned)__builtin_ctzll(c->tage_entries),
                          .tag_bits = (unsigned)c->tage_tag,
                          .base_mask = c->bimodal_entries - 1,
                          .reset = c->tage_reset,
                          .left = c->tage_reset,
                          .prefer = PREFER_START};
    for (unsigned i = 0; i < t->n_tables; i++, entry += c->tage_entries) {
        t->history[i] = sl_tage_history(c, i);
        t->entry[i] = entry;
        for (uint64_t k = 0; k < c->tage_entries; k++)
            entry[k] = (struct entry){.counter = WEAKLY_TAKEN};
    }
    fold_to(&t->index, t->history, t->entry_bits);
    fold_to(&t->tag, t->history, t->tag_bits);
    fold_to(&t->tag_short, t->history, t->tag_bits - 1);
    t->base = memset(entry, 2, (size_t)c->bimodal_entries);
}

/* ---- history ---- */

/* `out`: all ones where the outcome that becomes too old is 1. */
static void fold_step(struct folds *f, uint32_t in, const uint32_t out[SL_TAGE_TABLES])
{
    uint32_t mask = (UINT32_C(1) << f->bits) - 1;
    for (unsigned i = 0; i < SL_TAGE_TABLES; i++) {
        uint32_t word = f->word[i] << 1 | in;
        f->word[i] = (word ^ word >> f->bits ^ (out[i] & f->out[i])) & mask;
    }
}

static void add_outcome(struct sl_tage *t, bool taken)
{
    uint32_t out[SL_TAGE_TABLES] = {0};
    for (unsigned i = 0; i < t->n_tables; i++)
        out[i] = -(uint32_t)t->outcome[(t->newest + t->history[i] - 1) % SL_TAGE_HISTORY];
    fold_step(&t->index, taken, out);
    fold_step(&t->tag, taken, out);
    fold_step(&t->tag_short, taken, out);
    t->newest = (t->newest + SL_TAGE_HISTORY - 1) % SL_TAGE_HISTORY;
    t->outcome[t->newest] = taken;
}

/* ---- one branch ---- */

static uint16_t tag_of(const struct sl_tage *t, unsigned table, uint64_t a)
{
    uint64_t tag = a ^ t->tag.word[table] ^ (uint64_t)t->tag_short.word[table] << 1;
    return (uint16_t)(tag & ((UINT64_C(1) << t->tag_bits) - 1));
}

static struct entry *entry_of(const struct sl_tage *t, unsigned table, uint64_t a)
{
    uint64_t index = a ^ a >> t->entry_bits ^ t->index.word[table];
    return &t->entry[table][index & ((UINT64_C(1) << t->entry_bits) - 1)];
}

static uint8_t updated(uint8_t counter, bool up, uint8_t most)
{
    return (uint8_t)(counter + (up & (counter < most)) - (!up & (counter > 0)));
}

/* Allocates an entry in the first table from `from` on whose entry is free. */
static void allocate(struct sl_tage *t, unsigned from, uint64_t a, bool taken)
{
    for (unsigned i = from; i < t->n_tables; i++) {
        struct entry *entry = entry_of(t, i, a);
        if (entry->useful)
            continue;
        *entry = (struct entry){tag_of(t, i, a), (uint8_t)(taken ? WEAKLY_TAKEN : WEAKLY_TAKEN - 1),
                                0};
        return;
    }
    for (unsigned i = from; i < t->n_tables; i++)
        entry_of(t, i, a)->useful--;
}

/* Clears one of the two useful bits of all entries. */
static void reset_useful(struct sl_tage *t)
{
    uint8_t mask = t->clear_low ? 2 : 1;
    for (unsigned i = 0; i < t->n_tables; i++)
        for (uint64_t k = 0; k >> t->entry_bits == 0; k++)
            t->entry[i][k].useful &= mask;
    t->clear_low = !t->clear_low;
}

static bool is_taken(const struct entry *entry)
{
    return entry->counter >= WEAKLY_TAKEN;
}

/* Predicts and learns with a tagged table; `other` is the alternative. Returns the prediction. */
static bool predict_tagged(struct sl_tage *t, struct entry *entry, bool other, bool taken)
{
    bool own = is_taken(entry);
    bool new = !entry->useful &&
               (entry->counter == WEAKLY_TAKEN || entry->counter == WEAKLY_TAKEN - 1);
    bool predicted = new && t->prefer >= PREFER_START ? other : own;
    if (new &&own != other)
        t->prefer = updated((uint8_t)t->prefer, other == taken, PREFER_MAX);
    if (own != other)
        entry->useful = updated(entry->useful, own == taken, 3);
    entry->counter = updated(entry->counter, taken, 7);
    return predicted;
}

bool sl_tage_step(struct sl_tage *t, uint64_t a, bool taken)
{
    struct entry *provider = NULL, *alternative = NULL;
    unsigned longer = 0; /* tables from here on have longer histories than the provider */
    for (unsigned i = t->n_tables; i-- && !alternative;) {
        struct entry *entry = entry_of(t, i, a);
        if (entry->tag != tag_of(t, i, a))
            continue;
        alternative = provider ? entry : NULL;
        longer = provider ? longer : i + 1;
        provider = provider ? provider : entry;
    }
    uint8_t *base = &t->base[a & t->base_mask];
    bool predicted = *base >= 2;
    if (provider)
        predicted = predict_tagged(t, provider, alternative ? is_taken(alternative) : predicted,
                                   taken);
    else
        *base = updated(*base, taken, 3);
    if (predicted != taken)
        allocate(t, longer, a, taken);
    if (--t->left == 0) {
        reset_useful(t);
        t->left = t->reset;
    }
    add_outcome(t, taken);
    return predicted;
}
