/* SPDX-License-Identifier: MIT */
/* Unit tests of address spans (sorted address ranges) and of function tables. On random input, each
 * lookup of an address gives the same result as a linear search. */
#include <string.h>

#include "function_table.h"
#include "random.h"
#include "tap.h"

#define SPACE 200u /* addresses */

static uint32_t plain_best(const struct sl_address_range *interval, size_t n, uint64_t address)
{
    const struct sl_address_range *best = NULL;
    for (size_t i = 0; i < n; i++) {
        const struct sl_address_range *one = &interval[i];
        if (address < one->start || address >= one->end)
            continue;
        if (!best || one->priority > best->priority ||
            (one->priority == best->priority && one->what < best->what))
            best = one;
    }
    return best ? best->what : SL_NO_INDEX;
}

static void test_spans(void)
{
    uint64_t state = 1;
    int wrong = 0, long_spans = 0;
    struct sl_spans spans = {0};
    for (int round = 0; round < 3000; round++) {
        struct sl_address_range interval[24], sorted[24];
        size_t n = (size_t)sl_random_below(&state, 25);
        for (size_t i = 0; i < n; i++) {
            interval[i].start = sl_random_below(&state, SPACE);
            interval[i].end = interval[i].start + sl_random_below(&state, 60); /* empty, too */
            interval[i].priority = sl_random_below(&state, 8);
            interval[i].what = (uint32_t)i;
        }
        memcpy(sorted, interval, sizeof sorted);
        sl_spans_build(&spans, sorted, n);
        for (uint64_t address = 0; address < SPACE + 70; address++)
            wrong += sl_spans_find(&spans, address) != plain_best(interval, n, address);
        for (size_t i = 1; i < spans.n; i++)
            long_spans += spans.span[i].what == spans.span[i - 1].what ||
                          spans.span[i].start <= spans.span[i - 1].start;
    }
    ok(!wrong, "an address belongs to the best interval that contains it (%d wrong)", wrong);
    ok(!long_spans, "neighbouring spans belong to different intervals");
    struct sl_address_range whole = {0, UINT64_MAX, 0, 7};
    sl_spans_build(&spans, &whole, 1);
    ok(sl_spans_find(&spans, 0) == 7 && sl_spans_find(&spans, UINT64_MAX - 1) == 7,
       "an interval may be the whole address space");
    sl_spans_build(&spans, NULL, 0);
    ok(sl_spans_find(&spans, 5) == SL_NO_INDEX, "without intervals no address is found");
    sl_spans_free(&spans);
}

/* What function_table.h says, word for word. */
static const char *plain_name(const struct sl_function_table *table, uint64_t address)
{
    const struct sl_function *best = NULL, *before = NULL;
    for (size_t i = 0; i < table->n; i++) { /* by start, best first */
        const struct sl_function *one = &table->function[i];
        bool contains = one->start <= address && address < one->end;
        if (contains && (!best || one->start > best->start))
            best = one;
        if (one->start <= address && (!before || one->start > before->start))
            before = one;
    }
    if (best)
        return best->name;
    return before && before->end == before->start ? before->name : NULL;
}

static void test_functions(void)
{
    static const char *const names[] = {"a", "b", "_c", "__d", "ee", "f", "g", "h", "i", "j"};
    uint64_t state = 2;
    int wrong = 0;
    for (int round = 0; round < 3000; round++) {
        struct sl_function_table table = {0};
        size_t n = (size_t)sl_random_below(&state, 20);
        for (size_t i = 0; i < n; i++) {
            uint64_t size = sl_random_below(&state, 3) ? sl_random_below(&state, 40) : 0;
            const char *name = sl_random_below(&state, 8) ? names[sl_random_below(&state, 10)]
                                                          : NULL;
            sl_function_add(&table, sl_random_below(&state, SPACE), name ? size : 0, name,
                            (unsigned)(2 + sl_random_below(&state, 6)));
        }
        sl_functions_finish(&table);
        for (uint64_t address = 0; address < SPACE + 50; address++) {
            const struct sl_function *found = sl_function_at(&table, address);
            const char *plain = plain_name(&table, address);
            wrong += found ? !plain || strcmp(found->name, plain) : plain != NULL;
        }
        sl_functions_free(&table);
    }
    ok(!wrong, "an address has the innermost sized name, or the label before it (%d wrong)", wrong);
}

/* The name at 100 of a table that has these, added in both orders. */
static int prefers(const char *better, uint64_t better_size, unsigned better_rank,
                   const char *worse, uint64_t worse_size, unsigned worse_rank)
{
    int good = 0;
    for (int order = 0; order < 2; order++) {
        struct sl_function_table table = {0};
        if (order)
            sl_function_add(&table, 100, worse_size, worse, worse_rank);
        sl_function_add(&table, 100, better_size, better, better_rank);
        if (!order)
            sl_function_add(&table, 100, worse_size, worse, worse_rank);
        sl_functions_finish(&table);
        good += !strcmp(sl_function_at(&table, 100)->name, better);
        sl_functions_free(&table);
    }
    return good == 2;
}

static void test_preference(void)
{
    ok(prefers("__write", 8, SL_RANK_GLOBAL, "write", 8, SL_RANK_WEAK), "global before weak");
    ok(prefers("zz", 8, SL_RANK_WEAK, "a", 8, SL_RANK_LOCAL), "weak before local");
    ok(prefers("zz", 8, SL_RANK_LOCAL, "a", 0, SL_RANK_GLOBAL), "a size before none");
    ok(prefers("zz", 8, SL_RANK_GLOBAL, "a", 8, SL_RANK_GLOBAL + SL_RANK_IS_LABEL),
       "a function before a label");
    ok(prefers("malloc", 8, SL_RANK_GLOBAL, "__malloc", 8, SL_RANK_GLOBAL),
       "fewer underscores first");
    ok(prefers("a", 8, SL_RANK_GLOBAL, "b", 8, SL_RANK_GLOBAL), "then the alphabet");
    ok(prefers("puts", 16, SL_RANK_STUB, "_PLT_", 64, SL_RANK_GLOBAL), "a stub before all");
}

static const char *shown(const char *name, unsigned rank)
{
    static char kept[256];
    size_t capacity = 1000;
    struct sl_function_table table = {0};
    sl_function_add(&table, 0, 8, name, rank);
    sl_functions_finish(&table);
    snprintf(kept, sizeof kept, "%s", sl_function_name(sl_function_at(&table, 0), &capacity));
    sl_functions_free(&table);
    return kept;
}

static void test_names(void)
{
    ok(!strcmp(shown("_ZN2ns1fEi", SL_RANK_GLOBAL), "ns::f(int)"), "C++ names are demangled");
    ok(!strcmp(shown("_ZN2ns1fEi.cold", SL_RANK_LOCAL), "ns::f(int) [clone .cold]"),
       "pieces of C++ functions, too");
    ok(!strcmp(shown("f", SL_RANK_GLOBAL), "f"), "a C function f is not a float");
    ok(!strcmp(shown("_Zzz", SL_RANK_GLOBAL), "_Zzz"), "what only looks mangled stays");
    ok(!strcmp(shown("memcpy@@GLIBC_2.14", SL_RANK_GLOBAL), "memcpy"), "versions are taken off");
    ok(!strcmp(shown("_ZN2ns1fEv@V1", SL_RANK_GLOBAL), "ns::f()"), "before demangling");
    ok(!strcmp(shown("@odd", SL_RANK_GLOBAL), "@odd"), "a name is never taken for a version");
    ok(!strcmp(shown("puts", SL_RANK_STUB), "puts@plt"), "stubs say that they are stubs");
    ok(!strcmp(shown("_ZN2ns1fEi", SL_RANK_STUB), "ns::f(int)@plt"), "those of C++ as well");
}

int main(void)
{
    test_spans();
    test_functions();
    test_preference();
    test_names();
    return done_testing();
}
