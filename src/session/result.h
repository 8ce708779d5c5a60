/* SPDX-License-Identifier: MIT */
/* What a session found, as it is written to the database. */
#ifndef SL_RESULT_H
#define SL_RESULT_H

#include <math.h>

#include "evaluated_table.h"
#include "phases.h"
#include "subpath.h"
#include "sluice.h"
#include "statics.h"

/* All events of a table in order, and what is hot in it (result_sequence.c). */
struct sl_result_sequence {
    struct sl_sequence all;
    uint8_t *member; /* by symbol: the place of its detector among several; NULL: there is one */
    struct sl_subpaths subpaths;
    uint32_t *told; /* the symbols that are in them, in ascending order */
    size_t n_told;
    const char *unit; /* what they are weighed by: "instructions", "events" or the metric */
};

/* A hot path of a phase: of the member-th profile with entries in the same table. */
struct sl_result_phase_path {
    size_t phase, member;
    struct sl_phase_path is;
};

/* A detector's part of a profile. Several detectors that share a table give a
 * result each, with the same spec and the same status, one behind the other. */
struct sl_result_profile {
    const char *spec;                        /* with every option, as resolved */
    const char *given;                       /* as the user wrote it */
    const struct sl_detector_kind *detector; /* what its entries are */
    const char *metric;                      /* "count", ... */
    const char *table;                       /* "exact", ... */
    const char *notation; /* the table as it is written, without options; NULL: by its name */
    /* What was asked for, and with which options: whose events the table was given, which need
     * not be what it keeps. NULL: not known, as are a table's. */
    const struct sl_detector_kind *asked;
    const void *config;
    const struct sl_option *table_options;
    const struct sl_option *table_written; /* what its notation says; NULL: it has none */
    const void *table_config;
    size_t source;     /* profiles with the same were given the same events */
    size_t first;      /* place in sl_results.profile of the first that has this table */
    bool shared;       /* others have entries in the same table */
    uint64_t events;   /* that the detector gave to the table */
    uint64_t weight;   /* their sum */
    uint64_t distinct; /* its tuples that the table holds */
    struct sl_table_status status; /* of the whole table */
    const struct sl_figure *error; /* measured against the exact profile */
    size_t n_errors;
    const struct sl_curve_point *curve; /* the error as it evolved */
    size_t n_points;
    const struct sl_interval_row *interval; /* in order */
    size_t n_intervals;
    const struct sl_interval_candidate *candidate; /* by interval, heaviest first; may be cut */
    size_t n_candidates;
    const struct sl_entry *entry;    /* highest count first, then by pc and value */
    const uint64_t *entry_intervals; /* in how many intervals each was a candidate, or NULL */
    size_t n_entries;                /* of the `distinct` ones, those to be saved */
    /* Where the table keeps the order; NULL otherwise, and in all results of a shared table
     * but the first. */
    const struct sl_result_sequence *sequence;
    const struct sl_parameter *parameter; /* what hardware is to be set to */
    size_t n_parameters;
    const struct sl_reading *reading; /* by run and number */
    size_t n_readings;
    const struct sl_run_error *run_error; /* by run, from 0 on; none if there is one run */
    size_t n_run_errors;
    const struct sl_phase *phase; /* of the run, if its table sees any */
    size_t n_phases;
    const struct sl_result_phase_path *phase_path;
    size_t n_phase_paths;
};

/* A profiler whose branch queue the machine had to wait for. */
struct sl_result_profiler {
    size_t profile;          /* whose it is: a place in sl_results.profile */
    uint64_t queue;          /* entries */
    uint64_t branches, work; /* that it looked at, and the cycles that it took for them */
    uint64_t cycles_without; /* that the machine takes without it */
};

/* What it costs: the share by which the run takes longer. NAN of no run. */
static inline double sl_profiler_overhead(const struct sl_result_profiler *profiler,
                                          uint64_t cycles)
{
    double without = (double)profiler->cycles_without;
    return without > 0 ? ((double)cycles - without) / without : (double)NAN;
}

#define SL_RESULT_BESIDE_MAX 7u /* machines beside it: a table with all of them fits a screen */

/* The machine that was modelled along. */
struct sl_result_machine {
    const char *name;        /* as it was given: "ss4,l2.size=2M" */
    const char *description; /* every key, resolved, a line each */
    const uint64_t *total;   /* by enum sl_happening */
    double energy_factor;    /* that corrects energy for stalls; NAN: none does */
    bool energy_extrapolated;
    const struct sl_result_profiler *profiler; /* NULL: none */
};

struct sl_results {
    const struct sl_statics *statics;
    const struct sl_code *code;    /* the same, decoded; NULL will do if no profile is of paths */
    struct sl_symbols *symbols;    /* of these, as far as they are known; NULL: nobody has any */
    uint64_t instructions, blocks; /* events of the whole run */
    uint64_t loads;                /* those that were watched */
    struct sl_stretches stretches; /* in these; of 0 or 1: everywhere */
    const char *range, *only, *start_at; /* selection as given, or NULL */
    bool marked;
    uint64_t skip, limit; /* instructions left out, and counted at most; 0: none, all */
    const char *warning;  /* of the source: "" or a sentence */
    const struct sl_result_machine *machine; /* NULL: none */
    const struct sl_result_machine *beside;  /* others that ran the same */
    size_t n_beside;
    const struct sl_result_profile *profile;
    size_t n_profiles;
    const struct sl_process *process; /* by their numbers, and those by time */
    size_t n_processes;
};

struct sl_code;

/* Finds the hot subpaths of a profile's sequence `all`; the rest of `profile` is filled in already.
 * tag_shift: the bits of a pc from there on are the index of the tuple's detector among those that
 * share the table; 0: there is one detector. Returns NULL if out of memory; free the result with
 * sl_result_sequence_free(), before `all`. */
struct sl_result_sequence *sl_result_sequence(const struct sl_sequence *all,
                                              const struct sl_result_profile *profile,
                                              unsigned tag_shift, const struct sl_code *code);
void sl_result_sequence_free(struct sl_result_sequence *sequence);

#endif
