/* SPDX-License-Identifier: MIT */
/* Grammar that produces exactly one sequence of symbols. It is the result of Sequitur
 * (sequitur.h), and is stored, expanded and searched for hot subpaths (subpath.h).
 *
 *     rule 0   5 5 R1 R1 9                 symbol[]   5 5 R1 R1 9 | 7 R2 | 1 2 3
 *     rule 1   7 R2                        first[]    0             5      7       10
 *     rule 2   1 2 3
 *
 * Rule 0 produces the whole sequence. A rule uses only rules of higher numbers, so there are no
 * cycles: one pass from the first rule knows all uses of a rule when it reaches the rule, and one
 * pass from the last rule knows what its symbols expand to.
 *
 * The number of occurrences follows without expansion: times(rule) = sum over its uses of
 * times(rule that uses it). The same is true of lengths.
 *
 * Stored form: a sequence of numbers, 7 bits per byte, lowest first, with the top bit set in all
 * bytes of a number except the last:
 *
 *     "SLG1", number of rules, then for each rule: number of symbols, then each symbol:
 *     2 t for the symbol t, 2 (k - r) - 1 for rule k in rule r
 *
 * A zeroed grammar has no rules and produces nothing. */
#ifndef SL_GRAMMAR_H
#define SL_GRAMMAR_H

#include "sluice.h"

#define SL_GRAMMAR_RULE (UINT32_C(1) << 31) /* with a rule's number: a use of the rule */
#define SL_GRAMMAR_RULES_MAX (UINT32_C(1) << 30)

struct sl_grammar {
    uint32_t *symbol; /* of all rules, consecutive */
    size_t *first;    /* by rule: index of its first symbol; n_rules + 1 elements */
    size_t n_symbols, n_rules;
    size_t symbols_capacity, rules_capacity;
};

/* The symbols of a rule, *n of them. */
static inline const uint32_t *sl_grammar_rule(const struct sl_grammar *g, size_t rule, size_t *n)
{
    *n = g->first[rule + 1] - g->first[rule];
    return g->symbol + g->first[rule];
}

/* Makes an empty grammar with capacity for this many symbols and rules, which are then added
 * without allocation. Overwrites `g`. Returns false if out of memory. */
bool sl_grammar_reserve(struct sl_grammar *g, size_t n_symbols, size_t n_rules);

/* Starts a new rule; adds a symbol to the last rule. Return false if out of memory. */
bool sl_grammar_begin(struct sl_grammar *g);
bool sl_grammar_add(struct sl_grammar *g, uint32_t symbol);

/* Emits the expansion of a rule, symbol by symbol. Returns false if out of memory or if `emit`
 * returned false, which ends the expansion. */
bool sl_grammar_expand(const struct sl_grammar *g, size_t rule,
                       bool (*emit)(void *context, uint32_t symbol), void *context);

/* By rule, arrays of n_rules elements: occurrences in the sequence, and length of the expansion.
 * Both saturate at UINT64_MAX, which only a crafted grammar reaches. */
void sl_grammar_times(const struct sl_grammar *g, uint64_t *times);
void sl_grammar_lengths(const struct sl_grammar *g, uint64_t *length);

/* Occurrences of each symbol below n in the sequence. Returns false if out of memory. */
bool sl_grammar_counts(const struct sl_grammar *g, uint64_t *count, size_t n);

/* Concatenates n grammars in `g`, which is overwritten: its rule 0 uses rule 0 of each. Returns
 * false if out of memory. */
bool sl_grammar_join(struct sl_grammar *g, const struct sl_grammar *of, size_t n);

/* Renumbers the symbols, all below n, by first appearance in the sequence; symbols that do not
 * occur come last. number[] receives the new number of each. Returns false if out of memory; `g` is
 * then unchanged. */
bool sl_grammar_renumber(struct sl_grammar *g, uint32_t *number, size_t n);

/* Returns the stored form, to be freed with free(), and its *size; NULL if out of memory. */
uint8_t *sl_grammar_save(const struct sl_grammar *g, size_t *size);

/* Reads a stored form, which may be hostile. Overwrites `g`. Returns 0, SL_EFORMAT or SL_ENOMEM. */
int sl_grammar_load(struct sl_grammar *g, const uint8_t *saved, size_t size, struct sl_failure *f);

void sl_grammar_free(struct sl_grammar *g);

#endif
