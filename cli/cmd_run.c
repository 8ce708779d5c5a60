/* SPDX-License-Identifier: MIT */
/* Command `sluice run`: runs a program under QEMU, profiles it, and prints a report. */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "during_run.h"
#include "option_rows.h"
#include "process_tree.h"

/* Runs the guest in the session. Returns an exit status and sets *wait_status to the guest's wait
 * status. `process_tree`: the directory of the process tree (--follow), or NULL. */
static int profile(struct sl_session *session, const struct cli_options *o, char **argv,
                   const char *process_tree, int *wait_status)
{
    struct sl_failure f;
    struct sl_source *source;
    struct cli_progress progress;
    struct cli_during_run during_run;
    char first[PATH_MAX];
    const char *directory = process_tree ? process_tree : "";
    snprintf(first, sizeof first, "%s/first", directory);
    struct sl_guest guest = {.size = sizeof guest,
                             .argv = argv,
                             .needs = sl_session_needs(session),
                             .load_sampling = cli_load_sampling(o, session),
                             .lossy = o->lossy,
                             .qemu = o->qemu,
                             .sysroot = o->sysroot,
                             .repeatable = o->repeatable,
                             .output_to_error = cli_reports_to_output(o),
                             .follow = process_tree ? first : NULL};
    if (cli_during_run_start(&during_run, session, o, argv[0], &f) < 0) {
        sl_session_close(session);
        return cli_error(&f);
    }
    if (cli_start_guest(&source, &guest, &f) < 0) {
        cli_during_run_end(&during_run);
        sl_session_close(session);
        return cli_error(&f);
    }
    sl_source_run_range(source, o->skip, o->limit);
    cli_progress_start(&progress, o->quiet);
    int error = sl_session_run(session, source, cli_progress_show, &progress, &f);
    cli_progress_end(&progress);
    cli_during_run_end(&during_run);
    int status = error < 0 ? cli_error(&f) : 0;
    struct sl_failure others;
    if (process_tree)
        sl_source_let_go(source); /* or guest and sluice would wait for each other */
    if (process_tree && cli_process_tree_gather(process_tree, session, &others) < 0)
        status = cli_error(&others);
    /* After an error, the profile so far is saved and shown, with a warning. */
    if (error >= 0 || f.code == SL_EFORMAT || f.code == SL_ENOMEM) {
        int saved = cli_save_and_show(session, o, cli_reports_to_output(o) ? stdout : stderr);
        status = status ? status : saved;
    }
    sl_source_let_go(source);
    *wait_status = sl_source_status(source);
    cli_release_guest();
    sl_session_close(session);
    sl_source_close(source);
    return status;
}

static int run(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    struct sl_session *session;
    struct sl_failure f;
    int wait_status = 0;
    if (o->first_argument == argc)
        return cli_usage_error(command, "no program given");
    if (!o->follow &&
        (wait_status = cli_check_function("range", o->range, argv[o->first_argument])))
        return wait_status;
    if (!o->follow &&
        (wait_status = cli_check_function("start-at", o->start_at, argv[o->first_argument])))
        return wait_status;
    if (sl_session_can_save(cli_database(o), &f) < 0 || cli_open_session(&session, o, &f) < 0)
        return cli_error(&f);
    sl_session_read_ahead(session);
    char *process_tree = o->follow ? cli_process_tree_make(o->first_argument, argv, &f) : NULL;
    if (o->follow && !process_tree) {
        sl_session_close(session);
        return cli_error(&f);
    }
    char *program = strdup(argv[o->first_argument]);
    if (program && strchr(program, '/'))
        cli_parse_list(dirname(program), &o->sources);
    int status = profile(session, o, argv + o->first_argument, process_tree, &wait_status);
    cli_process_tree_remove(process_tree);
    free(program);
    return status ? status : cli_exit_like(wait_status);
}

const struct cli_command cli_run = {
    .name = "run",
    .summary = "Profiles a program",
    .usage = "[OPTIONS] [--] PROGRAM [ARGUMENTS]",
    .machines = true,
    .options = CLI_OPTIONS("profile", "machine", "output", "number", "exact", "window", "every",
                           "runs", "error-of", "format", "report", "own", "partition", "json",
                           "range", "only", "marked", "start-at", "sample-loads", "skip", "limit",
                           "memory", "spill", "keep", "jobs", "lossy", "follow", "repeatable",
                           "qemu", "sysroot", "live", "quiet"),
    .examples =
        "  sluice run ./prog                            hot functions, lines of your code, hints\n"
        "  sluice run -p edge -n 20 -- ./prog -n 3      its 20 most frequent branches\n"
        "  sluice run -m rocket ./prog                  cycles of a simulated CPU\n"
        "  sluice run -f html --report page.html ./prog\n",
    .details =
        "Saves the profile to sluice.db and prints the report on standard error; with -f, standard "
        "output.\n"
        "Exit status: the program's; 2 wrong usage; 125 sluice failed; 126 not executable; "
        "127 not found.\n",
    .run = run,
};
