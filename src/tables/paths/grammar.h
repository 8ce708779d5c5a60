/* SPDX-License-Identifier: MIT */
/* A grammar that makes one sequence of symbols, in a form that does not change any more:
 * what Sequitur (sequitur.h) has found, to be saved, expanded back and searched
 * (subpath.h).
 *
 *     rule 0   5 5 R1 R1 9                 symbol[]   5 5 R1 R1 9 | 7 R2 | 1 2 3
 *     rule 1   7 R2                        first[]    0             5      7       10
 *     rule 2   1 2 3
 *
 * Rule 0 makes the whole sequence. A rule uses only rules of higher numbers, so there are
 * no circles, what a rule is used for is known when its turn comes from the front, and
 * what it makes when it comes from the back.
 *
 * How often a symbol or a rule comes in the sequence follows from the rules alone: times
 * of a rule = sum over its uses of the times of the rule that uses it. Nothing is expanded
 * for that, nor for the length of what a rule makes.
 *
 * Saved, it is a sequence of numbers of 7 bits a byte, lowest first, the top bit set in all
 * bytes of a number but its last:
 *
 *     "SLG1", number of rules, then for each rule: number of symbols, then each symbol:
 *     2 t for the symbol t, 2 (k - r) - 1 for rule k in rule r
 *
 * A grammar that is all zero has no rules and makes nothing. */
#ifndef SL_GRAMMAR_H
#define SL_GRAMMAR_H

#include "sluice.h"

#define SL_GRAMMAR_RULE (UINT32_C(1) << 31) /* with a rule's number: a use of the rule */
#define SL_GRAMMAR_RULES_MAX (UINT32_C(1) << 30)

struct sl_grammar {
    uint32_t *symbol; /* of all rules, one behind the other */
    size_t *first;    /* by rule: where its symbols begin; n_rules + 1 of them */
    size_t n_symbols, n_rules;
    size_t room_symbols, room_rules;
};

/* The symbols of a rule: for those who go through all rules. */
static inline const uint32_t *sl_grammar_rule(const struct sl_grammar *g, size_t rule, size_t *n)
{
    *n = g->first[rule + 1] - g->first[rule];
    return g->symbol + g->first[rule];
}

/* An empty one (`g` is overwritten) with room for so many: as far as that goes, nothing is
 * allocated later. False when memory ran out. */
bool sl_grammar_reserve(struct sl_grammar *g, size_t n_symbols, size_t n_rules);

/* Begins the next rule, adds a symbol to the last one. False when memory ran out. */
bool sl_grammar_begin(struct sl_grammar *g);
bool sl_grammar_add(struct sl_grammar *g, uint32_t symbol);

/* Gives the sequence that a rule makes, symbol by symbol; stops when `emit` is false.
 * False when memory ran out or `emit` stopped it. */
bool sl_grammar_expand(const struct sl_grammar *g, size_t rule,
                       bool (*emit)(void *context, uint32_t symbol), void *context);

/* By rule, n_rules of each: how often it comes in the sequence, and how many symbols it
 * makes. Both stop at UINT64_MAX, which only a grammar made up for it reaches. */
void sl_grammar_times(const struct sl_grammar *g, uint64_t *times);
void sl_grammar_lengths(const struct sl_grammar *g, uint64_t *length);

/* How often each symbol below n comes in the sequence. False when memory ran out. */
bool sl_grammar_counts(const struct sl_grammar *g, uint64_t *count, size_t n);

/* Makes, in `g`, which is overwritten, what the n grammars make one behind the other: rule 0 uses
 * the first rule of each. False when memory ran out. */
bool sl_grammar_join(struct sl_grammar *g, const struct sl_grammar *of, size_t n);

/* Numbers its symbols, all below n, anew, in the order in which the sequence has them first;
 * those that it has not come behind. number[] gets the new number of each. False when memory
 * ran out, and nothing has changed. */
bool sl_grammar_renumber(struct sl_grammar *g, uint32_t *number, size_t n);

/* Its saved form, in memory to be freed; NULL when memory ran out. */
uint8_t *sl_grammar_save(const struct sl_grammar *g, size_t *size);

/* From its saved form, which may be anything: SL_EFORMAT if it is not one. `g` is
 * overwritten. */
int sl_grammar_load(struct sl_grammar *g, const uint8_t *saved, size_t size, struct sl_failure *f);

void sl_grammar_free(struct sl_grammar *g);

#endif
