/* SPDX-License-Identifier: MIT */
/* Reading the database of a run: structs for reports. Texts are as they were written and may
 * contain any bytes (utf8.h). */
#ifndef SL_DB_H
#define SL_DB_H

#include "symbol.h"
#include "machine_event.h"
#include "metric.h"
#include "result.h"

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
    const char *range, *only, *start_at; /* NULL if not given */
    bool marked;
    uint64_t skip, limit; /* instructions before the counted range, and in it; 0: none, all */
    uint64_t stretches, stretch_blocks; /* load sampling: one of N windows, and blocks of a window;
                                           0: all loads */
    const char *warning, *tap;          /* NULL if none */
};

/* A CPU model and its machine events. */
struct sl_db_machine {
    const char *name; /* NULL: there is no CPU model */
    const char *description;
    uint64_t total[SL_HAPPENINGS];
    double energy_factor; /* NAN: energy is not corrected for stalls */
    bool energy_extrapolated;
    bool energy_calibrated;             /* its powers were measured on this processor */
    bool has_profiler;                  /* commit waited for `profiler` */
    struct sl_result_profiler profiler; /* its `profile` is an id */
};

/* Energy corrected for stalls, limited to the range of uint64_t. */
uint64_t sl_db_corrected_energy(const struct sl_db_machine *machine);

struct sl_db_profile {
    int64_t id;
    const char *spec, *given;                /* as resolved; as the user wrote it */
    const struct sl_detector_kind *detector; /* of its entries */
    void *config;                            /* options of the detector */
    const struct sl_metric *metric;
    const char *table, *notation; /* name; as written, without options */
    uint64_t source;              /* profiles with the same had the same events as input */
    uint64_t first;               /* id of the first profile with entries in the same table */
    bool shared;                  /* other profiles have entries in the same table */
    uint64_t events, weight, distinct;
    struct sl_table_status status; /* without events, weight, distinct, note */
    uint64_t saved, saved_weight;  /* entries in the database, and their counts */
    const char *note;              /* NULL if none */
};

struct sl_db_profiles {
    struct sl_db_profile *profile;
    size_t n, capacity;
};

/* An opened database with the tables that every report needs. Other tables are read on request. */
struct sl_database {
    struct sqlite3 *sql; /* for src/store only */
    uint64_t work_left;  /* work limit of SQLite, in thousands of virtual machine instructions */
    struct sl_db_program program;
    struct sl_db_machine machine;
    struct sl_db_machine *beside; /* further CPU models of the same run */
    size_t n_beside, beside_capacity;
    struct sl_db_profiles profiles;
    uint64_t n_processes; /* child processes, if they were followed */
};

struct sl_db_entry {
    uint64_t rank, count;
    uint64_t low, high; /* valid if the profile has bounds */
    bool by_intervals;  /* `intervals` is valid */
    uint64_t intervals; /* in which it was a candidate */
    struct sl_db_place at;
    uint64_t value;
    struct sl_db_place to; /* of `value`, if that is a code address */
};

/* Opens the database of a run for reading.
 *
 * SL_EIO     it cannot be read
 * SL_EFORMAT it is not a database of sluice, or one of another version
 * SL_ENOMEM  */
int sl_database_open(struct sl_database **database, const char *path, struct sl_failure *f);
void sl_database_close(struct sl_database *database); /* NULL is allowed */

/* Sets the message and returns SL_ENOMEM; SL_EFORMAT, with what is wrong with the content. */
int sl_db_fail_memory(struct sl_failure *f);
int sl_db_fail_content(struct sl_database *database, const char *what, struct sl_failure *f);

/* Whether entries overlap, as those of functions with their callees do: then their counts do not
 * add up to the weight of the profile. */
bool sl_db_overlaps(const struct sl_db_profile *profile);

/* ---- rows of a table ----
 *
 * Each function calls `each` for the rows in their order, until that returns a value other than 0,
 * and returns this value; otherwise 0, SL_EFORMAT if the database is damaged, or SL_ENOMEM. Texts
 * are valid only during the call. */

/* The first n entries of a profile (0: all), highest count first. */
int sl_db_entries(struct sl_database *database, const struct sl_db_profile *profile, uint64_t n,
                  int (*each)(void *context, const struct sl_db_entry *entry), void *context,
                  struct sl_failure *f);

struct sl_db_object {
    uint64_t id, start, end, offset;
    const char *path, *name; /* name: last component of the path */
    const char *build_id;    /* NULL if unknown */
};

/* Mappings of files. */
int sl_db_objects(struct sl_database *database,
                  int (*each)(void *context, const struct sl_db_object *object), void *context,
                  struct sl_failure *f);

/* The names of one code address, if the database has it. */
int sl_db_place(struct sl_database *database, uint64_t address,
                int (*each)(void *context, const struct sl_db_place *place), void *context,
                struct sl_failure *f);

/* Settings of the hardware for the program, by name and index. */
int sl_db_parameters(struct sl_database *database, const struct sl_db_profile *profile,
                     int (*each)(void *context, const struct sl_parameter *parameter),
                     void *context, struct sl_failure *f);

/* Errors by name; the error during the run; intervals. */
int sl_db_errors(struct sl_database *database, const struct sl_db_profile *profile,
                 int (*each)(void *context, const struct sl_figure *error), void *context,
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

/* Phases of the run; hot paths of one phase, highest count first, each an entry of profile `of`. */
int sl_db_phases(struct sl_database *database, const struct sl_db_profile *profile,
                 int (*each)(void *context, const struct sl_db_phase *phase), void *context,
                 struct sl_failure *f);
int sl_db_phase_entries(struct sl_database *database, const struct sl_db_profile *profile,
                        uint64_t phase,
                        int (*each)(void *context, int64_t of, const struct sl_db_entry *entry),
                        void *context, struct sl_failure *f);

/* Objects that have at least the fraction `least` of a function profile's weight in functions
 * without a name, with that fraction, largest first. */
int sl_db_nameless(struct sl_database *database, const struct sl_db_profile *profile, double least,
                   int (*each)(void *context, const char *object, double part), void *context,
                   struct sl_failure *f);

/* ---- child processes ---- */

struct sl_db_process {
    uint64_t number; /* 1, 2, ... */
    uint64_t pid;
    uint64_t parent; /* number of the process that started it, smaller or larger; 0: the program */
    bool forked;     /* it is a copy of its parent; otherwise another program */
    const char *program; /* its file; NULL if unknown */
    bool profiled;       /* it has a database of its own, and `about` is the program of that */
    bool counted;        /* not profiled: only about.instructions is known */
    struct sl_db_program about;
};

struct sl_db_processes {
    struct sl_db_process *process;
    size_t n, capacity;
};

/* Reads the list of processes. Nothing is to be freed after an error. */
int sl_db_processes(struct sl_db_processes *processes, struct sl_database *database,
                    struct sl_failure *f);
void sl_db_processes_free(struct sl_db_processes *processes);

/* Opens, like sl_database_open(), the database of process `number` in the one at `path`; 0: that
 * one itself. SL_EUSAGE: there is no such process, or it was not profiled. */
int sl_database_open_process(struct sl_database **database, const char *path, uint64_t number,
                             struct sl_failure *f);

/* ---- names ---- */

/* "main", "main+0x1c", "libc.so.6+0x2a1c0" or "0x7f..."; to be freed. NULL: out of memory. */
char *sl_db_symbol(const struct sl_db_place *place);

/* "primes.c:12"; to be freed. NULL: unknown, or out of memory. */
char *sl_db_line(const struct sl_db_place *place);

/* "primes.c:12-15": both lines if they are in one file, the smaller first; otherwise that of
 * `from`. */
char *sl_db_lines(const struct sl_db_place *from, const struct sl_db_place *to);

#endif
