/* SPDX-License-Identifier: MIT */
/* Sequitur: a sequence of symbols becomes, while it comes, a grammar that makes exactly
 * this sequence. sequitur.c says how; grammar.h has the result in a form to be saved,
 * expanded and searched. */
#ifndef SL_SEQUITUR_H
#define SL_SEQUITUR_H

#include "digram_index.h"
#include "grammar.h"

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
