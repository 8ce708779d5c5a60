/* Specs from hostile hands: options.t [SECONDS]
 * Random changes of valid specs are split and parsed. Nothing may crash; what is
 * accepted lies within its bounds and its resolved form gives itself. */
#include "options.h"

#include <string.h>

#include "random.h"
#include "seconds.h"
#include "tap.h"

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

static uint64_t seed = 1;

static size_t below(size_t n)
{
    return (size_t)sl_random_below(&seed, n);
}

static void change(char *spec, size_t room)
{
    static const char *const word[] = {"count=", "real=", "percent=", "flag", "choice=", "text=",
                                       ",",      "(",     ")",        "[",    "%",       "1e9",
                                       "-0",     "0x",    "Ki",       "G",    "9999999", "."};
    size_t length = strlen(spec), at = below(length + 1);
    const char *w = word[below(sizeof word / sizeof *word)];
    switch (below(4)) {
    case 0:
        if (length)
            spec[below(length)] = (char)(1 + below(255));
        break;
    case 1:
        if (length)
            memmove(spec + at, spec + at + (at < length), length - at + (at >= length));
        break;
    default:
        if (length + strlen(w) + 1 < room) {
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

int main(int argc, char **argv)
{
    struct fuzz_time time = fuzz_start(argc, argv);
    unsigned long inputs = 0, split = 0, parsed = 0, out_of_bounds = 0, unstable = 0;
    seed = time.seed;
    while (fuzz_goes_on(&time)) {
        char spec_text[200] = "t(count=5K,power=64,real=1.5,percent=0.1%,flag=1,choice=one,text=x)";
        struct sl_spec spec;
        struct config c;
        struct sl_failure f;
        if (below(4) == 0)
            strcpy(spec_text, "t(abc)");
        for (size_t n = below(6); n; n--)
            change(spec_text, sizeof spec_text);
        inputs++;
        if (sl_spec_split(&spec, spec_text, below(strlen(spec_text) + 1) * !below(8), &f) < 0)
            continue;
        split++;
        if (sl_options_parse(options, &spec, &c, &f) < 0)
            continue;
        parsed++;
        out_of_bounds += !within_bounds(&c);
        unstable += !gives_itself(&c);
    }
    printf("# %lu executions, %lu split, %lu parsed\n", inputs, split, parsed);
    ok(parsed > 0 && parsed < split && split < inputs,
       "inputs are refused and accepted on all levels");
    ok(!out_of_bounds, "what is accepted lies within its bounds (%lu do not)", out_of_bounds);
    ok(!unstable, "what is accepted gives itself when printed and parsed (%lu do not)", unstable);
    return done_testing();
}
