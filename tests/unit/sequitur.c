/* SPDX-License-Identifier: MIT */
/* Unit tests of the grammar compression algorithm Sequitur: grammars worked out by hand, and
 * sequences of all kinds. The grammar expands to the original sequence, has both invariants of the
 * algorithm after every symbol, takes time proportional to the length, and stays within its memory
 * limit. */
#include "sequitur.h"

#include <string.h>

#include "random.h"
#include "tap.h"

#define PLENTY (UINT64_C(1) << 30)
#define LONGEST 400000u

static uint32_t input[LONGEST];

/* ---- what must hold of a grammar ---- */

struct digram {
    uint32_t first, second;
    size_t at;
};

static int by_symbols(const void *left, const void *right)
{
    const struct digram *a = left, *b = right;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    if (a->second != b->second)
        return a->second < b->second ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* At all places of a digram, sorted: only two that follow one another are one. */
static bool digrams_are_unique(const struct sl_grammar *g)
{
    struct digram *all = calloc(g->n_symbols + 1, sizeof *all);
    size_t n = 0;
    bool unique = true;
    for (size_t r = 0; r < g->n_rules; r++)
        for (size_t i = g->first[r]; i + 1 < g->first[r + 1]; i++)
            all[n++] = (struct digram){g->symbol[i], g->symbol[i + 1], i};
    qsort(all, n, sizeof *all, by_symbols);
    for (size_t i = 1, first = 0; i < n; i++) {
        if (all[i].first != all[first].first || all[i].second != all[first].second)
            first = i;
        unique = unique && all[i].at - all[first].at <= 1;
    }
    free(all);
    return unique;
}

static bool rules_are_useful(const struct sl_grammar *g)
{
    uint32_t *uses = calloc(g->n_rules + 1, sizeof *uses);
    bool useful = true;
    for (size_t i = 0; i < g->n_symbols; i++)
        if (g->symbol[i] & SL_GRAMMAR_RULE)
            uses[g->symbol[i] & ~SL_GRAMMAR_RULE]++;
    for (size_t r = 1; r < g->n_rules; r++)
        useful = useful && uses[r] >= 2 && g->first[r + 1] - g->first[r] >= 2;
    free(uses);
    return useful;
}

static bool compare(void *context, uint32_t symbol)
{
    const uint32_t **at = context;
    return *(*at)++ == symbol;
}

static bool makes_input(const struct sl_grammar *g, size_t n)
{
    const uint32_t *at = input;
    return sl_grammar_expand(g, 0, compare, &at) && at == input + n;
}

/* All of it, and that the grammar has the size that the builder reports. */
static bool is_right(const struct sl_sequitur *s)
{
    struct sl_grammar g;
    bool right = sl_sequitur_grammar(s, &g) && g.n_symbols == s->n_symbols &&
                 g.n_rules == s->n_rules && makes_input(&g, s->length) && digrams_are_unique(&g) &&
                 rules_are_useful(&g);
    sl_grammar_free(&g);
    return right;
}

/* Appends n symbols; looks after every one that `each` says, and after the last. Returns
 * how many were appended before something was wrong, n if nothing was. */
static size_t try(size_t n, size_t each)
{
    struct sl_sequitur s;
    size_t good = 0;
    sl_sequitur_init(&s, PLENTY);
    for (bool right = true; good < n && right; good += right)
        right = sl_sequitur_append(&s, input[good]) &&
                ((good + 1) % each && good + 1 < n ? true : is_right(&s));
    sl_sequitur_free(&s);
    return good;
}

/* ---- by hand ---- */

static bool is_grammar(const char *text, const char *wanted)
{
    struct sl_sequitur s;
    struct sl_grammar g;
    char got[200];
    size_t used = 0, n;
    sl_sequitur_init(&s, PLENTY);
    for (const char *c = text; *c; c++)
        sl_sequitur_append(&s, (uint32_t)*c);
    sl_sequitur_grammar(&s, &g);
    for (size_t r = 0; r < g.n_rules; r++) {
        const uint32_t *symbol = sl_grammar_rule(&g, r, &n);
        for (size_t i = 0; i < n; i++)
            used += (size_t)snprintf(got + used, sizeof got - used, "%c",
                                     symbol[i] & SL_GRAMMAR_RULE
                                         ? '0' + (int)(symbol[i] & ~SL_GRAMMAR_RULE)
                                         : (int)symbol[i]);
        used += (size_t)snprintf(got + used, sizeof got - used, " ");
    }
    got[used - 1] = 0;
    sl_grammar_free(&g);
    sl_sequitur_free(&s);
    return !strcmp(got, wanted);
}

static void by_hand(void)
{
    ok(is_grammar("", "") && is_grammar("a", "a") && is_grammar("abcd", "abcd"),
       "nothing, one symbol, nothing that repeats: rule 0 alone");
    ok(is_grammar("abcdbc", "a1d1 bc"), "a digram that comes again becomes a rule");
    ok(is_grammar("abcdbcabc", "1d21 a2 bc") && is_grammar("abcdbcabcd", "121 a2d bc"),
       "a rule that is used only in the next longer one goes up in it");
    ok(is_grammar("abcdbcabcdbc", "11 a2d2 bc"), "rules of rules, as in the paper");
    ok(is_grammar("aaa", "aaa") && is_grammar("aaaa", "11 aa"),
       "places that overlap are one, those that do not are two");
    ok(is_grammar("aaaaaaaa", "11 22 aa"), "a run is halved again and again");
    ok(is_grammar("abbbabc", "1bb1c ab") && is_grammar("abbbabcbb", "121c2 ab bb"),
       "what overlapped a place that went is found again");
}

/* ---- all short sequences, and many longer ones ---- */

static void short_ones(uint32_t alphabet, size_t length)
{
    size_t sequences = 0, wrong = 0;
    for (size_t n = 1, all = alphabet; n <= length; n++, all *= alphabet)
        for (size_t code = 0; code < all; code++, sequences++) {
            size_t rest = code;
            for (size_t i = 0; i < n; i++, rest /= alphabet)
                input[i] = (uint32_t)(rest % alphabet);
            wrong += try(n, n) != n;
        }
    ok(!wrong, "all %zu sequences of up to %zu symbols out of %u: right after every symbol",
       sequences, length, alphabet);
}

enum kind { RANDOM, SAME, PERIODIC, DE_BRUIJN, FIBONACCI, RUNS, COPIES, WANDERING, N_KINDS };
static const char *const kind_names[] = {"random",    "all the same", "periodic", "de Bruijn",
                                         "Fibonacci", "runs",         "copies",   "wandering"};

/* No word of ten symbols out of four comes twice: the highest symbol that makes a new one. */
static void make_de_bruijn(size_t n)
{
    static bool seen[1 << 20];
    uint32_t word = 0;
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < n; i++) {
        uint32_t symbol = 4;
        while (seen[(word << 2 | --symbol) & 0xfffff])
            ;
        word = (word << 2 | symbol) & 0xfffff;
        seen[word] = true;
        input[i] = symbol;
    }
}

static void make(enum kind kind, size_t n, uint32_t alphabet, uint64_t *seed)
{
    size_t period = 3 + (size_t)sl_random_below(seed, 40), before = 1, now = 2;
    for (size_t i = 0; i < n; i++)
        input[i] = (uint32_t)sl_random_below(seed, alphabet);
    switch (kind) {
    case SAME:
        memset(input, 0, n * sizeof *input);
        break;
    case PERIODIC:
        for (size_t i = period; i < n; i++)
            input[i] = input[i - period];
        break;
    case DE_BRUIJN:
        make_de_bruijn(n);
        break;
    case FIBONACCI: /* a word, and the one before it appended */
        input[0] = 0;
        input[1] = 1;
        while (now < n) {
            size_t copied = before < n - now ? before : n - now;
            memcpy(input + now, input, copied * sizeof *input);
            before = now;
            now += copied;
        }
        break;
    case RUNS:
        for (size_t i = 1; i < n; i++)
            if (sl_random_below(seed, 5))
                input[i] = input[i - 1];
        break;
    case COPIES: /* of what came before, from anywhere */
        for (size_t i = 8; i < n; i++) {
            size_t from = (size_t)sl_random_below(seed, i);
            size_t length = (size_t)sl_random_below(seed, 30);
            for (size_t k = 0; k < length && i < n; k++, i++)
                input[i] = input[from + k];
        }
        break;
    case WANDERING: /* as a program goes: mostly the same way from a place */
        for (size_t i = 1; i < n; i++)
            input[i] = (uint32_t)((input[i - 1] * 7 + 1 + !sl_random_below(seed, 20)) % 101);
        break;
    default:
        break;
    }
}

static void longer_ones(void)
{
    uint64_t seed = 17;
    for (enum kind kind = 0; kind < N_KINDS; kind++) {
        size_t wrong = 0, tried = 0;
        for (uint32_t alphabet = 1; alphabet <= 6; alphabet++)
            for (size_t n = 40; n <= 640; n *= 4, tried++) {
                make(kind, n, alphabet, &seed);
                wrong += try(n, 1) != n;
            }
        make(kind, 60000, 12, &seed);
        wrong += try(60000, 7919) != 60000;
        ok(!wrong, "%s: right after every symbol, %zu sequences", kind_names[kind], tried + 1);
    }
}

/* ---- work and memory ---- */

static void linear_work(void)
{
    uint64_t seed = 23;
    for (enum kind kind = 0; kind < N_KINDS; kind++) {
        bool balanced = true, linear = true;
        for (size_t n = 400; n <= LONGEST; n *= 10) {
            struct sl_sequitur s;
            make(kind, n, 16, &seed);
            sl_sequitur_init(&s, PLENTY);
            for (size_t i = 0; i < n; i++)
                sl_sequitur_append(&s, input[i]);
            const struct sl_sequitur_work *w = &s.work;
            balanced = balanced && w->reuses + w->expansions == n - s.n_symbols &&
                       w->creations == s.n_rules - 1 + w->expansions;
            linear = linear && w->checks <= 5 * n && s.index.probes <= 40 * n;
            sl_sequitur_free(&s);
        }
        ok(balanced,
           "%s: reuses + expansions = symbols that are gone, creations = rules + "
           "expansions",
           kind_names[kind]);
        ok(linear, "%s: at most 5 look-ups and 40 slots examined a symbol, from 400 symbols to %u",
           kind_names[kind], LONGEST);
    }
}

static void limited_memory(void)
{
    uint64_t seed = 5;
    bool within = true, prefix = true, frozen = true, some = false;
    make(COPIES, 20000, 50, &seed);
    for (uint64_t memory = 0; memory < 300000; memory += 1 + memory / 16) {
        struct sl_sequitur s;
        struct sl_grammar g;
        size_t n = 0;
        sl_sequitur_init(&s, memory);
        while (n < 20000 && sl_sequitur_append(&s, input[n])) {
            n++;
            within = within && sl_sequitur_bytes(&s) <= memory;
        }
        some |= n > 1000 && n < 20000;
        frozen = frozen && s.full == (n < 20000) && s.length == n &&
                 !(s.full && sl_sequitur_append(&s, 0)) && s.length == n;
        prefix = prefix && sl_sequitur_grammar(&s, &g) && makes_input(&g, n);
        sl_grammar_free(&g);
        uint64_t symbols = s.n_symbols;
        prefix = prefix && sl_sequitur_finish(&s, &g) && makes_input(&g, n) && s.length == n &&
                 s.n_symbols == symbols && !sl_sequitur_append(&s, 0);
        within = within && s.nodes_capacity + s.rules_capacity + sl_digram_slots(&s.index) == 0;
        sl_grammar_free(&g);
        sl_sequitur_free(&s);
    }
    ok(within, "it never allocates more than it may");
    ok(frozen && some, "when memory is full no further symbol is taken");
    ok(prefix, "and the grammar makes exactly what was");
}

int main(void)
{
    by_hand();
    short_ones(2, 13);
    short_ones(3, 8);
    longer_ones();
    linear_work();
    limited_memory();
    return done_testing();
}
