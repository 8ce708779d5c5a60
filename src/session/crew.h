/* SPDX-License-Identifier: MIT */
/* Groups side by side, on all the cores there are.
 *
 *     session   source ─► chunk ─► machine, weights, pieces ─► job ┐
 *                                                                  ▼
 *     jobs      ...────────────────────┬────┬────┬────┬────┬────┬────┐  a ring of a few
 *     groups     0 has done these ─────────────────►   1 ──────►        each at its own pace
 *
 * Each group goes through all jobs in order, in one thread at a time. Whichever thread is free
 * takes the group that is furthest behind; so does the session's when all jobs are taken, in
 * place of waiting. A group needs nothing of another, so that results are the same to the bit
 * with any number of threads.
 *
 * A source may put a chunk where its job is (sl_crew_arrays); what it has elsewhere is copied.
 * With one thread nothing is.
 *
 * What all groups look at (static facts, symbols, a machine's log) changes only when no job is
 * under way: sl_crew_wait. */
#ifndef SL_CREW_H
#define SL_CREW_H

#include <pthread.h>

#include "group.h"

#define SL_CREW_JOBS 16u

/* A chunk for all groups. */
struct sl_job {
    struct sl_chunk chunk;
    struct sl_pieces pieces;
    struct sl_exits *exits;         /* its function exits; NULL: no plan needs block pairs */
    uint64_t **weight;              /* of its blocks, by metric */
    struct sl_chunk_arrays *arrays; /* what the chunk points to; NULL: it is the source's own */
};

struct sl_crew {
    struct sl_group *group; /* the session's */
    size_t n_groups, n_weights;
    struct sl_crew_place { /* of a group */
        uint64_t done;     /* jobs */
        bool busy;
        struct sl_failure failure; /* code 0: none */
    } * place;
    struct sl_job job[SL_CREW_JOBS];
    size_t n_jobs; /* that there is room for: 1 without threads */
    uint64_t posted;
    struct sl_crew_hand { /* a thread; the first is the session's own */
        struct sl_crew *crew;
        pthread_t thread;
        struct sl_events buffer;
    } * hand;
    size_t n_hands, room_hands; /* that are there, that there is memory for */
    bool ending;
    pthread_mutex_t lock;
    pthread_cond_t more, less; /* a job was posted; a group has done one */
};

/* What jobs have room for. */
struct sl_crew_room {
    size_t n_weights;
    bool exits;
};

/* As many as were asked for, 0: as there are processors. */
unsigned sl_crew_threads(unsigned threads);

/* `threads` in all, 0: as many as there are processors, less one if something runs `beside` them,
 * as a guest does. (On two, a second thread takes from the guest, and chunks move between the
 * cores: no faster.) */
int sl_crew_open(struct sl_crew *crew, struct sl_group *group, size_t n_groups,
                 struct sl_crew_room room, unsigned threads, bool beside, struct sl_failure *f);

/* Where the next job's chunk may be put, once there is room; NULL: it need not stay. */
struct sl_chunk_arrays *sl_crew_arrays(struct sl_crew *crew);

/* The next job, to be filled: the chunk is there, in memory that stays. */
struct sl_job *sl_crew_job(struct sl_crew *crew, const struct sl_chunk *chunk);

/* It is full. An error is that of any job before. */
int sl_crew_post(struct sl_crew *crew, struct sl_failure *f);

/* Until all that was posted is done. */
void sl_crew_wait(struct sl_crew *crew);

/* The buffer of the session's own thread. */
struct sl_events *sl_crew_buffer(struct sl_crew *crew);

/* Waits, and ends the threads. The crew may be all zero. */
void sl_crew_close(struct sl_crew *crew);

#endif
