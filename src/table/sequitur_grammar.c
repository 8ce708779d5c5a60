/* From the rings of nodes that Sequitur works on to a grammar in one piece. */
#include "sequitur.h"

/* Rules in an order in which each comes before those that it uses, rule 0 first: a rule's
 * turn comes when all its uses were seen. number[] gets the place of each. */
static void put_in_order(const struct sl_sequitur *s, uint32_t *order, uint32_t *number,
                         uint32_t *unseen)
{
    size_t n = 1;
    order[0] = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t guard = s->rule[order[k]].guard;
        number[order[k]] = (uint32_t)k;
        for (uint32_t at = s->node[guard].next; at != guard; at = s->node[at].next) {
            uint32_t symbol = s->node[at].symbol, rule = symbol & SL_SEQUITUR_NUMBER;
            if (sl_sequitur_is_use(symbol) && --unseen[rule] == 0)
                order[n++] = rule;
        }
    }
}

static bool copy_rules(const struct sl_sequitur *s, const uint32_t *order, const uint32_t *number,
                       struct sl_grammar *g)
{
    for (size_t k = 0; k < s->n_rules; k++) {
        uint32_t guard = s->rule[order[k]].guard;
        if (!sl_grammar_begin(g))
            return false;
        for (uint32_t at = s->node[guard].next; at != guard; at = s->node[at].next) {
            uint32_t symbol = s->node[at].symbol;
            if (sl_sequitur_is_use(symbol))
                symbol = SL_GRAMMAR_RULE | number[symbol & SL_SEQUITUR_NUMBER];
            if (!sl_grammar_add(g, symbol))
                return false;
        }
    }
    return true;
}

bool sl_sequitur_grammar(const struct sl_sequitur *s, struct sl_grammar *grammar)
{
    uint32_t *order = calloc(s->rules_used + 1, sizeof *order);
    uint32_t *number = calloc(s->rules_used + 1, sizeof *number);
    uint32_t *unseen = calloc(s->rules_used + 1, sizeof *unseen);
    *grammar = (struct sl_grammar){0};
    bool done = order && number && unseen;
    if (done && s->n_rules) {
        for (size_t i = 0; i < s->rules_used; i++)
            unseen[i] = s->rule[i].uses;
        put_in_order(s, order, number, unseen);
        done = copy_rules(s, order, number, grammar);
    }
    if (!done)
        sl_grammar_free(grammar);
    free(order);
    free(number);
    free(unseen);
    return done;
}
