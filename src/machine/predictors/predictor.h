/* SPDX-License-Identifier: MIT */
/* Branch prediction as a pipeline sees it: directions (direction.h), targets (btb.h)
 * and returns (return_stack.h) behind one call for each retired branch. */
#ifndef SL_PREDICTOR_H
#define SL_PREDICTOR_H

#include "btb.h"
#include "direction.h"
#include "isa.h"
#include "return_stack.h"

struct sl_predictor_config {
    struct sl_direction_config direction; /* sl_direction_options,    section `bpred` */
    struct sl_btb_config btb;             /* sl_btb_options,          section `btb` */
    struct sl_return_stack_config stack;  /* sl_return_stack_options, section `ras` */
};

int sl_predictor_check(const struct sl_predictor_config *config, struct sl_failure *f);

/* How a branch was predicted. */
enum sl_prediction {
    SL_PREDICTED,   /* fetching went on where the program did */
    SL_MISFETCHED,  /* direct and rightly taken, but fetching did not know where to: put
                     * right as soon as it is decoded, a bubble */
    SL_MISDIRECTED, /* conditional, and it went the other way: found out when executed */
    SL_MISTARGETED, /* indirect or return, to another address: found out when executed */
    SL_PREDICTION_COUNT
};

struct sl_retired_branch {
    uint64_t pc;
    uint64_t next;   /* the instruction behind it (behind its delay slot, if it has one) */
    uint64_t target; /* where it went; of a conditional branch where it goes if taken */
    enum sl_branch kind;
    bool taken; /* conditional; others are */
};

struct sl_predictor;

/* Bytes of state, and its making in that much memory, 64-byte aligned. */
size_t sl_predictor_bytes(const struct sl_predictor_config *config);
void sl_predictor_init(struct sl_predictor *p, const struct sl_predictor_config *config);

/* How this branch was predicted; then learns what it did. SL_BRANCH_NONE is always
 * predicted. */
enum sl_prediction sl_predictor_step(struct sl_predictor *p, const struct sl_retired_branch *b);

#endif
