/* SPDX-License-Identifier: MIT */
/* Reader of the database of a run, with the structs that reports use. The strings in these structs
 * may contain any bytes, as in the database. Reports make them printable (utf8.h). */
#ifndef SL_DB_H
#define SL_DB_H

#include "symbol.h"
#include "machine_event.h"
#include "metric.h"
#include "result.h"
#include "grammar.h"

struct sl_db_program {
    const char *path; /* NULL for a stream without a program */
    char **argv;      /* NULL at the end */
    size_t argc;
    const char *arch;
    bool ended; /* `status` is known */
    int status; /* as from waitpid(2) */
    bool exec;
    uint64_t forks, threads;
    uint64_t dropped_blocks, dropped_mems;
    uint64_t instructions, blocks, loads;
    const char *range, *only, *start_at; /* options of the run; NULL: not used */
    bool marked;
    bool default_profiles; /* the user chose no profiles */
    uint64_t skip, limit;  /* instructions before the counted range, and in it; 0: none, all */
    uint64_t load_sampling_period, load_sampling_blocks; /* load sampling: one of N windows, and
                                           blocks of a window; 0: all loads */
    const char *warning, *tap;                           /* NULL if none */
};

/* A CPU model and its machine events. */
struct sl_db_machine {
    const char *name; /* NULL: there is no CPU model */
    const char *description;
    uint64_t total[SL_MACHINE_EVENTS];
    double energy_factor; /* NAN: energy is not corrected for stalls */
    bool energy_extrapolated;
    bool energy_calibrated;             /* its powers were measured on this processor */
    bool has_profiler;                  /* commit waited for `profiler` */
    struct sl_result_profiler profiler; /* profiler.profile is an id */
};

/* Returns the energy corrected for stalls, limited to the range of uint64_t. */
uint64_t sl_db_corrected_energy(const struct sl_db_machine *machine);

struct sl_db_profile {
    int64_t id;
    const char *spec, *given;                /* as resolved; as the user wrote it */
    const struct sl_detector_kind *detector; /* detector of the entries */
    void *config;                            /* options of the detector */
    const struct sl_metric *metric;
    const char *table, *notation; /* its name; its notation without options */
    uint64_t source;              /* profiles with equal numbers had the same input events */
    uint64_t first;               /* id of the first profile with entries in the same table */
    bool shared;                  /* other profiles have entries in the same table */
    uint64_t events, weight, distinct;
    struct sl_table_status status; /* without events, weight, distinct and note */
    uint64_t saved, saved_weight;  /* entries in the database, and the sum of their counts */
    const char *note;              /* a warning, or NULL */
};

struct sl_db_profiles {
    struct sl_db_profile *profile;
    size_t n, capacity;
};

/* An opened database, with the contents of the tables that all reports need. */
struct sl_database {
    struct sqlite3 *sql; /* for src/store only */
    uint64_t work_left;  /* SQLite's remaining work, in thousands of virtual machine instructions */
    struct sl_db_program program;
    struct sl_db_machine machine;
    struct sl_db_machine other_machine[SL_RESULT_OTHER_MACHINES_MAX]; /* of the same run */
    size_t n_other_machines;
    struct sl_db_profiles profiles;
    uint64_t n_processes; /* child processes, if they were followed */
};

struct sl_db_entry {
    uint64_t rank, count;
    uint64_t low, high; /* valid if the profile has bounds */
    bool by_intervals;  /* `intervals` is valid */
    uint64_t intervals; /* number of intervals in which the tuple was a candidate */
    struct sl_db_location at;
    uint64_t value;
    struct sl_db_location to; /* location of `value`, if that is a code address */
};

/* Opens the database of a run for reading. After an error *database is NULL.
 *
 * SL_EIO     it cannot be read
 * SL_EFORMAT it is not a database of sluice, or one of another version
 * SL_ENOMEM  */
int sl_database_open(struct sl_database **database, const char *path, struct sl_failure *f);
void sl_database_close(struct sl_database *database); /* NULL is allowed */

/* Set the failure's message. The first function returns SL_ENOMEM. The second one returns
 * SL_EFORMAT and says that the database is damaged, with the reason. */
int sl_db_fail_memory(struct sl_failure *f);
int sl_db_fail_content(struct sl_database *database, const char *what, struct sl_failure *f);

/* True if the costs of entries overlap, as inclusive costs of functions do. Then the counts do not
 * add up to the weight of the profile. */
bool sl_db_overlaps(const struct sl_db_profile *profile);

/* ---- rows of a table ----
 *
 * Each function calls `each` for all rows in their order. If `each` returns a value other than 0,
 * the function stops and returns that value. Otherwise it returns 0, SL_EFORMAT if the database is
 * damaged, or SL_ENOMEM. Texts are valid only during the call. */

/* Reads the first n entries of a profile (0: all), highest count first. */
int sl_db_entries(struct sl_database *database, const struct sl_db_profile *profile, uint64_t n,
                  int (*each)(void *context, const struct sl_db_entry *entry), void *context,
                  struct sl_failure *f);

struct sl_db_object {
    uint64_t id, start, end, offset;
    const char *path, *name; /* `name` is the last component of the path */
    const char *build_id;    /* NULL if unknown */
};

/* Reads the mappings of files. */
int sl_db_objects(struct sl_database *database,
                  int (*each)(void *context, const struct sl_db_object *object), void *context,
                  struct sl_failure *f);

/* Sets the symbol and the line (NULL: unknown) of a code address, to be freed, if the database has
 * names for it. */
int sl_db_names(struct sl_database *database, uint64_t address, char **symbol, char **line,
                struct sl_failure *f);

/* Reads the settings of the hardware for this program, by name and position. */
int sl_db_parameters(struct sl_database *database, const struct sl_db_profile *profile,
                     int (*each)(void *context, const struct sl_parameter *parameter),
                     void *context, struct sl_failure *f);

/* Read the errors by name, the error during the run, and the intervals. */
int sl_db_errors(struct sl_database *database, const struct sl_db_profile *profile,
                 int (*each)(void *context, const struct sl_named_value *error), void *context,
                 struct sl_failure *f);
int sl_db_curve(struct sl_database *database, const struct sl_db_profile *profile,
                int (*each)(void *context, const struct sl_curve_point *point), void *context,
                struct sl_failure *f);
int sl_db_intervals(struct sl_database *database, const struct sl_db_profile *profile,
                    int (*each)(void *context, const struct sl_interval_row *interval),
                    void *context, struct sl_failure *f);

struct sl_db_phase {
    uint64_t number, first_event, events, weight, kind;
    double turnover;
};

/* Reads the phases of the run. */
int sl_db_phases(struct sl_database *database, const struct sl_db_profile *profile,
                 int (*each)(void *context, const struct sl_db_phase *phase), void *context,
                 struct sl_failure *f);

/* An entry without bounds, of the profile with the id `of`. */
typedef int sl_db_tuple_row(void *context, int64_t of, const struct sl_db_entry *entry);

/* Reads the hot paths of one phase, highest count first. */
int sl_db_phase_entries(struct sl_database *database, const struct sl_db_profile *profile,
                        uint64_t phase, sl_db_tuple_row *each, void *context, struct sl_failure *f);

/* Reads the objects in which code without symbols has at least the fraction `least` of the weight
 * of a function profile. `part` is that fraction; the largest comes first. */
int sl_db_unnamed_code(struct sl_database *database, const struct sl_db_profile *profile,
                       double least, int (*each)(void *context, const char *object, double part),
                       void *context, struct sl_failure *f);

/* ---- child processes ---- */

struct sl_db_process {
    uint64_t number; /* 1, 2, ... */
    uint64_t pid;
    uint64_t parent;     /* id of the process that started it, smaller or larger; 0: the program */
    bool forked;         /* a copy of its parent by fork; otherwise another program */
    const char *program; /* the executed file; NULL if unknown */
    bool profiled;       /* it has a database of its own, and `about` is the program of that */
    bool counted;        /* not profiled: only about.instructions is known */
    struct sl_db_program about;
};

struct sl_db_processes {
    struct sl_db_process *process;
    size_t n, capacity;
};

/* Reads the list of processes. Returns 0, SL_EFORMAT or SL_ENOMEM; after an error there is nothing
 * to free. */
int sl_db_processes(struct sl_db_processes *processes, struct sl_database *database,
                    struct sl_failure *f);
void sl_db_processes_free(struct sl_db_processes *processes);

/* Opens the database of process `number` that is contained in the database at `path`; with number
 * 0, the database at `path` itself. Returns SL_EUSAGE if there is no such process or if it was not
 * profiled, otherwise as sl_database_open(). */
int sl_database_open_process(struct sl_database **database, const char *path, uint64_t number,
                             struct sl_failure *f);

/* ---- names ---- */

/* Returns the source line, to be freed: "primes.c:12". NULL: unknown, or out of memory. */
char *sl_db_line(const struct sl_db_location *place);

/* Returns the lines of two addresses, to be freed: "primes.c:12-15" if they are in one file,
 * otherwise only the line of `from`. NULL as for sl_db_line(). */
char *sl_db_lines(const struct sl_db_location *from, const struct sl_db_location *to);

/* ---- event sequences (db_sequence.c) ---- */

/* Reader of the event sequences that the table `wpp` stores: their properties, hot subpaths and
 * grammar. */

struct sl_db_sequence {
    bool found; /* the profile has a sequence */
    uint64_t length, rules, symbols, tuples, bytes;
    const char *unit; /* of weights */
    uint64_t weight;
    uint64_t subpaths;
};

struct sl_db_subpath {
    uint64_t rank, rule, length, times;
    uint64_t weight; /* of all occurrences */
};

/* Reads the properties of a sequence, if the profile has one. As all functions below that return
 * int, it returns 0, SL_EFORMAT if the database is damaged, or SL_ENOMEM. */
int sl_db_sequence(struct sl_database *database, const struct sl_db_profile *profile,
                   struct sl_db_sequence *sequence, struct sl_failure *f);

/* Returns the size of the sequence in bits with a fixed-length code for the tuples. */
uint64_t sl_db_sequence_uncompressed_bits(const struct sl_db_sequence *sequence);

/* These functions call `each` as sl_db_entries() does. They read the first n hot subpaths (0: all),
 * highest weight first; the events of one subpath in order, as entries without counts of the
 * profile with id `of`; and the tuples that the symbols denote. */
int sl_db_subpaths(struct sl_database *database, const struct sl_db_profile *profile, uint64_t n,
                   int (*each)(void *context, const struct sl_db_subpath *subpath), void *context,
                   struct sl_failure *f);
int sl_db_subpath_events(struct sl_database *database, const struct sl_db_profile *profile,
                         uint64_t subpath, sl_db_tuple_row *each, void *context,
                         struct sl_failure *f);
int sl_db_symbols(struct sl_database *database, const struct sl_db_profile *profile,
                  int (*each)(void *context, int64_t of, const struct sl_tuple *tuple),
                  void *context, struct sl_failure *f);

/* Reads the grammar, to be freed by sl_grammar_free(). Its terminal symbols are among those of
 * sl_db_symbols(). */
int sl_db_grammar(struct sl_database *database, const struct sl_db_profile *profile,
                  struct sl_grammar *grammar, struct sl_failure *f);

/* ---- repeated profiles (db_runs.c) ---- */

/* Reader of repeated profiles (--runs): counts and errors of each run; and their distribution, as a
 * five-number summary (minimum, quartiles, maximum) and as a box plot. */

/* Values of one event or measure in all runs. NAN: not defined. */
struct sl_db_sample {
    char *name;
    double *value;
    size_t n, capacity;
    uint64_t count, exact; /* for events: the estimate of run 0, and the exact count */
};

struct sl_db_samples {
    struct sl_db_sample *sample;
    size_t n, capacity;
};

/* All runs of a profile. The value of an event is its relative error, which is negative if the
 * count was too low. Both lists may be empty; a single run has no measures. */
struct sl_db_runs {
    size_t n; /* number of runs; 0 if none were stored */
    struct sl_db_samples events, measures;
    uint64_t capacity; /* number of events for which the table has storage; 0: events.n */
};

/* Reads all runs. Returns 0, SL_EFORMAT or SL_ENOMEM; after an error there is nothing to free. */
int sl_db_runs(struct sl_database *database, const struct sl_db_profile *profile,
               struct sl_db_runs *runs, struct sl_failure *f);
void sl_db_runs_free(struct sl_db_runs *runs);

struct sl_spread {
    size_t n; /* size of the sample; if 0, the rest is NAN */
    double min, lower_quartile, median, upper_quartile, max, mean;
};

/* Summarizes n numbers without NANs. Sorts them, NANs last. Quartiles are interpolated linearly
 * between two numbers (R's type 7). */
struct sl_spread sl_spread_of(double *number, size_t n);

/* Draws it on a scale from 0 to `top` with `width` characters and a NUL:
 *
 *         |--[===+=====]--------|        whiskers to min and max, box between the quartiles, median
 */
void sl_spread_draw(const struct sl_spread *spread, double top, char *out, size_t width);

/* Computes the distribution of the absolute values of one sample or, if `one` is NULL, of all
 * samples together. Returns false if out of memory. */
bool sl_db_spread(const struct sl_db_samples *all, const struct sl_db_sample *one,
                  struct sl_spread *spread);

/* Returns the storage of the profile's table in bits per event. */
double sl_db_event_bits(const struct sl_db_profile *profile, const struct sl_db_runs *runs);

#endif
