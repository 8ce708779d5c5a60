/* SPDX-License-Identifier: MIT */
/* Fuzzer for all steps from a stream to a report: random programs and event streams are profiled,
 * saved and reported (usage: reports.t [SECONDS]).
 *
 * A hostile but well-formed stream (tape_source.h) goes through a session with random profiles (all
 * detectors, metrics and tables), with or without a CPU model. The results are saved, compared if
 * possible, and reported in every format. No input may crash, hang or use unbounded memory; and a
 * saved database can be read. */
#include "../support/checkout_data.h"
#include "scratch.h"
#include "tape_source.h"

#include "sluice-study.h"

const char fuzz_name[] = "reports";

static const char *const specs[] = {
    "value@exact",
    "value@multihash",
    "value@singlehash(interval=64,threshold=1%)",
    "value@multihash(tables=4,counters=64,interval=100,threshold=1%)",
    "value@multihash(interval=50,threshold=2%)",
    "value@multihash(bits=8,base=1.05)",
    "edge",
    "edge@H[P4]64+A16",
    "edge@H[R2]16",
    "edge@H[CR3]8+A4",
    "edge@T4/8x64w2",
    "edge@RD3",
    "edge+call@A16",
    "call",
    "call@P5(estimate=ratio)",
    "type",
    "type@multihash(interval=10,threshold=10%)",
    "block",
    "block@hpt(64x4,replacement=age)",
    "block@wpp",
    "block@exact",
    "path",
    "path@hpt",
    "path(kind=wpp)@wpp",
    "path(kind=loop,extend=2)@exact",
    "path(kind=procedure,extend=1)@hpt(16x2,replacement=lru)",
    "path(length=3,stack=2)@multihash",
    "path(overflow=spill,stack=1)",
    "path(repair=0,bits=3):instructions",
    "function",
    "function:instructions@leap",
    "function:count@snoopp",
    "function:instructions",
    "function(inclusive=1)",
    "function(depth=2)",
    "function@leap(bits=4,shift=1)",
    "context",
    "context(limit=3)",
    "context(depth=1):instructions",
    "loop",
    "loop(entries=1)",
    "loop(inclusive=1):instructions",
    "loop(span=8)@hpt",
};
static const char *const machine_specs[] = {
    "function:cycles",
    "edge:mispredict@multihash(interval=100,threshold=1%)",
    "block:stalls",
    "path:l2miss@hpt(512x4)",
    "function:energy@leap",
    "function:energy",
    "context:dmiss",
    "loop:imiss",
    "event@morris(bits=4)",
    "event@fpc",
    "event@multiplexed(rotation=10)",
    "event(dmiss+imiss)",
    "call:cachepower",
    "path(bits=8):cachepower",
    "loop:energy",
    "function:cycles@snoopp",
    "event@exact",
    "value:cycles@singlehash(interval=100,threshold=1%)",
};
static const char *const formats[] = {"text",   "json",       "html",    "flat",    "callgraph",
                                      "loops",  "bolt",       "profgen", "autofdo", "callgrind",
                                      "folded", "speedscope", "pprof",   "sequence"};
#define COUNT(array) ((unsigned)(sizeof(array) / sizeof *(array)))

static unsigned long n_saved, n_reports, n_reported;

void fuzz_begin(void)
{
    use_checkout_data();
    make_scratch();
}

static void report(struct tape *t, unsigned format)
{
    static const unsigned width[] = {0, 1, 20, 80, 400};
    struct sl_failure f;
    struct sl_report_config config = {.size = sizeof config,
                                      .format = formats[format],
                                      .n = pick(t, 4) ? 0 : pick(t, 100),
                                      .width = width[pick(t, 5)],
                                      .object = pick(t, 4) ? NULL : tape_name(t)};
    if (format < 2 && !pick(t, 4))
        config.partition = 1 + pick(t, 20);
    n_reports++;
    n_reported += sl_report(scratch_database, &config, nowhere, &f) >= 0;
}

/* Each input in one format next to the usual one, and some in all of them. */
static void save_and_report(struct tape *t, struct sl_session *session, bool exact)
{
    struct sl_failure f;
    struct sl_comparisons *comparisons = NULL;
    if (sl_session_save(session, scratch_database, &f) < 0)
        return;
    n_saved++;
    if (sl_report(scratch_database,
                  &(struct sl_report_config){.size = sizeof(struct sl_report_config)}, nowhere,
                  &f) < 0)
        fuzz_wrong(f.text);
    unsigned all = pick(t, 16) == 1, first = pick(t, COUNT(formats));
    for (unsigned i = 0; i < (all ? COUNT(formats) : 1); i++)
        report(t, (first + i) % COUNT(formats));
    if (exact && sl_session_compare(session, &comparisons, &f) >= 0) {
        sl_compare(comparisons,
                   &(struct sl_compare_config){.size = sizeof(struct sl_compare_config),
                                               .json = pick(t, 2)},
                   nowhere, &f);
        sl_comparisons_free(comparisons);
    }
    unlink(scratch_database);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    static const char *const machine[] = {NULL,  NULL,    "rocket",
                                          "ss4", "tiger", "ss4,l1d.size=256,l1d.ways=1"};
    static const char *const range[] = {"0x401000-0x401100", "main", "0-1"};
    static const char *const only[] = {"load", "conditional,call", "float", "return"};
    struct tape t = tape_of(data, size);
    /* What is reported is decided by the tape's second half: the first may be used up. */
    struct tape reporting = tape_of(data + size / 2, size - size / 2);
    struct sl_failure f;
    struct sl_session *session;
    const char *spec[4];
    struct sl_session_config c = {.size = sizeof c, .spec = spec, .n_specs = 1 + pick(&t, 4)};
    c.machine = machine[pick(&t, 6)];
    for (unsigned i = 0; i < c.n_specs; i++)
        spec[i] = c.machine && pick(&t, 2) ? machine_specs[pick(&t, COUNT(machine_specs))]
                                           : specs[pick(&t, COUNT(specs))];
    c.range = pick(&t, 3) ? NULL : range[pick(&t, 3)];
    c.only = pick(&t, 8) ? NULL : only[pick(&t, 4)];
    c.marked = !pick(&t, 6);
    c.exact = !pick(&t, 3);
    c.runs = pick(&t, 8) ? 0 : 1 + pick(&t, 3);
    c.every = pick(&t, 6) ? 0 : 1 + pick(&t, 200);
    c.window = pick(&t, 4) ? 0 : 1 + pick(&t, 500);
    c.memory_bytes = pick(&t, 3) ? UINT64_C(16) << 20 : number(&t) % (1 << 20);
    c.keep = pick(&t, 3) ? 0 : 1 + pick(&t, 20);
    c.threads = 1 + !pick(&t, 8);
    if (sl_session_open(&session, &c, &f) < 0)
        return;
    struct sl_source *source = tape_source(
        &t, pick(&t, 8) ? sl_session_needs(session) : pick(&t, 8), &f);
    if (source) {
        int error = sl_session_run(session, source, NULL, NULL, &f);
        if (error >= 0 || f.code == SL_EFORMAT || f.code == SL_ENOMEM)
            save_and_report(&reporting, session, c.exact);
    }
    sl_session_close(session);
    sl_source_close(source);
}

void fuzz_figures(void)
{
    printf("# %lu databases saved, %lu of %lu reports made\n", n_saved, n_reported, n_reports);
}
