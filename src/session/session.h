/* A session's inside, for session.c, which runs it, session_specs.c, which makes its
 * profiles, and results.c, which says what came out. */
#ifndef SL_SESSION_H
#define SL_SESSION_H

#include "group.h"
#include "profiler.h"
#include "source.h"

struct sl_session {
    struct sl_profile_spec *spec; /* of each keep */
    struct sl_keep *profile;      /* in the order given; behind them their repetitions */
    size_t n_profiles, n_keeps;   /* without these, and with them */
    struct sl_group *group;
    size_t n_groups;
    struct sl_judging judging;
    struct sl_machine *machine; /* NULL: none */
    struct sl_profiler profiler; /* that it has to wait for, if any */
    char *range, *only;
    bool marked;
    uint64_t memory_bytes, keep;

    const struct sl_source *source;
    struct sl_code code;
    struct sl_symbols *symbols;
    struct sl_selection selection;
    struct sl_watch watch;
    bool watching;
    size_t n_blocks_seen;
    bool wants_functions; /* for some table */
    struct sl_function_list functions; /* of the program: empty until they are known */

    uint64_t instructions, blocks, loads;
    uint64_t in_window; /* instructions of the window under way */
    uint32_t *mark_depth; /* by thread */
    size_t room_mark_depth;
    bool mark_seen;
    struct sl_events buffer;
    uint64_t *weight; /* of the chunk's blocks, by the metric below */
    const struct sl_metric *weighed; /* NULL: by none yet */
    char warning[1024];
};

/* Fills spec, profile and group from what was asked for. */
int sl_session_read_specs(struct sl_session *session, const struct sl_session_config *config,
                          struct sl_failure *f);

#endif
