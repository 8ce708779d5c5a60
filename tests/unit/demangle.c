/* SPDX-License-Identifier: MIT */
/* Names of C++ are made readable, and none takes more memory than a name can be worth. */
#include <stdlib.h>
#include <string.h>

#include "demangle.h"
#include "mangled.h"
#include "tap.h"

static void reads(const char *name, const char *wanted)
{
    char *got = sl_demangle(name);
    ok(got ? wanted && !strcmp(got, wanted) : !wanted, "%s: %s", name, got ? got : "as it is");
    free(got);
}

/* Twice as long with each of n pieces: pairs of the pair before, beside one another. */
static char *beside(int n)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char *name = malloc(64 + 10 * (size_t)n), *to = name;
    to += sprintf(to, "_Z1fSt4pairIiiE");
    for (int i = 0; i < n; i++)
        to += sprintf(to, "S_IS%c_S%c_E", digits[i], digits[i]);
    return name;
}

/* The same inside one another, with some bytes in front of each that look like what they are not.
 */
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
    char *got = sl_demangle(name);
    size_t size = got ? strlen(got) : 0;
    ok(size < SL_READABLE_MAX, "%s, %d times: %zu bytes", what, n, size);
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
    reads("_ZN1AcvT_IiEEv", NULL); /* nobody knows what T_ is before the arguments */
    reads("_Zli3_kmy", "operator\"\" _km(unsigned long long)");
    reads("_ZZ1fvE1x_0", "f()::x");
    reads("_ZZ1fIiEvT_ENKUlvE0_clEv", "f<int>(int)::{lambda()#2}::operator()() const");
    reads("_ZZ1fvENKUlT_E_clIiEEDaS_", "auto f()::{lambda(auto:1)#1}::operator()<int>(int) const");
    reads("_ZN1AUt_C1Ev", "A::{unnamed type#1}::{unnamed type#1}()");
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
    reads("_Z1fM1ADoKFvvE", NULL);
    reads("_Z1fPDoFvvE", "f(void (*)() noexcept)");
    reads("_Z1fVKPri", "f(int __restrict* const volatile)");
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
    reads("_Z1fIJEEvDpRKT_i", "void f<>(int)");
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
        is_bounded(beside(n), "beside one another", n);
        is_bounded(inside(n, ""), "inside one another", n);
        is_bounded(inside(n, "Lj99E"), "behind numbers", n);
        is_bounded(inside(n, "4EEEE"), "behind a name of ends", n);
        is_bounded(inside(n, "4IIII"), "behind a name of beginnings", n);
        is_bounded(inside(n, "NL1aE"), "behind names of a file", n);
    }
    return done_testing();
}
