/* SPDX-License-Identifier: MIT */
/* Parser of the compressors' notation (pipeline.h), from left to right: each function parses one
 * element and leaves the position after it. pipeline_print.c prints it. */
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
                "of the hash and the random samplers"),
    SL_CHOICE(struct sl_pipeline_config, estimate, "sum", estimates,
              "of a tuple: its messages' counts, or its share of samples"),
    SL_UNSIGNED(struct sl_pipeline_config, width, "16", 1, 32, "bits of a counter of A"),
    SL_UNSIGNED_FLAGS(struct sl_pipeline_config, word, "64", 32, 64, SL_OPTION_POWER_OF_2,
                      "bits of the words of a tuple that the hash looks at"),
    SL_CHOICE(struct sl_pipeline_config, quotient, "real", quotients,
              "of T: r/4 and r/hits as they are, or rounded down"),
    SL_CHOICE(struct sl_pipeline_config, first_miss, "replaces", first_misses,
              "of T: may replace a tuple that came once, or only counts"),
    SL_UNSIGNED(struct sl_pipeline_config, input, "0", 0, 1 << 20,
                "tuples that may wait for it; more are lost; 0: none has to wait"),
    SL_UNSIGNED(struct sl_pipeline_config, pick, "1", 1, 1 << 20,
                "cycles that it takes for a tuple, where they may wait"),
    SL_UNSIGNED(struct sl_pipeline_config, service, "0", 0, 1 << 30,
                "cycles a message takes a thread that reads a queue; 0: interrupts"),
    SL_UNSIGNED(struct sl_pipeline_config, queue, "16", 1, 1 << 20,
                "messages that may wait for that thread; more are lost"),
    SL_PERCENT(
        struct sl_pipeline_config, converge, "0%", 0, 100,
        "an instruction has converged if its largest share changed by no more; 0: no checks"),
    SL_UNSIGNED(struct sl_pipeline_config, check, "16", 1, 1 << 20,
                "messages of an instruction between two such checks"),
    SL_UNSIGNED(struct sl_pipeline_config, filter, "0", 0, 1 << 20,
                "converged instructions that hardware leaves out from then on"),
    SL_OPTIONS_END,
};

struct reader {
    const char *text;
    size_t at;
    struct sl_failure *f;
};

#define wrong(r, at, ...) sl_text_fail((r)->f, (r)->text, at, __VA_ARGS__)

/* `what` is the number's name in the message. */
static int number(struct reader *r, const char *what, uint64_t low, uint64_t high, uint64_t *out)
{
    size_t from = r->at;
    uint64_t value = 0;
    for (; r->text[r->at] >= '0' && r->text[r->at] <= '9'; r->at++)
        if (value <= high)
            value = 10 * value + (uint64_t)(r->text[r->at] - '0');
    if (r->at == from)
        return wrong(r, from, "%s has to be here, a number from %llu to %llu", what,
                     (unsigned long long)low, (unsigned long long)high);
    if (value < low || value > high)
        return wrong(r, from, "%s must be from %llu to %llu", what, (unsigned long long)low,
                     (unsigned long long)high);
    *out = value;
    return 0;
}

static bool is_power(uint64_t n)
{
    return n && !(n & (n - 1));
}

/* The character that has to be here. */
static int expect(struct reader *r, char c, const char *form)
{
    if (r->text[r->at] != c)
        return wrong(r, r->at, "a '%c' has to be here: %s", c, form);
    r->at++;
    return 0;
}

/* P, R, RD, CR or A, with its number. */
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
                       ? number(r, "how many entries A has", 1, ENTRIES_MAX, &config->entries)
                       : number(r, "the sampling rate", 1, RATE_MAX, &config->rate);
        }
    if (r->text[r->at] == 'C')
        return wrong(r, r->at, "a counter C goes with a random sampler only: CR<r>");
    return wrong(r, r->at,
                 "a component has to be here: P<r>, R<r>, RD<r>, CR<r>, A<k>, or to "
                 "begin with H[...]<n> or T<b>/<r>x<n>; 'sluice list tables' shows what they do");
}

static int read_split(struct reader *r, struct sl_pipeline_config *config)
{
    static const char form[] = "a splitter is written H[component]n";
    int error;
    config->split = true;
    r->at++;
    if ((error = expect(r, '[', form)) < 0)
        return error;
    if (r->text[r->at] == 'H')
        return wrong(r, r->at,
                     "H cannot be in H: splitting by the same hash again leaves "
                     "all but one of its substreams empty");
    if (r->text[r->at] == 'T' || r->text[r->at] == 'G')
        return wrong(r, r->at,
                     "%c cannot be in H: it is split by the hash already; give it "
                     "more entries instead",
                     r->text[r->at]);
    if ((error = read_simple(r, config)) < 0)
        return error;
    if (r->text[r->at] == '+')
        return wrong(r, r->at,
                     "H splits for one component; what comes behind '+' is behind "
                     "all substreams and stands outside of the brackets");
    if ((error = expect(r, ']', form)) < 0)
        return error;
    size_t from = r->at;
    if ((error = number(r, "how many substreams H has", 1, STREAMS_MAX, &config->streams)) < 0)
        return error;
    if (!is_power(config->streams))
        return wrong(r, from,
                     "how many substreams H has must be a power of two, as the hash "
                     "has whole bits");
    if (config->first == SL_COMPONENT_A && config->streams * config->entries > SPLIT_ENTRIES_MAX)
        return wrong(r, from, "all A in H together may have %llu entries, not %llu",
                     (unsigned long long)SPLIT_ENTRIES_MAX,
                     (unsigned long long)(config->streams * config->entries));
    return 0;
}

static int read_tagged(struct reader *r, struct sl_pipeline_config *config)
{
    static const char form[] = "a tagged table is written T<tag bits>/<r>x<entries>[w<ways>]";
    struct sl_tagged_config *t = &config->tagged;
    int error;
    *t = (struct sl_tagged_config){.ways = 1};
    config->first = SL_COMPONENT_T;
    config->rate = 1;
    r->at++;
    if ((error = number(r, "how many tag bits T has", 1, TAG_BITS_MAX, &t->tag_bits)) < 0 ||
        (error = expect(r, '/', form)) < 0 ||
        (error = number(r, "the rate of T", 2, TAGGED_RATE_MAX, &t->rate)) < 0 ||
        (error = expect(r, 'x', form)) < 0)
        return error;
    size_t from = r->at;
    if ((error = number(r, "how many entries T has", 1, STREAMS_MAX * WAYS_MAX, &t->entries)) < 0)
        return error;
    if (r->text[r->at] == 'w') {
        r->at++;
        if ((error = number(r, "how many ways T has", 1, WAYS_MAX, &t->ways)) < 0)
            return error;
    }
    if (t->entries % t->ways || !is_power(t->entries / t->ways) ||
        t->entries / t->ways > STREAMS_MAX)
        return wrong(r, from,
                     "T has entries / ways sets; %llu / %llu is not a power of two up to "
                     "%llu",
                     (unsigned long long)t->entries, (unsigned long long)t->ways,
                     (unsigned long long)STREAMS_MAX);
    return 0;
}

static int read_gathering(struct reader *r, struct sl_pipeline_config *config)
{
    static const char form[] =
        "a gathering sampler is written G<tag bits>/<r>x<entries>[k<samples>]";
    struct sl_gathering_config *g = &config->gathering;
    int error;
    *g = (struct sl_gathering_config){.samples = 2};
    config->first = SL_COMPONENT_G;
    config->rate = 1;
    r->at++;
    if ((error = number(r, "how many tag bits G has", 1, TAG_BITS_MAX, &g->tag_bits)) < 0 ||
        (error = expect(r, '/', form)) < 0 ||
        (error = number(r, "the rate of G", 2, TAGGED_RATE_MAX, &g->rate)) < 0 ||
        (error = expect(r, 'x', form)) < 0)
        return error;
    size_t from = r->at;
    if ((error = number(r, "how many entries G has", 1, STREAMS_MAX, &g->entries)) < 0)
        return error;
    if (!is_power(g->entries))
        return wrong(r, from,
                     "how many entries G has must be a power of two, as the hash has whole "
                     "bits");
    if (r->text[r->at] != 'k')
        return 0;
    r->at++;
    return number(r, "how many samples G gathers", 1, SAMPLES_MAX, &g->samples);
}

/* The A's behind '+'. */
static int read_levels(struct reader *r, struct sl_pipeline_config *config)
{
    while (r->text[r->at] == '+') {
        int error;
        size_t from = ++r->at;
        if (r->text[from] == 'A') {
            r->at++;
        } else if (r->text[from] && strchr("PRC", r->text[from])) {
            return wrong(r, from,
                         "a sampler cannot be behind '+': it would select among "
                         "messages, and the counts of the others would be lost");
        } else if (r->text[from] && strchr("HTG", r->text[from])) {
            return wrong(r, from,
                         "%c cannot be behind '+': it works on events, not on messages, "
                         "and has to come first",
                         r->text[from]);
        } else {
            return wrong(r, from, "behind '+' there has to be an A<k>");
        }
        if (config->n_levels == SL_PIPELINE_LEVELS)
            return wrong(r, from, "at most %u A can be behind each other", SL_PIPELINE_LEVELS);
        if ((error = number(r, "how many entries A has", 1, ENTRIES_MAX,
                            &config->level[config->n_levels++])) < 0)
            return error;
    }
    return 0;
}

/* The options, and what they cannot be for this compressor. `levels` is where the first
 * '+' would be. */
static int read_options(struct reader *r, size_t from, size_t levels,
                        struct sl_pipeline_config *config)
{
    /* A notation ends in a digit, which will do as a name. */
    struct sl_spec spec;
    int error = sl_spec_split(&spec, r->text, r->at - 1, r->f);
    if (error < 0)
        return error;
    if (spec.name_end > r->at)
        return wrong(r, r->at, "only \"+A<k>\" or options in parentheses can be here");
    spec.name = from;
    if ((error = sl_options_parse(sl_pipeline_options, &spec, config, r->f)) < 0)
        return error;
    r->at = spec.end;
    if (r->text[r->at] == '+')
        return wrong(r, r->at, "the options come last, behind every \"+A<k>\"");
    if (config->estimate == SL_ESTIMATE_RATIO && config->first >= SL_COMPONENT_A)
        return wrong(
            r, (size_t)(strstr(r->text + spec.body, "estimate") - r->text),
            "estimate=ratio is a share of samples, and A, T and G do not sample: they count");
    if (config->filter && !(config->converge > 0))
        return wrong(r, from,
                     "a filter leaves out instructions that have converged, and nobody checks "
                     "that: say how much a share may still change, as converge=1%%");
    if ((config->quotient || config->first_miss) && config->first != SL_COMPONENT_T)
        return wrong(r, from,
                     "quotient and first_miss are about the figure of T, and there is none");
    config->tagged.integer = config->quotient;
    config->tagged.first_counts = config->first_miss;
    if (config->n_levels && config->rate >> config->width && config->first != SL_COMPONENT_CR)
        return wrong(r, levels,
                     "a message counts %llu, which is more than the counters of A "
                     "hold, so that it would add up nothing; give it a larger width than %llu bits",
                     (unsigned long long)config->rate, (unsigned long long)config->width);
    return 0;
}

int sl_pipeline_parse(const char *text, size_t from, size_t *end, void *out, struct sl_failure *f)
{
    struct sl_pipeline_config *config = out;
    struct reader r = {text, from, f};
    *config = (struct sl_pipeline_config){.streams = 1};
    int error = text[from] == 'H'   ? read_split(&r, config)
                : text[from] == 'T' ? read_tagged(&r, config)
                : text[from] == 'G' ? read_gathering(&r, config)
                                    : read_simple(&r, config);
    size_t levels = r.at;
    if (error < 0 || (error = read_levels(&r, config)) < 0 ||
        (error = read_options(&r, from, levels, config)) < 0)
        return error;
    *end = r.at;
    return 0;
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
