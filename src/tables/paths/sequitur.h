/* SPDX-License-Identifier: MIT */
/* Sequitur, a compression algorithm: turns a sequence of symbols, one symbol at a time, into a
 * grammar that produces exactly this sequence. sequitur.c describes the algorithm, and grammar.h
 * describes the resulting grammar. */
#ifndef SL_SEQUITUR_H
#define SL_SEQUITUR_H

#include <stdlib.h>

#include "grammar.h"

/* ---- the index of digrams ---- */

/* Index of digrams (pairs of consecutive symbols) to their position in the grammar: a hash table
 * with linear probing, at most 5/8 full, which doubles. A removal moves later entries up instead of
 * leaving a mark, so that the table stays fast after billions of digrams.
 *
 *     slot:  | first symbol (32) | second symbol (32) | node of the first + 1 (32) |
 *
 * Inline, because it is most of the work of sequitur.c. */
struct sl_digram {
    uint32_t first, second;
    uint32_t node_plus_1; /* 0: empty */
};

struct sl_digram_index {
    struct sl_digram *slot;
    unsigned slots_log2; /* 0: no slots yet */
    uint64_t n_used;
    uint64_t probes; /* slots read so far, including moves */
};

#define SL_DIGRAMS_FIRST_LOG2 8u

static inline uint64_t sl_digram_slots(const struct sl_digram_index *index)
{
    return index->slots_log2 ? UINT64_C(1) << index->slots_log2 : 0;
}

/* The highest bits of a product, which depend on all bits of both symbols. */
static inline uint64_t sl_digram_home(const struct sl_digram_index *index, uint32_t first,
                                      uint32_t second)
{
    uint64_t hash = ((uint64_t)first << 32 | second) * UINT64_C(0x9e3779b97f4a7c15);
    return (hash ^ hash >> 32) * UINT64_C(0xff51afd7ed558ccd) >> (64 - index->slots_log2);
}

/* The digram's slot, or the empty slot where it would be added. The index must have slots. */
static inline struct sl_digram *sl_digram_find(struct sl_digram_index *index, uint32_t first,
                                               uint32_t second)
{
    uint64_t mask = sl_digram_slots(index) - 1, at = sl_digram_home(index, first, second);
    index->probes++;
    while (index->slot[at].node_plus_1 &&
           (index->slot[at].first != first || index->slot[at].second != second)) {
        at = (at + 1) & mask;
        index->probes++;
    }
    return &index->slot[at];
}

/* Removes a digram. Entries after it, up to the next empty slot, move to where they would be
 * without it. */
static inline void sl_digram_remove(struct sl_digram_index *index, struct sl_digram *slot)
{
    uint64_t mask = sl_digram_slots(index) - 1, hole = (uint64_t)(slot - index->slot);
    for (uint64_t at = (hole + 1) & mask; index->slot[at].node_plus_1; at = (at + 1) & mask) {
        const struct sl_digram *next = &index->slot[at];
        uint64_t home = sl_digram_home(index, next->first, next->second);
        index->probes++;
        /* It may move if its home is not after the hole. */
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            index->slot[hole] = *next;
            hole = at;
        }
    }
    index->slot[hole].node_plus_1 = 0;
    index->n_used--;
}

static inline bool sl_digrams_crowded(const struct sl_digram_index *index)
{
    return 8 * (index->n_used + 1) > 5 * sl_digram_slots(index);
}

/* Number of slots after sl_digrams_grow(). */
static inline uint64_t sl_digrams_next(const struct sl_digram_index *index)
{
    return index->slots_log2 ? 2 * sl_digram_slots(index) : UINT64_C(1) << SL_DIGRAMS_FIRST_LOG2;
}

/* Doubles the slots. Returns false, without a change, if out of memory. */
static inline bool sl_digrams_grow(struct sl_digram_index *index)
{
    struct sl_digram_index bigger = *index;
    bigger.slots_log2 = index->slots_log2 ? index->slots_log2 + 1 : SL_DIGRAMS_FIRST_LOG2;
    bigger.slot = calloc(sl_digram_slots(&bigger), sizeof *bigger.slot);
    if (!bigger.slot)
        return false;
    for (uint64_t i = 0; i < sl_digram_slots(index); i++)
        if (index->slot[i].node_plus_1)
            *sl_digram_find(&bigger, index->slot[i].first, index->slot[i].second) = index->slot[i];
    free(index->slot);
    *index = bigger;
    return true;
}

/* ---- the growing grammar ---- */

/* A symbol on the right side of a rule: an appended symbol; SL_GRAMMAR_RULE | rule for a use of a
 * rule; SL_SEQUITUR_GUARD | rule for the guard between the end and the start of a rule. */
struct sl_sequitur_node {
    uint32_t symbol, previous, next;
};

#define SL_SEQUITUR_GUARD (SL_GRAMMAR_RULE | SL_GRAMMAR_RULES_MAX)
#define SL_SEQUITUR_NUMBER (SL_GRAMMAR_RULES_MAX - 1)

static inline bool sl_sequitur_is_use(uint32_t symbol)
{
    return symbol >= SL_GRAMMAR_RULE && symbol < SL_SEQUITUR_GUARD;
}

struct sl_sequitur {
    uint64_t memory_bytes; /* limit; may be changed at any time */
    uint64_t length;       /* appended symbols */
    uint64_t n_symbols;    /* on the right sides of all rules */
    uint64_t n_rules;      /* including the start rule */
    bool full;             /* out of memory: no more symbols are appended */
    /* Number of operations (sequitur.c). */
    struct sl_sequitur_work {
        uint64_t reuses, creations, expansions, checks;
    } work;

    struct sl_sequitur_node *node;
    size_t nodes_used, nodes_capacity;
    uint32_t free_node;
    struct sl_sequitur_rule {
        uint32_t guard, uses;
    } * rule;
    size_t rules_used, rules_capacity;
    uint32_t free_rule;
    uint32_t *pending; /* digrams that must be looked up before the next symbol */
    size_t n_pending, pending_capacity;
    struct sl_digram_index index;
};

#define SL_SEQUITUR_SYMBOL_MAX (SL_GRAMMAR_RULE - 1)

/* Makes an empty sequence. It may be full at once. */
void sl_sequitur_init(struct sl_sequitur *s, uint64_t memory_bytes);

/* Appends a symbol, 0 to SL_SEQUITUR_SYMBOL_MAX. Returns false if full: the grammar then stays that
 * of the symbols appended so far. */
bool sl_sequitur_append(struct sl_sequitur *s, uint32_t symbol);

/* Allocated bytes, or those that sl_sequitur_finish() will need if that is more. At most
 * memory_bytes, also while arrays grow. */
uint64_t sl_sequitur_bytes(const struct sl_sequitur *s);

/* Copies the current grammar to `grammar`, which is overwritten. Returns false, with an empty
 * grammar, if out of memory. */
bool sl_sequitur_grammar(const struct sl_sequitur *s, struct sl_grammar *grammar);

/* The same at the end of the sequence. Frees the data structures; length, n_symbols, n_rules and
 * work stay. No symbol may be appended afterwards. */
bool sl_sequitur_finish(struct sl_sequitur *s, struct sl_grammar *grammar);

void sl_sequitur_free(struct sl_sequitur *s);

#endif
