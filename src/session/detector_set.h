/* SPDX-License-Identifier: MIT */
/* Detector set: the detectors of a group of profiles. The set produces one batch of events for each
 * slice of the executed blocks (slices.c).
 *
 * If a set has several detectors (edge+value), their events are merged in program order. Each tuple
 * gets an id of the set, and the index of its detector is a tag in the highest byte of the pc,
 * where programs have no addresses. Tables treat the tag as a part of the pc. */
#ifndef SL_DETECTOR_SET_H
#define SL_DETECTOR_SET_H

#include "spec.h"

#define SL_TAG_SHIFT 56
#define SL_TAG_PC ((UINT64_C(1) << SL_TAG_SHIFT) - 1) /* the pc without the tag */

/* Times of events in cycles of the CPU model, for tables that model queues or clocked hardware.
 *
 * The CPU model reports the cycles of each block. The events of a block are spread evenly over its
 * cycles, the last one at its end; an event that a detector held back gets the time at which it is
 * emitted. Times never decrease, and none is 0. */
struct sl_detector_set_clock {
    size_t cycles;   /* 1 + index of the cycles of blocks in sl_detector_set.weight; 0: no clock */
    uint64_t now;    /* end of the current chunk */
    uint64_t last;   /* time of the last event */
    uint64_t *end;   /* end[i]: end of the first i blocks of the chunk */
    uint64_t *time;  /* of the events of a batch */
    uint32_t *place; /* sl_events.place of the only detector of a set */
};

struct sl_detector_slot {
    const struct sl_detector_kind *kind;
    const void *config;
    const struct sl_metric *metric;
    size_t weights; /* 1 + index of the weights of blocks in sl_detector_set.weight; 0: all are 1 */
    void *state;
    bool opened;
    bool *thread_joined; /* by thread: the detector has got the thread's last slice */
    size_t threads_capacity;
    uint64_t events, weight; /* emitted so far */
    /* Only if there are several detectors: */
    struct sl_events buffer;
    uint32_t *tuple_id; /* the set's tuple ids, by the detector's own */
    size_t n_tuple_ids, tuple_ids_capacity;
};

struct sl_detector_set {
    struct sl_detector_slot member[SL_SPEC_DETECTORS];
    size_t n_members;
    const char *text;         /* sl_profile_spec.detecting */
    struct sl_events *buffer; /* set by the group: capacity of SL_EVENTS_MAX events */
    uint64_t *const *weight;  /* set by the group: weights of the chunk's blocks, by metric */
    struct sl_detector_set_clock clock;
    bool keeps_parts;           /* some table stores the components of weights */
    uint64_t (*part)[SL_PARTS]; /* components of the events in the buffer; NULL: not needed */
    /* Only if there are several detectors: */
    struct sl_events merged;
    struct sl_detector_slot *order[SL_SPEC_DETECTORS]; /* order of their events within a block */
    bool static_words;                                 /* no detector's events carry values */
    bool weights;                                      /* some detector's events have weights */
    uint64_t *pc,
        *value; /* by the set's tuple ids: the tuples, with tags; values of static tuples */
    size_t n_names, pcs_capacity, values_capacity;
    void (*emit)(void *context,
                 const struct sl_batch *batch); /* gets each batch that is not empty */
    void *context;
};

/* Allocates the arrays for n events, with sl_events.place if `places`. Returns false if out of
 * memory. Call sl_events_free() in either case. */
bool sl_events_allocate(struct sl_events *events, size_t n, bool places);
void sl_events_free(struct sl_events *events);

/* Sets the detectors. The spec must outlive the set. */
void sl_detector_set_prepare(struct sl_detector_set *set, const struct sl_profile_spec *spec);

/* Opens the detectors; `emit` and `clock.cycles` are set. Returns 0, SL_ENOMEM or what a detector's
 * init returns. Call sl_detector_set_close() in either case. */
int sl_detector_set_open(struct sl_detector_set *set, const struct sl_detector_env *env,
                         struct sl_failure *f);

/* Lets the detectors read new static facts. Returns 0 or an error of a detector. */
int sl_detector_set_sync(struct sl_detector_set *set, struct sl_failure *f);

/* The largest number of blocks of a slice, so that its events fit into the buffer. */
uint32_t sl_detector_set_blocks_max(const struct sl_detector_set *set);

/* Starts a chunk, before its slices; `weight` is set. */
void sl_detector_set_chunk(struct sl_detector_set *set, uint32_t n_blocks);

/* Feeds a slice to the detectors and emits their events. Returns 0 or an error of a detector. */
int sl_detector_set_slice(struct sl_detector_set *set, const struct sl_slice *slice,
                          struct sl_failure *f);

/* Emits the events that the detectors held back: those of an ended thread, whose state is freed, or
 * all of them if `thread` is NULL. Returns 0 or SL_ENOMEM. */
int sl_detector_set_flush(struct sl_detector_set *set, const uint32_t *thread,
                          struct sl_failure *f);

/* The tuples of the ids in its batches; valid until the next call with a slice. */
void sl_detector_set_names(const struct sl_detector_set *set, struct sl_tuple_names *names);

void sl_detector_set_close(struct sl_detector_set *set);

#endif
