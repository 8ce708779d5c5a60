/* SPDX-License-Identifier: MIT */
/* Fuzzer for the functions that turn a symbol name of a program into the name in reports: they
 * demangle the name, remove compiler suffixes, and shorten it.
 *
 * A tape is a raw name, a name after _Z, or a sequence of elements of the mangling grammar, which
 * gets further than random bytes. No name may exceed the memory bounds of demangle.h or some
 * seconds of CPU time, a thousand times that of the slowest real name. */
#define TAPE_MAX 1024u
#include "fuzz.h"

#include <time.h>

#include "demangle.h"
#include "sluice.h"
#include "source_functions.h"

#define NAME_MAX_BYTES 3000
#define SECONDS_MAX 5

const char fuzz_name[] = "names";
static unsigned long readable, longest;
static double slowest;

void fuzz_begin(void)
{
}

static const char *const piece[] = {
    "N",       "E",
    "I",       "J",
    "X",       "L",
    "Z",       "S_",
    "S0_",     "S1_",
    "S2_",     "S5_",
    "SA_",     "St",
    "Ss",      "Sa",
    "T_",      "T0_",
    "T1_",     "1a",
    "1f",      "3foo",
    "4pair",   "12_GLOBAL__N_1",
    "C1",      "D0",
    "cv",      "cl",
    "sp",      "spT_",
    "spfp_",   "sr",
    "Dp",      "DpT_",
    "DT",      "Dt",
    "Li1E",    "Lb0E",
    "L_Z",     "fp_",
    "fp0_",    "fL0p_",
    "P",       "R",
    "O",       "K",
    "V",       "F",
    "A3_",     "A_",
    "M",       "i",
    "v",       "j",
    "c",       "Ul",
    "E_",      "E0_",
    "Ut_",     "B5cxx11",
    "pl",      "gt",
    "qu",      "ng",
    "pp",      "st",
    "sz",      "sZ",
    "sP",      "il",
    "tl",      "nw",
    "_",       "dt",
    "pt",      "on",
    "dn",      "gs",
    "fl",      "fR",
    "TV",      "Th4_",
    "TC",      "GV",
    "GR",      ".cold",
    ".part.0", "Do",
    "DO",      "Dw",
    "Dv4_",    "U3abc",
    "li",      "LDnE",
    "n",       "d_",
    "s",       "17h0123456789abcdefE",
    "$LT$",    "$u20$",
};
/* Of Rust's newer names. */
static const char *const rust_piece[] = {
    "C",       "Cs1_", "Nv",  "Nt",  "NC",      "NS",     "M",    "X",     "Y",   "I",
    "E",       "B_",   "B0_", "B1_", "B2_",     "B5_",    "Ba_",  "Bz_",   "1a",  "3foo",
    "u5bchcb", "0",    "s_",  "s0_", "R",       "Q",      "RL_",  "RL0_",  "P",   "O",
    "A",       "S",    "T",   "F",   "FG_",     "U",      "KC",   "K3abi", "D",   "DG0_",
    "L_",      "L0_",  "p",   "K",   "h",       "j3_",    "jff_", "lnf_",  "b1_", "c41_",
    "m",       "u",    "z",   "e",   ".llvm.1", "p4Item",
};

static void make_name(struct tape *t, char *name)
{
    char *to = name;
    bool rust = pick(t, 3) == 0;
    to += sprintf(to, "%s", rust ? "_R" : pick(t, 16) ? "_Z" : "_GLOBAL__I_");
    if (pick(t, 2)) {
        for (; t->at < t->end && to < name + NAME_MAX_BYTES - 1; to++)
            *to = (char)take(t, 1);
    } else {
        while (t->at < t->end && to < name + NAME_MAX_BYTES - 32)
            to = stpcpy(to, rust ? rust_piece[pick(t, sizeof rust_piece / sizeof *rust_piece)]
                                 : piece[pick(t, sizeof piece / sizeof *piece)]);
    }
    *to = '\0';
}

/* Which takes UTF-8 only: here, letters of ASCII. */
static void shorten(const char *name)
{
    char *text = strdup(name);
    for (char *c = text; c && *c; c++)
        *c &= 0x7f;
    for (size_t width = 200; text && width > 4; width /= 3) {
        sl_short_name(text, width);
        if (strlen(text) > strlen(name))
            fuzz_wrong("a shortened name is longer");
    }
    free(text);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    char name[NAME_MAX_BYTES];
    struct tape tape = tape_of(data, size);
    bool stub;
    make_name(&tape, name);
    clock_t start = clock();
    char *shown = sl_demangle(name, NULL);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    size_t length = shown ? strlen(shown) : 0;
    readable += shown != NULL;
    longest = length > longest ? length : longest;
    slowest = seconds > slowest ? seconds : slowest;
    if (length >= SL_DEMANGLED_MAX)
        fuzz_wrong("a name is longer than any may be");
    if (seconds > SECONDS_MAX)
        fuzz_wrong("a name took long");
    if (length < 4096)
        shorten(shown ? shown : name);
    free(sl_source_name(shown ? shown : name, &stub));
    free(shown);
}

void fuzz_figures(void)
{
    printf("# %lu readable, the longest of %lu bytes; the slowest took %.3f s\n", readable, longest,
           slowest);
}
