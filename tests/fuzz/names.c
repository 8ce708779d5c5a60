/* Mangled names from hostile hands: names.t [SECONDS]
 * Names of real functions are cut, joined and changed, with the pieces that refer to others. Nothing
 * may crash, hang or look beyond a name's end, and no name stands for more than it may. */
#include "demangle.h"

#include <string.h>
#include <unistd.h>

#include "random.h"
#include "seconds.h"
#include "tap.h"

#define LONGEST 3000u
#define MOST (16u << 20) /* what is estimated at a megabyte may be more, but not without bound */
#define HANGS_AFTER 300

static const char *const names[] = {
    "_Z1fSt4pairIiiES_IS0_S0_ES_IS1_S1_ES_IS2_S2_E",
    "_ZNSt6vectorISt4pairIKSsS0_ISsiEESaIS3_EE17_M_realloc_insertIJRKS3_EEEvN9__gnu_cxx17__normal_iteratorIPS3_S5_EEDpOT_",
    "_ZZN3foo3barEvENKUlRT_E_clIiEEDaS1_",
    "_ZN1aIXadL_Z1gvEEE1hILb1ELi42EEEvDTcl1fspfp_EE",
    "_ZGVZN12_GLOBAL__N_11fEvE1x",
    "_GLOBAL__sub_I__ZN3fooC2Ev",
    "_ZNK8rendered7Surface4pickILm3EJfdeEEEDcPFvT0_DpT1_EMS0_KFivE",
    "_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$17h0123456789abcdefE",
    "_RNvMs0_NtCs1234_7mycrate3fooINtB5_3BarlE3new",
    "_RINvNtC3std3mem8align_ofjdE",
};

static const char *const pieces[] = {
    "S_",  "S0_", "S1_", "SZ_", "T_", "T0_", "I",    "E",    "N",      "L",    "Li5E", "F",     "P",
    "K",   "R",   "J",   "X",   "Dp", "DT",  "St",   "Sa",   "4pair",  "9999", "1a",   "17h",   "_Z",
    "UlvE_", "Z", "$LT$", "..", "cv", "sr",  "_R",   "Nv",   "C1a",    "B_",   "B5_",  "u2Kcia", "A_",
};

static uint64_t seed;

static size_t below(size_t n)
{
    return (size_t)sl_random_below(&seed, n);
}

static void insert(char *name, const char *piece, size_t size)
{
    size_t length = strlen(name), at = below(length + 1);
    if (length + size > LONGEST)
        return;
    memmove(name + at + size, name + at, length - at + 1);
    memcpy(name + at, piece, size);
}

static void change(char *name)
{
    const char *other = names[below(sizeof names / sizeof *names)];
    const char *piece = pieces[below(sizeof pieces / sizeof *pieces)];
    size_t length = strlen(name), at = length ? below(length) : 0;
    switch (below(6)) {
    case 0:
        name[at] = (char)(length ? 1 + below(255) : 0);
        return;
    case 1:
        name[at] = 0;
        return;
    case 2:
        memmove(name + at, name + at + (length > 0), length - at + (length == 0));
        return;
    case 3: {
        size_t from = below(strlen(other));
        insert(name, other + from, 1 + below(strlen(other) - from));
        return;
    }
    default:
        for (size_t n = below(8) ? 1 : below(200); n; n--)
            insert(name, piece, strlen(piece));
    }
}

int main(int argc, char **argv)
{
    struct fuzz_time time = fuzz_start(argc, argv);
    unsigned long inputs = 0, readable = 0, too_long = 0;
    char name[LONGEST + 1];
    seed = time.seed;
    while (fuzz_goes_on(&time)) {
        strcpy(name, names[below(sizeof names / sizeof *names)]);
        for (size_t n = below(8); n; n--)
            change(name);
        char *exactly = strdup(name); /* so that what is behind it is known */
        alarm(HANGS_AFTER);
        char *text = exactly ? sl_demangle(exactly) : NULL;
        alarm(0);
        inputs++;
        readable += text != NULL;
        too_long += text && strlen(text) > MOST;
        free(text);
        free(exactly);
    }
    printf("# %lu executions, %lu readable\n", inputs, readable);
    ok(readable > 0 && readable < inputs, "some names are read, and some are not");
    ok(!too_long, "none stands for more than %u bytes (%lu do)", MOST, too_long);
    return done_testing();
}
