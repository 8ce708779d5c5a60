/* SPDX-License-Identifier: MIT */
/* What a database holds, read back: structures for reports, which know no column. Text is as it
 * was saved: any bytes (see utf8.h). */
#ifndef SL_SAVED_H
#define SL_SAVED_H

#include "symbol.h"
#include "happening.h"
#include "metric.h"
#include "result.h"

struct sl_saved_program {
    char *path;  /* NULL for a stream without a program */
    char **argv; /* NULL at the end */
    size_t argc;
    char *arch;
    bool ended; /* how is known: */
    int status; /* as from waitpid(2) */
    bool exec;
    uint64_t forks, threads;
    uint64_t dropped_blocks, dropped_mems;
    uint64_t instructions, blocks, loads;
    char *range, *only, *start_at; /* NULL if not given */
    bool marked;
    uint64_t skip, limit; /* instructions left out, and counted at most; 0: none, all */
    uint64_t stretches, stretch_blocks; /* loads were watched in one of so many; 0: everywhere */
    char *warning, *tap;                /* NULL if none */
};

/* The machine that was modelled along. */
struct sl_saved_machine {
    char *name; /* NULL: none was */
    char *description;
    uint64_t total[SL_HAPPENINGS];
    double energy_factor; /* NAN: energy is not corrected for stalls */
    bool energy_extrapolated;
    bool energy_calibrated;             /* its powers were measured on this very processor */
    bool has_profiler;                  /* that it had to wait for: */
    struct sl_result_profiler profiler; /* profile: its id */
};

/* Its energy, corrected for stalls; where a file has a factor that leads beyond all numbers, the
 * nearest. */
uint64_t sl_saved_corrected_energy(const struct sl_saved_machine *machine);

struct sl_saved_profile {
    int64_t id;
    char *spec, *given;
    const struct sl_detector_kind *detector; /* what its entries are */
    void *config;                            /* the detector's, as it was asked for */
    const struct sl_metric *metric;
    char *table, *notation; /* its name; as it is written, without options */
    uint64_t source;        /* profiles with the same were given the same events */
    uint64_t first;         /* id of the first that has entries in the same table */
    bool shared;            /* others have */
    uint64_t events, weight, distinct;
    struct sl_table_status status; /* all but its events, weight, distinct, note */
    uint64_t saved, saved_weight;
    char *note; /* NULL if none */
};

struct sl_saved_profiles {
    struct sl_saved_profile *profile;
    size_t n, room;
};

/* An opened database: all that is needed of it at once. The rest is read when it is asked for. */
struct sl_database {
    struct sqlite3 *sql; /* for src/store only */
    uint64_t work_left;  /* of SQLite: thousands of steps */
    struct sl_saved_program program;
    struct sl_saved_machine machine;
    struct sl_saved_machine *beside; /* others that ran the same */
    size_t n_beside, room_beside;
    struct sl_saved_profiles profiles;
    uint64_t n_processes; /* that the program has started, if they were followed */
};

struct sl_saved_entry {
    uint64_t rank, count;
    uint64_t low, high; /* where the profile's bounds mean something */
    bool by_intervals;  /* it was a candidate in so many intervals: */
    uint64_t intervals;
    struct sl_saved_place at;
    uint64_t value;
    struct sl_saved_place to; /* of `value`, where it is an address in code */
};

/* Opens the database of a run for reading.
 *
 * SL_EIO     it cannot be read
 * SL_EFORMAT it is no database of sluice, or one of another version
 * SL_ENOMEM  */
int sl_database_open(struct sl_database **database, const char *path, struct sl_failure *f);
void sl_database_close(struct sl_database *database); /* NULL will do */

/* SL_ENOMEM; SL_EFORMAT with what is wrong in its content. */
int sl_saved_fail_memory(struct sl_failure *f);
int sl_saved_fail_content(struct sl_database *database, const char *what, struct sl_failure *f);

/* Whether its entries overlap, as those of functions with all that they call: what they weigh
 * does not add up. */
bool sl_saved_overlaps(const struct sl_saved_profile *profile);

/* Calls `each` for the first n entries (0: all) of a profile in their order;
 * the entry's strings are gone afterwards. Stops when it returns other than 0,
 * and returns that. Else 0, SL_EFORMAT if the database is damaged, or SL_ENOMEM, as all below. */
int sl_saved_entries(struct sl_database *database, const struct sl_saved_profile *profile,
                     uint64_t n, int (*each)(void *context, const struct sl_saved_entry *entry),
                     void *context, struct sl_failure *f);

struct sl_saved_object {
    uint64_t id, start, end, offset;
    const char *path;
    const char *build_id; /* NULL if unknown */
};

/* The same for the files that were mapped. */
int sl_saved_objects(struct sl_database *database,
                     int (*each)(void *context, const struct sl_saved_object *object),
                     void *context, struct sl_failure *f);

/* Calls `each` with what the database says of an address in code, if it has it. */
int sl_saved_place(struct sl_database *database, uint64_t address,
                   int (*each)(void *context, const struct sl_saved_place *place), void *context,
                   struct sl_failure *f);

/* What hardware is to be set to, by name and place. */
int sl_saved_parameters(struct sl_database *database, const struct sl_saved_profile *profile,
                        int (*each)(void *context, const struct sl_parameter *parameter),
                        void *context, struct sl_failure *f);

/* As with entries, for what was measured of a profile (saved_series.c). */
int sl_saved_errors(struct sl_database *database, const struct sl_saved_profile *profile,
                    int (*each)(void *context, const struct sl_figure *error), void *context,
                    struct sl_failure *f);
int sl_saved_curve(struct sl_database *database, const struct sl_saved_profile *profile,
                   int (*each)(void *context, const struct sl_curve_point *point), void *context,
                   struct sl_failure *f);
int sl_saved_intervals(struct sl_database *database, const struct sl_saved_profile *profile,
                       int (*each)(void *context, const struct sl_interval_row *interval),
                       void *context, struct sl_failure *f);

/* "main", "main+0x1c", "libc.so.6+0x2a1c0" or "0x7f..."; "primes.c:12" or NULL
 * if unknown. To be freed; NULL, too, when memory ran out. */
char *sl_saved_symbol(const struct sl_saved_place *place);
char *sl_saved_line(const struct sl_saved_place *place);

/* "primes.c:12-15": both lines if they are in one file, the smaller first; else that of `from`. */
char *sl_saved_lines(const struct sl_saved_place *from, const struct sl_saved_place *to);

#endif
