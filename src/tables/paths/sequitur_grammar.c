/* SPDX-License-Identifier: MIT */
/* Converts the linked lists of the compression algorithm Sequitur to the array form of a grammar
 * (grammar.h). */
#include "sequitur.h"

/* Sorts the rules topologically, rule 0 first: a rule is ready when all its uses were visited. Of
 * the ready rules the one that became ready last is next, so that most rules are close to a use,
 * which gives small numbers in the stored form. number[] receives the new number of each rule.
 * Ready rules wait at the end of order[], which is unused until then. */
static void put_in_order(const struct sl_sequitur *s, uint32_t *order, uint32_t *number,
                         uint32_t *unseen)
{
    uint32_t *end = order + s->n_rules, *waiting = end;
    *--waiting = 0;
    for (uint32_t n = 0; waiting < end; n++) {
        uint32_t next = *waiting++, guard = s->rule[next].guard;
        order[n] = next;
        number[next] = n;
        for (uint32_t at = s->node[guard].previous; at != guard; at = s->node[at].previous) {
            uint32_t symbol = s->node[at].symbol, rule = symbol & SL_SEQUITUR_NUMBER;
            if (sl_sequitur_is_use(symbol) && --unseen[rule] == 0)
                *--waiting = rule;
        }
    }
}

static void copy_rules(const struct sl_sequitur *s, const uint32_t *order, const uint32_t *number,
                       struct sl_grammar *g)
{
    for (size_t k = 0; k < s->n_rules; k++) {
        uint32_t guard = s->rule[order[k]].guard;
        sl_grammar_begin(g);
        for (uint32_t at = s->node[guard].next; at != guard; at = s->node[at].next) {
            uint32_t symbol = s->node[at].symbol;
            if (sl_sequitur_is_use(symbol))
                symbol = SL_GRAMMAR_RULE | number[symbol & SL_SEQUITUR_NUMBER];
            sl_grammar_add(g, symbol);
        }
    }
}

/* grammar_bytes() in sequitur.c has the memory of these arrays and of the grammar. */
bool sl_sequitur_grammar(const struct sl_sequitur *s, struct sl_grammar *grammar)
{
    *grammar = (struct sl_grammar){0};
    if (!s->n_rules)
        return true;
    uint32_t *order = malloc((s->n_rules + 1) * sizeof *order);
    uint32_t *number = malloc((s->rules_used + 1) * sizeof *number);
    uint32_t *unseen = malloc((s->rules_used + 1) * sizeof *unseen);
    bool done = order && number && unseen && sl_grammar_reserve(grammar, s->n_symbols, s->n_rules);
    if (done) {
        for (size_t i = 0; i < s->rules_used; i++)
            unseen[i] = s->rule[i].uses;
        put_in_order(s, order, number, unseen);
        copy_rules(s, order, number, grammar);
    }
    free(order);
    free(number);
    free(unseen);
    return done;
}

bool sl_sequitur_finish(struct sl_sequitur *s, struct sl_grammar *grammar)
{
    s->full = true;
    free(s->index.slot);
    free(s->pending);
    s->index = (struct sl_digram_index){0};
    s->pending = NULL;
    s->n_pending = s->pending_capacity = 0;
    bool done = sl_sequitur_grammar(s, grammar);
    free(s->node);
    free(s->rule);
    s->node = NULL;
    s->rule = NULL;
    s->nodes_used = s->nodes_capacity = s->rules_used = s->rules_capacity = 0;
    return done;
}
