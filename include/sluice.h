/* SPDX-License-Identifier: MIT */
/* Public header of libsluice, which profiles a program by its retired instruction stream.
 *
 * A *source* delivers the instruction stream of a program: running under QEMU, recorded in a trace
 * file, or synthetic. A *session* turns the stream into profiles, each a detector, a metric and a
 * table. A session is saved as an SQLite database; a *report* prints a database in one of several
 * formats. This header includes its two other parts, sluice-table.h (errors, tuples, tables) and
 * sluice-source.h (sources). sluice-study.h has sweeps, slices and hardware on top.
 *
 *     sl_session_open, sl_source_run or sl_source_open, sl_session_run, sl_session_save, sl_report
 *
 * Errors. A function that can fail returns 0 or a negative enum sl_error and writes a message to
 * the struct sl_failure that it is given, which may be NULL. Unless a function says otherwise, it
 * may return SL_ENOMEM, SL_EUSAGE for arguments that are wrong and SL_EIO. A pointer that is NULL
 * although nothing here allows it is SL_EUSAGE, too; functions without a status then do nothing and
 * return 0. The library never prints, exits or aborts.
 *
 * Configuration structs begin with a member `size`. Set it to the size of the struct, zero the
 * rest, and set the members that you need:
 *
 *     struct sl_report_config config = {.size = sizeof config, .n = 10};
 *
 * Zero means the default for every member. Members that a later version adds come at the end, and
 * are taken for zero if `size` says that the program does not know them. A size of 0, or one that
 * is larger than the library's own, is SL_EUSAGE.
 *
 * Threads. Objects (struct sl_table, sl_source, sl_session, ...) are independent of each other; one
 * object must not be used by two threads at once, except where a function says so. Strings and
 * arrays that are passed to a function need to exist only until it returns, unless it says
 * otherwise. */
#ifndef SLUICE_H
#define SLUICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sluice-source.h"
#include "sluice-table.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default) /* exports the declarations of this header only */
#endif

/* ---- version ---- */

/* Version of this header. While the major version is 0, a program has to be rebuilt when the minor
 * version changes. */
#define SL_VERSION_MAJOR 0
#define SL_VERSION_MINOR 1
#define SL_VERSION_PATCH 0
#define SL_VERSION_NUMBER (SL_VERSION_MAJOR * 10000 + SL_VERSION_MINOR * 100 + SL_VERSION_PATCH)

#define SL_VERSION_TEXT_(major, minor, patch) #major "." #minor "." #patch
#define SL_VERSION_TEXT(major, minor, patch) SL_VERSION_TEXT_(major, minor, patch)
#define SL_VERSION SL_VERSION_TEXT(SL_VERSION_MAJOR, SL_VERSION_MINOR, SL_VERSION_PATCH)

/* Version of the library at run time: SL_VERSION and SL_VERSION_NUMBER when it was built. */
const char *sl_version(void);
unsigned sl_version_number(void);

/* ---- sessions ---- */

struct sl_session_config {
    size_t size;             /* sizeof(struct sl_session_config) */
    const char *const *spec; /* DETECTOR[(options)][:METRIC]@TABLE[(options)] */
    size_t n_specs;
    const char *range;    /* count only in LO-HI, or in a symbol; NULL: everywhere */
    const char *only;     /* instruction classes, separated by commas; NULL: all */
    bool marked;          /* count only between region markers (sluice-mark.h) */
    const char *start_at; /* count from the first execution of this function; NULL: from the
                           * start */
    const char *machine;  /* CPU model: "ss4", "ss4,l2.size=2M", or a file; NULL: none */
    const char *const
        *more_machines; /* further CPU models, whose totals are saved for comparison */
    size_t n_more_machines;
    uint64_t memory_bytes; /* limit of all tables together; 0: 2 GiB, or half of the free memory if
                            * that is less */
    const char *spill_directory; /* for values of exact tables beyond that; NULL: drop them */
    uint64_t keep;               /* entries per profile to save; 0: 100,000, and all contexts */
    bool exact;                  /* evaluate each table against an exact profile */
    uint64_t window;             /* instructions per window of the dynamic overlap; 0: 100 M */
    uint64_t every;        /* events between two points of the error curve; 0: only the last */
    uint64_t curve_points; /* points per doubling of the events; 0: no limit */
    /* Repeats tables that have a seed this many times on the same events, each with the next seed,
     * to show the spread of their errors; implies `exact`. 0: once. */
    uint64_t runs;
    unsigned threads; /* maximum; 0: one per CPU. Results do not depend on it */
    /* Tuples of the invariance error: of instructions with at least this many executions (0:
     * 1,000), with at least this fraction of them (0: 0.10), which together cover at least this
     * fraction (0: 0.40). */
    uint64_t error_executions;
    double error_share, error_covered;
    /* Gets the events of the first profile before its table does; NULL: unused. */
    void (*observe)(void *context, const struct sl_batch *batch);
    void *observe_context;
    double *reading; /* the CPU seconds spent on reading the stream are added here; NULL: unused */
    bool default_profiles; /* `spec` is a default: the user chose no profiles. Stored in the
                            * database; the text report then begins with an overview */
};

struct sl_session;

/* Opens a session with the profiles of `config`. Returns 0, SL_EUSAGE if a spec or setting is wrong
 * (f->setting), SL_EIO if nothing can be written to the spill directory, SL_EFORMAT for a CPU model
 * that cannot be read, or SL_ENOMEM. Close the session with sl_session_close(). */
int sl_session_open(struct sl_session **session, const struct sl_session_config *config,
                    struct sl_failure *f);

/* Reads symbols and debug information in a thread of its own while the session runs, which makes
 * sl_session_save() faster. Does nothing if the session has only one thread. Results do not depend
 * on it. Call before sl_session_run(). */
void sl_session_read_ahead(struct sl_session *session);

/* What the source must contain for the session's profiles and CPU models (enum sl_needs). */
unsigned sl_session_needs(const struct sl_session *session);

/* Reads the source to its end. Call once (SL_EUSAGE the second time); close the source after
 * sl_session_save(). `progress` (or NULL) is called from time to time, at least every few million
 * events. Returns 0; SL_EUSAGE if the source lacks what a profile needs; SL_EFORMAT for a damaged
 * stream; SL_ENOMEM if the memory limit is reached. After SL_EFORMAT and SL_ENOMEM, what was
 * counted can be saved. */
int sl_session_run(struct sl_session *session, struct sl_source *source,
                   void (*progress)(void *context, uint64_t events, uint64_t instructions),
                   void *context, struct sl_failure *f);

/* Instructions of the whole run. Call after sl_session_run(). */
uint64_t sl_session_instructions(const struct sl_session *session);

/* A process that the guest started, or a program that it executed. */
struct sl_process {
    uint64_t pid;
    uint64_t parent; /* its parent: 1 for the first process added, and so on; 0: the guest */
    bool forked;     /* a copy of its parent; false: another program */
    bool counted;    /* it forked to execute another program: only `instructions` is known of it */
    uint64_t instructions; /* then */
    const char *program;   /* its file */
    const char *database;  /* its profile, which sl_session_save() includes; NULL: not profiled */
};

/* Adds a process to the session's results; the strings are copied. Returns 0, SL_ENOMEM, or
 * SL_EUSAGE without a program or if the database is not a regular file. */
int sl_session_add_process(struct sl_session *session, const struct sl_process *process,
                           struct sl_failure *f);

/* Saves the results as a database; an existing one is replaced atomically. Call after
 * sl_session_run(), before the source is closed. Returns 0, SL_EUSAGE if the session has not run,
 * SL_EIO or SL_ENOMEM; after an error an existing database is unchanged. */
int sl_session_save(struct sl_session *session, const char *path, struct sl_failure *f);

/* Checks, before a long run, that a database may be written to `path`: there is no file, or it is a
 * database of sluice. Returns 0, SL_EUSAGE or SL_EIO. */
int sl_session_can_save(const char *path, struct sl_failure *f);

/* ---- observing a session while it runs ---- */

struct sl_db_profile;
struct sl_db_location; /* a code address with its symbol and line, for sl_live_text() */

struct sl_live_candidate {
    struct sl_entry entry;
    bool is_new;          /* it was no candidate in the previous interval */
    const char *detector; /* name of the detector of the tuple */
    size_t member;        /* index of that detector in the profile */
    const struct sl_live_detector *of;
    const struct sl_db_location *at,
        *to; /* the tuple's fields if they are code addresses, or NULL */
};

/* An interval of a profile with an interval table that has just ended. Strings and places are valid
 * until the session is closed, everything else until the callback returns. */
struct sl_live_interval {
    size_t profile; /* index in the session */
    size_t result;  /* index of its first detector in reports, which list detectors separately */
    const char *spec, *given;                  /* with all options; as the user wrote it */
    bool shared;                               /* several detectors share the table */
    const char *unit;                          /* metric: "count", "instructions", ... */
    const struct sl_interval *interval;        /* its entries are in any order */
    const struct sl_live_candidate *candidate; /* highest count first */
    size_t n_candidates, n_new;
    const struct sl_live_candidate *gone; /* of the previous interval only, highest count first */
    size_t n_gone;
};

/* Callbacks of a running session. Results do not depend on them. */
struct sl_session_callbacks {
    /* Called at the end of each interval; NULL: unused. Calls come from different threads, one at a
     * time. The program may have to wait for the callback. */
    void (*interval)(void *context, const struct sl_live_interval *interval);
    /* Called about every 10 ms in the thread that runs the session, also while the program is idle;
     * NULL: unused. */
    void (*poll)(void *context);
    void *context;  /* of both */
    bool functions; /* `poll` calls sl_session_functions(), if some profile has functions */
};

/* Sets the callbacks. Call before sl_session_run(). Returns 0, SL_ENOMEM, or SL_EUSAGE if
 * `interval` is set, no profile has an interval table, and no functions were requested or found. */
int sl_session_set_callbacks(struct sl_session *session, const struct sl_session_callbacks *watcher,
                             struct sl_failure *f);

/* Formats a candidate: "main+0x1c -> is_prime" to `what`, "primes.c:13" or "" to `where`, both free
 * of control characters. */
void sl_live_text(const struct sl_live_candidate *candidate, char *what, size_t what_size,
                  char *where, size_t where_size);

/* The interval as one line of JSON, for free(3); NULL if out of memory. */
char *sl_live_json(const struct sl_live_interval *interval);

/* What profile i (from 0) counts, for example "edges"; "" if its table has no intervals; NULL if
 * there are no more profiles. */
const char *sl_session_live_profile(const struct sl_session *session, size_t i);

/* The costs of functions from the beginning of the run to this moment. The difference of two calls
 * is the cost of the interval between them. */
struct sl_live_functions {
    const struct sl_live_function {
        uint64_t address;     /* of its first instruction; 0: code without a symbol */
        uint64_t self, total; /* without and with its callees */
    } * function;             /* until the next call; a function keeps its index during the run */
    size_t n;
    uint64_t weight;  /* sum of `self` over all functions */
    bool has_callers; /* false: `total` is unknown and equals `self` */
    const char *unit; /* metric: "instructions", ... */
};

/* Reads the costs of functions from the first profile of the detector `context` or, if there is
 * none, `function`. Call from `poll`, or before the run, when there are none yet. Returns 0;
 * SL_EUSAGE if there is no such profile, or sl_session_callbacks.functions is not set; or
 * SL_ENOMEM. */
int sl_session_functions(struct sl_session *session, struct sl_live_functions *functions,
                         struct sl_failure *f);

/* The function at an address. Call from `poll`, after sl_session_functions(). */
struct sl_function_place {
    char *name; /* for free(3); NULL if out of memory */
    const char
        *module;      /* file that contains it; NULL: unknown. Valid until the session is closed */
    const char *file; /* source file and line; NULL and 0: unknown */
    int line;
};
void sl_session_function_place(struct sl_session *session, uint64_t address,
                               struct sl_function_place *place);

/* Shortens a function name, which must be valid UTF-8, in place to at most `width` characters:
 * template arguments go first, then parameters, then namespaces. Returns false if that was not
 * enough and the name lost its end. */
bool sl_short_name(char *text, size_t width);

/* Saving while the session runs: `poll` calls sl_session_pause(), which waits until all threads of
 * the session are idle, and then fork(2). The child calls sl_session_conclude(), which ends its
 * copy of the session as if the program had ended, without callbacks, and can then save it; the
 * parent continues. sl_session_conclude() returns 0, SL_EUSAGE if the session is not being run, or
 * an error of sl_session_run(). */
void sl_session_pause(struct sl_session *session);
int sl_session_conclude(struct sl_session *session, struct sl_failure *f);

/* Closes the session; NULL is allowed. */
void sl_session_close(struct sl_session *session);

/* ---- reports ---- */

struct sl_report_config {
    size_t size;        /* sizeof(struct sl_report_config) */
    const char *format; /* one of `sluice list formats`; NULL: text */
    size_t n;           /* entries per profile; 0: as many as fit on a screen */
    unsigned width;     /* columns of text; 0: 100 */
    unsigned height;    /* lines of the screen; 0: 40 */
    const char *object; /* for formats that are about one file (optimizers): its path, or the last
                         * component of it; NULL: the program itself */
    uint64_t process;   /* index of a process that the program started; 0: the program itself */
    bool symbols;     /* functions as in the symbol table: inlined code belongs to the function that
                       * contains it, and parts split off by the compiler are separate */
    double partition; /* not 0: report which functions to move to hardware that is this many times
                       * as fast, from 1; formats text and json */
    const char *own; /* patterns for paths or names of the user's own programs, libraries and source
                      * files, separated by commas; NULL: all outside the system's directories */
    /* Directories whose files may be shown as source text, in addition to the project of the
     * current directory and /usr. A database can name any file. */
    const char *const *source;
    size_t n_sources;
    bool no_source; /* show no source text */
};

/* The specs of the profiles that this report needs, with or without a CPU model, terminated by
 * NULL. NULL if any profile will do, or if the config is invalid (which sl_report_check() reports).
 */
const char *const *sl_report_default_specs(const struct sl_report_config *config, bool machine);

/* Prints a report of a database. Returns 0; SL_EUSAGE if the format is unknown or the database
 * lacks the profiles that it needs; SL_EFORMAT if the file is no database of this version; SL_EIO
 * or SL_ENOMEM. */
int sl_report(const char *database, const struct sl_report_config *config, FILE *out,
              struct sl_failure *f);

/* The same to a file, which is replaced atomically; after an error it is unchanged. Pipes and
 * devices are written to directly. */
int sl_report_file(const char *database, const struct sl_report_config *config, const char *path,
                   struct sl_failure *f);

/* Checks, before a long run, that a report can be written to `path`, which must not be the
 * database. Leaves no file. Returns 0, SL_EUSAGE or SL_EIO. */
int sl_report_can_write(const char *path, const char *database, struct sl_failure *f);

/* Check, before a long run, that there is such a report, and that profiles of these specs contain
 * what it needs. Return 0 or SL_EUSAGE. */
int sl_report_check(const struct sl_report_config *config, struct sl_failure *f);
int sl_report_check_specs(const struct sl_report_config *config, const char *const *spec, size_t n,
                          struct sl_failure *f);

struct sl_annotate_config {
    size_t size;       /* sizeof(struct sl_annotate_config) */
    const char *place; /* a function, "FILE" or "FILE:LINE"; NULL: the function of the
                        * user's own code that executed most instructions */
    size_t n;          /* code ranges to print in full; 0: those that cost something */
    uint64_t process;  /* index of a process that the program started; 0: the program itself */
    unsigned width;    /* columns of text; 0: 100, and source lines are whole */
    bool colour;       /* with colours for a terminal */
    /* Directories whose files may be shown as source text, in addition to the project of the
     * current directory and /usr. A database can name any file. */
    const char *const *source;
    size_t n_sources;
    bool no_source; /* show no source text */
};

/* Prints source lines and instructions with their counts. Returns 0; SL_EUSAGE if the database has
 * no block profile, or no code of that name; otherwise as sl_report(). */
int sl_annotate(const char *database, const struct sl_annotate_config *config, FILE *out,
                struct sl_failure *f);

struct sl_diff_config {
    size_t size;        /* sizeof(struct sl_diff_config) */
    const char *format; /* "text", "json" or "html"; NULL: text */
    size_t n;           /* rows per section; 0: 10 in text, 300 in HTML, all in JSON */
    unsigned width;     /* columns of text; 0: 100 */
    bool symbols;       /* as in sl_report_config */
};

/* Relative change of a whole run, by the metric that increased most (or decreased least). */
struct sl_regression {
    double change;      /* 0.1: 10 % more than before; infinite if there was nothing before */
    const char *metric; /* "instructions", or "cycles" if both databases have a CPU model */
};

/* Prints regressions and improvements between two databases, matched by names and lines. Sets
 * *regression to the change of the whole run; its change is 0 after an error. Returns 0; SL_EUSAGE
 * if the databases have no profile in common; otherwise as sl_report(). */
int sl_diff(const char *before, const char *after, const struct sl_diff_config *config, FILE *out,
            struct sl_regression *regression, struct sl_failure *f);

/* ---- merging ---- */

/* Merges n databases, with the processes that each contains, into one at `path`: counts are added,
 * and bounds hold for the sums. `left_out` is called with a message for everything that cannot be
 * merged. Returns 0; SL_EUSAGE if the databases do not fit together or nothing remains; SL_EFORMAT,
 * SL_EIO or SL_ENOMEM. */
int sl_merge(const char *path, const char *const *database, size_t n,
             void (*left_out)(void *context, const char *message), void *context,
             struct sl_failure *f);

/* ---- lists and messages ---- */

/* Prints the list of "detectors", "metrics", "tables", "machines", "formats", "streams" or
 * "engines". Returns 0, SL_EUSAGE for any other `kind`, or SL_EIO. */
int sl_list(const char *kind, FILE *out, struct sl_failure *f);

/* Search for the name that a misspelled word means, for example `hpt` for `hptt`. Start it with the
 * word, offer all names; `best` is then the most similar name, or NULL if none is similar. */
struct sl_nearest {
    char word[32]; /* a longer word is similar to none */
    const char *best;
    unsigned distance;
};

void sl_nearest_start(struct sl_nearest *nearest, const char *word, size_t size);
void sl_nearest_offer(struct sl_nearest *nearest, const char *name);

/* Formats ";" or "; did you mean NAME?" for the middle of a message, and returns `out`. */
#define SL_NEAREST_BYTES 64
const char *sl_nearest_hint(const struct sl_nearest *nearest, char out[SL_NEAREST_BYTES]);

/* Flushes `out`. Returns 0 if everything printed to it was written; otherwise SL_EIO, "cannot write
 * WHAT" and the reason. */
int sl_flush_output(FILE *out, const char *what, struct sl_failure *f);

/* Installs a SIGBUS handler for program files that are truncated while symbols and lines are read
 * from a mapping of them: with it, they read as zeros after their new end. Without it, SIGBUS ends
 * the process. */
void sl_survive_truncated_files(void);

/* Prints a line, as printf(3) does, and a newline. The line is safe on a terminal whatever the
 * arguments contain: characters that control the terminal, end the line or change the writing
 * direction are replaced. (Reports and lists are safe already.) */
void sl_print_line(FILE *out, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
