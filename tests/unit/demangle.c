/* Names of C++ are made readable, and none takes more memory than a name can be worth. */
#include <stdlib.h>
#include <string.h>

#include "demangle.h"
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

/* The same inside one another, with some bytes in front of each that look like what they are not. */
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
    ok(size <= 8u << 20, "%s, %d times: %zu bytes", what, n, size);
    free(got);
    free(name);
}

int main(void)
{
    reads("main", NULL);
    reads("f", NULL);
    reads("_Z", NULL);
    reads("_Z3foov", "foo()");
    reads("_ZN1aIXadsrLCs1234_7_Z1T_gvEEE1hILb1EL42EEEvDTcl1fspfp_EE", NULL);
    reads("_ZN1A1BIiE1cEPKcS3_", "A::B<int>::c(char const*, char const*)");
    reads("_ZNSt6vectorIiSaIiEE9push_backEOi", "std::vector<int, std::allocator<int> >::push_back(int&&)");
    reads("_ZN4llvm12PatternMatch5matchIKNS_5ValueENS0_11Exact_matchINS0_14BinaryOp_matchINS0_11"
          "class_matchIS2_EES7_Lj19ELb0EEEEEEEbPT_RKT0_",
          "bool llvm::PatternMatch::match<llvm::Value const, llvm::PatternMatch::Exact_match<llvm::"
          "PatternMatch::BinaryOp_match<llvm::PatternMatch::class_match<llvm::Value>, llvm::"
          "PatternMatch::class_match<llvm::Value>, 19u, false> > >(llvm::Value const*, llvm::"
          "PatternMatch::Exact_match<llvm::PatternMatch::BinaryOp_match<llvm::PatternMatch::class_match"
          "<llvm::Value>, llvm::PatternMatch::class_match<llvm::Value>, 19u, false> > const&)");
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
