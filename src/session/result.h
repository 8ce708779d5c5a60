/* SPDX-License-Identifier: MIT */
/* Results of a session, as structs that src/store writes to the database. */
#ifndef SL_RESULT_H
#define SL_RESULT_H

#include <math.h>

#include "evaluated_table.h"
#include "phases.h"
#include "subpath.h"
#include "statics.h"

/* The sequence of all events of a table, and its hot subpaths (result_sequence.c). */
struct sl_result_sequence {
    struct sl_sequence all;
    uint8_t *member; /* by symbol: index of its detector; NULL: there is one detector */
    struct sl_subpaths subpaths;
    uint32_t *symbol; /* the symbols that occur in the subpaths, in ascending order */
    size_t n_symbols;
    const char *unit; /* of their weights: "instructions", "events" or the metric */
};

/* A hot path of a phase. `member` is the index of its detector among those of the table. */
struct sl_result_phase_path {
    size_t phase, member;
    struct sl_phase_path is;
};

/* The results of one detector of a profile. Detectors that share a table have consecutive results
 * with the same spec and status. */
struct sl_result_profile {
    const char *spec;                        /* with all options */
    const char *given;                       /* as the user wrote it */
    const struct sl_detector_kind *detector; /* says what the entries are */
    const char *metric;                      /* "count", ... */
    const char *table;                       /* "exact", ... */
    const char *notation;                    /* of the table, without options; NULL: its name */
    /* The detector of the spec and its options: the source of the events, which may differ from
     * `detector` (tables by function). NULL: unknown; the same for the table's options. */
    const struct sl_detector_kind *asked;
    const void *config;
    const struct sl_option *table_options;
    const struct sl_option
        *table_written; /* options that the notation contains; NULL: no notation */
    const void *table_config;
    size_t source;     /* id of the group: equal for profiles of the same events */
    size_t first;      /* index in sl_results.profile of the first result of this table */
    bool shared;       /* several detectors share the table */
    uint64_t events;   /* of the detector */
    uint64_t weight;   /* their sum */
    uint64_t distinct; /* its tuples in the table */
    struct sl_table_status status;      /* of the whole table */
    const struct sl_named_value *error; /* measured against the exact profile */
    size_t n_errors;
    const struct sl_curve_point *curve; /* the headline error over the run */
    size_t n_points;
    const struct sl_interval_row *interval; /* in order */
    size_t n_intervals;
    const struct sl_interval_candidate
        *candidate; /* by interval, highest count first; may be truncated */
    size_t n_candidates;
    const struct sl_entry *entry; /* highest count first, then by pc and value */
    const uint64_t
        *entry_intervals; /* number of intervals in which each was a candidate, or NULL */
    size_t n_entries;     /* to save, of the `distinct` ones */
    /* NULL if the table does not store the sequence, and in all but the first result of a table. */
    const struct sl_result_sequence *sequence;
    const struct sl_parameter *parameter; /* register settings of the hardware */
    size_t n_parameters;
    const struct sl_reading *reading; /* by run and number */
    size_t n_readings;
    const struct sl_run_error *run_error; /* by run, from 0; none if there is only one run */
    size_t n_run_errors;
    const struct sl_phase *phase; /* that the table detected */
    size_t n_phases;
    const struct sl_result_phase_path *phase_path;
    size_t n_phase_paths;
};

/* The profiler in hardware that stalls the CPU model (profiler.c). */
struct sl_result_profiler {
    size_t profile;          /* its index in sl_results.profile */
    uint64_t queue;          /* entries */
    uint64_t branches, work; /* branches that it processed, and its cycles for them */
    uint64_t cycles_without; /* of the CPU model without it */
};

/* Its overhead: the relative increase of the run's cycles. NAN if the run had none. */
static inline double sl_profiler_overhead(const struct sl_result_profiler *profiler,
                                          uint64_t cycles)
{
    double without = (double)profiler->cycles_without;
    return without > 0 ? ((double)cycles - without) / without : (double)NAN;
}

#define SL_RESULT_OTHER_MACHINES_MAX \
    7u /* CPU models after the first; a report of all fits on a screen */

/* A CPU model and its totals. */
struct sl_result_machine {
    const char *name;        /* as the user wrote it: "ss4,l2.size=2M" */
    const char *description; /* all keys with their values, one per line */
    const uint64_t *total;   /* by enum sl_machine_event */
    double energy_factor;    /* correction of energy for stalls; NAN: none */
    bool energy_extrapolated;
    const struct sl_result_profiler *profiler; /* NULL: none */
};

struct sl_results {
    const struct sl_statics *statics;
    const struct sl_code *code;    /* the decoded blocks; NULL is allowed without path profiles */
    struct sl_symbols *symbols;    /* NULL: none */
    uint64_t instructions, blocks; /* of the whole run */
    uint64_t loads;                /* that were sampled */
    struct sl_load_sampling load_sampling; /* load sampling; .of 0 or 1: all loads */
    const char *range, *only, *start_at;   /* selection as given, or NULL */
    bool default_profiles;                 /* the user chose no profiles */
    bool marked;
    uint64_t skip, limit;                    /* range of the run, in instructions; 0: no limit */
    const char *warning;                     /* or "" */
    const struct sl_result_machine *machine; /* NULL: none */
    const struct sl_result_machine *other_machines; /* further CPU models */
    size_t n_other_machines;
    const struct sl_result_profile *profile;
    size_t n_profiles;
    const struct sl_process *process; /* in order of their start */
    size_t n_processes;
};

/* Finds the hot subpaths of a profile's sequence `all`; the rest of `profile` is filled in already.
 * tag_shift: the bits of a pc from there on are the index of the tuple's detector among those that
 * share the table; 0: there is one detector. Returns NULL if out of memory; free the result with
 * sl_result_sequence_free(), before `all`. */
struct sl_result_sequence *sl_result_sequence(const struct sl_sequence *all,
                                              const struct sl_result_profile *profile,
                                              unsigned tag_shift, const struct sl_code *code);
void sl_result_sequence_free(struct sl_result_sequence *sequence);

#endif
