/* SPDX-License-Identifier: MIT */
/* What a hot path table is made of: see hpt.c. */
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
    uint64_t phase;         /* events of a window; 0: nobody looks for phases */
    double turnover;        /* percent, above which another phase begins */
    uint64_t entries, ways; /* what geometry says */
};

/* What the model knows of an entry. */
struct sl_hpt_account {
    uint64_t before; /* no more was lost of its tuple before it came */
    uint64_t gone;   /* lost of it since */
    uint64_t beyond; /* its count - its events; 0 where every event weighs 1 */
};

#define SL_HPT_ABSENT (UINT32_C(1) << 31)

struct sl_hpt {
    struct sl_hpt_config config;
    unsigned set_bits, turn, miss_cycles;
    uint64_t most; /* that a counter holds */
    uint64_t events, weight, drops;
    uint64_t saturated; /* weight that found its counter full */
    /* By entry; those of a set one behind the other. */
    uint64_t *count;
    struct sl_tuple *tuple;
    uint64_t *used;  /* when, in events */
    uint32_t *owner; /* 1 + the number whose place[] leads here; 0: none */
    struct sl_hpt_account *account;
    uint64_t *lost; /* by set: weight */
    /* By number: the entry it is in, or SL_HPT_ABSENT and its set. */
    uint32_t *place;
    size_t n_places, room_places;
    bool quick; /* misses of events that weigh 1 need no tuple */
    /* Entries whose tuples are still to be written, within a batch. */
    uint32_t *stale;
    size_t n_stale;
    bool *is_stale; /* by entry */
    struct sl_phases phases;
};

/* How far the second word is turned for a set of so many bits. */
unsigned sl_hpt_turn(unsigned set_bits);

/* As sl_table_kind has them. */
void sl_hpt_step(void *state, const struct sl_event *event);
uint32_t sl_hpt_delay(const void *state, const struct sl_event *event);
void sl_hpt_observe(void *state, const struct sl_batch *batch);

#endif
