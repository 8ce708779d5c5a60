/* SPDX-License-Identifier: MIT */
/* A session's inside, for session.c, which runs it, session_specs.c, which makes its
 * profiles, and results.c and outcome.c, which say what came out. */
#ifndef SL_SESSION_H
#define SL_SESSION_H

#include "crew.h"
#include "live.h"
#include "profiler.h"
#include "result.h"
#include "source.h"
#include "block_pairs.h"
#include "thread_places.h"

/* CPU models that run the whole stream in addition to the session's own (several -m). Their totals
 * are saved next to its totals; no event is weighted by them, and no profiler stalls them. Zeroed:
 * there are none. */
struct sl_machines {
    struct sl_machine *machine[SL_RESULT_BESIDE_MAX];
    size_t n;
};

struct sl_session {
    struct sl_profile *profile; /* in the order given; behind them their repetitions */
    size_t n_profiles, n_runs;  /* without these, and with them */
    struct sl_group *group;
    size_t n_groups;
    struct sl_evaluation_config evaluation;
    struct sl_machine *machine; /* NULL: none */
    struct sl_machines compared;
    struct sl_profiler profiler; /* that it has to wait for, if any */
    char *range, *only, *start_at, *spill_directory;
    uint64_t memory_bytes, keep;
    uint64_t allocated_before; /* by the process, when the run began */
    size_t n_insns_checked;    /* that were known when memory was last looked at */

    const struct sl_source *source;
    struct sl_code code;
    struct sl_symbols *symbols;
    struct sl_selection selection;
    struct sl_watch watch;
    bool watching;
    bool reads_ahead; /* symbols */
    size_t n_blocks_seen, n_objects_seen;
    bool wants_functions;              /* for some table */
    struct sl_function_list functions; /* of the program: empty until they are known */

    uint64_t instructions, blocks, loads;
    struct sl_thread_places threads;
    struct sl_cutter cutter;
    struct sl_block_pairs *pairs;    /* shared by all groups; NULL: no plan needs it */
    const struct sl_metric **metric; /* by each, the blocks of a chunk are weighed once */
    size_t n_metrics;
    bool weighs;        /* some group looks at single blocks' weights */
    unsigned n_threads; /* asked for; 0: as many as processors */
    double *reading;    /* as in the configuration */
    bool reads_machine; /* some detector, what the machine did in its last chunk */
    struct sl_crew crew;
    struct sl_process *process; /* that the guest has started */
    size_t n_processes, process_room;
    struct sl_live live; /* who looks on */
    char warning[1024];
};

/* Frees the strings of a process that sl_session_add_process() has copied. */
void sl_process_free(struct sl_process *process);

/* Describes the CPU model and what it counted. Returns 0 or SL_ENOMEM; the caller frees
 * result->description. */
int sl_machine_result(const struct sl_machine *machine, struct sl_result_machine *result,
                      struct sl_failure *f);

/* What each detector of the session says to a question, until one objects. */
int sl_session_ask(const struct sl_session *session,
                   int (*ask)(const struct sl_session *session, const struct sl_detector_kind *kind,
                              struct sl_failure *f),
                   struct sl_failure *f);

/* Fills profile and group from what was asked for. */
int sl_session_read_specs(struct sl_session *session, const struct sl_session_config *config,
                          struct sl_failure *f);

/* Another table in the place of a profile's, before the session runs: one that says what that
 * would, in less time. `config` is kept. */
void sl_session_stand_in(struct sl_session *session, size_t profile,
                         const struct sl_table_kind *kind, const void *config);

/* The profiler that the CPU model waits for (profiler.h); `profile` is the position of its profile
 * among the results. */
struct sl_result_profiler sl_session_profiler(const struct sl_session *session);

/* True if the session has run, so that its tables can be read. */
bool sl_session_has_run(const struct sl_session *session);

#endif
