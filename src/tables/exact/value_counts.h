/* SPDX-License-Identifier: MIT */
/* Wide value table: a growing hash table of <instruction, value> counts with 16 bytes per slot. It
 * can spill to disk.
 *
 *     slot:  | value (64) | instruction + 1 (24) | count (40) |
 *
 * Layout. A tuple's home is its hash as a fraction of the table: hash h (64 bits), n slots: slot
 * h * n / 2^64. Collisions use linear probing. Slots are therefore almost in hash order, the table
 * may have any size, and growing copies it in one sequential pass:
 *
 *     old    | a . b c . d |
 *     larger | a . . b c . . . d . |
 *
 * The old table is freed in parts during the pass, so that peak memory is little more than one
 * table. It grows by half (a small one doubles) when 3/4 of the slots are used: 21 to 32 bytes per
 * tuple.
 *
 * Limits. Counts above 40 bits continue in a short list (`carry`). Instruction ids above 2^24 - 2
 * are dropped.
 *
 * Hostile input. The program chooses its values and the hash is public, so that it could make all
 * tuples collide. If a tuple would be stored more than 1,024 slots from its home, the table is
 * rehashed with a random key.
 *
 * Out of memory. Without a spill directory, known tuples are still counted, and new ones are
 * dropped and reported as drops. With one, the table is sorted, written to disk as a run, and
 * emptied; if the write fails, the table behaves as without a directory. The result depends on the
 * order of the events, not on their division into batches. */
#ifndef SL_VALUE_COUNTS_H
#define SL_VALUE_COUNTS_H

#include "table.h"

#define SL_VALUE_COUNT_BITS 40
#define SL_VALUE_COUNT_MAX ((UINT64_C(1) << SL_VALUE_COUNT_BITS) - 1)
#define SL_VALUE_INSN_MAX ((UINT32_C(1) << 24) - 2)

struct sl_value_slot {
    uint64_t value, packed; /* packed is 0 in an empty slot */
};

static inline uint32_t sl_value_insn(const struct sl_value_slot *s)
{
    return (uint32_t)(s->packed >> SL_VALUE_COUNT_BITS) - 1;
}

static inline uint64_t sl_value_count(const struct sl_value_slot *s)
{
    return s->packed & SL_VALUE_COUNT_MAX;
}

static inline void sl_value_set_count(struct sl_value_slot *s, uint64_t count)
{
    s->packed = (s->packed & ~SL_VALUE_COUNT_MAX) | count;
}

/* The top bits of the product, which select the home, depend on all input bits. (Doubles often
 * differ only in their high bits.) */
static inline uint64_t sl_value_hash(uint32_t insn, uint64_t value)
{
    return (value ^ (uint64_t)insn << 40 ^ insn) * UINT64_C(0x9e3779b97f4a7c15);
}

/* ---- spilled runs: value_spill.c ----
 *
 *     file:  | run 0: slots | run 1: slots | ... |      each sorted by hash, no tuple twice
 *
 * A tuple may be in several runs; a merge adds its counts. When SL_SPILL_RUNS runs exist, they are
 * merged into one, in a new file. The file has no name, so that nothing is left on disk however the
 * process ends. After a failed write, all earlier runs stay readable. */
#define SL_SPILL_RUNS 64u

struct sl_spill_run {
    uint64_t first, n; /* in slots, from the start of the file */
};

struct sl_spill {
    const char *directory; /* NULL: spilling is off */
    int file;              /* valid if n_runs > 0 */
    struct sl_spill_run run[SL_SPILL_RUNS];
    size_t n_runs;
    uint64_t n_slots; /* in all runs */
    int error;        /* errno of the first failed write or read; 0: none */
};

/* Receives a tuple and its total count. Returns false to stop. */
typedef bool sl_spill_sink(void *context, const struct sl_value_slot *tuple, uint64_t count);

/* Sorts slots in place, by hash, then by instruction and value. */
void sl_spill_sort(struct sl_value_slot *slot, uint64_t n);

/* Appends a run of n sorted slots. Returns false if there are SL_SPILL_RUNS already, or if the
 * write fails, which sets `error`. */
bool sl_spill_add(struct sl_spill *spill, const struct sl_value_slot *slot, uint64_t n);

/* Merges all runs into one if there are SL_SPILL_RUNS. `buffer` has at least 2 * SL_SPILL_RUNS
 * slots. Calls `carry` for each tuple whose count does not fit in a slot. Returns false with
 * `error` set if the file cannot be written or read. */
bool sl_spill_compact_runs(struct sl_spill *spill, struct sl_value_slot *buffer, uint64_t n_buffer,
                           sl_spill_sink *carry, void *context);

/* Calls `take` once for each tuple of all runs and of n sorted slots. Returns false if `take`
 * stopped, or if a run cannot be read, which sets `error`. */
bool sl_spill_merge(struct sl_spill *spill, const struct sl_value_slot *slot, uint64_t n,
                    struct sl_value_slot *buffer, uint64_t n_buffer, sl_spill_sink *take,
                    void *context);

void sl_spill_close(struct sl_spill *spill);

/* Returns 0 if files can be created in the directory, else an errno. */
int sl_spill_try(const char *directory);

/* ---- the table: value_counts.c ---- */

struct sl_value_counts {
    uint64_t memory_bytes;
    struct sl_spill *spill; /* NULL: drop new tuples when memory_bytes is used up */
    bool is_sorted;         /* slot[0 .. n_used - 1] is sorted, and no hash table at present */
    struct sl_value_slot *slot;
    uint64_t n_slots, n_used;
    uint64_t n_most; /* grow when n_used reaches this */
    uint64_t secret; /* hash key; 0: the public hash */
    unsigned n_secrets;
    struct sl_entry *carry; /* tuple.pc is the instruction id */
    size_t n_carries, carries_capacity;
    bool full;
    uint64_t drops, drops_weight;
};

/* Counts a batch. The struct must be zero before the first call, except memory_bytes and spill. */
void sl_value_counts_observe(struct sl_value_counts *c, const struct sl_batch *batch);

/* Adds `times` events of one tuple, of `weight` in total. */
void sl_value_counts_add(struct sl_value_counts *c, uint32_t insn, uint64_t value, uint64_t times,
                         uint64_t weight);

/* True if n new tuples are certain to fit. */
bool sl_value_counts_have_capacity(const struct sl_value_counts *c, uint64_t n);

/* For tables without spilled runs: true if the tuple is in the table; its count, or 0. */
bool sl_value_counts_find(const struct sl_value_counts *c, uint32_t insn, uint64_t value);
uint64_t sl_value_counts_of(const struct sl_value_counts *c, uint32_t insn, uint64_t value);

/* Emits each tuple once, in unspecified order. Returns false if `emit` stopped. Sorts the slots if
 * there are spilled runs. Counting may go on afterwards. */
bool sl_value_counts_drain(struct sl_value_counts *c, const struct sl_tuple_names *names,
                           bool (*emit)(void *context, const struct sl_entry *entry),
                           void *context);

/* Number of tuples that sl_value_counts_drain() emits. Merges spilled runs. */
uint64_t sl_value_counts_distinct(struct sl_value_counts *c);

uint64_t sl_value_counts_bytes(const struct sl_value_counts *c);
void sl_value_counts_close(struct sl_value_counts *c);

#endif
