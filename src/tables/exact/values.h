/* SPDX-License-Identifier: MIT */
/* Exact counts of tuples with values, <instruction, value>, in several tables:
 *
 *     event ─► front ─► lists ─┬► dense ──┬► carries      what a byte or a slot of 8 bytes cannot
 *                                                         count
 *                              ├► compact ┘
 *                              └► wide                    tuples whose prefix has no number
 *
 *   front     those that came last; small, in a core's cache (value_front.h)
 *   lists     who left it; behind them all may be done by another thread (value_lists.h)
 *   dense     a byte each, for values of a load that are close together (value_dense.h)
 *   compact   8 bytes a slot (value_compact.h)
 *   wide      16 bytes a slot (value_counts.h)
 *   carries   the same; a tuple of the dense or the compact ones, and how much of its count is here
 *
 * A tuple is in the wide table from its first event on, or never. It may be in the compact one when
 * it gets a place among the dense; both are added up at times. Numbers for prefixes are given while
 * they are few beside the tuples that have them.
 *
 * All of it is in the memory it was given, of which up to a quarter is kept for carries; beside
 * that are the front, the lists and a table of recent prefixes, 11 MB. When memory is used up, it
 * keeps what it has: known tuples go on being counted, and new ones that have a place among the
 * dense; others are dropped, and counted as such. What is kept depends on the events and their
 * order, not on how they came in batches: near its end everything goes past the front. A carry that
 * has no room is dropped and counted likewise; that takes millions of tuples with more than a
 * hundred events each.
 *
 * The wide table is all there is where memory is little, where what does not fit is spilled to disk
 * (value_spill.h), and where the first events have weights. */
#ifndef SL_VALUES_H
#define SL_VALUES_H

#include "value_compact.h"
#include "value_counts.h"
#include "value_dense.h"
#include "value_front.h"

#define SL_VALUES_TOGETHER 128u /* slots of the front, that are counted together */

/* What is known of a prefix that came lately. */
#define SL_VALUES_RECENT (1u << SL_VALUES_RECENT_LOG2)
#define SL_VALUES_RECENT_LOG2 11
struct sl_values_recent {
    uint64_t prefix, bytes;                 /* where its span's are */
    uint32_t number, base, n_places, shift; /* its number, 0: none; what its span has */
};

struct sl_values {
    uint64_t memory_bytes;
    struct sl_spill *spill; /* NULL: what does not fit is dropped */
    bool threaded;          /* a thread of its own may count what left the front */
    bool begun, plain;      /* it has seen events; it is the wide table alone */
    bool full;              /* the compact table takes nobody else */
    bool in_front;          /* events of this step are counted there */
    bool front_closed;      /* and none will be any more */
    uint64_t events;
    struct sl_value_front *front;
    struct sl_value_lists *lists; /* between the front and the tables */
    struct sl_dense dense;
    uint32_t considered[SL_VALUES_TOGETHER]; /* prefixes that may get a span */
    size_t n_considered;
    struct sl_values_recent *recent; /* by a hash of the prefix */
    struct sl_compact compact;
    struct sl_prefixes *prefixes;
    struct sl_value_counts wide, carries;
    struct sl_values_drops {
        uint64_t events, weight;
    } drops; /* but for those of these two */
};

/* All zero but memory_bytes, spill and threaded to begin with. */
void sl_values_observe(struct sl_values *v, const struct sl_batch *batch);

/* Every tuple, in no order that means something, until `emit` has enough; but many of those with a
 * count below *least, which may rise on the way, are left out: how many. What is in front goes to
 * the tables first, and where something was spilled, slots are sorted: that changes where they are
 * and nothing else. */
uint64_t sl_values_drain(struct sl_values *v, const struct sl_names *names, const uint64_t *least,
                         bool (*emit)(void *context, const struct sl_entry *entry), void *context);

/* How many it would drain. */
uint64_t sl_values_distinct(struct sl_values *v);

/* The same without merging: tuples that were spilled are counted as often as that was. */
uint64_t sl_values_distinct_about(struct sl_values *v);

/* Events that it has dropped, and their weight. */
struct sl_values_drops sl_values_dropped(const struct sl_values *v);

uint64_t sl_values_bytes(const struct sl_values *v);
/* What its thread was to do is done. */
void sl_values_rest(struct sl_values *values);

void sl_values_close(struct sl_values *v);

#endif
