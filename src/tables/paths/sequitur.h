/* SPDX-License-Identifier: MIT */
/* Sequitur: a sequence of symbols becomes, while it comes, a grammar that makes exactly
 * this sequence. sequitur.c says how; grammar.h has the result in a form to be saved,
 * expanded and searched. */
#ifndef SL_SEQUITUR_H
#define SL_SEQUITUR_H

#include <stdlib.h>

#include "grammar.h"

/* ---- the index of digrams ---- */

/* Where each digram (two symbols in a row) of a grammar is: a hash table with linear
 * probing, at most 5/8 full, doubled as it fills. What is removed leaves no mark: those
 * behind it move up, so that a table through which billions of digrams have gone is as
 * fast as a new one.
 *
 *     slot:  | first symbol (32) | second symbol (32) | node of the first + 1 (32) |
 *
 * In the header, because it is most of what sequitur.c does. */
struct sl_digram {
    uint32_t first, second;
    uint32_t node_plus_1; /* 0: empty */
};

struct sl_digram_index {
    struct sl_digram *slot;
    unsigned slots_log2; /* 0: there are none yet */
    uint64_t n_used;
    uint64_t probes; /* slots looked at so far, moves included */
};

#define SL_DIGRAMS_FIRST_LOG2 8u

static inline uint64_t sl_digram_slots(const struct sl_digram_index *index)
{
    return index->slots_log2 ? UINT64_C(1) << index->slots_log2 : 0;
}

/* From the top of a product, where all bits of both symbols have arrived. */
static inline uint64_t sl_digram_home(const struct sl_digram_index *index, uint32_t first,
                                      uint32_t second)
{
    uint64_t hash = ((uint64_t)first << 32 | second) * UINT64_C(0x9e3779b97f4a7c15);
    return (hash ^ hash >> 32) * UINT64_C(0xff51afd7ed558ccd) >> (64 - index->slots_log2);
}

/* The digram's slot, or the empty one where it would go. There are slots. */
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

/* Empties a slot. Those behind it, up to the next empty one, move up to where they would
 * have gone without it. */
static inline void sl_digram_remove(struct sl_digram_index *index, struct sl_digram *slot)
{
    uint64_t mask = sl_digram_slots(index) - 1, hole = (uint64_t)(slot - index->slot);
    for (uint64_t at = (hole + 1) & mask; index->slot[at].node_plus_1; at = (at + 1) & mask) {
        const struct sl_digram *next = &index->slot[at];
        uint64_t home = sl_digram_home(index, next->first, next->second);
        index->probes++;
        /* It may move if its home is not behind the hole. */
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

/* How many slots there would be after sl_digrams_grow. */
static inline uint64_t sl_digrams_next(const struct sl_digram_index *index)
{
    return index->slots_log2 ? 2 * sl_digram_slots(index) : UINT64_C(1) << SL_DIGRAMS_FIRST_LOG2;
}

/* Twice the slots. False, and nothing has changed, when memory ran out. */
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

/* ---- the grammar as it grows ---- */

/* A symbol of a right side: what was appended, SL_GRAMMAR_RULE and a rule's number for a
 * use of that rule, SL_SEQUITUR_GUARD and it for the guard between its end and its start. */
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
    uint64_t memory_bytes; /* that it may allocate; may be set anew at any time */
    uint64_t length;       /* symbols that were appended */
    uint64_t n_symbols;    /* of the grammar: those on the right side of all rules */
    uint64_t n_rules;      /* the start rule included */
    bool full;             /* memory has run out: not one more symbol is appended */
    /* What it has done, of which length, n_symbols and n_rules are the outcome. */
    struct sl_sequitur_work {
        uint64_t reuses, creations, expansions, checks;
    } work;

    struct sl_sequitur_node *node;
    size_t nodes_used, room_nodes;
    uint32_t free_node;
    struct sl_sequitur_rule {
        uint32_t guard, uses;
    } * rule;
    size_t rules_used, room_rules;
    uint32_t free_rule;
    uint32_t *pending; /* digrams to be looked up before the next symbol comes */
    size_t n_pending, room_pending;
    struct sl_digram_index index;
};

#define SL_SEQUITUR_SYMBOL_MAX (SL_GRAMMAR_RULE - 1)

/* An empty sequence. It may be full at once. */
void sl_sequitur_init(struct sl_sequitur *s, uint64_t memory_bytes);

/* Appends a symbol, 0 to SL_SEQUITUR_SYMBOL_MAX. False if it is full: the grammar is and
 * stays that of the symbols appended so far. */
bool sl_sequitur_append(struct sl_sequitur *s, uint32_t symbol);

/* Bytes that it has allocated, or will have at once in sl_sequitur_finish if that is more;
 * at most memory_bytes, also while arrays move. */
uint64_t sl_sequitur_bytes(const struct sl_sequitur *s);

/* The grammar as it is now; `grammar` is overwritten. False when memory ran out: it is
 * then empty. */
bool sl_sequitur_grammar(const struct sl_sequitur *s, struct sl_grammar *grammar);

/* The same at the end. No symbol is appended any more, and what was needed for that is
 * freed; length, n_symbols, n_rules and work stay. */
bool sl_sequitur_finish(struct sl_sequitur *s, struct sl_grammar *grammar);

void sl_sequitur_free(struct sl_sequitur *s);

#endif
