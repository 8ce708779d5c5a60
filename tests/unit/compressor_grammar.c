/* SPDX-License-Identifier: MIT */
/* Unit tests of the parser for the compressor notation, for example H[P256]2048+A16: which texts
 * are accepted, the complete text and the storage of an accepted compressor, and the position and
 * reason of each error. */
#include <string.h>

#include "pipeline.h"
#include "table.h"
#include "tap.h"

/* The notation after "x@", so that characters are counted in all of the text. */
static int parse(const char *notation, struct sl_pipeline_config *config, struct sl_failure *f)
{
    char text[600];
    size_t end = 0;
    snprintf(text, sizeof text, "x@%s", notation);
    int error = sl_pipeline_parse(text, 2, &end, config, f);
    return error < 0 ? error : (int)end - 2;
}

#define DELIVERY ",input=0,pick=1,service=0,queue=16,converge=0%,check=16,filter=0"
#define USUAL "seed=1,estimate=sum,width=16,word=64,quotient=real,first_miss=replaces" DELIVERY

/* ---- accepted ---- */

static const struct {
    const char *notation, *resolved; /* without options: USUAL */
    uint64_t storage_bits;
} good[] = {
    {"P1", "P1", 1},
    {"P2", "P2", 1},
    {"P256", "P256", 8},
    {"P257", "P257", 9},
    {"P2147483648", "P2147483648", 31},
    {"P0010", "P10", 4},
    {"R10", "R10", 64},
    {"RD10", "RD10", 5 + 64},
    {"CR10", "CR10", 32 + 64},
    {"A1", "A1", 128 + 16 + 1},
    {"A16", "A16", 16 * (128 + 16 + 4 + 1)},
    {"A65536", "A65536", 65536 * (128 + 16 + 16 + 1)},
    {"H[P256]2048", "H[P256]2048", 2048 * 8},
    {"H[P256]1", "H[P256]1", 8},
    {"H[P256]65536", "H[P256]65536", 65536 * 8},
    {"H[R10]4", "H[R10]4", 64},
    {"H[RD10]4", "H[RD10]4", 4 * 5 + 64},
    {"H[CR10]4", "H[CR10]4", 4 * 32 + 64},
    {"H[A4]512", "H[A4]512", 512 * 4 * (128 + 16 + 2 + 1)},
    {"H[A65536]16", "H[A65536]16", 16 * UINT64_C(65536) * (128 + 16 + 16 + 1)},
    {"T2/256x2048", "T2/256x2048w1", 2048 * (2 + 8 + 3 + 1)},
    {"T2/256x2048w2", "T2/256x2048w2", 2048 * (2 + 8 + 3 + 1)},
    {"G4/160x2048", "G4/160x2048k2", 2048 * (4 + 8 + 1)},
    {"G2/128x64k1", "G2/128x64k1", 64 * (2 + 7)},
    {"T16/2x48w3", "T16/2x48w3", 48 * (16 + 1 + 3 + 1)},
    {"T1/65536x4194304w64", "T1/65536x4194304w64", UINT64_C(4194304) * (1 + 16 + 3 + 1)},
    {"P10+A1", "P10+A1", 4 + 145},
    {"H[P256]2048+A16", "H[P256]2048+A16", 2048 * 8 + 16 * 149},
    {"T2/256x2048w2+A4", "T2/256x2048w2+A4", 2048 * 14 + 4 * 147},
    {"A1+A2+A4+A8+A16", "A1+A2+A4+A8+A16", 145 + 2 * 146 + 4 * 147 + 8 * 148 + 16 * 149},
};

static void accepted(void)
{
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct sl_pipeline_config config, again;
        struct sl_failure f = {0};
        char wanted[300], printed[300], twice[300];
        snprintf(wanted, sizeof wanted, "%s(%s)", good[i].resolved, USUAL);
        int size = parse(good[i].notation, &config, &f);
        sl_table_print(&sl_table_compressor, &config, printed, sizeof printed);
        bool whole = size == (int)strlen(good[i].notation);
        bool back = whole && parse(printed, &again, &f) == (int)strlen(printed);
        sl_table_print(&sl_table_compressor, &again, twice, sizeof twice);
        ok(back && !strcmp(printed, wanted) && !strcmp(twice, wanted),
           "%s is read, resolved and read again", good[i].notation);
        uint64_t bits = sl_pipeline_storage_bits(&config);
        ok(bits == good[i].storage_bits, "%s has %llu bits of storage (%llu)", good[i].notation,
           (unsigned long long)good[i].storage_bits, (unsigned long long)bits);
    }
}

static void options(void)
{
    struct sl_pipeline_config c;
    struct sl_failure f;
    char printed[300];
    const char *all = "H[CR8]4+A2(width=20,seed=18446744073709551615,estimate=ratio)";
    ok(parse(all, &c, &f) == (int)strlen(all) && c.width == 20 && c.seed == UINT64_MAX &&
           c.estimate == SL_ESTIMATE_RATIO,
       "options are read in any order");
    sl_table_print(&sl_table_compressor, &c, printed, sizeof printed);
    ok(!strcmp(printed, "H[CR8]4+A2(seed=18446744073709551615,estimate=ratio,width=20,word=64,"
                        "quotient=real,first_miss=replaces" DELIVERY ")"),
       "and printed");
    ok(parse("P8(quotient=integer)", &c, &f) < 0 && strstr(f.text, "options of component T"),
       "how to read the figure of T is refused without one: %s", f.text);
    ok(parse("P10()", &c, &f) == 5 && c.seed == 1, "there may be none in the parentheses");
    ok(parse("P10:rest", &c, &f) == 3, "what follows the notation is the caller's");
    ok(parse("P100000+A16(width=17)", &c, &f) > 0 && parse("CR100000+A16", &c, &f) > 0,
       "counters as wide as a message, and those of CR, whose messages differ, are accepted");
}

/* ---- refused ---- */

static const struct {
    const char *notation;
    size_t character; /* of the notation */
    const char *says;
} bad[] = {
    {"", 1, "expected a component"},
    {"X", 1, "expected a component"},
    {"p10", 1, "expected a component"},
    {"P", 2, "the sampling rate"},
    {"P-1", 2, "the sampling rate"},
    {"P0", 2, "from 1 to 2147483648"},
    {"P2147483649", 2, "from 1 to 2147483648"},
    {"R99999999999999999999999999999999", 2, "from 1 to 2147483648"},
    {"RD", 3, "the sampling rate"},
    {"RDX", 3, "the sampling rate"},
    {"CR", 3, "the sampling rate"},
    {"C10", 1, "CR<r>"},
    {"CP10", 1, "CR<r>"},
    {"P10K", 4, "expected \"+A<k>\""},
    {"P10A4", 4, "expected \"+A<k>\""},
    {"P10_", 4, "expected \"+A<k>\""},
    {"A", 2, "entries"},
    {"A0", 2, "from 1 to 65536"},
    {"A65537", 2, "from 1 to 65536"},
    {"H", 2, "'['"},
    {"H(P10)4", 2, "'['"},
    {"HP10", 2, "'['"},
    {"H[", 3, "expected a component"},
    {"H[]4", 3, "expected a component"},
    {"H[10]4", 3, "expected a component"},
    {"H[P]4", 4, "the sampling rate"},
    {"H[P10", 6, "']'"},
    {"H[P10)4", 6, "']'"},
    {"H[P10]", 7, "substreams"},
    {"H[P10]0", 7, "from 1 to 65536"},
    {"H[P10]3", 7, "power of two"},
    {"H[P10]2047", 7, "power of two"},
    {"H[P10]131072", 7, "from 1 to 65536"},
    {"H[P10]4x", 8, "expected \"+A<k>\""},
    {"H[H[P10]4]4", 3, "all but one of its substreams empty"},
    {"H[T2/256x4]4", 3, "already uses the hash"},
    {"H[P10+A4]4", 6, "after the brackets"},
    {"H[A65536]32", 10, "1048576"},
    {"T", 2, "tag bits"},
    {"T0/256x4", 2, "from 1 to 16"},
    {"T17/256x4", 2, "from 1 to 16"},
    {"T2", 3, "'/'"},
    {"T2x256", 3, "'/'"},
    {"T2/x4", 4, "the rate of T"},
    {"T2/1x4", 4, "from 2 to 65536"},
    {"T2/65537x4", 4, "from 2 to 65536"},
    {"T2/256", 7, "'x'"},
    {"T2/256x", 8, "entries"},
    {"T2/256x3", 8, "power of two"},
    {"T2/256x131072", 8, "power of two up to 65536"},
    {"G2/256x3", 8, "power of two"},
    {"G2/1x4", 4, "from 2 to 65536"},
    {"G2/256x4k0", 10, "from 1 to 256"},
    {"H[G2/8x4]4", 3, "already uses the hash"},
    {"P2+G2/8x4", 4, "must come first"},
    {"T2/256x4w", 10, "ways"},
    {"T2/256x4w0", 10, "from 1 to 64"},
    {"T2/256x128w65", 12, "from 1 to 64"},
    {"T2/256x4w3", 8, "4 / 3"},
    {"P10+", 5, "after '+'"},
    {"P10+B4", 5, "after '+'"},
    {"P10+P10", 5, "a sampler cannot follow '+'"},
    {"P10+R10", 5, "a sampler cannot follow '+'"},
    {"P10+CR10", 5, "a sampler cannot follow '+'"},
    {"P10+H[P10]4", 5, "H cannot follow '+'"},
    {"P10+T2/256x4", 5, "T cannot follow '+'"},
    {"P10+A", 6, "entries"},
    {"P10+A4+", 8, "after '+'"},
    {"P10+A1+A1+A1+A1+A1", 17, "at most 4"},
    {"P65536+A16", 7, "set width"},
    {"H[P256]4+A4(width=8)", 9, "set width"},
    {"P10(seed=1)+A4", 12, "the options come last"},
    {"P10(", 4, "never closed"},
    {"P10(sed=1)", 5, "no option \"sed\""},
    {"P10(seed=x)", 10, "option seed must be"},
    {"P10(width=0)", 11, "option width must be"},
    {"P10(width=33)", 11, "option width must be"},
    {"P10(estimate=mean)", 14, "option estimate must be"},
    {"P10(seed=1,seed=2)", 12, "given twice"},
    {"A4(estimate=ratio)", 4, "do not sample"},
    {"H[A4]4(seed=2,estimate=ratio)", 15, "do not sample"},
    {"T2/256x4(estimate=ratio)", 10, "do not sample"},
};

static void refused(void)
{
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct sl_pipeline_config config;
        struct sl_failure f = {.text = ""};
        char where[40];
        snprintf(where, sizeof where, "(character %zu of ", bad[i].character + 2);
        bool said = parse(bad[i].notation, &config, &f) == SL_EUSAGE && strstr(f.text, where) &&
                    strstr(f.text, bad[i].says);
        ok(said, "\"%s\" is refused at character %zu: %s", bad[i].notation, bad[i].character,
           bad[i].says);
        if (!said)
            printf("# it says: %s\n", f.text);
    }
    ok(sl_pipeline_parse("P", 0, &(size_t){0}, &(struct sl_pipeline_config){0}, NULL) == SL_EUSAGE,
       "the message is optional");
}

static void registered(void)
{
    const struct sl_table_kind *kind;
    struct sl_failure f;
    void *config = NULL;
    size_t end;
    char printed[200] = "";
    bool found = sl_table_parse(&kind, &config, "H[P256]2048+A16", 0, &end, &f) == 0;
    if (found)
        sl_table_print(kind, config, printed, sizeof printed);
    free(config);
    ok(!strcmp(printed, "H[P256]2048+A16(" USUAL ")"), "a spec with a capital is a compressor's");
}

int main(void)
{
    accepted();
    options();
    refused();
    registered();
    return done_testing();
}
