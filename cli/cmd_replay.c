/* SPDX-License-Identifier: MIT */
/* Command `sluice replay`: profiles a recorded trace or a synthetic stream, or simulates the slices
 * that `sluice simpoint` has cut from a run. */
#include <string.h>

#include "during_run.h"

static int replay(struct sl_session *session, struct sl_source *source, const struct cli_options *o)
{
    struct sl_failure f;
    struct cli_progress progress;
    struct sl_load_sampling sampling = cli_load_sampling(o, session);
    struct cli_during_run during_run;
    if (sl_source_sample_loads(source, &sampling, &f) < 0 ||
        cli_during_run_start(&during_run, session, o, NULL, &f) < 0)
        return cli_error(&f);
    cli_progress_start(&progress, o->quiet);
    int error = sl_session_run(session, source, cli_progress_show, &progress, &f);
    cli_progress_end(&progress);
    cli_during_run_end(&during_run);
    int status = error < 0 ? cli_error(&f) : 0;
    /* Of a damaged trace, the part before the damage is saved and shown. */
    if (error >= 0 || f.code == SL_EFORMAT || f.code == SL_ENOMEM) {
        int saved = cli_save_and_show(session, o, stdout);
        status = status ? status : saved;
    }
    return status;
}

/* Slices give an estimate of a CPU model's statistics for the whole run. They have no profiles,
 * because slices cover only a part of the run. */
static int replay_slices(const struct cli_command *command, const char *path,
                         const struct cli_options *o)
{
    struct sl_failure f;
    bool json = o->format && !strcmp(o->format, "json");
    struct sl_slices_config config = {
        .size = sizeof config, .machine = o->machine.first, .json = json};
    if (!o->machine.first)
        return cli_usage_error(command,
                               "replaying slices needs a CPU model: add, for example, -m ss4");
    if (o->machine.other.n)
        return cli_usage_error(command, "slices are replayed with one CPU model: give -m once");
    if (o->specs.n)
        return cli_usage_error(
            command, "slices have no profiles: leave out -p, or replay the trace of the whole run");
    if (o->format && !json)
        return cli_usage_error(
            command, "slices are reported as text or JSON only: leave out -f, or use --json");
    return sl_slices_report(path, &config, stdout, &f) < 0 ? cli_error(&f) : 0;
}

static int run(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    struct sl_session *session;
    struct sl_source *source;
    struct sl_failure f;
    if (o->first_argument != argc - 1)
        return cli_usage_error(command,
                               "give one trace or one synthetic stream: FILE.slt or synth:KIND");
    if (sl_is_slices(argv[o->first_argument]))
        return replay_slices(command, argv[o->first_argument], o);
    if (sl_source_open(&source, argv[o->first_argument], &f) < 0)
        return cli_error(&f);
    sl_source_run_range(source, o->skip, o->limit);
    /* Synthetic streams contain only values. */
    static const char *const values[] = {"value"};
    if (!strncmp(argv[o->first_argument], "synth:", 6))
        cli_default_specs(o, values, 1);
    if (sl_session_can_save(cli_database(o), &f) < 0 || cli_open_session(&session, o, &f) < 0) {
        sl_source_close(source);
        return cli_error(&f);
    }
    sl_session_read_ahead(session);
    int status = replay(session, source, o);
    sl_session_close(session);
    sl_source_close(source);
    return status;
}

const struct cli_command cli_replay = {
    .name = "replay",
    .summary = "Profiles a recorded trace or a synthetic stream",
    .usage = "[OPTIONS] FILE.slt|synth:KIND(...)",
    .machines = true,
    .options = CLI_OPTIONS("profile", "machine", "output", "number", "exact", "window", "every",
                           "runs", "error-of", "format", "report", "partition", "json", "range",
                           "only", "marked", "start-at", "sample-loads", "skip", "limit", "memory",
                           "spill", "keep", "jobs", "live", "quiet"),
    .examples = "  sluice replay prog.slt\n"
                "  sluice replay -p edge -o edges.db prog.slt\n"
                "  sluice replay -m ss4 -p function:cycles prog.slt\n"
                "  sluice replay -p value 'synth:zipf(events=1M)'\n",
    .details = "Gives the same result as 'sluice run' at the time of recording. 'sluice list "
               "streams' lists\n"
               "synthetic streams. A truncated trace is read to its end, with a warning in the "
               "report. Exit\n"
               "status: 0; 2 wrong usage; 125 if the trace is damaged (the part before is profiled "
               "and saved).\n",
    .run = run,
};
