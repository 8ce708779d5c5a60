/* SPDX-License-Identifier: MIT */
/* Unit tests of the parser of options, for example those of tables: valid texts are accepted,
 * invalid texts are refused with an error message, and a complete configuration that was printed is
 * parsed as the same configuration. */
#include "options.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "random.h"
#include "tap.h"
#include "support/random_unit.h"

enum { RED, GREEN, BLUE };
static const char *const colours[] = {"red", "green", "blue", NULL};

struct config {
    uint64_t events, counters, seed;
    double s, share;
    bool shuffle;
    unsigned colour;
    char shape[16];
};

static const struct sl_option options[] = {
    SL_UNSIGNED(struct config, events, "1M", 1, 1000000000, "events in all"),
    SL_UNSIGNED_FLAGS(struct config, counters, "2Ki", 2, 1 << 20, SL_OPTION_POWER_OF_2, "counters"),
    SL_UNSIGNED(struct config, seed, "1", 0, UINT64_MAX, "of the random numbers"),
    SL_REAL(struct config, s, "1.1", -2, 8, "exponent"),
    SL_PERCENT(struct config, share, "30%", 0, 100, "of the first tuple"),
    SL_BOOL(struct config, shuffle, "0", "in random order"),
    SL_CHOICE(struct config, colour, "green", colours, "of the bike shed"),
    SL_TEXT_FLAGS(struct config, shape, "512x4", SL_OPTION_POSITIONAL, "rows and ways"),
    SL_OPTIONS_END,
};

static const struct sl_option none[] = {SL_OPTIONS_END};

static int parse(const char *text, struct config *c, struct sl_failure *f)
{
    struct sl_spec spec;
    memset(c, 0xee, sizeof *c);
    f->text[0] = 0;
    int error = sl_spec_split(&spec, text, 0, f);
    return error < 0 ? error : sl_options_parse(options, &spec, c, f);
}

static void refuses(const char *text, const char *message)
{
    struct config c;
    struct sl_failure f;
    int error = parse(text, &c, &f);
    if (!ok(error == SL_EUSAGE && !strcmp(f.text, message), "%s is refused: %s", text, message))
        printf("# got %d: %s\n", error, f.text);
}

static void defaults(void)
{
    struct config c;
    struct sl_failure f;
    ok(!parse("t", &c, &f) && c.events == 1000000 && c.counters == 2048 && c.seed == 1 &&
           c.s == 1.1 && c.share == 30 && !c.shuffle && c.colour == GREEN &&
           !strcmp(c.shape, "512x4"),
       "without options every field has its default");
    ok(!parse("t()", &c, &f) && c.events == 1000000, "empty parentheses are no options");
}

static void accepted(void)
{
    struct config c;
    struct sl_failure f;
    ok(!parse("t(events=10K,counters=64,seed=0xFFFFFFFFFFFFFFFF,s=-2e-1,share=0.1%,shuffle=yes,"
              "colour=blue,shape=f(a,b))",
              &c, &f) &&
           c.events == 10000 && c.counters == 64 && c.seed == UINT64_MAX && c.s == -0.2 &&
           c.share == 0.1 && c.shuffle && c.colour == BLUE && !strcmp(c.shape, "f(a,b)"),
       "every kind is read, commas inside of parentheses belong to a text: %s", f.text);
    ok(!parse("t(shuffle)", &c, &f) && c.shuffle, "a bool's name alone sets it");
    ok(!parse("t(8x8,events=5)", &c, &f) && !strcmp(c.shape, "8x8") && c.events == 5,
       "a value without a name is the positional option's");
    static const struct {
        const char *text;
        uint64_t value;
    } number[] = {{"7", 7},          {"1.5K", 1500},   {"2.50M", 2500000}, {"1G", 1000000000},
                  {"3Ki", 3072},     {"1Mi", 1 << 20}, {"0x1f", 31},       {"0.001M", 1000},
                  {"000000012", 12}, {"1.0", 1}};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        char text[64];
        snprintf(text, sizeof text, "t(events=%s)", number[i].text);
        ok(!parse(text, &c, &f) && c.events == number[i].value, "%s is %llu", number[i].text,
           (unsigned long long)number[i].value);
    }
    ok(!parse("t(seed=18446744073709551615)", &c, &f) && c.seed == UINT64_MAX,
       "the greatest 64-bit number is read");
}

static void refused(void)
{
    refuses("", "expected a name (character 1 of \"\")");
    refuses("(a=1)", "expected a name (character 1 of \"(a=1)\")");
    refuses("t(events=1", "this parenthesis is never closed (character 2 of \"t(events=1\")");
    refuses("t(events=0)",
            "t: option events must be a whole number from 1 to 1G, not \"0\" (character 10 of "
            "\"t(events=0)\")");
    refuses("t(seed=3,events=1.0001K)",
            "t: option events must be a whole number from 1 to 1G, not \"1.0001K\" (character 17 "
            "of \"t(seed=3,events=1.0001K)\")");
    refuses("t(seed=18446744073709551616)",
            "t: option seed must be a whole number from 0 to 2^64-1, not \"18446744073709551616\" "
            "(character 8 of \"t(seed=18446744073709551616)\")");
    refuses("t(seed=0x10000000000000000)",
            "t: option seed must be a whole number from 0 to 2^64-1, not \"0x10000000000000000\" "
            "(character 8 of \"t(seed=0x10000000000000000)\")");
    refuses("t(seed=-1)", "t: option seed must be a whole number from 0 to 2^64-1, not \"-1\" "
                          "(character 8 of \"t(seed=-1)\")");
    refuses("t(counters=100)", "t: option counters must be a power of two from 2 to 1Mi, not "
                               "\"100\" (character 12 of \"t(counters=100)\")");
    refuses("t(s=8.01)", "t: option s must be a number from -2 to 8, not \"8.01\" (character 5 of "
                         "\"t(s=8.01)\")");
    refuses("t(s=nan)", "t: option s must be a number from -2 to 8, not \"nan\" (character 5 of "
                        "\"t(s=nan)\")");
    refuses("t(share=30)",
            "t: option share must be a percentage from 0% to 100%, with the percent sign, "
            "not \"30\" (character 9 of \"t(share=30)\")");
    refuses("t(shuffle=2)", "t: option shuffle must be 1 or 0, yes or no, not \"2\" (character 11 "
                            "of \"t(shuffle=2)\")");
    refuses("t(colour=pink)", "t: option colour must be red, green or blue, not \"pink\" "
                              "(character 10 of \"t(colour=pink)\")");
    refuses("t(shape=12345678901234567)",
            "t: option shape must be a text of 0 to 15 characters, not \"12345678901234567\" "
            "(character 9 of \"t(shape=12345678901234567)\")");
    refuses("t(event=1)",
            "t has no option \"event\"; its options are events, counters, seed, s, share, "
            "shuffle, colour and shape (character 3 of \"t(event=1)\")");
    refuses("t(s=1,s=2)", "t: option s is given twice (character 7 of \"t(s=1,s=2)\")");
    refuses("t(s=1,)", "an option must follow the comma (character 6 of \"t(s=1,)\")");
    refuses("t(,s=1)", "expected an option before the comma (character 3 of \"t(,s=1)\")");
    refuses("t(events=\033;2J)",
            "t: option events must be a whole number from 1 to 1G, not \"?;2J\" (character 10 of "
            "\"t(events=?;2J)\")");

    struct sl_spec spec;
    struct sl_failure f;
    int dummy;
    sl_spec_split(&spec, "t(a=1)", 0, &f);
    ok(sl_options_parse(none, &spec, &dummy, &f) == SL_EUSAGE &&
           !strcmp(f.text, "t has no options: remove \"a\" (character 3 of \"t(a=1)\")"),
       "a component without options says so: %s", f.text);
}

static void positions(void)
{
    struct sl_spec spec;
    struct sl_failure f;
    struct config c;
    const char *text = "value(x=[1,2])@t(events=5):count";
    ok(!sl_spec_split(&spec, text, 0, &f) && sl_spec_is(&spec, "value") && spec.body == 6 &&
           spec.body_end == 13 && spec.end == 14,
       "a spec is split at the parenthesis that closes it");
    ok(!sl_spec_split(&spec, text, 15, &f) && sl_spec_is(&spec, "t") && spec.end == 26 &&
           !sl_options_parse(options, &spec, &c, &f) && c.events == 5,
       "a spec in the middle of a text is parsed in place");
    text = "value@t(events=x)";
    sl_spec_split(&spec, text, 6, &f);
    sl_options_parse(options, &spec, &c, &f);
    ok(strstr(f.text, "(character 16 of \"value@t(events=x)\")") != NULL,
       "a position counts from the start of the whole text: %s", f.text);
    char longer[600];
    memset(longer, 'a', sizeof longer);
    memcpy(longer + 500, "(events=x)", 11);
    sl_spec_split(&spec, longer, 0, &f);
    sl_options_parse(options, &spec, &c, &f);
    ok(strstr(f.text, "character 509") && strstr(f.text, "(events=x)\")"),
       "of a long text the place of the error is shown");
}

static void round_trip(void)
{
    uint64_t state = 7;
    unsigned same = 0, trials = 20000;
    for (unsigned i = 0; i < trials; i++) {
        struct config a = {0}, b;
        struct sl_failure f;
        char text[512], again[512];
        snprintf(text, sizeof text,
                 "t(events=%u,counters=%u,seed=%llu,s=%.*g,share=%.*g%%,shuffle=%d,colour=%s)",
                 1 + (unsigned)sl_random_below(&state, 1000000), 2u << sl_random_below(&state, 19),
                 (unsigned long long)sl_random_next(&state), 1 + (int)sl_random_below(&state, 15),
                 10 * random_unit(&state) - 2, 1 + (int)sl_random_below(&state, 15),
                 100 * random_unit(&state) * 1e-3, (int)sl_random_below(&state, 2),
                 colours[sl_random_below(&state, 3)]);
        memset(&a, 0, sizeof a);
        if (parse(text, &a, &f) < 0 ||
            sl_options_print(options, "t", &a, again, sizeof again) >= sizeof again ||
            parse(again, &b, &f) < 0) {
            printf("# %s: %s\n", text, f.text);
            continue;
        }
        same += a.events == b.events && a.counters == b.counters && a.seed == b.seed &&
                a.s == b.s && a.share == b.share && a.shuffle == b.shuffle &&
                a.colour == b.colour && !strcmp(a.shape, b.shape);
    }
    ok(same == trials, "the resolved configuration reads back as itself (%u of %u)", same, trials);
    struct config c;
    char text[512], cut[20];
    sl_options_defaults(options, &c);
    size_t length = sl_options_print(options, "t", &c, text, sizeof text);
    ok(!strcmp(text, "t(events=1000000,counters=2048,seed=1,s=1.1,share=30%,shuffle=0,"
                     "colour=green,shape=512x4)") &&
           length == strlen(text),
       "the resolved configuration has every option: %s", text);
    ok(sl_options_print(options, "t", &c, cut, sizeof cut) == length &&
           !strncmp(cut, text, sizeof cut - 1) && !cut[sizeof cut - 1],
       "without space it is cut and its whole length is returned");
}

static void nearest_doubles(void)
{
    uint64_t state = 3;
    unsigned same = 0, trials = 50000;
    for (unsigned i = 0; i < trials; i++) {
        char text[64], spec[80];
        struct config c;
        struct sl_failure f;
        snprintf(text, sizeof text, "%.*g", 1 + (int)sl_random_below(&state, 15),
                 random_unit(&state) * 8);
        snprintf(spec, sizeof spec, "t(s=%s)", text);
        same += !parse(spec, &c, &f) && c.s == strtod(text, NULL);
    }
    ok(same == trials, "reals are the doubles nearest to what is written (%u of %u)", same, trials);
}

static void listing(void)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    sl_options_list(options, out);
    fclose(out);
    ok(strstr(text, "    events=1M             events in all; a whole number from 1 to 1G\n") &&
           strstr(text, "    colour=green          of the bike shed; red, green or blue\n") &&
           strstr(text, "its name may be left out\n"),
       "the list has name, default, help and bounds");
    free(text);
}

/* Sizes of memory, another number, one that need not be. */
static void flags(void)
{
    struct {
        uint64_t size, length, queue;
    } c;
    static const struct sl_option some[] = {
        {.name = "size",
         .kind = SL_OPTION_UNSIGNED,
         .initial = "32K",
         .low = 1,
         .high = 1u << 30,
         .flags = SL_OPTION_BYTES,
         .help = "of a cache"},
        {.name = "length",
         .kind = SL_OPTION_UNSIGNED,
         .initial = "1M",
         .low = 1,
         .high = 1u << 30,
         .offset = sizeof(uint64_t),
         .help = "of an interval"},
        {.name = "queue",
         .kind = SL_OPTION_UNSIGNED,
         .initial = "none",
         .high = 16,
         .offset = 2 * sizeof(uint64_t),
         .flags = SL_OPTION_NONE,
         .help = "entries"},
        SL_OPTIONS_END,
    };
    char text[64];
    sl_options_defaults(some, &c);
    ok(c.size == 32768 && c.length == 1000000, "of bytes, 32K is 32Ki; of others it is not");
    ok(sl_option_set(&some[0], "2Mi", 3, &c) && c.size == 2u << 20, "2Mi is itself");
    sl_options_print(some, "t", &c, text, sizeof text);
    ok(!strcmp(text, "t(size=2097152,length=1000000,queue=none)"), "none is printed as such");
    sl_option_allowed(&some[2], text, sizeof text);
    ok(c.queue == UINT64_MAX && !strcmp(text, "none, or a whole number from 0 to 16"),
       "none is beyond the bounds, so that 0 is a number like the others");
    ok(sl_option_set(&some[2], "0", 1, &c) && c.queue == 0 && !sl_option_set(&some[2], "17", 2, &c),
       "and no other number is beyond them");
    ok(!sl_option_set(&some[1], "none", 4, &c) && !sl_option_set(&some[2], "auto", 4, &c),
       "the word is for those that allow it, and no other is");
}

/* A stored value is a number, a real number or a text, by the kind of the option. */
static void stored_values(void)
{
    struct config from, to;
    struct sl_failure f;
    struct sl_option_stored value;
    char text[128], copy[128];
    bool same = !parse("t(events=7,s=-1.5,share=2%,shuffle,colour=blue,shape=(1,2))", &from, &f);
    sl_options_defaults(options, &to);
    for (const struct sl_option *o = options; o->name && same; o++) {
        sl_option_get(o, &from, &value);
        same = sl_option_put(o, &value, &to);
    }
    sl_options_print(options, "t", &from, text, sizeof text);
    sl_options_print(options, "t", &to, copy, sizeof copy);
    ok(same && !strcmp(text, copy), "stored and read again, all options have their values: %s",
       copy);

    value = (struct sl_option_stored){.is = SL_STORED_NUMBER, .number = 0};
    ok(!sl_option_put(&options[0], &value, &to), "a stored number out of bounds is refused");
    ok(!sl_option_put(&options[3], &value, &to), "so is a number that is stored for a real one");
    value = (struct sl_option_stored){.is = SL_STORED_TEXT, .text = "purple"};
    ok(!sl_option_put(&options[6], &value, &to), "and a word that is no choice");
    value.text = NULL;
    ok(!sl_option_put(&options[7], &value, &to), "and a text that is missing");
    ok(sl_option_number(&options[4], &from) == 2 && sl_option_number(&options[6], &from) == BLUE &&
           isnan(sl_option_number(&options[7], &from)),
       "as numbers: a percentage as it is written, a choice by its index, no text");
}

int main(void)
{
    flags();
    defaults();
    accepted();
    refused();
    positions();
    nearest_doubles();
    round_trip();
    listing();
    stored_values();
    return done_testing();
}
