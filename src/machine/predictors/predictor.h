/* SPDX-License-Identifier: MIT */
/* Branch prediction as a pipeline sees it: directions (direction.h), targets (btb.h)
 * and returns (return_stack.h) behind one call for each retired branch. */
#ifndef SL_PREDICTOR_H
#define SL_PREDICTOR_H

#include "isa.h"
#include "options.h"

/* ---- TAGE (tage.c) ---- */

#define SL_TAGE_TABLES 12
#define SL_TAGE_HISTORY 512 /* outcomes, at most */

struct sl_tage_config {
    uint64_t tables;  /* with tags */
    uint64_t entries; /* of each, a power of two */
    uint64_t tag_bits;
    uint64_t shortest, longest; /* history, of the first and of the last table */
    uint64_t reset;             /* branches after which half of what is useful is forgotten */
    uint64_t base_entries;      /* 2-bit counters without history, a power of two */
};

/* Outcomes that table i looks at: a geometric series from the shortest to the longest. */
unsigned sl_tage_history(const struct sl_tage_config *config, unsigned table);

struct sl_tage;

/* Bytes of state, and its making in that much memory, 64-byte aligned. */
size_t sl_tage_bytes(const struct sl_tage_config *config);
void sl_tage_init(struct sl_tage *t, const struct sl_tage_config *config);

/* What is predicted for the branch with this address (without the bits that nobody looks at);
 * then learns what it did. */
bool sl_tage_step(struct sl_tage *t, uint64_t a, bool taken);

/* ---- directions of conditional branches (direction.c) ---- */

enum sl_direction_kind {
    SL_DIRECTION_NONE,      /* never taken */
    SL_DIRECTION_STATIC,    /* backward taken, forward not */
    SL_DIRECTION_BIMODAL,   /* a counter for each branch */
    SL_DIRECTION_GSHARE,    /* a counter for each branch and recent history of all */
    SL_DIRECTION_TWO_LEVEL, /* a counter for each recent history of the branch itself */
    SL_DIRECTION_COMBINED,  /* two of the three, and a counter for each branch that chooses */
    SL_DIRECTION_TAGE,      /* by the longest history that says something (tage.h) */
};

/* Places in the choices of `first` and `second`. */
enum sl_direction_part { SL_PART_BIMODAL, SL_PART_GSHARE, SL_PART_TWO_LEVEL, SL_PART_COUNT };

struct sl_direction_config {
    unsigned kind;          /* enum sl_direction_kind */
    unsigned first, second; /* enum sl_direction_part: what is combined */
    uint64_t shift;
    uint64_t bimodal_entries;
    uint64_t gshare_entries, history;
    uint64_t local_entries, local_histories, local_history;
    uint64_t chooser_entries;
    uint64_t tage_tables, tage_entries, tage_tag, tage_shortest, tage_longest, tage_reset;
};

extern const struct sl_option sl_direction_options[]; /* section `bpred` */

/* What cannot be, beyond the bounds of each option. */
int sl_direction_check(const struct sl_direction_config *config, struct sl_failure *f);

struct sl_direction;

/* Bytes of state, and its making in that much memory, 64-byte aligned. */
size_t sl_direction_bytes(const struct sl_direction_config *config);
void sl_direction_init(struct sl_direction *d, const struct sl_direction_config *config);

/* What is predicted for the conditional branch at `pc`; then learns that it was
 * `taken` or not. `backward`: its target is at or before it. */
bool sl_direction_step(struct sl_direction *d, uint64_t pc, bool backward, bool taken);

/* ---- targets and returns (predictor.c) ---- */

struct sl_btb_config {
    uint64_t entries, ways;
};

struct sl_return_stack_config {
    uint64_t depth;
};

extern const struct sl_option sl_btb_options[];          /* section `btb` */
extern const struct sl_option sl_return_stack_options[]; /* section `ras` */

/* ---- all of them, one call per retired branch (predictor.c) ---- */

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
