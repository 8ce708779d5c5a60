/* Exact counts of tuples with values, <instruction, value>, in three tables:
 *
 *     event ─► front ─► lists ─► compact ─► carries        what a slot of 8 bytes cannot count
 *                            └─► wide                      tuples whose prefix has no number
 *
 *   front     those that came last; small, in a core's cache (value_front.h)
 *   lists     who left it; behind them all may be done by another thread (value_lists.h)
 *   compact   8 bytes a slot (value_compact.h)
 *   wide      16 bytes a slot (value_counts.h)
 *   carries   the same; a tuple of the compact table, and how much of its count is here
 *
 * A tuple is in the compact table or in the wide one, from its first event on. Numbers for prefixes are
 * given while they are few beside the tuples that have them.
 *
 * All of it is in the memory it was given, of which up to a quarter is kept for carries; beside that
 * are the front, the lists and a table of recent prefixes, 6 MB. When memory is used up, it keeps what it has:
 * known tuples go on being counted, new ones are dropped, and counted as such. What is kept depends on
 * the events and their order, not on how they came in batches: near its end everything goes past the
 * front. A carry that has no room is dropped and counted likewise; that takes millions of tuples with
 * more than a hundred events each.
 *
 * The wide table is all there is where memory is little, where what does not fit is spilled to disk
 * (value_spill.h), and where the first events have weights. */
#ifndef SL_VALUES_H
#define SL_VALUES_H

#include "value_compact.h"
#include "value_counts.h"
#include "value_front.h"

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
    struct sl_compact compact;
    struct sl_prefixes *prefixes;
    struct sl_value_counts wide, carries;
    struct sl_values_drops {
        uint64_t events, weight;
    } drops; /* but for those of these two */
};

/* All zero but memory_bytes, spill and threaded to begin with. */
void sl_values_observe(struct sl_values *v, const struct sl_batch *batch);

/* Every tuple, in no order that means something; false when `emit` had enough. What is in front goes to
 * the tables first, and where something was spilled, slots are sorted: that changes where they are and
 * nothing else. */
bool sl_values_drain(struct sl_values *v, const struct sl_names *names,
                     bool (*emit)(void *context, const struct sl_entry *entry), void *context);

/* How many it would drain. */
uint64_t sl_values_distinct(struct sl_values *v);

/* The same without merging: tuples that were spilled are counted as often as that was. */
uint64_t sl_values_distinct_about(struct sl_values *v);

/* Events that it has dropped, and their weight. */
struct sl_values_drops sl_values_dropped(const struct sl_values *v);

uint64_t sl_values_bytes(const struct sl_values *v);
void sl_values_close(struct sl_values *v);

#endif
