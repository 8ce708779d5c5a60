/* SPDX-License-Identifier: MIT */
/* Functions that several commands use: they print error messages and progress, and open, save and
 * print sessions. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "option_rows.h"

#define SLUICE_DB "sluice.db" /* the default */
#define SCREEN_WIDTH 100      /* of output that is no terminal */

/* The library names the wrong setting (sl_failure.setting) without knowing the command line; the
 * message names the option of the same name. */
int cli_error(const struct sl_failure *f)
{
    const struct cli_option_row *row = f->setting ? cli_option_rows : NULL;
    while (row && row->name && strcmp(row->name, f->setting))
        row++;
    if (row && row->name)
        sl_print_line(stderr, "sluice: --%s: %s", row->name, f->text);
    else
        sl_print_line(stderr, "sluice: %s", f->text);
    return f->code == SL_EUSAGE      ? EXIT_USAGE
           : f->code == SL_ENOTFOUND ? EXIT_NOT_FOUND
           : f->code == SL_ENOEXEC   ? EXIT_CANNOT_EXECUTE
           : f->code == SL_EKILLED   ? 0
                                     : EXIT_SLUICE;
}

int cli_exec(const char *program, char *const *argv)
{
    char path[4096 + 32];
    ssize_t n = readlink("/proc/self/exe", path, 4096);
    while (n > 0 && path[n - 1] != '/')
        n--;
    snprintf(path + (n > 0 ? n : 0), 32, "%s", program);
    fflush(NULL);
    execv(path, argv);
    sl_print_line(
        stderr,
        "sluice: cannot start %s: %s (this program is part of sluice: install sluice again)", path,
        strerror(errno));
    return EXIT_SLUICE;
}

/* ---- progress ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void cli_progress_start(struct cli_progress *p, bool quiet)
{
    *p = (struct cli_progress){.started = now(), .wanted = !quiet && isatty(STDERR_FILENO)};
}

void cli_progress_show(void *progress, uint64_t events, uint64_t instructions)
{
    struct cli_progress *p = progress;
    double elapsed = p->wanted ? now() - p->started : 0;
    if (elapsed < 1 || elapsed < p->shown + 0.25)
        return;
    p->shown = elapsed;
    fprintf(stderr, "\r\033[K%.0f M instructions, %.0f M events, %.0f M/s, %d:%02d",
            (double)instructions / 1e6, (double)events / 1e6, (double)events / 1e6 / elapsed,
            (int)elapsed / 60, (int)elapsed % 60);
}

void cli_progress_end(struct cli_progress *p)
{
    if (p->shown > 0)
        fprintf(stderr, "\r\033[K");
}

unsigned cli_width(FILE *stream)
{
    struct sl_report_config config = {0};
    cli_fit_screen(&config, stream);
    return config.width;
}

void cli_fit_screen(struct sl_report_config *config, FILE *stream)
{
    struct winsize size;
    int fd = fileno(stream);
    if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &size))
        return;
    config->width = size.ws_col;
    config->height = size.ws_row;
}

/* ---- sessions ---- */

void cli_default_specs(struct cli_options *o, const char *const *spec, size_t n)
{
    if (!o->specs.n)
        for (size_t i = 0; i < n; i++)
            cli_parse_list(spec[i], &o->specs);
}

int cli_open_session(struct sl_session **session, const struct cli_options *o, struct sl_failure *f)
{
    /* With a CPU model, `annotate` shows blocks and costs. `edge` is nearly free in addition to
     * functions and blocks; but with --live an interval table is used, because an exact table
     * reports nothing before the end. */
    const char *const plain[] = {
        "function", "block:instructions", o->live.wanted ? "edge@multihash" : "edge",
        "call",     "value@multihash",    "context(nested=1)",
        NULL};
    const char *const modelled[] = {
        "function:cycles", "block:instructions", "cost", "edge", "value@multihash", NULL};
    const char *const *defaults = o->machine.first ? modelled : plain;
    size_t n_defaults = 0;
    /* With --only, the default profiles that do not count instructions of a class are left out. */
    if (o->only)
        defaults += o->machine.first ? 3 : 2;
    while (defaults[n_defaults])
        n_defaults++;
    n_defaults -= o->only && !o->machine.first;
    struct sl_session_config config = {
        .size = sizeof config,
        .spec = o->specs.n ? o->specs.word : defaults,
        .n_specs = o->specs.n ? o->specs.n : n_defaults,
        .range = o->range,
        .machine = o->machine.first,
        .more_machines = o->machine.other.word,
        .n_more_machines = o->machine.other.n,
        .only = o->only,
        .marked = o->marked,
        .start_at = o->start_at,
        .memory_bytes = o->memory_bytes,
        .spill_directory = o->spill,
        .keep = o->keep,
        .exact = o->exact || o->window || o->every || o->error_of.executions,
        .window = o->window,
        .every = o->every,
        .runs = o->runs,
        .threads = (unsigned)o->jobs,
        .error_executions = o->error_of.executions,
        .error_share = o->error_of.share,
        .error_covered = o->error_of.covered,
        .default_profiles = !o->specs.n,
    };
    struct sl_report_config report = {
        .size = sizeof report, .format = o->format, .partition = o->partition};
    const char *const *of_report = sl_report_default_specs(&report, o->machine.first);
    if (!o->specs.n && of_report) {
        config.spec = of_report;
        for (config.n_specs = 0; of_report[config.n_specs];)
            config.n_specs++;
    }
    int error = o->report ? sl_report_can_write(o->report, cli_database(o), f) : 0;
    if (error >= 0)
        error = sl_report_check(&report, f);
    if (error >= 0)
        error = sl_session_open(session, &config, f);
    /* After sl_session_open(), so that its errors about wrong specs come first. */
    if (error >= 0 &&
        (error = sl_report_check_specs(&report, config.spec, config.n_specs, f)) < 0) {
        sl_session_close(*session);
        *session = NULL;
    }
    return error;
}

/* Load values are the most expensive part of tracing, and a sample is enough for the default
 * report. With -p or -m, every load is traced. */
struct sl_load_sampling cli_load_sampling(const struct cli_options *o,
                                          const struct sl_session *session)
{
    bool sample = !o->load_sampling.of && !o->specs.n &&
                  sl_session_needs(session) == SL_NEED_VALUES;
    return sample ? (struct sl_load_sampling){16, CLI_WINDOW_BLOCKS} : o->load_sampling;
}

const char *cli_database(const struct cli_options *o)
{
    return o->output ? o->output : SLUICE_DB;
}

const char *cli_database_to_read(const char *given)
{
    if (given || !access(SLUICE_DB, F_OK))
        return given ? given : SLUICE_DB;
    sl_print_line(stderr, "sluice: no " SLUICE_DB
                          " here: run 'sluice run PROGRAM' first, or give a database");
    return NULL;
}

bool cli_reports_to_output(const struct cli_options *o)
{
    return o->format && !o->report && !o->quiet;
}

/* Reports on the database that was just saved, by opening it again. The session's results in memory
 * are not used, because all views and formats are SQL queries on a database: with one path for
 * `run`, `replay` and `report`, their reports cannot differ, and every run tests that its file can
 * be read. In memory are only the struct sl_results that sl_session_save() wrote, without sums by
 * function and line; a second source for all views would be needed. Opening takes
 * 10 to 20 % of the report's time. */
static int show(const char *database, const struct cli_options *o, FILE *out)
{
    struct sl_failure f;
    struct sl_report_config config = {.size = sizeof config,
                                      .format = o->format,
                                      .n = o->n,
                                      .own = o->own,
                                      .partition = o->partition,
                                      .source = o->sources.word,
                                      .n_sources = o->sources.n,
                                      .no_source = o->no_source};
    if (!o->report)
        cli_fit_screen(&config, out);
    int result = o->report ? sl_report_file(database, &config, o->report, &f)
                           : sl_report(database, &config, out, &f);
    return result < 0 ? cli_error(&f) : 0;
}

/* After an overview: where the results are, and commands that show more of them. */
static void print_next(const char *database, FILE *out)
{
    static const char *const next[] = {"annotate", "report -n 50", "report -f html -o page.html"};
    bool usual = !strcmp(database, SLUICE_DB);
    size_t width = cli_width(out) ? cli_width(out) : SCREEN_WIDTH;
    char line[2 * PATH_MAX], command[2 * PATH_MAX];
    snprintf(line, sizeof line, "Saved %s.  Next:", database);
    putc('\n', out);
    for (size_t i = 0; i < sizeof next / sizeof *next; i++) {
        size_t used = strlen(line);
        snprintf(command, sizeof command, "%s sluice %s%s%s", i ? " |" : "", next[i],
                 usual ? "" : " ", usual ? "" : database);
        if (used + strlen(command) > width) {
            sl_print_line(out, "%s%s", line, i ? " |" : "");
            snprintf(line, sizeof line, "  %s", command + (i ? strlen(" | ") : strlen(" ")));
        } else {
            snprintf(line + used, sizeof line - used, "%s", command);
        }
    }
    sl_print_line(out, "%s", line);
}

int cli_save_and_show(struct sl_session *session, const struct cli_options *o, FILE *out)
{
    const char *path = cli_database(o);
    struct sl_failure f;
    if (sl_session_save(session, path, &f) >= 0) {
        int shown = o->quiet && !o->report ? 0 : show(path, o, out);
        if (!shown && !o->quiet && !o->report && !o->format && !o->specs.n && !o->n)
            print_next(path, out);
        return shown;
    }

    int status = cli_error(&f);
    const char *directory = getenv("TMPDIR");
    char spare[4096];
    snprintf(spare, sizeof spare, "%s/sluice-XXXXXX.db", directory ? directory : "/tmp");
    int fd = mkstemps(spare, 3); /* an empty file of our own, which is replaced */
    if (fd < 0)
        return status;
    close(fd);
    if (sl_session_save(session, spare, &f) < 0) {
        unlink(spare);
        return status;
    }
    sl_print_line(stderr, "sluice: saved to %s instead", spare);
    if (!o->quiet || o->report)
        show(spare, o, out);
    return status;
}
