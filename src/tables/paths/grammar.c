/* SPDX-License-Identifier: MIT */
/* Grammar that produces one sequence of symbols: builds, expands and stores the grammar, and
 * counts the occurrences of its rules. grammar.h describes the stored form. */
#include "grammar.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"

static bool is_rule(uint32_t symbol)
{
    return symbol & SL_GRAMMAR_RULE;
}

static uint32_t rule_of(uint32_t symbol)
{
    return symbol & ~SL_GRAMMAR_RULE;
}

bool sl_grammar_reserve(struct sl_grammar *g, size_t n_symbols, size_t n_rules)
{
    *g = (struct sl_grammar){.symbol = malloc((n_symbols + 1) * sizeof *g->symbol),
                             .first = calloc(n_rules + 1, sizeof *g->first),
                             .symbols_capacity = n_symbols + 1,
                             .rules_capacity = n_rules + 1};
    if (g->symbol && g->first)
        return true;
    sl_grammar_free(g);
    return false;
}

bool sl_grammar_begin(struct sl_grammar *g)
{
    if (!SL_GROW(g->first, g->rules_capacity, g->n_rules + 2))
        return false;
    g->first[++g->n_rules] = g->n_symbols;
    return true;
}

bool sl_grammar_add(struct sl_grammar *g, uint32_t symbol)
{
    if (!SL_GROW(g->symbol, g->symbols_capacity, g->n_symbols + 1))
        return false;
    g->symbol[g->n_symbols] = symbol;
    g->first[g->n_rules] = ++g->n_symbols;
    return true;
}

void sl_grammar_free(struct sl_grammar *g)
{
    free(g->symbol);
    free(g->first);
    *g = (struct sl_grammar){0};
}

/* ---- expansion ---- */

struct place {
    size_t at, end;
};

/* Emits the expansion of a rule. If the last symbol of a rule is a use of another rule, the other
 * rule replaces it on the stack, so that the stack is as shallow as possible. */
static bool walk(const struct sl_grammar *g, struct place *stack, size_t rule,
                 bool (*emit)(void *context, uint32_t symbol), void *context)
{
    size_t depth = 1;
    stack[0] = (struct place){g->first[rule], g->first[rule + 1]};
    while (depth) {
        struct place *top = &stack[depth - 1];
        if (top->at == top->end) {
            depth--;
            continue;
        }
        uint32_t symbol = g->symbol[top->at++];
        if (!is_rule(symbol)) {
            if (!emit(context, symbol))
                return false;
            continue;
        }
        depth -= top->at == top->end;
        stack[depth++] = (struct place){g->first[rule_of(symbol)], g->first[rule_of(symbol) + 1]};
    }
    return true;
}

bool sl_grammar_expand(const struct sl_grammar *g, size_t rule,
                       bool (*emit)(void *context, uint32_t symbol), void *context)
{
    if (!g->n_rules)
        return true;
    /* A rule uses only higher rules, so no path is longer than the number of rules. */
    struct place *stack = calloc(g->n_rules, sizeof *stack);
    bool whole = stack && walk(g, stack, rule, emit, context);
    free(stack);
    return whole;
}

/* ---- occurrences and lengths ---- */

static void add(uint64_t *sum, uint64_t more)
{
    *sum = more > UINT64_MAX - *sum ? UINT64_MAX : *sum + more;
}

void sl_grammar_times(const struct sl_grammar *g, uint64_t *times)
{
    memset(times, 0, g->n_rules * sizeof *times);
    if (g->n_rules)
        times[0] = 1;
    for (size_t r = 0; r < g->n_rules; r++)
        for (size_t i = g->first[r]; i < g->first[r + 1]; i++)
            if (is_rule(g->symbol[i]))
                add(&times[rule_of(g->symbol[i])], times[r]);
}

void sl_grammar_lengths(const struct sl_grammar *g, uint64_t *length)
{
    for (size_t r = g->n_rules; r-- > 0;) {
        length[r] = 0;
        for (size_t i = g->first[r]; i < g->first[r + 1]; i++)
            add(&length[r], is_rule(g->symbol[i]) ? length[rule_of(g->symbol[i])] : 1);
    }
}

bool sl_grammar_counts(const struct sl_grammar *g, uint64_t *count, size_t n)
{
    uint64_t *times = calloc(g->n_rules + 1, sizeof *times);
    if (!times)
        return false;
    sl_grammar_times(g, times);
    memset(count, 0, n * sizeof *count);
    for (size_t r = 0; r < g->n_rules; r++)
        for (size_t i = g->first[r]; i < g->first[r + 1]; i++)
            if (g->symbol[i] < n)
                add(&count[g->symbol[i]], times[r]);
    free(times);
    return true;
}

/* ---- concatenating and renumbering ---- */

bool sl_grammar_join(struct sl_grammar *g, const struct sl_grammar *of, size_t n)
{
    size_t n_symbols = n, n_rules = 1;
    for (size_t i = 0; i < n; i++) {
        n_symbols += of[i].n_symbols;
        n_rules += of[i].n_rules;
    }
    if (n_rules >= SL_GRAMMAR_RULES_MAX || !sl_grammar_reserve(g, n_symbols, n_rules))
        return false;
    sl_grammar_begin(g);
    for (size_t i = 0, first = 1; i < n; first += of[i++].n_rules)
        sl_grammar_add(g, SL_GRAMMAR_RULE | (uint32_t)first);
    for (size_t i = 0, first = 1; i < n; first += of[i++].n_rules)
        for (size_t r = 0; r < of[i].n_rules; r++) {
            sl_grammar_begin(g);
            for (size_t at = of[i].first[r]; at < of[i].first[r + 1]; at++) {
                uint32_t symbol = of[i].symbol[at];
                sl_grammar_add(g, is_rule(symbol) ? symbol + (uint32_t)first : symbol);
            }
        }
    return true;
}

/* Numbers the symbols by first appearance. The symbols of a rule appear in order at its first use,
 * so only the first use of each rule is visited. */
static void number_symbols(const struct sl_grammar *g, struct place *stack, bool *seen,
                           uint32_t *number, size_t n)
{
    uint32_t next = 0;
    size_t depth = 0;
    for (size_t i = 0; i < n; i++)
        number[i] = UINT32_MAX;
    if (g->n_rules)
        stack[depth++] = (struct place){g->first[0], g->first[1]};
    while (depth) {
        struct place *top = &stack[depth - 1];
        if (top->at == top->end) {
            depth--;
            continue;
        }
        uint32_t symbol = g->symbol[top->at++], rule = rule_of(symbol);
        if (!is_rule(symbol)) {
            if (number[symbol] == UINT32_MAX)
                number[symbol] = next++;
        } else if (!seen[rule]) {
            seen[rule] = true;
            stack[depth++] = (struct place){g->first[rule], g->first[rule + 1]};
        }
    }
    for (size_t i = 0; i < n; i++)
        if (number[i] == UINT32_MAX)
            number[i] = next++;
}

bool sl_grammar_renumber(struct sl_grammar *g, uint32_t *number, size_t n)
{
    struct place *stack = calloc(g->n_rules + 1, sizeof *stack);
    bool *seen = calloc(g->n_rules + 1, sizeof *seen), ready = stack && seen;
    if (ready)
        number_symbols(g, stack, seen, number, n);
    for (size_t i = 0; i < g->n_symbols && ready; i++)
        if (!is_rule(g->symbol[i]))
            g->symbol[i] = number[g->symbol[i]];
    free(stack);
    free(seen);
    return ready;
}

/* ---- stored form ---- */

static const char magic[4] = {'S', 'L', 'G', '1'};

static size_t put_number(uint8_t *out, uint64_t number)
{
    size_t n = 0;
    for (; number >= 128; number >>= 7)
        out[n++] = (uint8_t)(number | 128);
    out[n++] = (uint8_t)number;
    return n;
}

uint8_t *sl_grammar_save(const struct sl_grammar *g, size_t *size)
{
    /* Numbers of symbols are below 2^33, of rules and their sizes below 2^42. */
    uint8_t *saved = malloc(sizeof magic + 10 + 6 * g->n_rules + 5 * g->n_symbols);
    size_t at = sizeof magic;
    if (!saved)
        return NULL;
    memcpy(saved, magic, sizeof magic);
    at += put_number(saved + at, g->n_rules);
    for (size_t r = 0; r < g->n_rules; r++) {
        size_t n;
        const uint32_t *symbol = sl_grammar_rule(g, r, &n);
        at += put_number(saved + at, n);
        for (size_t i = 0; i < n; i++)
            at += put_number(saved + at, is_rule(symbol[i]) ? 2 * (rule_of(symbol[i]) - r) - 1
                                                            : 2 * (uint64_t)symbol[i]);
    }
    *size = at;
    return saved;
}

struct reader {
    const uint8_t *at, *end;
    bool good;
};

static uint64_t get_number(struct reader *r, uint64_t most)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 63 && r->at < r->end; shift += 7) {
        uint8_t byte = *r->at++;
        number |= (uint64_t)(byte & 127) << shift;
        if (!(byte & 128)) {
            r->good &= number <= most;
            return r->good ? number : 0;
        }
    }
    r->good = false;
    return 0;
}

/* Returns false if out of memory. A byte gives at most one rule or symbol, so that the allocated
 * memory is proportional to the input. */
static bool get_rules(struct sl_grammar *g, struct reader *in)
{
    uint64_t n_rules = get_number(in, SL_GRAMMAR_RULES_MAX);
    for (uint64_t r = 0; r < n_rules && in->good; r++) {
        if (!sl_grammar_begin(g))
            return false;
        uint64_t n = get_number(in, (uint64_t)(in->end - in->at));
        for (uint64_t i = 0; i < n && in->good; i++) {
            uint64_t code = get_number(in, UINT32_MAX), rule = r + (code + 1) / 2;
            in->good &= !(code & 1) || rule < n_rules;
            if (in->good &&
                !sl_grammar_add(g, (uint32_t)(code & 1 ? SL_GRAMMAR_RULE | rule : code / 2)))
                return false;
        }
    }
    return true;
}

int sl_grammar_load(struct sl_grammar *g, const uint8_t *saved, size_t size, struct sl_failure *f)
{
    *g = (struct sl_grammar){0};
    if (size < sizeof magic || memcmp(saved, magic, sizeof magic))
        return sl_fail(f, SL_EFORMAT, "not a stored grammar");
    struct reader in = {saved + sizeof magic, saved + size, true};
    bool whole = get_rules(g, &in);
    if (whole && in.good && in.at == in.end)
        return 0;
    sl_grammar_free(g);
    return whole ? sl_fail(f, SL_EFORMAT, "the stored grammar is damaged at byte %zu of %zu",
                           (size_t)(in.at - saved), size)
                 : sl_out_of_memory(f);
}
