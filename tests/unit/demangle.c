/* SPDX-License-Identifier: MIT */
/* Unit tests of demangling. C++ and Rust names are printed as by `c++filt -i`, and names
 * constructed to exhaust time, stack or output stay within the limits. tests/oracle/names.t
 * compares the names of whole libraries with the output of c++filt. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "demangle.h"
#include "tap.h"

#define SECONDS_MAX 2 /* of CPU time; the timer ends a name after 0.1 */

static void reads(const char *name, const char *wanted)
{
    char *got = sl_demangle(name, NULL);
    ok(got ? wanted && !strcmp(got, wanted) : !wanted, "%s: %s", name, got ? got : "as it is");
    free(got);
}

/* The demangled name doubles with each of n types: pair<X, X> of the type before. */
static char *pairs_of_types(int n)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char *name = malloc(64 + 10 * (size_t)n), *to = name;
    to += sprintf(to, "_Z1fSt4pairIiiE");
    for (int i = 0; i < n; i++)
        to += sprintf(to, "S_IS%c_S%c_E", digits[i], digits[i]);
    return name;
}

/* The same with nested types; `disguise` is put before each type, and resembles other tokens. */
static char *inside(int n, const char *disguise)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char *name = malloc(64 + 64 * (size_t)n), *to = name;
    to += sprintf(to, "_Z1f");
    for (int i = 0; i < n; i++)
        to += sprintf(to, "St4pairI%s", disguise);
    to += sprintf(to, "ii");
    for (int i = 0; i < n; i++)
        to += sprintf(to, "ES%c_", digits[i]);
    return name;
}

static void is_bounded(char *name, const char *what, int n)
{
    clock_t start = clock();
    char *got = sl_demangle(name, NULL);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    size_t size = got ? strlen(got) : 0;
    ok(size < SL_DEMANGLED_MAX && seconds < SECONDS_MAX, "%s, %d times: %zu bytes", what, n, size);
    free(got);
    free(name);
}

/* `front`, then `open` n times, `middle`, `close` n times. */
static char *deep(const char *front, const char *open, int n, const char *middle, const char *close)
{
    size_t size = strlen(front) + strlen(middle) + (strlen(open) + strlen(close)) * (size_t)n + 1;
    char *name = malloc(size), *to = stpcpy(name, front);
    for (int i = 0; i < n; i++)
        to = stpcpy(to, open);
    to = stpcpy(to, middle);
    for (int i = 0; i < n; i++)
        to = stpcpy(to, close);
    return name;
}

static void names(void)
{
    reads("_ZN12_GLOBAL__N_11A1fEv", "(anonymous namespace)::A::f()");
    reads("_ZN1AIiEC2ERKS0_", "A<int>::A(A<int> const&)");
    reads("_ZN1A1BD0Ev", "A::B::~B()");
    reads("_ZNSsC1EPKc", "std::basic_string<char, std::char_traits<char>, std::allocator<char> "
                         ">::basic_string(char const*)");
    reads("_ZNKSs4sizeEv", "std::string::size() const");
    reads("_ZNKO1A1fEv", "A::f() const &&");
    reads("_ZNSt7__cxx1112basic_stringIcE3endB5cxx11Ev",
          "std::__cxx11::basic_string<char>::end[abi:cxx11]()");
    reads("_ZlsRSoRK1A", "operator<<(std::ostream&, A const&)");
    reads("_ZltIiEbT_S0_", "bool operator< <int>(int, int)");
    reads("_ZnwmPv", "operator new(unsigned long, void*)");
    reads("_ZN1AcvPKcEv", "A::operator char const*()");
    reads("_ZN1AcvT_IiEEv", "A::operator int<int>()");
    reads("_Zli3_kmy", "operator\"\" _km(unsigned long long)");
    reads("_ZZ1fvE1x_0", "f()::x");
    reads("_ZZ1fIiEvT_ENKUlvE0_clEv", "f<int>(int)::{lambda()#2}::operator()() const");
    reads("_ZZ1fvENKUlT_E_clIiEEDaS_", "auto f()::{lambda(auto:1)#1}::operator()<int>(int) const");
    reads("_ZN1AUt_C1Ev", "A::{unnamed type#1}::A()");
    reads("_ZTVN1A1BE", "vtable for A::B");
    reads("_ZTCN1AE8_N1BE", "construction vtable for B-in-A");
    reads("_ZThn16_N1A1fEv", "non-virtual thunk to A::f()");
    reads("_ZTv0_n24_N1A1fEv", "virtual thunk to A::f()");
    reads("_ZGVZ1fvE1x", "guard variable for f()::x");
    reads("_ZL3fooi.constprop.0.cold", "foo(int) [clone .constprop.0] [clone .cold]");
    reads("_GLOBAL__I_main", "global constructors keyed to main");
    reads("_GLOBAL__D__Z1fv", "global destructors keyed to f()");
    reads("_GLOBAL__sub_I_main", NULL);
}

static void types(void)
{
    reads("_Z1fPFviE", "f(void (*)(int))");
    reads("_Z1fPKFivE", "f(int (*)() const)");
    reads("_Z1fRA3_KcPA4_S0_", "f(char const (&) [3], char const (*) [4][3])");
    reads("_Z1fM1AFvvEMS_Ki", "f(void (A::*)(), int const A::*)");
    reads("_Z1fM1ADoKFvvE", "f(void (A::*)() const noexcept)");
    reads("_Z1fPDoFvvE", "f(void (*)() noexcept)");
    reads("_Z1fVKPri", "f(int restrict* const volatile)");
    reads("_Z1fIiEPFvcET_", "void (*f<int>(int))(char)");
    reads("_Z1fDv4_fCdz", "f(float __vector(4), double _Complex, ...)");
    reads("_Z1fDnDsDiDuDaDF16_",
          "f(decltype(nullptr), char16_t, char32_t, char8_t, auto, _Float16)");
    reads("_Z1fPU3AS1iu6__half", "f(int AS1*, __half)");
    reads("_Z1fIRiEvOT_", "void f<int&>(int&)");
    reads("_Z1fIKiEvRKT_", "void f<int const>(int const&)");
}

static void templates(void)
{
    reads("_Z1fIJidcEEvDpT_", "void f<int, double, char>(int, double, char)");
    reads("_Z1fIJEEvDpRKT_i", "void f<>(, int)");
    reads("_Z1fIJidEEvDpOSt6vectorIT_SaIS1_EE",
          "void f<int, double>(std::vector<int, std::allocator<int> >&&, std::vector<double, "
          "std::allocator<double> >&&)");
    reads("_Z1fITtTyEiEvv", NULL);
    reads("_Z1fI1ALin5ELj7ELb1ELc65ELS0_2ELDnEEvv",
          "void f<A, -5, 7u, true, (char)65, (A)2, decltype(nullptr)>()");
    reads("_Z1fIXadL_Z1gvEEXadL_ZN1A1gEiEEEvv", "void f<&(g()), &A::g>()");
    /* T0_ is first met in another function, where it is something else */
    reads("_Z1gI1AZ1fI1BcEvT_T0_EUlvE_EvS3_S4_",
          "void g<A, f<B, char>(B, char)::{lambda()#1}>(A, f<B, char>(B, char)::{lambda()#1})");
}

static void expressions(void)
{
    reads("_Z1fIiEDTplfp_Li1EET_", "decltype ({parm#1}+(1)) f<int>(int)");
    reads("_Z1fIXgtLi2ELi1EEEvv", "void f<((2)>(1))>()");
    reads("_Z1fIiEvRAszT__c", "void f<int>(char (&) [sizeof (int)])");
    reads("_Z1fIiENSt9enable_ifIXsr3std11is_integralIT_EE5valueEvE4typeES1_",
          "std::enable_if<std::is_integral<int>::value, void>::type f<int>(int)");
    reads("_Z1fIJicEEDTcl1gspfp_EEDpT_", "decltype (g({parm#1}...)) f<int, char>(int, char)");
    reads("_Z1fIJicEEvRAsZT__c", "void f<int, char>(char (&) [2])");
    reads("_Z1fIiEDTcv1A_fp_Li2EEET_", "decltype ((A)({parm#1}, 2)) f<int>(int)");
    reads("_Z1fIiEDTcvT_fp_ES0_", "decltype ((int){parm#1}) f<int>(int)");
    reads("_Z1fIiEDTscT_fp_ES0_", "decltype (static_cast<int>({parm#1})) f<int>(int)");
    reads("_Z1fIiEDTdtfp_1xET_", "decltype ({parm#1}.x) f<int>(int)");
    reads("_Z1fIiEDTquLb1EppLi1Epp_Li2EET_", "decltype ((true)?((1)++) : (++(2))) f<int>(int)");
    reads("_Z1fIiEDTnw_T_piLi1EEES0_", "decltype (new int(1)) f<int>(int)");
    reads("_Z1fIJicEEDTfrplfp_EDpT_", "decltype (({parm#1}+...)) f<int, char>(int, char)");
    reads("_Z1fIiEDTtlT_Li1ELi2EEES0_", "decltype (int{1, 2}) f<int>(int)");
}

static bool becomes(const char *mangled, const char *wanted)
{
    char *got = sl_demangle(mangled, NULL);
    bool good = got && !strcmp(got, wanted);
    if (!good)
        printf("# %s: %s\n", mangled, got ? got : "(nothing)");
    free(got);
    return good;
}

static void rust_older(void)
{
    ok(becomes("_ZN1r5count17hd13de73312814f7cE", "r::count"), "older: the hash is dropped");
    ok(becomes("_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$17h0123456789abcdefE",
               "core::ptr::drop_in_place<alloc::string::String>"),
       "older: escapes of brackets and colons");
    ok(becomes(
           "_ZN74_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..iter..Iterator$LT$T$GT$$GT$4next"
           "17h0123456789abcdefE",
           "<alloc::vec::Vec<T> as core::iter::Iterator<T>>::next"),
       "older: an implementation");
    ok(becomes("_ZN3foo3barEv", "foo::bar()"), "a C++ name is not taken for a Rust name");
    ok(becomes("_ZN1a1f17h0123456789abcdefE.llvm.17", "a::f.llvm.17"),
       "older: a suffix is not dropped");
}

/* A name of 60 tuples after `first`, each of which refers twice to the one before. */
static void doubles(const char *first, const char *what)
{
    static const char digit[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char name[4000] = "_RINvCs1_1a1f", *to = name + strlen(name);
    size_t before = (size_t)(to - name) - 2;
    to = stpcpy(to, first);
    for (int i = 0; i < 60; i++) {
        size_t now = (size_t)(to - name) - 2, at = before - 1;
        char high = digit[at / 62], low = digit[at % 62];
        to += sprintf(to, "TB%c%c_B%c%c_E", high, low, high, low);
        before = now;
    }
    sprintf(to, "E");
    char *got = sl_demangle(name, NULL);
    ok(!got, "%s", what);
    free(got);
}

static void rust_newer(void)
{
    ok(becomes("_RNvNtNtCsgEmfK2I1SDS_4core5slice6memchr7memrchr", "core::slice::memchr::memrchr"),
       "v0: a path without hashes");
    ok(becomes(
           "_RINvMNtCsgEmfK2I1SDS_4core3stre18trim_start_matchesReECsgY6Mt91CT9J_14rustc_demangle",
           "<str>::trim_start_matches::<&str>"),
       "v0: an implementation and its arguments, without the instantiating crate");
    ok(becomes(
           "_RINvMNtCs1_4core5sliceSh11copy_withinINtNtNtB5_3ops5range14RangeInclusivejEECs2_1m",
           "<[u8]>::copy_within::<core::ops::range::RangeInclusive<usize>>"),
       "v0: a back reference");
    ok(becomes("_RNCNvCs1_1a1f0", "a::f::{closure#0}") &&
           becomes("_RNCNvCs1_1a1fs_0", "a::f::{closure#1}"),
       "v0: closures");
    ok(becomes("_RNvXs_Cs1_1aNtB4_1TNtB4_1S1f", "<a::T as a::S>::f"), "v0: a trait");
    ok(becomes("_RNvCs00000000001_1a1f", "a::f"), "v0: a disambiguator of ten digits");
    ok(becomes("_RINvCs1_1a1fKj10_Klna_Kb1_Kc41_E", "a::f::<16, -10, true, 'A'>"), "v0: constants");
    ok(becomes("_RINvCs1_1a1fAhj3_TlmETlERNtB2_1SQhPhOhE",
               "a::f::<[u8; 3], (i32, u32), (i32,), &a::S, &mut u8, *const u8, *mut u8>"),
       "v0: types");
    ok(becomes("_RINvCs1_1a1fFUKChlEuFG_RL0_hEhE",
               "a::f::<unsafe extern \"C\" fn(u8, i32), for<'a> fn(&'a u8) -> u8>"),
       "v0: functions and their lifetimes");
    ok(becomes("_RINvCs1_1a1fDINtB2_1ThEp1IlNtB2_1SEL_E", "a::f::<dyn a::T<u8, I = i32> + a::S>"),
       "v0: dyn, with an associated type");
    ok(becomes("_RNvC1au6x_bcac", "a::x\xc2\xa4\xc2\xa3"), "v0: Punycode");
    ok(becomes("_RNvCs1_1a1f.llvm.17", "a::f.llvm.17"), "v0: a suffix is not dropped");
    static const char *const wrong[] = {"_R",
                                        "_RN",
                                        "_RNvCs1_1a",
                                        "_RNvCs1_1a9f",
                                        "_RINvB_1fE",
                                        "_RNvB0_1f",
                                        "_RNvCs1_1a1fX",
                                        "_R1",
                                        "_RINvCs1_1a1fKj10E",
                                        "_RNvCs1_99999999999999999999a1f",
                                        "_RIIIIII",
                                        "_RNvC1a1f\x80"};
    bool none = true;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *got = sl_demangle(wrong[i], NULL);
        if (got)
            printf("# %s: %s\n", wrong[i], got);
        none &= !got;
        free(got);
    }
    ok(none, "v0: invalid names are rejected");
    doubles("TmmE", "v0: a name that doubles sixty times is rejected");
    doubles("TNvC1au5bchcbNvC1au5bchcbE", "v0: the same with identifiers in Punycode");
}

static void hostile(void)
{
    for (int n = 100; n <= 100000; n *= 10) {
        is_bounded(deep("_Z1f", "P", n, "i", ""), "pointers", n);
        is_bounded(deep("_Z1f", "PF", n, "i", "iE"), "functions", n);
        is_bounded(deep("_Z1f", "1AI", n, "i", "E"), "templates", n);
        is_bounded(deep("_Z1fIX", "ng", n, "Li1EEEvv", ""), "operators", n);
        is_bounded(deep("_Z1fI", "J", n, "i", "E"), "packs", n);
        is_bounded(deep("_Z", "Z", n, "1gv", "E1a"), "local names", n);
        is_bounded(deep("_ZN", "1a", n, "E", ""), "scopes", n);
        is_bounded(deep("_Z1fDT", "cl", n, "1g", "E"), "calls", n);
    }
    for (int n = 1; n <= 32; n++) {
        is_bounded(pairs_of_types(n), "pairs", n);
        is_bounded(inside(n, ""), "nested pairs", n);
        is_bounded(inside(n, "Lj99E"), "nested pairs and numbers", n);
        is_bounded(inside(n, "4EEEE"), "nested pairs and a name of E", n);
        is_bounded(inside(n, "4IIII"), "nested pairs and a name of I", n);
        is_bounded(inside(n, "NL1aE"), "nested pairs and local names", n);
    }
}

/* `depth` function templates in one another, each with a pack that contains that of the function
 * around it twice; the outermost pack is empty. */
static char *empty_packs(int depth)
{
    return deep("_Z1hIJEEv", "Z1fIJJT_T_EEEv", depth, "T_", "E1x");
}

/* Names that take exponential time in libiberty without a call of the callback. */
static void silent(void)
{
    for (int n = 10; n <= 160; n *= 2) {
        is_bounded(deep("_ZN1Acv", "T_I", n, "i", "E"), "conversions, invalid", n);
        is_bounded(deep("_ZN1Acv", "T_I", n, "iIiEEv", "E"), "conversions", n);
        is_bounded(deep("_Z1hIJEEvDp", "1AIT_", n, "i", "E"), "a pack of nested templates", n);
        is_bounded(empty_packs(n / 4), "empty packs", n / 4);
    }
    for (int n = 1; n <= 32; n++) {
        char *pairs = inside(n, ""), *name = malloc(strlen(pairs) + 8);
        sprintf(name, "_Z1fDp%s", pairs + 4);
        free(pairs);
        is_bounded(name, "a pack of nested pairs", n);
    }
    char *lifetimes = strdup("_RNvMIC1aFGzzzzzzzzz_EuEC1b1f");
    is_bounded(lifetimes, "v0: lifetimes that are not printed", 1);
    ok(becomes("_RNvMIC1aFGz_EuEC1b1f", "<b>::f"),
       "v0: a binder of 61 lifetimes in an impl's path");
}

/* Each timeout takes from the budget, and nothing is demangled when it is used up. */
static void times_out(void)
{
    char *name = deep("_ZN1Acv", "T_I", 60, "i", "E");
    size_t budget = (size_t)20 << 20, before = budget, n = 0;
    for (; budget && n < 100; n++) {
        before = budget;
        if (sl_demangle(name, &budget) || budget >= before)
            break;
    }
    ok(!budget && n > 1, "%zu timeouts use up a budget of 20 MiB", n);
    ok(!sl_demangle("_Z1fv", &budget), "then nothing is demangled");
    budget = 1;
    char *got = sl_demangle("_Z1fv", &budget);
    ok(got && budget == 1, "a name without a timeout leaves the budget alone");
    free(got);
    free(name);
}

int main(void)
{
    reads("main", NULL);
    reads("f", NULL);
    reads("_Z", NULL);
    reads("_Z3foov", "foo()");
    reads("_ZN1aIXadsrLCs1234_7_Z1T_gvEEE1hILb1EL42EEEvDTcl1fspfp_EE", NULL); /* refers to itself */
    reads("_Z1fIT_EvS0_", NULL);
    reads("_Z1fi junk", NULL);
    reads("_ZN1AE1", NULL);
    reads("_ZN1A1BIiE1cEPKcS3_", "A::B<int>::c(char const*, char const*)");
    reads("_ZNSt6vectorIiSaIiEE9push_backEOi",
          "std::vector<int, std::allocator<int> >::push_back(int&&)");
    reads("_ZN4llvm12PatternMatch5matchIKNS_5ValueENS0_11Exact_matchINS0_14BinaryOp_matchINS0_11"
          "class_matchIS2_EES7_Lj19ELb0EEEEEEEbPT_RKT0_",
          "bool llvm::PatternMatch::match<llvm::Value const, llvm::PatternMatch::Exact_match<llvm::"
          "PatternMatch::BinaryOp_match<llvm::PatternMatch::class_match<llvm::Value>, llvm::"
          "PatternMatch::class_match<llvm::Value>, 19u, false> > >(llvm::Value const*, llvm::"
          "PatternMatch::Exact_match<llvm::PatternMatch::BinaryOp_match<llvm::PatternMatch::class_"
          "match"
          "<llvm::Value>, llvm::PatternMatch::class_match<llvm::Value>, 19u, false> > const&)");
    names();
    types();
    templates();
    expressions();
    rust_older();
    rust_newer();
    hostile();
    silent();
    times_out();
    return done_testing();
}
