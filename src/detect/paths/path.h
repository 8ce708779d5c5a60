/* SPDX-License-Identifier: MIT */
/* State of the detector `path`, which counts sequences of branches. path.c opens the
 * detector, and path_feed.c processes blocks. */
#ifndef SL_PATH_H
#define SL_PATH_H

#include "ngrams.h"
#include "path_branch.h"

/* The effect of an n-gram (ngrams.h) on the paths in flight, for paths that all weigh 1.
 *
 * The n-gram is divided after each branch that does more than update, or update and replace, the
 * path on top (a call, a return). In each part
 *
 *     the path on top     gets `head` appended to its trail; it is finished if a branch of the part
 *                         replaces it
 *     further paths       begin and end within the part, and have their tuple ids in `whole`
 *     the last path       stays on top */
struct sl_path_ngram {
    _Alignas(64) uint32_t serial;
    bool usable;                            /* the effect depends on nothing but the blocks */
    bool single;                            /* one part only, which has a branch */
    uint32_t whole[SL_NGRAM_TRANSFERS - 1]; /* tuple ids, of all parts */
    struct sl_path_ngram_part {
        uint8_t head, head_bits; /* outcomes up to where the path on top ends, if it does */
        uint8_t capacity;        /* number of these outcomes, less one */
        uint8_t n_whole;
        uint8_t start; /* index of the block that the last path starts with; 0: none does */
        uint8_t trail; /* of the last path */
        uint8_t from;  /* index of the block after the last branch; 0: no branch */
        uint8_t end;   /* index of the last block of the part */
        uint32_t word; /* of the branch there (path_turn.h); 0: the last part */
    } part[SL_NGRAM_TRANSFERS + 1];
};
_Static_assert(sizeof(struct sl_path_ngram) == 128, "two cache lines");

struct sl_path {
    struct sl_path_ids ids; /* first: it begins with struct sl_detector_state */
    struct sl_path_config config;
    struct sl_path_rules rules;
    struct sl_flow flow;
    struct sl_path_turns turns;
    struct sl_path_ngram *ngram; /* by n-gram slot; NULL until a slice has n-grams */
    struct sl_path_counts ended; /* of threads that have ended */
};

struct sl_path_thread {
    struct sl_flow_thread flow;
    uint64_t current_weight; /* weight of the current block */
    struct sl_path_stack stack;
};

/* sl_detector_kind.feed. `operations`: NULL, or those of feed_timed, zeroed. */
int sl_path_feed(struct sl_path *p, const struct sl_slice *slice, struct sl_events *out,
                 uint8_t *operations, struct sl_failure *f);

/* Adds up the counts of all threads so far. `state` is the detector's. */
void sl_path_count(const void *state, struct sl_path_counts *counts);

#endif
