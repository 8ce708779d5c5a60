/* SPDX-License-Identifier: MIT */
/* Unit tests of profile specs: the complete text that is printed for a spec is parsed as the same
 * spec, and invalid texts are refused with a message and a position. */
#include "spec.h"

#include <string.h>

#include "tap.h"

static struct sl_failure f;

static bool parses(struct sl_profile_spec *spec, const char *text)
{
    f.text[0] = '\0';
    return sl_profile_spec_parse(spec, text, &f) >= 0;
}

/* Resolved, and resolved again: the same text. */
static bool round_trips(const char *text)
{
    struct sl_profile_spec once, twice = {0};
    bool same = parses(&once, text) && !strcmp(once.given, text) && parses(&twice, once.text) &&
                !strcmp(once.text, twice.text) && !strcmp(once.detecting, twice.detecting) &&
                once.n_detectors == twice.n_detectors &&
                once.detector[0].metric == twice.detector[0].metric && once.table == twice.table &&
                !strncmp(once.text, once.detecting, strlen(once.detecting)) &&
                once.text[strlen(once.detecting)] == '@';
    sl_profile_spec_free(&once);
    sl_profile_spec_free(&twice);
    return same;
}

/* Every detector with every table: it can be, and means the same again, or there is a reason. */
static void all_pairs(void)
{
    unsigned n_parsed = 0, n_refused = 0;
    bool right = true;
    for (size_t d = 0; sl_detectors[d]; d++)
        for (size_t t = 0; sl_tables[t]; t++) {
            struct sl_profile_spec spec;
            char text[200];
            const char *table = sl_tables[t]->notation ? "H[P16]64+A4" : sl_tables[t]->name;
            snprintf(text, sizeof text, "%s%s@%s", sl_detectors[d]->name,
                     strcmp(sl_detectors[d]->name, "event") ? "" : "(dmiss)", table);
            bool parsed = parses(&spec, text);
            bool refused = f.code == SL_EUSAGE && strlen(f.text) > 20;
            sl_profile_spec_free(&spec);
            n_parsed += parsed;
            n_refused += !parsed;
            if (parsed ? round_trips(text) : refused)
                continue;
            printf("# %s: %s\n", text, f.text);
            right = false;
        }
    ok(right && n_parsed && n_refused,
       "every detector with every table: %u can be parsed and print the same, %u are refused with "
       "a reason",
       n_parsed, n_refused);
}

static void resolved(void)
{
    static const char *const specs[] = {
        "value",
        "edge@H[P256]2048+A16",
        "value@multihash(tables=8,interval=10K)",
        "path(kind=loop):cycles@hpt(512x4)",
        "value+edge@multihash",
        "edge+call+block",
        "edge:count+edge:mispredict@H[P256]2048",
        "function:energy@leap",
        "event(dmiss)@morris(base=2,bits=6,group=5)",
    };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        if (!ok(round_trips(specs[i]), "%s: what it is resolved to means the same", specs[i]))
            printf("# %s\n", f.text);
}

static void usual(void)
{
    struct sl_profile_spec spec;
    bool parsed = parses(&spec, "edge");
    ok(parsed && spec.table == &sl_table_exact && !strcmp(spec.detector[0].metric->name, "count"),
       "without a table, exact; without a metric, the detector's usual one");
    sl_profile_spec_free(&spec);
    parsed = parses(&spec, "function@leap");
    ok(parsed && !strcmp(spec.detector[0].metric->name, spec.detector[0].kind->default_metric),
       "which is not the same for all");
    sl_profile_spec_free(&spec);
}

/* The message points at `place`, counted from 1. */
static void refused(const char *text, const char *word, unsigned place)
{
    struct sl_profile_spec spec;
    char where[32];
    snprintf(where, sizeof where, "character %u", place);
    bool parsed = parses(&spec, text);
    sl_profile_spec_free(&spec);
    if (!ok(!parsed && f.code == SL_EUSAGE && strstr(f.text, word) && strstr(f.text, where),
            "%s is refused at character %u: %s", text, place, word))
        printf("# %s\n", f.text);
}

static void refusals(void)
{
    refused("valu", "unknown detector valu", 1);
    refused("value@multihsh", "unknown table", 7);
    refused("edge:cycle", "unknown metric cycle", 6);
    refused("value:instructions", "value:count", 7);
    refused("type:dmiss", "use type:count", 6);
    refused("type:instructions", "use type:count", 6);
    refused("value@morris", "too many tuples", 7);
    refused("edge+call@leap", "several detectors", 11);
    refused("value@exact)", "unexpected text after a profile", 12);
    refused("value+value+value+value+value+value+value+value+value", "more than 8", 49);
    refused("function(inclusive=1):count", "has inclusive costs", 1);
}

static void seeds(void)
{
    struct sl_profile_spec spec;
    uint64_t *seed;
    bool parsed = parses(&spec, "value@multihash(seed=5)");
    seed = parsed ? sl_profile_spec_seed(&spec) : NULL;
    ok(seed && *seed == 5, "a table with a seed: there it is");
    sl_profile_spec_free(&spec);
    parsed = parses(&spec, "edge@hpt");
    ok(parsed && !sl_profile_spec_seed(&spec), "a table without one: none");
    sl_profile_spec_free(&spec);
}

int main(void)
{
    all_pairs();
    resolved();
    usual();
    refusals();
    seeds();
    return done_testing();
}
