/* SPDX-License-Identifier: MIT */
/* Rust's names, older and newer, as people write them. */
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

static void newer(void)
{
    ok(becomes("_RNvNtNtCsgEmfK2I1SDS_4core5slice6memchr7memrchr", "core::slice::memchr::memrchr"),
       "v0: a path without hashes");
    ok(becomes(
           "_RINvMNtCsgEmfK2I1SDS_4core3stre18trim_start_matchesReECsgY6Mt91CT9J_14rustc_demangle",
           "<str>::trim_start_matches::<&str>"),
       "v0: an implementation, arguments, and not who made it of a generic one");
    ok(becomes(
           "_RINvMNtCs1_4core5sliceSh11copy_withinINtNtNtB5_3ops5range14RangeInclusivejEECs2_1m",
           "<[u8]>::copy_within::<core::ops::range::RangeInclusive<usize>>"),
       "v0: a reference back");
    ok(becomes("_RNCNvCs1_1a1f0", "a::f::{closure#0}") &&
           becomes("_RNCNvCs1_1a1fs_0", "a::f::{closure#1}"),
       "v0: closures");
    ok(becomes("_RNvXs_Cs1_1aNtB4_1TNtB4_1S1f", "<a::T as a::S>::f"), "v0: a trait");
    ok(becomes("_RNvCs00000000001_1a1f", "a::f") && !sl_demangle("_RNvCs000000000001_1a1f"),
       "v0: a number has as many digits as 64 bits need, and no more");
    ok(becomes("_RINvCs1_1a1fKj10_Klna_Kb1_Kc41_E", "a::f::<16, -10, true, 'A'>"), "v0: constants");
    ok(becomes("_RINvCs1_1a1fAhj3_TlmETlERNtB2_1SQhPhOhE",
               "a::f::<[u8; 3], (i32, u32), (i32,), &a::S, &mut u8, *const u8, *mut u8>"),
       "v0: types");
    ok(becomes("_RINvCs1_1a1fFUKChlEuFG_RL0_hEhE",
               "a::f::<unsafe extern \"C\" fn(u8, i32), for<'a> fn(&'a u8) -> u8>"),
       "v0: functions, and lifetimes that they name");
    ok(becomes("_RINvCs1_1a1fDINtB2_1ThEp1IlNtB2_1SEL_E", "a::f::<dyn a::T<u8, I = i32> + a::S>"),
       "v0: dyn, with an associated type");
    ok(becomes("_RNvCs1_1a1f.llvm.17", "a::f.llvm.17"),
       "v0: what was appended stays for who folds it");
    static const char *const wrong[] = {"_R",
                                        "_RN",
                                        "_RNvCs1_1a",
                                        "_RNvCs1_1a9f",
                                        "_RINvB_1fE",
                                        "_RNvB0_1f",
                                        "_RNvCs1_1a1fX",
                                        "_R1",
                                        "_RINvCs1_1a1fKj10E",
                                        "_RINvCs1_1a1fL5_E",
                                        "_RNvCs1_99999999999999999999a1f",
                                        "_RIIIIII",
                                        "_RNvC1a1f\x80"};
    bool none = true;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *got = sl_demangle(wrong[i]);
        if (got)
            printf("# %s: %s\n", wrong[i], got);
        none &= !got;
        free(got);
    }
    ok(none, "v0: what is none is none");
    /* Each part refers to the one before twice. */
    char grows[4000] = "_RINvCs1_1a1f", *to = grows + strlen(grows);
    size_t before = (size_t)(to - grows) - 2;
    to += sprintf(to, "TmmE");
    for (int i = 0; i < 60; i++) {
        char back[8];
        size_t now = (size_t)(to - grows) - 2;
        sprintf(
            back, "%c%c",
            "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[(before - 1) / 62],
            "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[(before - 1) % 62]);
        to += sprintf(to, "TB%s_B%s_E", back, back);
        before = now;
    }
    sprintf(to, "E");
    char *got = sl_demangle(grows);
    ok(!got, "v0: what doubles sixty times is given up");
    free(got);
}

int main(void)
{
    ok(becomes("_ZN1r5count17hd13de73312814f7cE", "r::count"), "the hash goes");
    ok(becomes("_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$17h0123456789abcdefE",
               "core::ptr::drop_in_place<alloc::string::String>"),
       "angle brackets and colons");
    ok(becomes(
           "_ZN74_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..iter..Iterator$LT$T$GT$$GT$4next"
           "17h0123456789abcdefE",
           "<alloc::vec::Vec<T> as core::iter::Iterator<T>>::next"),
       "what it is implemented for");
    ok(becomes("_ZN3foo3barEv", "foo::bar()"), "C++ stays C++");
    ok(stays("a::h0123456789abcde") && stays("a::h0123456789ABCDEF") &&
           stays("::h0123456789abcdef") && stays("a$LT$b") && stays(""),
       "what has no hash stays");
    char odd[] = "a$$b$u1$c$XX$._..$::h0123456789abcdef";
    sl_rust_name(odd);
    ok(!strcmp(odd, "a$$b$u1$c$XX$._::$"), "what nobody knows stays");
    newer();
    return done_testing();
}
