/* Rust's older names, as people write them. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"
#include "rust_name.h"
#include "tap.h"

static bool becomes(const char *mangled, const char *wanted)
{
    char *got = sl_demangle(mangled);
    bool good = got && !strcmp(got, wanted);
    if (!good)
        printf("# %s: %s\n", mangled, got ? got : "(nothing)");
    free(got);
    return good;
}

static bool stays(const char *name)
{
    char text[128];
    snprintf(text, sizeof text, "%s", name);
    sl_rust_name(text);
    return !strcmp(text, name);
}

int main(void)
{
    ok(becomes("_ZN1r5count17hd13de73312814f7cE", "r::count"), "the hash goes");
    ok(becomes("_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$17h0123456789abcdefE",
               "core::ptr::drop_in_place<alloc::string::String>"),
       "angle brackets and colons");
    ok(becomes("_ZN74_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..iter..Iterator$LT$T$GT$$GT$4next"
               "17h0123456789abcdefE",
               "<alloc::vec::Vec<T> as core::iter::Iterator<T>>::next"),
       "what it is implemented for");
    ok(becomes("_ZN3foo3barEv", "foo::bar()"), "C++ stays C++");
    ok(stays("a::h0123456789abcde") && stays("a::h0123456789ABCDEF") && stays("::h0123456789abcdef") &&
           stays("a$LT$b") && stays(""),
       "what has no hash stays");
    char odd[] = "a$$b$u1$c$XX$._..$::h0123456789abcdef";
    sl_rust_name(odd);
    ok(!strcmp(odd, "a$$b$u1$c$XX$._::$"), "what nobody knows stays");
    return done_testing();
}
