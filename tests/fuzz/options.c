/* SPDX-License-Identifier: MIT */
/* Fuzzer for the parser of profile specs and options (usage: options.t [SECONDS]).
 *
 * Random changes of valid specs are split and parsed. Nothing may crash; accepted values are within
 * their bounds, and the resolved form parses back to itself. */
#define TAPE_MAX 64u
#include "fuzz.h"

#include "options.h"

const char fuzz_name[] = "options";
static unsigned long n_inputs, n_split, n_parsed;

static const char *const choices[] = {"one", "two", "three", NULL};

struct config {
    uint64_t count, power;
    double real, percent;
    bool flag;
    unsigned choice;
    char text[20];
};

static const struct sl_option options[] = {
    SL_UNSIGNED(struct config, count, "10", 1, 1000000, "a number"),
    SL_UNSIGNED_FLAGS(struct config, power, "8", 1, 1 << 20, SL_OPTION_POWER_OF_2, "a power"),
    SL_REAL(struct config, real, "0.5", -10, 10, "a real"),
    SL_PERCENT(struct config, percent, "5%", 0, 100, "a share"),
    SL_BOOL(struct config, flag, "0", "a switch"),
    SL_CHOICE(struct config, choice, "two", choices, "a choice"),
    SL_TEXT_FLAGS(struct config, text, "", SL_OPTION_POSITIONAL, "a text"),
    SL_OPTIONS_END,
};

void fuzz_begin(void)
{
}

static void change(struct tape *t, char *spec, size_t capacity)
{
    static const char *const word[] = {
        "count=", "real=", "percent=", "flag", "choice=", "text=", ",", "(",       ")",
        "[",      "%",     "1e9",      "-0",   "0x",      "Ki",    "G", "9999999", "."};
    size_t length = strlen(spec), at = pick(t, (unsigned)length + 1);
    const char *w = word[pick(t, sizeof word / sizeof *word)];
    switch (pick(t, 4)) {
    case 0:
        if (length)
            spec[pick(t, (unsigned)length)] = (char)(1 + pick(t, 255));
        break;
    case 1:
        if (length)
            memmove(spec + at, spec + at + (at < length), length - at + (at >= length));
        break;
    default:
        if (length + strlen(w) + 1 < capacity) {
            memmove(spec + at + strlen(w), spec + at, length - at + 1);
            memcpy(spec + at, w, strlen(w));
        }
    }
}

static bool within_bounds(const struct config *c)
{
    return c->count >= 1 && c->count <= 1000000 && c->power && !(c->power & (c->power - 1)) &&
           c->power <= 1 << 20 && c->real >= -10 && c->real <= 10 && c->percent >= 0 &&
           c->percent <= 100 && c->choice < 3 && memchr(c->text, 0, sizeof c->text);
}

static bool gives_itself(const struct config *c)
{
    char once[600], twice[600];
    struct sl_spec spec;
    struct config again;
    struct sl_failure f;
    sl_options_print(options, "t", c, once, sizeof once);
    if (sl_spec_split(&spec, once, 0, &f) < 0 || sl_options_parse(options, &spec, &again, &f) < 0) {
        printf("# %s: %s\n", once, f.text);
        return false;
    }
    sl_options_print(options, "t", &again, twice, sizeof twice);
    return !strcmp(once, twice);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    struct tape t = tape_of(data, size);
    char text[200] = "t(count=5K,power=64,real=1.5,percent=0.1%,flag=1,choice=one,text=x)";
    struct sl_spec spec;
    struct config c;
    struct sl_failure f;
    if (!pick(&t, 4))
        strcpy(text, "t(abc)");
    for (unsigned n = pick(&t, 6); n; n--)
        change(&t, text, sizeof text);
    n_inputs++;
    if (sl_spec_split(&spec, text, pick(&t, 8) ? 0 : pick(&t, (unsigned)strlen(text) + 1), &f) < 0)
        return;
    n_split++;
    if (sl_options_parse(options, &spec, &c, &f) < 0)
        return;
    n_parsed++;
    if (!within_bounds(&c))
        fuzz_wrong("what is accepted lies within its bounds");
    if (!gives_itself(&c))
        fuzz_wrong("what is accepted gives itself when printed and parsed");
}

void fuzz_figures(void)
{
    printf("# %lu split, %lu parsed\n", n_split, n_parsed);
    ok(!fuzz_many || (n_parsed > 0 && n_parsed < n_split && n_split < n_inputs),
       "inputs are refused and accepted on all levels");
}
