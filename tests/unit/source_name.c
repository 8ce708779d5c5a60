/* SPDX-License-Identifier: MIT */
/* Unit tests of converting symbol names to the names in the source: suffixes that compilers append
 * are removed. */
#include <stdlib.h>
#include <string.h>

#include "source_functions.h"
#include "tap.h"

static bool becomes(const char *symbol, const char *name, bool is_stub)
{
    bool stub;
    char *got = sl_source_name(symbol, &stub);
    bool good = got && !strcmp(got, name) && stub == is_stub;
    if (!good)
        printf("# %s: %s\n", symbol, got ? got : "(no memory)");
    free(got);
    return good;
}

int main(void)
{
    ok(becomes("main", "main", false) && becomes("a.b", "a.b", false) && becomes("", "", false),
       "a name stays as it is");
    ok(becomes("f.cold", "f", false) && becomes("f.cold.3", "f", false) &&
           becomes("f.part.0", "f", false) && becomes("f.isra.2.constprop.0", "f", false) &&
           becomes("f.part.0.cold", "f", false) && becomes("f.llvm.12345", "f", false),
       "what compilers append goes");
    ok(becomes("f.colder", "f.colder", false) && becomes("f.part.x", "f.part.x", false) &&
           becomes(".cold", ".cold", false) && becomes("f.part.0.x", "f.part.0.x", false),
       "and nothing else");
    ok(becomes("f(int) [clone .cold]", "f(int)", false) &&
           becomes("f(int) [clone .part.0] [clone .cold]", "f(int)", false),
       "what demanglers make of it, too");
    ok(becomes("puts@plt", "puts", true) && becomes("@plt", "@plt", false), "stubs");
    ok(becomes("non-virtual thunk to B::f()", "B::f()", false) &&
           becomes("virtual thunk to B::f()", "B::f()", false) &&
           becomes("virtual thunk to ", "virtual thunk to ", false),
       "thunks");
    return done_testing();
}
