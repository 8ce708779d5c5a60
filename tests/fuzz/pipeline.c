/* SPDX-License-Identifier: MIT */
/* Fuzzer for the parser of the compressor notation, for example H[P256]2048+A16 (usage: pipeline.t
 * [SECONDS]).
 *
 * Parses random changes of valid notations. Nothing may crash; an error names the position of the
 * wrong character; an accepted notation parses back to itself when printed. Compressors of moderate
 * size are created and must not lose any of some events. */
#define TAPE_MAX 64u
#include "fuzz.h"

#include "../support/placed_table.h"
#include "pipeline.h"
#include "table.h"

const char fuzz_name[] = "pipeline";
static unsigned long n_inputs, n_parsed;

void fuzz_begin(void)
{
}

static void change(struct tape *t, char *text, size_t capacity)
{
    static const char *const word[] = {"P",
                                       "R",
                                       "RD",
                                       "CR",
                                       "A",
                                       "H[",
                                       "]",
                                       "T",
                                       "/",
                                       "x",
                                       "w",
                                       "+A",
                                       "(",
                                       ")",
                                       ",",
                                       "seed=",
                                       "1",
                                       "16",
                                       "0",
                                       "7",
                                       "256",
                                       "2048",
                                       "estimate=ratio",
                                       "99999999999999999999",
                                       "width="};
    size_t length = strlen(text), at = pick(t, (unsigned)length + 1);
    const char *w = word[pick(t, sizeof word / sizeof *word)];
    switch (pick(t, 4)) {
    case 0:
        if (length)
            text[pick(t, (unsigned)length)] = (char)(1 + pick(t, 255));
        break;
    case 1:
        if (at < length)
            memmove(text + at, text + at + 1, length - at);
        break;
    default:
        if (length + strlen(w) + 1 < capacity) {
            memmove(text + at + strlen(w), text + at, length - at + 1);
            memcpy(text + at, w, strlen(w));
        }
    }
}

static bool gives_itself(const struct sl_pipeline_config *config)
{
    char once[400], twice[400];
    struct sl_pipeline_config again;
    struct sl_failure f;
    size_t end = 0;
    sl_table_print(&sl_table_compressor, config, once, sizeof once);
    if (sl_pipeline_parse(once, 0, &end, &again, &f) < 0 || once[end]) {
        printf("# %s: %s\n", once, f.text);
        return false;
    }
    sl_table_print(&sl_table_compressor, &again, twice, sizeof twice);
    return !strcmp(once, twice) &&
           sl_pipeline_storage_bits(config) == sl_pipeline_storage_bits(&again);
}

/* The character is within the text, or the one after its end. */
static bool says_where(const struct sl_failure *f, size_t length)
{
    const char *where = strstr(f->text, "(character ");
    size_t character = where ? strtoul(where + strlen("(character "), NULL, 10) : 0;
    return f->code == SL_EUSAGE && character >= 1 && character <= length + 1;
}

/* True if it loses nothing, or is one that adds up on average only. */
static bool works(struct tape *t, const struct sl_pipeline_config *config)
{
    char spec[400];
    struct sl_table_host host = {.memory_bytes = 1 << 16};
    struct sl_table_status s;
    sl_table_print(&sl_table_compressor, config, spec, sizeof spec);
    if (sl_table_bytes(spec, &host, NULL) > 1 << 18)
        return true;
    struct placed p = place(spec, &host);
    for (unsigned i = 0; i < 300; i++) {
        struct sl_event e = {.tuple = {0x1000 + 4 * draw(t, 4), draw(t, 16)}, .weight = draw(t, 9)};
        sl_table_step(p.table, &e);
    }
    sl_table_finish(p.table);
    sl_table_status(p.table, &s);
    free(drained(p.table, NULL).entry);
    unplace(&p);
    return config->first == SL_COMPONENT_R || config->first == SL_COMPONENT_RD ||
           s.weight == s.message_weight + s.residue;
}

void fuzz_one(const uint8_t *data, size_t size)
{
    static const char *const valid[] = {"H[P256]2048+A16(seed=7)",
                                        "T2/256x64w2+A4+A2",
                                        "G4/128x64k3+A2",
                                        "CR10",
                                        "H[A4]16(width=8)",
                                        "RD3+A1(estimate=ratio)",
                                        "R12"};
    struct tape t = endless_tape(data, size);
    char text[200];
    struct sl_pipeline_config config;
    struct sl_failure f;
    size_t end = 0;
    strcpy(text, valid[pick(&t, sizeof valid / sizeof *valid)]);
    for (unsigned n = pick(&t, 6); n; n--)
        change(&t, text, sizeof text);
    n_inputs++;
    size_t from = pick(&t, 8) ? 0 : pick(&t, (unsigned)strlen(text) + 1);
    if (sl_pipeline_parse(text, from, &end, &config, &f) < 0) {
        if (!says_where(&f, strlen(text)))
            fuzz_wrong("what is refused says at which character");
        return;
    }
    n_parsed++;
    if (end <= from || end > strlen(text) || !gives_itself(&config))
        fuzz_wrong("what is accepted gives itself when printed and parsed");
    if (!pick(&t, 4) && !works(&t, &config)) /* a table takes ten times as long as its notation */
        fuzz_wrong("what is accepted makes a table that loses nothing");
}

void fuzz_figures(void)
{
    printf("# %lu parsed\n", n_parsed);
    ok(!fuzz_many || (n_parsed > 0 && n_parsed < n_inputs), "inputs are refused and accepted");
}
