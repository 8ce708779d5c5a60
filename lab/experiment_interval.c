/* The interval profilers, single-hash and multi-hash, on values and edges: every figure of
 * their document, and what it leaves open (other seeds, sizes and lengths, narrow counters,
 * why eight tables are bad).
 *
 * One pass a program for each of the two settings of the document, 10,000 events and 1 %,
 * a million events and 0.1 %; one for other lengths; one for edges. Profiles with the same
 * intervals share their exact profile (cohort.h), so they are in one step. */
#include <stdarg.h>

#include "failure.h"
#include "hash_spread.h"
#include "lab_experiments.h"
#include "outcome.h"

struct setting {
    const char *length, *threshold, *other_threshold;
    unsigned narrow_bits; /* as few as reach the threshold */
};

static const struct setting settings[] = {
    {"10K", "1%", "0.1%", 7},
    {"1M", "0.1%", "1%", 10},
};
#define N_SETTINGS (sizeof settings / sizeof *settings)

#define SEEDS 3u

/* The spec is its own label: queries go by the options, which are figures. */
__attribute__((format(printf, 2, 3))) static void add(struct lab_step *step, const char *spec,
                                                      ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, spec);
    vsnprintf(text, sizeof text, spec, arguments);
    va_end(arguments);
    lab_profile(step, text, "%s", text);
}

/* ---- values, in one of the settings ----------------------------------------------------- */

static void add_design_space(struct lab_step *step, const char *options)
{
    for (unsigned reset = 0; reset < 2; reset++) {
        for (unsigned retain = 0; retain < 2; retain++)
            add(step, "value@singlehash(%s,reset=%u,retain=%u)", options, reset, retain);
        for (unsigned tables = 2; tables <= 8; tables *= 2)
            for (unsigned conservative = 0; conservative < 2; conservative++)
                add(step, "value@multihash(%s,tables=%u,conservative=%u,reset=%u)", options, tables,
                    conservative, reset);
    }
    add(step, "value@multihash(%s,tables=16,reset=0)", options);
}

/* Another seed is another choice of hash functions. */
static void add_seeds(struct lab_step *step, const char *options)
{
    for (unsigned seed = 2; seed <= SEEDS; seed++) {
        add(step, "value@singlehash(%s,seed=%u)", options, seed);
        add(step, "value@multihash(%s,tables=4,reset=0,seed=%u)", options, seed);
        add(step, "value@multihash(%s,tables=2,reset=1,seed=%u)", options, seed);
    }
}

/* Half and twice the document's 2,048 counters. */
static void add_sizes(struct lab_step *step, const char *detector, unsigned tables,
                      const char *options)
{
    add(step, "%s@multihash(%s,tables=%u,reset=0,counters=1024)", detector, options, tables);
    add(step, "%s@multihash(%s,tables=%u,reset=0,counters=4096)", detector, options, tables);
}

struct options {
    char text[64];
};

static struct options options_of(const char *length, const char *threshold)
{
    struct options o;
    snprintf(o.text, sizeof o.text, "interval=%s,threshold=%s", length, threshold);
    return o;
}

static void add_values(struct lab_step *step, const struct setting *s)
{
    struct options options = options_of(s->length, s->threshold);
    add_design_space(step, options.text);
    add_seeds(step, options.text);
    add_sizes(step, "value", 4, options.text);
    add_sizes(step, "value", 8, options.text);
    for (unsigned conservative = 0; conservative < 2; conservative++)
        add(step, "value@multihash(%s,tables=4,reset=0,bits=%u,conservative=%u)", options.text,
            s->narrow_bits, conservative);
    add(step, "value@multihash(%s,tables=4,reset=0)",
        options_of(s->length, s->other_threshold).text);
}

/* ---- lengths, edges ----------------------------------------------------------------------- */

static void add_lengths(struct lab_step *step)
{
    static const char *const thresholds[] = {"1%", "0.1%"};
    for (unsigned t = 0; t < 2; t++)
        add(step, "value@multihash(%s,tables=4,reset=0)", options_of("100K", thresholds[t]).text);
}

static void add_edges(struct lab_step *step)
{
    for (size_t i = 0; i < N_SETTINGS; i++) {
        struct options options = options_of(settings[i].length, settings[i].threshold);
        add(step, "edge@singlehash(%s)", options.text);
        for (unsigned tables = 1; tables <= 8; tables *= 2)
            add(step, "edge@multihash(%s,tables=%u,reset=0)", options.text, tables);
        add(step, "edge@multihash(%s,tables=2,reset=1)", options.text);
        add_sizes(step, "edge", 8, options.text);
    }
}

/* ---- how tuples are spread over the tables ------------------------------------------------ */

/* Under the label "value 8", for 8 tables: deviation, by_chance and twins (x: bits of the
 * index), as in hash_spread.h. */
static int tell_spread(const struct sl_profile_list *tuples, const char *detector,
                       struct sl_job_figures *results, struct sl_failure *f)
{
    static const struct {
        unsigned tables, bits;
    } forms[] = {{1, 11}, {4, 9}, {8, 7}, {8, 8}, {8, 9}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms && tuples->n; i++) {
        struct hash_spread spread;
        char label[40];
        double bits = forms[i].bits;
        if (!hash_spread(tuples, 1, forms[i].tables, forms[i].bits, &spread))
            return sl_fail(f, SL_ENOMEM, "out of memory");
        snprintf(label, sizeof label, "%s %u", detector, forms[i].tables);
        lab_figure(results, label, "deviation", bits, spread.deviation);
        lab_figure(results, label, "by_chance", bits, spread.by_chance);
        lab_figure(results, label, "twins", bits, spread.twins);
    }
    return 0;
}

/* A replay, and the spread of the tuples of its one detector. */
static int replay_and_spread(const struct lab_step *step, struct sl_job_figures *results,
                             struct sl_failure *f)
{
    struct sl_session *session;
    struct sl_profile_list tuples = {0};
    int error = lab_session(step, true, &session, f);
    if (error < 0)
        return error;
    lab_tell(step, session, results);
    if (!sl_profile_exact_list(sl_session_profile(session, 0), &tuples))
        error = sl_fail(f, SL_ENOMEM, "out of memory");
    else if (tuples.n)
        error = tell_spread(&tuples, step->argument, results, f);
    sl_profile_list_free(&tuples);
    sl_session_close(session);
    return error;
}

/* ---- the plan ------------------------------------------------------------------------------ */

/* Phases with five hot values that make up three quarters of the loads. */
static void plan_streams(struct lab *lab)
{
    static const char *const lengths[] = {"20K", "500K", "5M"};
    enum lab_size size = lab->size;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct lab_step *step = lab_step(lab, NULL, "phases of %s", lengths[i]);
        lab_stream(step, "synth:phases(events=%s,length=%s)",
                      size == LAB_FULL    ? "20M"
                      : size == LAB_QUICK ? "10M"
                                             : "200K",
                      lengths[i]);
        for (size_t j = 0; j < N_SETTINGS; j++) {
            add(step, "value@multihash(%s,tables=4,reset=0)",
                options_of(settings[j].length, settings[j].threshold).text);
            add(step, "value@multihash(%s,tables=4,reset=0)",
                options_of(settings[j].length, settings[j].other_threshold).text);
        }
        add_lengths(step);
    }
}

static void plan(struct lab *lab, const struct lab_program *program)
{
    struct lab_step *step;
    if (!program) {
        plan_streams(lab);
        return;
    }
    for (size_t i = 0; i < N_SETTINGS; i++) {
        step = lab_step(lab, program, "%s values %s", program->name, settings[i].length);
        add_values(step, &settings[i]);
        if (i == 0)
            lab_by(step, replay_and_spread, "value");
    }
    step = lab_step(lab, program, "%s lengths", program->name);
    add_lengths(step);
    step = lab_step(lab, program, "%s edges", program->name);
    add_edges(step);
    lab_by(step, replay_and_spread, "edge");
}

const struct experiment experiment_interval = {
    .name = "interval",
    .summary = "interval profilers: hash tables that find what is frequent in each interval",
    .programs = LAB_REAL,
    .once = true,
    .plan = plan,
};
