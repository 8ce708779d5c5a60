/* SPDX-License-Identifier: MIT */
/* A feed: detectors that watch the stream and what they give, batch by batch, to
 * the tables behind it. Profiles with the same detectors, options and metrics share
 * one feed.
 *
 * Several detectors in one feed: their events come in the order in which the
 * program caused them. Each tuple gets a number of the feed's own, and the
 * detector's place in the spec is a tag in the highest byte of the pc (programs
 * have no addresses there), so that tables tell the tuples apart without knowing
 * of it: the tag is part of what is hashed and of what is sent. */
#ifndef SL_FEED_H
#define SL_FEED_H

#include "detector.h"
#include "spec.h"

#define SL_TAG_SHIFT 56
#define SL_TAG_PC ((UINT64_C(1) << SL_TAG_SHIFT) - 1) /* the pc without it */

/* Times of events in cycles of the CPU model, for tables that model queues or clocked hardware.
 *
 * The CPU model reports the cycles of each block. The events of a block are spread evenly over its
 * cycles, the last one at its end; an event that a detector held back gets the time at which it is
 * emitted. Times never decrease, and none is 0. */
struct sl_feed_clock {
    size_t cycles;   /* 1 + index of the cycles of blocks in sl_feed.weight; 0: no clock */
    uint64_t now;    /* end of the current chunk */
    uint64_t last;   /* the last time that was given to an event */
    uint64_t *end;   /* end[i]: end of the first i blocks of the chunk */
    uint64_t *time;  /* of the events of a batch */
    uint32_t *place; /* sl_events.place of a detector that is alone */
};

struct sl_member {
    const struct sl_detector_kind *kind;
    const void *config;
    const struct sl_metric *metric;
    size_t weights; /* what blocks weigh by it: 1 + the place in sl_feed.weight; 0: they count 1 */
    void *state;
    bool opened;
    bool *thread_joined; /* by thread: its last slice was fed and nothing left out since */
    size_t room_threads;
    uint64_t events, weight; /* that it gave */
    /* One of several: */
    struct sl_events buffer;
    uint32_t *number; /* the feed's numbers, by the detector's */
    size_t n_numbers, room_numbers;
};

struct sl_feed {
    struct sl_member member[SL_SPEC_DETECTORS];
    size_t n_members;
    const char *text;         /* sl_profile_spec.detecting */
    struct sl_events *buffer; /* whoever runs it sets it: room for SL_EVENTS_MAX events */
    uint64_t *const *weight;  /* likewise: of the chunk's blocks, by the session's metrics */
    struct sl_feed_clock clock;
    bool keeps_parts;           /* some table keeps what weights are made of */
    uint64_t (*part)[SL_PARTS]; /* of the events in the buffer; NULL: nobody keeps them */
    /* Of several members: */
    struct sl_events merged;
    struct sl_member *order[SL_SPEC_DETECTORS]; /* by turn */
    bool static_words;                          /* no member's events bring values along */
    bool weights;                               /* some member's events have weights */
    uint64_t *pc, *value; /* by the feed's numbers; tags included; values of static words */
    size_t n_names, room_pcs, room_values;
    void (*emit)(void *context, const struct sl_batch *batch);
    void *context;
};

/* The spec stays: the feed refers to it. */
void sl_feed_prepare(struct sl_feed *feed, const struct sl_profile_spec *spec);

int sl_feed_open(struct sl_feed *feed, const struct sl_watch *watch, struct sl_failure *f);

/* New static facts. */
int sl_feed_sync(struct sl_feed *feed, struct sl_failure *f);

/* The most blocks that a slice may have: so many whose events surely have room. */
uint32_t sl_feed_blocks_max(const struct sl_feed *feed);

/* Another chunk, before its slices, while `weight` is its. */
void sl_feed_chunk(struct sl_feed *feed, uint32_t n_blocks);

/* Runs a slice through the detectors and gives what they made of it. */
int sl_feed_slice(struct sl_feed *feed, const struct sl_slice *slice, struct sl_failure *f);

/* The thread has ended: gives what they held back of it, and keeps nothing of it. */
int sl_feed_end_thread(struct sl_feed *feed, uint32_t thread, struct sl_failure *f);

/* Gives what the detectors held back. */
int sl_feed_finish(struct sl_feed *feed, struct sl_failure *f);

/* What the numbers of its batches stand for. */
void sl_feed_names(const struct sl_feed *feed, struct sl_names *names);

void sl_feed_close(struct sl_feed *feed);

#endif
