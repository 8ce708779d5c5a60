/* SPDX-License-Identifier: MIT */
/* Unit tests of shortening function names: the least important parts of a name are removed first,
 * and the result never exceeds the requested length. */
#include <string.h>

#include "random.h"
#include "sluice.h"
#include "tap.h"
#include "utf8.h"

static bool becomes(const char *name, size_t width, const char *wanted)
{
    char text[256];
    snprintf(text, sizeof text, "%s", name);
    sl_short_name(text, width);
    if (strcmp(text, wanted))
        printf("# %s to %zu: %s\n", name, width, text);
    return !strcmp(text, wanted);
}

/* Any text, any width. */
static bool fits(void)
{
    static const char *const piece[] = {"a",  "::", "<", ">",        "(",  ")", " ",   "operator",
                                        "->", "/",  ".", "\xc3\xa9", "b9", ",", "...", "-"};
    uint64_t seed = 7;
    for (size_t i = 0; i < 200000; i++) {
        char text[512] = "";
        size_t n = sl_random_below(&seed, 24), width = sl_random_below(&seed, 40);
        while (n--)
            strcat(text, piece[sl_random_below(&seed, sizeof piece / sizeof *piece)]);
        size_t before = sl_utf8_length(text);
        sl_short_name(text, width);
        if (sl_utf8_length(text) > width || sl_utf8_length(text) > before)
            return false;
    }
    return true;
}

int main(void)
{
    const char *push = "std::vector<int, std::allocator<int> >::push_back(int const&)";
    ok(becomes(push, 61, push), "what fits stays");
    ok(becomes(push, 50, "std::vector<...>::push_back(int const&)"), "template arguments go first");
    ok(becomes(push, 35, "std::vector<...>::push_back(...)"), "then parameters");
    ok(becomes(push, 30, "...::push_back(...)"), "then what it is in");
    ok(becomes("github.com/user/tool/parse.(*Lexer).next", 22, "parse.(*Lexer).next"),
       "the path of a package");
    ok(becomes("<alloc::vec::Vec<T> as core::iter::Iterator>::next", 20, "<...>::next"),
       "what a Rust function is implemented for");
    ok(becomes("bool operator< <int>(pair<int> const&, int)", 40, "bool operator< <int>(...)"),
       "operators are no lists");
    ok(becomes("void std::sort<int>(int*)+0xe9", 25, "std::sort<int>(...)+0xe9"),
       "what it returns");
    ok(becomes("-> void std::sort<int>(int*)+0xe9", 28, "-> std::sort<int>(...)+0xe9"),
       "after an arrow, too");
    ok(becomes("void std::sort_all<int, int>(int*)+0xe9", 20, "std::sort_all+0xe9"),
       "a name alone is better than its ends");
    ok(becomes("operator new(unsigned long)", 20, "operator new(...)"), "but no part of a name");
    ok(becomes("work, inlined in f<int, int>(int, int)", 28, "work, inlined in f<...>(...)"),
       "nor of a message");
    ok(becomes("main+0x60..+0x7a (is_prime)", 20, "main+0x60..+0x7a"), "what was inlined there");
    ok(becomes("a_function_with_a_long_name", 15, "a_func...g_name"), "the middle goes last");
    ok(becomes("inlined in vector<int, int, int>::f", 25, "inlined in vector<...>::f"),
       "in a message, too");
    ok(fits(), "whatever it is, it fits");
    return done_testing();
}
