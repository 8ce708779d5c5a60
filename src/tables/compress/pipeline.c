/* SPDX-License-Identifier: MIT */
/* Parser of the notation of stream compressors, for example H[P256]2048+A16. pipeline.h has the
 * grammar.
 *
 * The parser works from left to right: each function parses one element and leaves the position
 * after it. pipeline_print.c prints the notation. */
#include "pipeline.h"

#include <string.h>

#define RATE_MAX (UINT64_C(1) << 31)
#define TAGGED_RATE_MAX (UINT64_C(1) << 16)
#define STREAMS_MAX (UINT64_C(1) << 16)
#define ENTRIES_MAX (UINT64_C(1) << 16)
#define SPLIT_ENTRIES_MAX (UINT64_C(1) << 20)
#define WAYS_MAX 64u
#define SAMPLES_MAX UINT64_C(256)
#define TAG_BITS_MAX 16u

static const char *const estimates[] = {"sum", "ratio", NULL};
static const char *const quotients[] = {"real", "integer", NULL};
static const char *const first_misses[] = {"replaces", "counts", NULL};

const struct sl_option sl_pipeline_options[] = {
    SL_UNSIGNED(struct sl_pipeline_config, seed, "1", 0, UINT64_MAX,
                "seed of the hash function and of the random samplers"),
    SL_CHOICE(struct sl_pipeline_config, estimate, "sum", estimates,
              "estimated count of a tuple: the sum of its messages' counts (sum), or its fraction "
              "of all samples times the number of events that all samples represent (ratio)"),
    SL_UNSIGNED(struct sl_pipeline_config, width, "16", 1, 32,
                "width of the counters of component A, in bits"),
    SL_UNSIGNED_FLAGS(struct sl_pipeline_config, word, "64", 32, 64, SL_OPTION_POWER_OF_2,
                      "number of low bits of each tuple field that the hash function uses"),
    SL_CHOICE(struct sl_pipeline_config, quotient, "real", quotients,
              "component T: whether the quotients r/4 and r/hits are exact (real) or rounded down "
              "(integer)"),
    SL_CHOICE(struct sl_pipeline_config, first_miss, "replaces", first_misses,
              "component T: whether the first event that misses an entry may replace the entry's "
              "tuple (replaces) or only increments its count of misses (counts)"),
    SL_UNSIGNED(struct sl_pipeline_config, input, "0", 0, 1 << 20,
                "length of the input queue, in tuples; a full queue drops tuples; 0: no queue"),
    SL_UNSIGNED(struct sl_pipeline_config, pick, "1", 1, 1 << 20,
                "service time of the input queue, in cycles per tuple"),
    SL_UNSIGNED(struct sl_pipeline_config, service, "0", 0, 1 << 30,
                "cycles that a thread needs to read one message from the output queue; 0: no "
                "queue, an interrupt delivers each full buffer"),
    SL_UNSIGNED(struct sl_pipeline_config, queue, "16", 1, 1 << 20,
                "length of the output queue, in messages; a full queue drops messages"),
    SL_PERCENT(struct sl_pipeline_config, converge, "0%", 0, 100,
               "an instruction has converged if the percentage of its most frequent tuple changes "
               "by at most this value between two checks; 0: no checks"),
    SL_UNSIGNED(struct sl_pipeline_config, check, "16", 1, 1 << 20,
                "messages about an instruction between two checks whether it has converged"),
    SL_UNSIGNED(
        struct sl_pipeline_config, filter, "0", 0, 1 << 20,
        "entries of the filter in hardware; each counts the events of one converged instruction, "
        "which bypass the compressor; 0: no filter"),
    SL_OPTIONS_END,
};

struct reader {
    const char *text;
    size_t at;
    struct sl_failure *f;
    int error; /* the first one; nothing is read after it */
};

#define fail_at(r, at, ...) \
    ((r)->error = (r)->error < 0 ? (r)->error : sl_text_fail((r)->f, (r)->text, at, __VA_ARGS__))

/* Parses a number from `low` to `high`. `what` is its name in the message. */
static int read_number(struct reader *r, const char *what, uint64_t low, uint64_t high,
                       uint64_t *out)
{
    size_t from = r->at;
    uint64_t value = 0;
    if (r->error < 0)
        return r->error;
    for (; r->text[r->at] >= '0' && r->text[r->at] <= '9'; r->at++)
        if (value <= high)
            value = 10 * value + (uint64_t)(r->text[r->at] - '0');
    if (r->at == from)
        return fail_at(r, from, "expected %s, a number from %llu to %llu", what,
                       (unsigned long long)low, (unsigned long long)high);
    if (value < low || value > high)
        return fail_at(r, from, "%s must be from %llu to %llu", what, (unsigned long long)low,
                       (unsigned long long)high);
    *out = value;
    return 0;
}

static bool is_power(uint64_t n)
{
    return n && !(n & (n - 1));
}

/* Skips the character `c`, which is required. */
static int expect(struct reader *r, char c, const char *form)
{
    if (r->text[r->at] != c)
        return fail_at(r, r->at, "expected '%c': %s", c, form);
    r->at++;
    return 0;
}

/* Parses P, R, RD, CR or A, and its number. */
static int read_simple(struct reader *r, struct sl_pipeline_config *config)
{
    static const struct {
        const char *name;
        enum sl_component component;
    } names[] = {{"P", SL_COMPONENT_P},
                 {"RD", SL_COMPONENT_RD},
                 {"R", SL_COMPONENT_R},
                 {"CR", SL_COMPONENT_CR},
                 {"A", SL_COMPONENT_A}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(r->text + r->at, names[i].name, strlen(names[i].name))) {
            r->at += strlen(names[i].name);
            config->first = names[i].component;
            config->rate = 1;
            return config->first == SL_COMPONENT_A
                       ? read_number(r, "the number of entries of A", 1, ENTRIES_MAX,
                                     &config->entries)
                       : read_number(r, "the sampling rate", 1, RATE_MAX, &config->rate);
        }
    if (r->text[r->at] == 'C')
        return fail_at(r, r->at, "C is a prefix of the random sampler R: write CR<r>");
    return fail_at(
        r, r->at,
        "expected a component: P<r>, R<r>, RD<r>, CR<r>, A<k>, H[...]<n>, T<b>/<r>x<n> or "
        "G<b>/<r>x<n> (described by 'sluice list tables')");
}

static int read_split(struct reader *r, struct sl_pipeline_config *config)
{
    static const char form[] = "a splitter has the form H[component]n";
    config->split = true;
    r->at++;
    expect(r, '[', form);
    if (r->text[r->at] == 'H')
        return fail_at(r, r->at,
                       "a splitter H cannot contain another H: splitting by the same hash again "
                       "leaves all but one of its substreams empty");
    if (r->text[r->at] == 'T' || r->text[r->at] == 'G')
        return fail_at(
            r, r->at,
            "a splitter H cannot contain component %c, which already uses the hash: leave out H "
            "and give the component more entries",
            r->text[r->at]);
    read_simple(r, config);
    if (r->text[r->at] == '+')
        return fail_at(
            r, r->at,
            "a splitter H[...] contains only one component: write '+A<k>', which receives "
            "the messages of all substreams, after the brackets");
    expect(r, ']', form);
    size_t from = r->at;
    read_number(r, "the number of substreams of H", 1, STREAMS_MAX, &config->streams);
    if (!is_power(config->streams))
        return fail_at(r, from, "the number of substreams of a splitter H must be a power of two");
    if (config->first == SL_COMPONENT_A && config->streams * config->entries > SPLIT_ENTRIES_MAX)
        return fail_at(r, from,
                       "the tables A of all substreams of a splitter H may have at most %llu "
                       "entries together, not %llu",
                       (unsigned long long)SPLIT_ENTRIES_MAX,
                       (unsigned long long)(config->streams * config->entries));
    return r->error;
}

static int read_tagged(struct reader *r, struct sl_pipeline_config *config)
{
    static const char form[] = "a tagged table has the form T<tag bits>/<r>x<entries>[w<ways>]";
    struct sl_tagged_config *t = &config->tagged;
    *t = (struct sl_tagged_config){.ways = 1};
    config->first = SL_COMPONENT_T;
    config->rate = 1;
    r->at++;
    read_number(r, "the number of tag bits of T", 1, TAG_BITS_MAX, &t->tag_bits);
    expect(r, '/', form);
    read_number(r, "the rate of T", 2, TAGGED_RATE_MAX, &t->rate);
    expect(r, 'x', form);
    size_t from = r->at;
    read_number(r, "the number of entries of T", 1, STREAMS_MAX * WAYS_MAX, &t->entries);
    if (r->text[r->at] == 'w') {
        r->at++;
        read_number(r, "the number of ways of T", 1, WAYS_MAX, &t->ways);
    }
    if (t->entries % t->ways || !is_power(t->entries / t->ways) ||
        t->entries / t->ways > STREAMS_MAX)
        return fail_at(r, from,
                       "the number of sets of a tagged table T, entries / ways = %llu / %llu, must "
                       "be a power of two up to %llu",
                       (unsigned long long)t->entries, (unsigned long long)t->ways,
                       (unsigned long long)STREAMS_MAX);
    return r->error;
}

static int read_gathering(struct reader *r, struct sl_pipeline_config *config)
{
    static const char form[] =
        "a gathering sampler has the form G<tag bits>/<r>x<entries>[k<samples>]";
    struct sl_gathering_config *g = &config->gathering;
    *g = (struct sl_gathering_config){.samples = 2};
    config->first = SL_COMPONENT_G;
    config->rate = 1;
    r->at++;
    read_number(r, "the number of tag bits of G", 1, TAG_BITS_MAX, &g->tag_bits);
    expect(r, '/', form);
    read_number(r, "the rate of G", 2, TAGGED_RATE_MAX, &g->rate);
    expect(r, 'x', form);
    size_t from = r->at;
    read_number(r, "the number of entries of G", 1, STREAMS_MAX, &g->entries);
    if (!is_power(g->entries))
        return fail_at(r, from,
                       "the number of entries of a gathering sampler G must be a power of two");
    if (r->text[r->at] != 'k')
        return r->error;
    r->at++;
    return read_number(r, "the number of samples per message of the gathering sampler G", 1,
                       SAMPLES_MAX, &g->samples);
}

/* Parses the tables A after '+'. */
static int read_levels(struct reader *r, struct sl_pipeline_config *config)
{
    while (r->error >= 0 && r->text[r->at] == '+') {
        size_t from = ++r->at;
        if (r->text[from] == 'A') {
            r->at++;
        } else if (r->text[from] && strchr("PRC", r->text[from])) {
            return fail_at(r, from,
                           "a sampler cannot follow '+': it would drop messages, and their counts "
                           "would be lost");
        } else if (r->text[from] && strchr("HTG", r->text[from])) {
            return fail_at(r, from,
                           "component %c cannot follow '+': it counts events, not messages, and "
                           "must come first",
                           r->text[from]);
        } else {
            return fail_at(r, from, "expected A<k> after '+'");
        }
        if (config->n_levels == SL_PIPELINE_LEVELS)
            return fail_at(r, from,
                           "a compressor has at most %u tables A after its first component",
                           SL_PIPELINE_LEVELS);
        read_number(r, "the number of entries of A", 1, ENTRIES_MAX,
                    &config->level[config->n_levels++]);
    }
    return r->error;
}

/* Parses the options and checks them for this compressor. `levels` is the position of the first
 * '+'. */
static int read_options(struct reader *r, size_t from, size_t levels,
                        struct sl_pipeline_config *config)
{
    /* A notation ends in a digit, which will do as a name. */
    struct sl_spec spec;
    int error = r->error < 0 ? r->error : sl_spec_split(&spec, r->text, r->at - 1, r->f);
    if (error < 0)
        return error;
    if (spec.name_end > r->at)
        return fail_at(r, r->at, "expected \"+A<k>\" or options in parentheses");
    spec.name = from;
    if ((error = sl_options_parse(sl_pipeline_options, &spec, config, r->f)) < 0)
        return error;
    r->at = spec.end;
    if (r->text[r->at] == '+')
        return fail_at(r, r->at, "the options come last, after every \"+A<k>\"");
    if (config->estimate == SL_ESTIMATE_RATIO && config->first >= SL_COMPONENT_A)
        return fail_at(r, (size_t)(strstr(r->text + spec.body, "estimate") - r->text),
                       "estimate=ratio needs a sampler (P, R, RD or CR): the components A, T and G "
                       "count and do not sample");
    if (config->filter && !(config->converge > 0))
        return fail_at(
            r, from,
            "the option filter needs convergence checks: add converge, for example converge=1%%");
    if ((config->quotient || config->first_miss) && config->first != SL_COMPONENT_T)
        return fail_at(r, from,
                       "quotient and first_miss are options of component T: use this component or "
                       "leave the options out");
    config->tagged.integer = config->quotient;
    config->tagged.first_counts = config->first_miss;
    if (config->n_levels && config->rate >> config->width && config->first != SL_COMPONENT_CR)
        return fail_at(r, levels,
                       "a message has the count %llu, which the counters of component A cannot "
                       "hold: set width to more than %llu bits",
                       (unsigned long long)config->rate, (unsigned long long)config->width);
    return 0;
}

int sl_pipeline_parse(const char *text, size_t from, size_t *end, void *out, struct sl_failure *f)
{
    struct sl_pipeline_config *config = out;
    struct reader r = {.text = text, .at = from, .f = f};
    *config = (struct sl_pipeline_config){.streams = 1};
    if (text[from] == 'H')
        read_split(&r, config);
    else if (text[from] == 'T')
        read_tagged(&r, config);
    else if (text[from] == 'G')
        read_gathering(&r, config);
    else
        read_simple(&r, config);
    size_t levels = r.at;
    read_levels(&r, config);
    int error = read_options(&r, from, levels, config);
    *end = r.at;
    return error;
}

bool sl_pipeline_is_hashed(const struct sl_pipeline_config *config)
{
    return config->split || config->first >= SL_COMPONENT_T;
}

unsigned sl_pipeline_hash_bits(const struct sl_pipeline_config *config)
{
    uint64_t n = config->first == SL_COMPONENT_T   ? config->tagged.entries / config->tagged.ways
                 : config->first == SL_COMPONENT_G ? config->gathering.entries
                                                   : config->streams;
    return (unsigned)__builtin_ctzll(n);
}
