/* SPDX-License-Identifier: MIT */
/* Command `sluice compare`: measures the cost and the error of several profiling tables on the same
 * instruction stream. */
#include "cli.h"

/* The designs of the paper "Rapid Profiling via Stratified Sampling" (docs/glossary.md): a random
 * and a periodic sampler, a sampler stratified by a hash, without and with an aggregation table,
 * and a tagged table. */
#define DEFAULT_PROFILES(detector)                                                                \
    {                                                                                             \
        detector "@R256", detector "@P256", detector "@H[P256]2048", detector "@H[P256]2048+A16", \
            detector "@T2/256x2048w2+A16"                                                         \
    }

static void choose_profiles(struct cli_options *o, const struct sl_source *source)
{
    static const char *const values[] = DEFAULT_PROFILES("value"), *const edges[] =
                                                                       DEFAULT_PROFILES("edge");
    bool has_values = sl_source_contents(source) & SL_NEED_VALUES;
    cli_default_specs(o, has_values ? values : edges, sizeof values / sizeof *values);
}

static int show(struct sl_session *session, const struct cli_options *o)
{
    struct sl_failure f;
    struct sl_compare_config config = {.size = sizeof config, .json = o->format, .below = o->below};
    struct sl_comparisons *comparisons;
    int error = sl_session_compare(session, &comparisons, &f);
    if (error >= 0)
        error = sl_compare(comparisons, &config, stdout, &f);
    int status = error < 0 ? cli_error(&f) : 0;
    sl_comparisons_free(comparisons);
    if (o->output && sl_session_save(session, o->output, &f) < 0) {
        int unsaved = cli_error(&f);
        status = status ? status : unsaved;
    }
    return status;
}

static int compare(struct sl_session *session, struct sl_source *source,
                   const struct cli_options *o)
{
    struct sl_failure f;
    struct cli_progress progress;
    cli_progress_start(&progress, false);
    int error = sl_session_run(session, source, cli_progress_show, &progress, &f);
    cli_progress_end(&progress);
    int status = error < 0 ? cli_error(&f) : 0;
    /* Of a damaged trace, the part before the damage is compared. */
    if (error >= 0 || f.code == SL_EFORMAT) {
        int shown = show(session, o);
        status = status ? status : shown;
    }
    return status;
}

static int run(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    struct sl_session *session;
    struct sl_source *source;
    struct sl_failure f;
    if (o->first_argument != argc - 1)
        return cli_usage_error(command,
                               "give one trace or one synthetic stream: FILE.slt or synth:KIND");
    if (o->output && sl_session_can_save(o->output, &f) < 0)
        return cli_error(&f);
    if (sl_source_open(&source, argv[o->first_argument], &f) < 0)
        return cli_error(&f);
    choose_profiles(o, source);
    sl_source_run_range(source, o->skip, o->limit);
    o->exact = true;
    int status;
    if (cli_open_session(&session, o, &f) < 0) {
        status = cli_error(&f);
    } else {
        status = compare(session, source, o);
        sl_session_close(session);
    }
    sl_source_close(source);
    return status;
}

const struct cli_command cli_compare = {
    .name = "compare",
    .summary = "Compares the cost and the error of profilers on a trace or a synthetic stream",
    .usage = "[OPTIONS] FILE.slt|synth:KIND(...)",
    .options = CLI_OPTIONS("profile", "machine", "output", "window", "every", "error-of", "below",
                           "skip", "limit", "json", "range", "only", "marked", "memory", "jobs"),
    .texts = CLI_TEXTS({"output", "also save the profiles and their errors to this database"}),
    .examples =
        "  sluice compare prog.slt\n"
        "  sluice compare -p edge@P256 -p 'edge@H[P256]2048' prog.slt\n"
        "  sluice compare -m rocket prog.slt            overhead as a percentage of its cycles\n"
        "  sluice compare --every 50K --below 3% 'synth:zipf(events=1M)'\n"
        "  sluice compare --json prog.slt | jq '.rows[] | .spec, .error'\n",
    .details =
        "Prints a line per profile: storage, messages to software and their overhead, error "
        "against\n"
        "the exact profile, speed of the model. Without -p, five compressors on load values (on\n"
        "edges if the trace has no values). With --every, also the error over time. Exit status: "
        "0;\n"
        "2 wrong usage; 125 if the trace is damaged.\n",
    .run = run,
};
