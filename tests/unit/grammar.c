/* SPDX-License-Identifier: MIT */
/* Unit tests of grammars, the compressed form of event sequences: expanding them, computing
 * properties without expanding them, and reading their stored form, valid or damaged. */
#include "grammar.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "sequitur.h"
#include "tap.h"

#define N_INPUT 3000u
#define N_SYMBOLS 20u
#define R(k) (SL_GRAMMAR_RULE | (k))

struct list {
    uint32_t symbol[N_INPUT + 1];
    size_t n, stop;
};

static bool collect(void *context, uint32_t symbol)
{
    struct list *list = context;
    list->symbol[list->n++] = symbol;
    return list->n < list->stop;
}

/* Consecutive rules, each ended by END. */
#define END UINT32_MAX
static struct sl_grammar grammar_of(const uint32_t *symbol, size_t n_rules)
{
    struct sl_grammar g = {0};
    for (size_t r = 0; r < n_rules; r++, symbol++) {
        sl_grammar_begin(&g);
        for (; *symbol != END; symbol++)
            sl_grammar_add(&g, *symbol);
    }
    return g;
}

static bool same_grammar(const struct sl_grammar *a, const struct sl_grammar *b)
{
    return a->n_rules == b->n_rules && a->n_symbols == b->n_symbols &&
           (!a->n_symbols || !memcmp(a->symbol, b->symbol, a->n_symbols * sizeof *a->symbol)) &&
           (!a->n_rules || !memcmp(a->first, b->first, (a->n_rules + 1) * sizeof *a->first));
}

/* That of the head of grammar.h: 5 5 7 1 2 3 7 1 2 3 9. */
static struct sl_grammar example(void)
{
    static const uint32_t symbols[] = {5, 5, R(1), R(1), 9, END, 7, R(2), END, 1, 2, 3, END};
    return grammar_of(symbols, 3);
}

static void by_hand(void)
{
    static const uint32_t made[] = {5, 5, 7, 1, 2, 3, 7, 1, 2, 3, 9};
    struct sl_grammar g = example(), nothing = {0};
    struct list list = {.stop = SIZE_MAX};
    ok(sl_grammar_expand(&g, 0, collect, &list) && list.n == 11 &&
           !memcmp(list.symbol, made, sizeof made),
       "expanded, it is the sequence");
    list = (struct list){.stop = 5};
    ok(!sl_grammar_expand(&g, 0, collect, &list) && list.n == 5 &&
           !memcmp(list.symbol, made, 5 * sizeof *made),
       "up to where it is stopped");
    list = (struct list){.stop = SIZE_MAX};
    ok(sl_grammar_expand(&g, 1, collect, &list) && list.n == 4 &&
           !memcmp(list.symbol, made + 2, 4 * sizeof *made),
       "and so is what one rule makes");
    list.n = 0;
    ok(sl_grammar_expand(&nothing, 0, collect, &list) && !list.n, "nothing makes nothing");

    uint64_t times[3], length[3], count[10];
    sl_grammar_times(&g, times);
    sl_grammar_lengths(&g, length);
    ok(times[0] == 1 && times[1] == 2 && times[2] == 2, "how often each rule comes");
    ok(length[0] == 11 && length[1] == 4 && length[2] == 3, "how much each rule makes");
    static const uint64_t counts[10] = {0, 2, 2, 2, 0, 2, 0, 2, 0, 1};
    ok(sl_grammar_counts(&g, count, 10) && !memcmp(count, counts, sizeof counts),
       "how often each symbol comes");
    sl_grammar_free(&g);
}

/* Rules of two uses of the next: 2^200 symbols. */
static void too_large(void)
{
    struct sl_grammar g = {0};
    uint64_t times[201], length[201];
    for (uint32_t r = 0; r < 201; r++) {
        sl_grammar_begin(&g);
        sl_grammar_add(&g, r < 200 ? R(r + 1) : 0);
        sl_grammar_add(&g, r < 200 ? R(r + 1) : 0);
    }
    sl_grammar_times(&g, times);
    sl_grammar_lengths(&g, length);
    ok(times[63] == UINT64_C(1) << 63 && times[64] == UINT64_MAX && length[0] == UINT64_MAX &&
           length[138] == UINT64_C(1) << 63,
       "counts and lengths stop at what a word holds");
    struct list list = {.stop = 1000};
    ok(!sl_grammar_expand(&g, 0, collect, &list) && list.n == 1000,
       "expanding gives the first symbols of any length at once");
    sl_grammar_free(&g);
}

/* ---- of sequences ---- */

static uint32_t input[N_INPUT];

static struct sl_grammar found_in_input(uint64_t *seed, size_t n)
{
    struct sl_sequitur s;
    struct sl_grammar g;
    sl_sequitur_init(&s, UINT64_C(1) << 30);
    for (size_t i = 0; i < n; i++)
        input[i] = (uint32_t)sl_random_below(seed, N_SYMBOLS);
    for (size_t i = 10; i < n; i++) {
        size_t from = (size_t)sl_random_below(seed, i), length = (size_t)sl_random_below(seed, 40);
        for (size_t k = 0; k < length && i < n; k++, i++)
            input[i] = input[from + k];
    }
    for (size_t i = 0; i < n; i++)
        sl_sequitur_append(&s, input[i]);
    if (!sl_sequitur_grammar(&s, &g))
        abort();
    sl_sequitur_free(&s);
    return g;
}

static bool counts_follow(const struct sl_grammar *g, size_t n)
{
    uint64_t count[N_SYMBOLS], plainly[N_SYMBOLS] = {0};
    for (size_t i = 0; i < n; i++)
        plainly[input[i]]++;
    return sl_grammar_counts(g, count, N_SYMBOLS) && !memcmp(count, plainly, sizeof count);
}

/* Every rule makes what its length says, and that is in the input at least so often. */
static bool rules_are_there(const struct sl_grammar *g, size_t n)
{
    uint64_t *times = calloc(g->n_rules, sizeof *times);
    uint64_t *length = calloc(g->n_rules, sizeof *length);
    struct list path;
    bool good = true;
    sl_grammar_times(g, times);
    sl_grammar_lengths(g, length);
    for (size_t r = 0; r < g->n_rules && good; r++) {
        uint64_t found = 0;
        path = (struct list){.stop = SIZE_MAX};
        good = sl_grammar_expand(g, r, collect, &path) && path.n == length[r];
        for (size_t at = 0; at + path.n <= n;) {
            bool here = !memcmp(input + at, path.symbol, path.n * sizeof *input);
            found += here;
            at += here ? path.n : 1;
        }
        good = good && times[r] >= (r ? 2 : 1) && found >= times[r];
    }
    free(times);
    free(length);
    return good;
}

static bool uses_higher_rules(const struct sl_grammar *g)
{
    for (size_t r = 0; r < g->n_rules; r++)
        for (size_t i = g->first[r]; i < g->first[r + 1]; i++)
            if (g->symbol[i] & SL_GRAMMAR_RULE && ((g->symbol[i] & ~SL_GRAMMAR_RULE) <= r ||
                                                   (g->symbol[i] & ~SL_GRAMMAR_RULE) >= g->n_rules))
                return false;
    return true;
}

static bool comes_back(const struct sl_grammar *g)
{
    struct sl_grammar again;
    size_t size;
    uint8_t *saved = sl_grammar_save(g, &size);
    bool same = saved && sl_grammar_load(&again, saved, size, NULL) >= 0 && same_grammar(g, &again);
    sl_grammar_free(&again);
    free(saved);
    return same;
}

static void of_sequences(void)
{
    bool counted = true, there = true, ordered = true, back = true;
    uint64_t seed = 41;
    for (size_t n = 1; n <= N_INPUT; n += 1 + n / 3) {
        struct sl_grammar g = found_in_input(&seed, n);
        counted = counted && counts_follow(&g, n);
        there = there && rules_are_there(&g, n);
        ordered = ordered && uses_higher_rules(&g);
        back = back && comes_back(&g);
        sl_grammar_free(&g);
    }
    ok(counted, "counts from the rules are those of the sequence");
    ok(there, "what a rule makes comes in the sequence as often as the rules say, or more often");
    ok(ordered, "a rule of Sequitur's uses higher rules only");
    ok(back, "saved and loaded, a grammar is the same");
}

/* ---- the saved form ---- */

static void saved_form(void)
{
    static const uint8_t wanted[] = {'S', 'L', 'G', '1', 3, 5, 10, 10, 1,
                                     1,   18,  2,   14,  1, 3, 2,  4,  6};
    struct sl_grammar g = example(), empty = {0};
    size_t size;
    uint8_t *saved = sl_grammar_save(&g, &size);
    ok(size == sizeof wanted && !memcmp(saved, wanted, size), "the saved form is that of the page");
    free(saved);
    ok(comes_back(&g) && comes_back(&empty), "it is loaded again, an empty one too");
    sl_grammar_free(&g);
    static const uint32_t large[] = {SL_GRAMMAR_RULE - 1, 1000, END};
    g = grammar_of(large, 1);
    ok(comes_back(&g), "so are symbols of any size");
    sl_grammar_free(&g);
}

static bool is_refused(const uint8_t *saved, size_t size)
{
    struct sl_grammar g;
    struct sl_failure f = {0};
    bool refused = sl_grammar_load(&g, saved, size, &f) == SL_EFORMAT && f.text[0] && !g.n_rules;
    sl_grammar_free(&g);
    return refused;
}

#define REFUSED(...) \
    is_refused((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))
#define HEAD 'S', 'L', 'G', '1'

static void damage(void)
{
    uint64_t seed = 3;
    struct sl_grammar g = found_in_input(&seed, 400), got;
    size_t size, whole = 0, wrong = 0;
    uint8_t *saved = sl_grammar_save(&g, &size);
    for (size_t cut = 0; cut < size; cut++)
        whole += !is_refused(saved, cut);
    ok(!whole, "cut anywhere, it is refused");
    for (size_t at = 0; at < size; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            saved[at] ^= (uint8_t)(1u << bit);
            if (sl_grammar_load(&got, saved, size, NULL) >= 0)
                wrong += !uses_higher_rules(&got) || got.first[got.n_rules] != got.n_symbols;
            sl_grammar_free(&got);
            saved[at] ^= (uint8_t)(1u << bit);
        }
    ok(!wrong, "with any bit changed it is refused, or is a grammar");
    free(saved);
    sl_grammar_free(&g);
    ok(REFUSED('S', 'L', 'G', '2', 0), "another format is refused");
    ok(REFUSED(HEAD, 1, 1, 1), "a use of a rule that there is not is refused");
    ok(REFUSED(HEAD, 2, 1, 3, 0), "the same from another rule");
    ok(REFUSED(HEAD, 1, 1, 2, 0), "something after the end is refused");
    ok(REFUSED(HEAD, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1) &&
           REFUSED(HEAD, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f) &&
           REFUSED(HEAD, 1, 1, 0xff, 0xff, 0xff, 0xff, 0x7f),
       "numbers beyond all bounds are refused");
}

int main(void)
{
    by_hand();
    too_large();
    of_sequences();
    saved_form();
    damage();
    return done_testing();
}
