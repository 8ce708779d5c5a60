/* SPDX-License-Identifier: MIT */
/* State of a session. session_open.c opens and closes a session, session.c runs it, outcome.c
 * returns its results, live.c calls the user's callbacks during the run, and src/store saves the
 * results to a database. */
#ifndef SL_SESSION_H
#define SL_SESSION_H

#include "worker_pool.h"
#include "live.h"
#include "profiler.h"
#include "result.h"
#include "source.h"
#include "block_pairs.h"
#include "thread_slots.h"

struct sl_session {
    struct sl_profile *profile; /* in the order of the config, then their repetitions (--runs) */
    size_t n_profiles, n_runs;  /* without and with repetitions */
    struct sl_group *group;
    size_t n_groups;
    struct sl_evaluation_config evaluation;
    struct sl_machine *machine; /* CPU model by which events are weighted; NULL: none */
    /* All CPU models, which run the whole stream: first `machine`, then those whose totals are
     * saved for comparison (several -m). */
    struct sl_machine *machines[1 + SL_RESULT_OTHER_MACHINES_MAX];
    size_t n_machines;
    struct sl_profiler profiler; /* hardware that stalls the CPU model, if any */
    char *range, *only, *start_at, *spill_directory;
    bool default_profiles; /* the user chose no profiles */
    uint64_t memory_bytes, keep;
    uint64_t allocated_before; /* bytes of the process, at the start of the run */
    size_t n_insns_checked;    /* static instructions at the last check of memory */

    const struct sl_source *source;
    struct sl_code code;
    struct sl_symbols *symbols;
    struct sl_selection selection;
    struct sl_detector_env env;
    bool started;     /* code and symbols are open */
    bool reads_ahead; /* read symbols in a thread of their own */
    size_t n_blocks_seen, n_objects_seen;
    bool needs_functions;              /* some table counts by function */
    struct sl_function_list functions; /* of the program; empty until they are known */

    uint64_t instructions, blocks, loads;
    struct sl_thread_slots threads;
    struct sl_cutter cutter;
    struct sl_block_pairs *pairs;    /* shared by all groups; NULL: no plan needs it */
    const struct sl_metric **metric; /* in use; the blocks of a chunk are weighted once by each */
    size_t n_metrics;
    bool weighs;        /* some group reads the weights of single blocks */
    unsigned n_threads; /* as configured; 0: one per CPU */
    double *reading;    /* sl_session_config.reading */
    bool reads_machine; /* groups read what the CPU model recorded of the last chunk */
    struct sl_worker_pool pool;
    struct sl_process *process; /* that the guest started */
    size_t n_processes, process_capacity;
    struct sl_live live; /* callbacks */
    char warning[1024];
};

/* Frees the strings of a process that sl_session_add_process() has copied. */
void sl_process_free(struct sl_process *process);

/* Calls ask() for each detector of the session until it returns an error, and returns that or 0. */
int sl_session_check_detectors(const struct sl_session *session,
                               int (*ask)(const struct sl_session *session,
                                          const struct sl_detector_kind *kind,
                                          struct sl_failure *f),
                               struct sl_failure *f);

/* Replaces the table of a profile by one that gives the same results in less time (study/sweep).
 * Call before the session runs; `config` must outlive it. */
void sl_session_substitute_table(struct sl_session *session, size_t profile,
                                 const struct sl_table_kind *kind, const void *config);

/* The profiler that the CPU model waits for (profiler.h); `profile` is the position of its profile
 * among the results. */
struct sl_result_profiler sl_session_profiler(const struct sl_session *session);

/* True if the session has run, so that its tables can be read. */
bool sl_session_has_run(const struct sl_session *session);

#endif
