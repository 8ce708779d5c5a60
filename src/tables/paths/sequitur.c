/* SPDX-License-Identifier: MIT */
/* Sequitur, a compression algorithm: builds a grammar from a sequence of symbols, one symbol at
 * a time.
 *
 * Papers: Nevill-Manning, Witten, "Identifying hierarchical structure in sequences", 1997; used for
 * whole program paths by Larus, "Whole program paths", 1999.
 *
 * The grammar, with rule 0 for the whole sequence, has two invariants:
 *
 *     digram uniqueness   no pair of consecutive symbols occurs twice in the grammar (overlapping
 *                         occurrences, as in aaa, are one)
 *     rule utility        every rule but rule 0 is used at least twice
 *
 * A symbol is appended to rule 0, and the digram that it completes is looked up. If it occurs
 * elsewhere:
 *
 *     reuse       the other occurrence is the complete right side of a rule: the digram is
 *                 replaced by that rule
 *     creation    else a new rule replaces both occurrences
 *
 * Both remove two symbols, which may be uses of rules. If a rule is then used once only, which is
 * in the rule that was reused or created, that use is replaced by its right side (expansion). It
 * can only be the first symbol: the last one was just appended, and a rule that is always used
 * after the same symbol would have been part of a digram before. Each operation makes new digrams,
 * which are looked up in turn.
 *
 *     abcdbcabcdbc  ->  0: 1 1    1: a 2 d 2    2: b c
 *
 *     node    | symbol | previous | next |     a right side is a ring through a guard:
 *
 *     rule 7:  guard(7) <-> b <-> c <-> guard(7)
 *
 * Freed nodes and rules are reused. Digrams to be looked up are on a stack, by their first node, so
 * that there is no recursion. A node on the stack may have been reused; looking it up is then
 * harmless.
 *
 * Time is linear. For n symbols, with g symbols and r rules in the final grammar: a reuse and an
 * expansion each remove one symbol, a creation none, so reuses + expansions = n - g; and creations
 * = r - 1 + expansions < 2 n. Each operation pushes at most eight nodes.
 *
 * Memory: 12 bytes per symbol and rule, 12 per slot of the index, 8 per rule; with arrays that
 * double, 31 to 63 bytes per symbol of the grammar, and more while an array grows. The final
 * grammar is made after the index is freed, in at most 4 bytes per symbol and 20 per rule, which
 * are reserved from the start. At the limit the grammar stays that of all symbols so far. (Pending
 * digrams may be left: the grammar still produces the sequence, but may violate an invariant at its
 * end.) */
#include "sequitur.h"

#include "grow.h"

#define GONE UINT32_MAX
#define NODES_MAX UINT32_MAX

/* True for a guard or a freed node. */
static bool is_guard(const struct sl_sequitur *s, uint32_t node)
{
    return s->node[node].symbol >= SL_SEQUITUR_GUARD;
}

/* ---- memory ---- */

uint64_t sl_sequitur_bytes(const struct sl_sequitur *s)
{
    uint64_t until_then = s->pending_capacity * sizeof *s->pending +
                          sl_digram_slots(&s->index) * sizeof *s->index.slot;
    /* Maximum memory that sl_sequitur_grammar() needs (sequitur_grammar.c). */
    uint64_t at_the_end = (s->nodes_capacity + 1) * sizeof(uint32_t) +
                          (s->rules_capacity + 1) * (3 * sizeof(uint32_t) + sizeof(size_t));
    return s->nodes_capacity * sizeof *s->node + s->rules_capacity * sizeof *s->rule +
           (until_then > at_the_end ? until_then : at_the_end);
}

/* Whether `more` bytes may be allocated in addition to `now`. */
static bool allowed(struct sl_sequitur *s, uint64_t now, uint64_t more)
{
    if (now > s->memory_bytes || more > s->memory_bytes - now)
        s->full = true;
    return !s->full;
}

/* Grows an array to at least `need` elements. While it moves, it exists twice. */
static bool grow_array(struct sl_sequitur *s, void *array, size_t *capacity, size_t need,
                       size_t size)
{
    size_t had = *capacity, wanted = had ? had : 16;
    if (need <= had)
        return true;
    uint64_t before = sl_sequitur_bytes(s);
    while (wanted < need)
        wanted *= 2;
    *capacity = wanted;
    bool fits = allowed(s, sl_sequitur_bytes(s), 0) && allowed(s, before, wanted * size);
    *capacity = had;
    s->full = !fits || !sl_grow_to(array, capacity, need, size);
    return !s->full;
}

static bool reserve(struct sl_sequitur *s, size_t nodes, size_t rules)
{
    if (s->nodes_used + nodes > NODES_MAX || s->rules_used + rules >= SL_SEQUITUR_NUMBER)
        s->full = true;
    return !s->full &&
           grow_array(s, &s->node, &s->nodes_capacity, s->nodes_used + nodes, sizeof *s->node) &&
           grow_array(s, &s->rule, &s->rules_capacity, s->rules_used + rules, sizeof *s->rule);
}

/* Grows the index so that there is always an empty slot. */
static void grow_index(struct sl_sequitur *s)
{
    if (sl_digrams_crowded(&s->index) &&
        !(allowed(s, sl_sequitur_bytes(s), sl_digrams_next(&s->index) * sizeof *s->index.slot) &&
          sl_digrams_grow(&s->index)))
        s->full = true;
}

static uint32_t new_node(struct sl_sequitur *s, uint32_t symbol)
{
    uint32_t node = s->free_node - 1;
    if (s->free_node)
        s->free_node = s->node[node].next;
    else
        node = (uint32_t)s->nodes_used++;
    s->node[node].symbol = symbol;
    return node;
}

static void free_node(struct sl_sequitur *s, uint32_t node)
{
    s->node[node] = (struct sl_sequitur_node){.symbol = GONE, .next = s->free_node};
    s->free_node = node + 1;
}

static void join(struct sl_sequitur *s, uint32_t left, uint32_t right)
{
    s->node[left].next = right;
    s->node[right].previous = left;
}

static uint32_t new_rule(struct sl_sequitur *s)
{
    uint32_t rule = s->free_rule - 1;
    if (s->free_rule)
        s->free_rule = s->rule[rule].guard;
    else
        rule = (uint32_t)s->rules_used++;
    uint32_t guard = new_node(s, SL_SEQUITUR_GUARD | rule);
    join(s, guard, guard);
    s->rule[rule] = (struct sl_sequitur_rule){.guard = guard};
    s->n_rules++;
    return rule;
}

static void free_rule(struct sl_sequitur *s, uint32_t rule)
{
    free_node(s, s->rule[rule].guard);
    s->rule[rule].guard = s->free_rule;
    s->free_rule = rule + 1;
    s->n_rules--;
}

/* ---- digrams ---- */

/* A digram that does not fit is not looked up, and no further symbol is appended. */
static void add_pending(struct sl_sequitur *s, uint32_t node)
{
    if (grow_array(s, &s->pending, &s->pending_capacity, s->n_pending + 1, sizeof *s->pending))
        s->pending[s->n_pending++] = node;
}

static bool is_digram(const struct sl_sequitur *s, uint32_t node)
{
    return !is_guard(s, node) && !is_guard(s, s->node[node].next);
}

/* Removes the digram that starts here from the index, if the index refers to this position. */
static void forget(struct sl_sequitur *s, uint32_t node)
{
    if (!is_digram(s, node))
        return;
    struct sl_digram *slot = sl_digram_find(&s->index, s->node[node].symbol,
                                            s->node[s->node[node].next].symbol);
    if (slot->node_plus_1 == node + 1)
        sl_digram_remove(&s->index, slot);
}

static void count_use(struct sl_sequitur *s, uint32_t symbol, int by)
{
    if (sl_sequitur_is_use(symbol))
        s->rule[symbol & SL_SEQUITUR_NUMBER].uses += (uint32_t)by;
}

/* Replaces the digram that starts at `node` by the rule. */
static void substitute(struct sl_sequitur *s, uint32_t node, uint32_t rule)
{
    uint32_t second = s->node[node].next, left = s->node[node].previous;
    uint32_t right = s->node[second].next;
    uint32_t a = s->node[node].symbol, b = s->node[second].symbol;
    forget(s, left);
    forget(s, node);
    forget(s, second);
    count_use(s, a, -1);
    count_use(s, b, -1);
    count_use(s, SL_GRAMMAR_RULE | rule, 1);
    s->node[node].symbol = SL_GRAMMAR_RULE | rule;
    join(s, node, right);
    free_node(s, second);
    s->n_symbols--;
    /* In bbb, the second digram is not in the index while it overlaps the first one, which was just
     * removed. */
    if (s->node[right].symbol == b)
        add_pending(s, right);
    add_pending(s, node);
    add_pending(s, left);
}

/* Replaces the first symbol of a rule, the only use of another rule, by that rule's right side. */
static void expand(struct sl_sequitur *s, uint32_t node)
{
    uint32_t rule = s->node[node].symbol & SL_SEQUITUR_NUMBER, inner = s->rule[rule].guard;
    uint32_t guard = s->node[node].previous, right = s->node[node].next;
    uint32_t last = s->node[inner].previous;
    forget(s, node);
    join(s, guard, s->node[inner].next);
    join(s, last, right);
    free_node(s, node);
    free_rule(s, rule);
    s->n_symbols--;
    s->work.expansions++;
    add_pending(s, last);
}

/* The rule whose complete right side is the digram that starts here; 0 if the digram is part of a
 * longer right side or of rule 0. */
static uint32_t whole_rule(const struct sl_sequitur *s, uint32_t node)
{
    uint32_t guard = s->node[node].previous;
    bool whole = is_guard(s, guard) && s->node[s->node[node].next].next == guard;
    return whole ? s->node[guard].symbol & SL_SEQUITUR_NUMBER : 0;
}

static uint32_t create(struct sl_sequitur *s, uint32_t one, uint32_t other)
{
    uint32_t a = s->node[one].symbol, b = s->node[s->node[one].next].symbol;
    uint32_t rule = new_rule(s), guard = s->rule[rule].guard;
    uint32_t first = new_node(s, a), second = new_node(s, b);
    count_use(s, a, 1);
    count_use(s, b, 1);
    join(s, guard, first);
    join(s, first, second);
    join(s, second, guard);
    s->n_symbols += 2;
    substitute(s, other, rule);
    substitute(s, one, rule);
    add_pending(s, first);
    s->work.creations++;
    return rule;
}

/* Handles a digram that occurs at two positions. The second one is in the index. */
static void resolve_repeat(struct sl_sequitur *s, uint32_t one, uint32_t other)
{
    uint32_t rule = whole_rule(s, other);
    if (rule) {
        substitute(s, one, rule);
        s->work.reuses++;
    } else if (reserve(s, 3, 1)) {
        rule = create(s, one, other);
    } else {
        return;
    }
    uint32_t first = s->node[s->rule[rule].guard].next, symbol = s->node[first].symbol;
    if (sl_sequitur_is_use(symbol) && s->rule[symbol & SL_SEQUITUR_NUMBER].uses == 1)
        expand(s, first);
}

static void look_up(struct sl_sequitur *s, uint32_t node)
{
    if (!is_digram(s, node))
        return;
    s->work.checks++;
    uint32_t next = s->node[node].next;
    uint32_t a = s->node[node].symbol, b = s->node[next].symbol;
    struct sl_digram *slot = sl_digram_find(&s->index, a, b);
    uint32_t other = slot->node_plus_1 - 1;
    if (!slot->node_plus_1) {
        *slot = (struct sl_digram){a, b, node + 1};
        s->index.n_used++;
        grow_index(s);
    } else if (other != node && other != next && s->node[other].next != node) {
        resolve_repeat(s, node, other);
    }
}

void sl_sequitur_init(struct sl_sequitur *s, uint64_t memory_bytes)
{
    *s = (struct sl_sequitur){.memory_bytes = memory_bytes};
    grow_index(s);
    if (reserve(s, 2, 1))
        new_rule(s);
}

bool sl_sequitur_append(struct sl_sequitur *s, uint32_t symbol)
{
    if (s->full)
        return false;
    uint32_t guard = s->rule[0].guard, last = s->node[guard].previous;
    uint32_t node = new_node(s, symbol);
    join(s, last, node);
    join(s, node, guard);
    s->length++;
    s->n_symbols++;
    add_pending(s, last);
    while (s->n_pending && !s->full)
        look_up(s, s->pending[--s->n_pending]);
    /* Reserves memory for the next symbol, so that `full` is known before it is appended. */
    reserve(s, 1, 0);
    return true;
}

void sl_sequitur_free(struct sl_sequitur *s)
{
    free(s->node);
    free(s->rule);
    free(s->pending);
    free(s->index.slot);
}
