/* SPDX-License-Identifier: MIT */
/* Struct with the state of the hot path table (hpt.c), a set-associative table of paths. The RTL
 * generator and sweeps use this struct, too. */
#ifndef SL_HPT_H
#define SL_HPT_H

#include "phases.h"
#include "table.h"

enum sl_hpt_index { SL_HPT_XOR, SL_HPT_START };
enum sl_hpt_replacement { SL_HPT_LFU, SL_HPT_LRU, SL_HPT_AGE };

struct sl_hpt_config {
    char geometry[24];
    unsigned index, replacement; /* the enums above */
    uint64_t counter;
    uint64_t phase;         /* events of a window; 0: no phase detection */
    double turnover;        /* percent; a larger turnover starts a new phase */
    uint64_t entries, ways; /* parsed from geometry */
};

/* Bounds of an entry: known to the model, not part of the hardware. */
struct sl_hpt_account {
    uint64_t before; /* at most this weight of the tuple was lost before the entry was made */
    uint64_t since;  /* weight of the tuple that was lost since */
    uint64_t beyond; /* count - number of events; 0 if every event weighs 1 */
};

#define SL_HPT_ABSENT (UINT32_C(1) << 31)

struct sl_hpt {
    struct sl_hpt_config config;
    unsigned set_bits, rotation, miss_cycles;
    uint64_t most; /* maximum of a counter */
    uint64_t events, weight, drops;
    uint64_t saturated; /* weight lost in saturated counters */
    /* By entry; the entries of a set are consecutive. */
    uint64_t *count;
    struct sl_tuple *tuple;
    uint64_t *used;  /* number of events at the last use */
    uint32_t *owner; /* 1 + the tuple id whose entry_of[] refers to the entry; 0: none */
    struct sl_hpt_account *account;
    uint64_t *lost; /* by set: weight */
    /* By tuple id: the entry of the tuple, or SL_HPT_ABSENT and its set. */
    uint32_t *entry_of;
    size_t n_entries_of, entries_of_capacity;
    bool fast_miss; /* misses of weight 1 do not read the tuple */
    struct sl_phases phases;
};

/* Rotation r of the set index (hpt.c) for an index of `set_bits` bits. */
unsigned sl_hpt_rotation(unsigned set_bits);

/* Members of sl_table_hpt. */
void sl_hpt_step(void *state, const struct sl_event *event);
uint32_t sl_hpt_delay(const void *state, const struct sl_event *event);
void sl_hpt_observe(void *state, const struct sl_batch *batch);

#endif
