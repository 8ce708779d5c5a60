/* SPDX-License-Identifier: MIT */
/* Exact counts of <instruction, value> tuples: a small cache of recent tuples, followed by
 * tables with 1, 8 or 16 bytes per tuple.
 *
 *     event ─► cache ─► eviction lists ─┬► dense spans ───┬► carries    counts above 7 bits
 *                                       ├► compact table ─┘
 *                                       └► wide table                  prefixes without an id
 *
 *   cache            32,768 recent tuples, direct-mapped; it fits in a core's L2 cache
 *   eviction lists   tuples that left the cache, with their counts; a thread may count them
 *   dense spans      1 byte per value, for loads whose values are close together
 *   compact table    8 bytes per slot (both: value_compact.h)
 *   wide table       16 bytes per slot (value_counts.h)
 *   carries          a table as the wide one: the rest of counts that a byte or slot cannot hold
 *
 * A tuple is in the wide table from its first event on, or never. A tuple of the compact table may
 * get a position in a dense span later; sl_values_unite() then adds up the two counts. Prefixes get
 * ids as long as there are few of them compared with their tuples.
 *
 * Only the wide table is used if memory_bytes is below 64 MiB, if tuples may be spilled to disk,
 * and if the first batch has weights.
 *
 * Memory. The tables stay within memory_bytes, of which at most a quarter is reserved for carries.
 * The cache, the lists and the table of recent prefixes need 11 MB in addition, from the millionth
 * event on. When memory_bytes is used up, known tuples are still counted, and new ones if they have
 * a position in a dense span; others are dropped and counted as drops, and so is a carry that does
 * not fit (which takes millions of tuples with more than a hundred events each). The result depends
 * only on the order of the events, not on batches or threads: when memory is almost used up, events
 * are no longer counted in the cache.
 *
 * Measured on loads of bzip2 and cc1, one thread: without the cache 2x the CPU time (first 157
 * million, one run); with a simple loop in place of grouped prefetches 1.3x and 1.8x (first 60
 * million, best of four). Memory of all of bzip2 without dense spans: docs/performance.md. */
#ifndef SL_VALUES_H
#define SL_VALUES_H

#include <pthread.h>
#include <sys/types.h>

#include "value_compact.h"
#include "value_counts.h"

/* ---- cache and eviction lists: value_cache.c ----
 *
 *     slot[hash]   | value | instruction + 1 | count |        direct-mapped
 *                        │ replaced
 *                        ▼
 *     list         | value | instruction + 1 | count | ...    in order of eviction
 *
 *     ring of lists:  filled by the cache │ submitted │ submitted │ ... │ free │
 *                                             └─► counted in order, by a thread or at once
 *
 * Four of five loads of a program hit. Hits cannot be predicted, so that the code has no branch on
 * them: the slot is written in either case, and so is the evicted tuple, which the next one
 * overwrites if there was none.
 *
 * The tables mostly wait for memory and the cache does not, so that two threads gain time. The
 * cache has to know whether all evicted tuples will fit in the tables. That is computed after each
 * counted list and read when the list's position in the ring is used again: the answer depends on
 * the lists alone, not on the progress of the thread. */
#define SL_VALUE_CACHE_LOG2 15
#define SL_VALUE_CACHE_SLOTS (UINT64_C(1) << SL_VALUE_CACHE_LOG2)
#define SL_VALUE_CACHE_STEP 1024u /* events at a time */
#define SL_VALUE_CACHE_EVENTS_MAX                                               \
    (SL_VALUE_COUNT_MAX / 2) /* events before it is flushed: counts do not wrap \
                              */
#define SL_VALUE_LISTS 128u
#define SL_VALUE_LIST_FULL 4096u /* slots: submit the list to the tables */
#define SL_VALUE_LIST_CAPACITY (SL_VALUE_LIST_FULL + SL_VALUE_CACHE_STEP + 1)
#define SL_VALUES_CACHED_MAX                                                        \
    (SL_VALUE_CACHE_SLOTS +                                                         \
     SL_VALUE_LISTS * SL_VALUE_LIST_CAPACITY) /* tuples in cache and lists, at most \
                                               */

struct sl_value_list {
    size_t n;
    bool has_capacity; /* of the list that was counted in this position: its counter's answer */
    struct sl_value_slot slot[SL_VALUE_LIST_CAPACITY];
};

struct sl_value_cache {
    struct sl_value_slot slot[SL_VALUE_CACHE_SLOTS];
    struct sl_value_list *evicted; /* evicted tuples; SL_VALUE_CACHE_STEP + 1 more fit */
    uint64_t events;               /* since it was empty */
};

/* Counts up to SL_VALUE_CACHE_STEP events of weight 1, of instructions up to SL_VALUE_INSN_MAX. */
void sl_value_cache_count(struct sl_value_cache *cache, const uint32_t *tuple_id,
                          const uint64_t *value, size_t n);

/* Counts n slots. Returns true if SL_VALUES_CACHED_MAX more tuples are certain to fit. */
typedef bool sl_value_counter(void *context, const struct sl_value_slot *slot, size_t n);

struct sl_value_lists {
    sl_value_counter *count;
    void *context;
    uint64_t submitted, counted, awaited; /* lists; the cache sleeps until `awaited` are counted */
    bool threaded, ending;
    pid_t creator; /* the process that has the thread */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t more, less;
    struct sl_value_list list[SL_VALUE_LISTS];
};

/* Opens a ring of lists; if `threaded`, a thread calls `count` where one can be created. Returns
 * NULL if out of memory. */
struct sl_value_lists *sl_value_lists_open(sl_value_counter *count, void *context, bool threaded);

/* Returns the list to fill. */
struct sl_value_list *sl_value_lists_current(struct sl_value_lists *lists);

/* Submits the current list to the counter and returns the next one, empty. *has_capacity: false if
 * the evicted tuples may not all fit. */
struct sl_value_list *sl_value_lists_submit(struct sl_value_lists *lists, bool *has_capacity);

/* Waits until all submitted lists are counted. The caller may use the tables until it submits
 * another list. NULL is allowed. */
void sl_value_lists_wait(struct sl_value_lists *lists);

/* Waits, ends the thread and frees the lists. NULL is allowed. */
void sl_value_lists_close(struct sl_value_lists *lists);

/* ---- tables: value_insert.c ---- */

#define SL_VALUES_GROUP 128u /* evicted tuples whose memory is prefetched together */

/* A recent prefix, with its span. */
#define SL_VALUES_RECENT (1u << SL_VALUES_RECENT_LOG2)
#define SL_VALUES_RECENT_LOG2 11
struct sl_values_recent {
    uint64_t prefix, bytes;                       /* bytes: address of its span's bytes */
    uint32_t prefix_id, base, n_positions, shift; /* prefix_id 0: none; the rest is its span's */
};

struct sl_values {
    uint64_t memory_bytes;
    struct sl_spill *spill; /* NULL: drop new tuples when memory_bytes is used up */
    bool threaded;          /* a thread may count the eviction lists */
    bool started, plain;    /* has seen events; uses the wide table alone */
    bool full;              /* the compact table accepts no new tuple */
    bool cache_in_use;      /* the cache counts the current SL_VALUE_CACHE_STEP events */
    bool cache_closed;      /* the cache will not be used any more */
    uint64_t events;
    struct sl_value_cache *cache; /* NULL: not opened yet */
    struct sl_value_lists *lists;
    struct sl_dense dense;
    uint32_t due[SL_VALUES_GROUP]; /* prefixes whose window has ended */
    size_t n_due;
    struct sl_values_recent *recent; /* by a hash of the prefix */
    struct sl_compact compact;
    struct sl_prefixes prefixes;
    struct sl_value_counts wide, carries;
    struct sl_values_drops {
        uint64_t events, weight;
    } drops; /* without those of `wide` and `carries` */
};

/* Reserves a slot for one more tuple in the compact table. Returns false if that is impossible. */
bool sl_values_reserve_one(struct sl_values *v);

/* True if every tuple of cache and lists is certain to fit. Otherwise events have to reach the
 * tables in their own order, so that the first ones get the capacity. */
bool sl_values_have_capacity(struct sl_values *v);

/* Counts events one by one; each may be the last one that fits. */
void sl_values_count_events(struct sl_values *v, const struct sl_batch *batch);

/* Counts evicted tuples, all of which fit. */
void sl_values_count_slots(struct sl_values *v, const struct sl_value_slot *slot, size_t n);

/* Moves counts from the compact table to dense spans, so that each tuple is in one table only. */
void sl_values_unite(struct sl_values *v);

/* ---- all: values.c ---- */

/* Counts a batch. The struct must be zero before the first call, except memory_bytes, spill and
 * threaded. */
void sl_values_observe(struct sl_values *v, const struct sl_batch *batch);

/* Emits each tuple, in unspecified order, until `emit` returns false. May leave out tuples with a
 * count below *least, which `emit` may raise; returns how many. Flushes the cache and, if there are
 * spilled runs, sorts the wide table; counting may go on afterwards. */
uint64_t sl_values_drain(struct sl_values *v, const struct sl_tuple_names *names,
                         const uint64_t *least,
                         bool (*emit)(void *context, const struct sl_entry *entry), void *context);

/* Number of distinct tuples. */
uint64_t sl_values_distinct(struct sl_values *v);

/* The same without a merge of spilled runs: a tuple counts once per run that contains it. */
uint64_t sl_values_distinct_about(struct sl_values *v);

struct sl_values_drops sl_values_dropped(const struct sl_values *v);

/* Memory of the tables, without cache and lists. */
uint64_t sl_values_bytes(const struct sl_values *v);

void sl_values_close(struct sl_values *v);

#endif
