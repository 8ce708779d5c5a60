/* SPDX-License-Identifier: MIT */
/* State of a session. session_open.c opens and closes a session, session.c runs it, outcome.c
 * returns its results, live.c calls the user's callbacks during the run, and src/store saves the
 * results to a database. */
#ifndef SL_SESSION_H
#define SL_SESSION_H

#include "live.h"
#include "result.h"
#include "source.h"
#include "block_pairs.h"

/* ---- the profiler that stalls the CPU model (profiler.c) ---- */

struct sl_profiler {
    const struct sl_profile *profile;    /* NULL: there is no such profiler; calls do nothing */
    const struct sl_detector_kind *kind; /* its detector */
    struct sl_machine *machine;          /* the session's */
    struct sl_machine *unhindered;       /* the same without a profiler */
    struct sl_detector_env env;
    struct sl_selection all;
    void *detector;
    bool opened;
    struct sl_table *table; /* NULL: not open */
    struct sl_events events;
    uint8_t *operations;       /* by block of the chunk: operations on the path stack */
    uint32_t *work;            /* by block of the chunk: cycles */
    uint64_t branches, cycles; /* totals: branches processed, cycles for them */
};

/* Finds the profile whose profiler stalls the CPU model, if that has a branch queue. `machine` may
 * be NULL. Returns 0, or SL_EUSAGE if there is a queue and no profile, or several, can have it. */
int sl_profiler_choose(struct sl_profiler *profiler, struct sl_machine *machine,
                       const struct sl_profile *profile, size_t n, struct sl_failure *f);

/* Opens detector, table and the second CPU model. Returns 0, SL_ENOMEM or an error of one of them.
 * Call sl_profiler_close() in either case. */
int sl_profiler_open(struct sl_profiler *profiler, const struct sl_detector_env *env,
                     struct sl_failure *f);

/* Reads new static facts. Returns 0 or SL_ENOMEM, among others. */
int sl_profiler_sync(struct sl_profiler *profiler, struct sl_failure *f);

/* Fills `work` for a chunk; call before the CPU model runs it. Returns 0 or an error of the
 * detector or the second CPU model. */
int sl_profiler_run(struct sl_profiler *profiler, const struct sl_chunk *chunk,
                    struct sl_failure *f);

void sl_profiler_close(struct sl_profiler *profiler);

/* ---- the threads that run the groups (worker_pool.c) ---- */

#define SL_WORKER_POOL_JOBS 16u

/* A chunk, for all groups. */
struct sl_job {
    struct sl_chunk chunk;
    struct sl_pieces pieces;
    struct sl_exits *exits;         /* its function exits; NULL: no plan needs block pairs */
    uint64_t **weight;              /* of its blocks, by metric */
    struct sl_chunk_arrays *arrays; /* owns the chunk's arrays; NULL: the source owns them */
};

struct sl_worker_pool {
    struct sl_group *group; /* the session's */
    size_t n_groups, n_weights;
    struct sl_worker_pool_progress { /* progress of a group */
        uint64_t done;               /* jobs that it has run */
        bool busy;
        struct sl_failure failure; /* code 0: none */
    } * progress;
    struct sl_job job[SL_WORKER_POOL_JOBS];
    size_t n_jobs; /* in use: 1 without threads */
    uint64_t posted;
    struct sl_worker { /* a worker; the first is the session's own thread */
        struct sl_worker_pool *pool;
        pthread_t thread;
        struct sl_events buffer;
    } * worker;
    size_t n_workers, workers_capacity; /* running; allocated */
    bool ending;
    pthread_mutex_t lock;
    pthread_cond_t more, less; /* a job was posted; a group has run one */
};

/* Starts the workers: `threads` in total; 0: one per CPU, less one if another thread or process is
 * busy at the same time (`other_busy`), as a guest is. At most one per group in addition to the
 * session's own. Each job has `n_weights` arrays of weights and, if `exits`, function exits. The
 * groups must outlive the pool. Returns 0 or SL_ENOMEM; call
 * sl_worker_pool_close() in either case. */
int sl_worker_pool_open(struct sl_worker_pool *pool, struct sl_group *group, size_t n_groups,
                        size_t n_weights, bool exits, unsigned threads, bool other_busy,
                        struct sl_failure *f);

/* Arrays for the chunk of the next job; waits until a job is free. NULL: the chunk may stay in the
 * source's memory. */
struct sl_chunk_arrays *sl_worker_pool_arrays(struct sl_worker_pool *pool);

/* The next job, with `chunk` in it; the caller fills in the rest and then calls
 * sl_worker_pool_post(). */
struct sl_job *sl_worker_pool_job(struct sl_worker_pool *pool, const struct sl_chunk *chunk);

/* Posts the job; without threads, runs it. Returns 0 or an error of any group in an earlier job. */
int sl_worker_pool_post(struct sl_worker_pool *pool, struct sl_failure *f);

/* Waits until all groups have run all jobs. */
void sl_worker_pool_wait(struct sl_worker_pool *pool);

/* Waits for the jobs and ends the threads. A zeroed pool is allowed. */
void sl_worker_pool_close(struct sl_worker_pool *pool);

/* ---- a session ---- */

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
    bool finished;    /* the tables have their last events */
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

/* The i-th detector of all groups together; NULL if there are fewer. */
struct sl_detector_slot *sl_session_detector(const struct sl_session *session, size_t i);

/* The profiler that the CPU model waits for (profiler.c); `profile` is the position of its profile
 * among the results. */
struct sl_result_profiler sl_session_profiler(const struct sl_session *session);

/* True if the session has run, so that its tables can be read. */
bool sl_session_has_run(const struct sl_session *session);

/* Events that the evaluators' exact profiles dropped for lack of memory: if there are any, the
 * errors are wrong. */
uint64_t sl_session_exact_drops(const struct sl_session *session);

/* ---- the results of a profile, after the run ---- */

/* The status of the profile's table, with the storage of its detectors' hardware, and with a note
 * if results of intervals were left out for lack of memory. */
struct sl_table_status sl_profile_status(const struct sl_profile *profile);

/* An option of the profile's table as a number; NAN if the table has no option `name`. */
double sl_profile_option(const struct sl_profile *profile, const char *name);

/* The weight of all events of the profile's detectors, and the denominator of percentages, which is
 * smaller for inclusive costs. */
uint64_t sl_profile_weight(const struct sl_profile *profile);
uint64_t sl_profile_total_weight(const struct sl_profile *profile);

/* A statistic of the profile's first detector by name (sl_detector_facts.statistic); NAN if there
 * is none. */
double sl_profile_statistic(const struct sl_profile *profile, const char *name);

/* Appends the entries of the profile, or of the exact profile of its events, to a list and sorts
 * it. The latter needs an exact table or --exact. Returns false if out of memory. */
bool sl_profile_list(const struct sl_profile *profile, struct sl_profile_list *list);
bool sl_profile_exact_list(const struct sl_profile *profile, struct sl_profile_list *list);

/* The sequence of all events. Returns false if the table does not store it, or out of memory. */
bool sl_profile_sequence(const struct sl_profile *profile, struct sl_sequence *sequence);

/* The counts of machine events in each run, if there is an exact profile of them, and the errors of
 * each run, if there are several. Free with sl_readings_free(). Returns false if out of memory. */
bool sl_profile_readings(const struct sl_profile *profile, struct sl_readings *readings);

/* ---- the top entries ---- */

/* The top entries of a table, highest count first, then by tuple.
 *
 * Entries of contexts refer to those of their callers. A caller may have no weight of its own (no
 * miss, or all of its code is inlined) and be missing in the table; with `linked` it is added after
 * all others, with a count of 0. */
struct sl_top_entries {
    size_t wanted;
    bool tagged; /* only entries with `tag` in the pc, which is removed */
    uint64_t tag;
    bool linked;            /* add missing callers */
    struct sl_entry *entry; /* result; the caller frees it */
    uint64_t *intervals;    /* number of intervals in which each was a candidate; NULL, or the
                             * caller frees it */
    size_t n;
    uint64_t distinct; /* number of entries in the table, with that tag */
};

/* Fills the result from the members above. Returns 0 or SL_ENOMEM; nothing is to be freed then. */
int sl_top_entries_find(struct sl_top_entries *top, const struct sl_evaluated_table *table,
                        const struct sl_tuple_names *names, struct sl_failure *f);

#endif
