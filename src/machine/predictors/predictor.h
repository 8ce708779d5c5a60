/* SPDX-License-Identifier: MIT */
/* Models of branch predictors: for directions (bimodal, gshare, two-level, combined, TAGE), targets
 * (BTB) and returns. The interface is one function, called for each retired branch. */
#ifndef SL_PREDICTOR_H
#define SL_PREDICTOR_H

#include "options.h"

/* ---- directions of conditional branches (direction.c) ---- */

#define SL_TAGE_TABLES 12
#define SL_TAGE_HISTORY 512 /* longest history */

enum sl_direction_kind {
    SL_DIRECTION_NONE,      /* never taken */
    SL_DIRECTION_STATIC,    /* backward taken, forward not */
    SL_DIRECTION_BIMODAL,   /* a counter per branch */
    SL_DIRECTION_GSHARE,    /* a counter per branch and global history */
    SL_DIRECTION_TWO_LEVEL, /* a counter per history of the branch itself */
    SL_DIRECTION_COMBINED,  /* two of these three, and a chooser per branch */
    SL_DIRECTION_TAGE,      /* tagged tables with geometric history lengths (tage.c) */
};

/* Indices in the choices of `first` and `second`. */
enum sl_direction_part { SL_PART_BIMODAL, SL_PART_GSHARE, SL_PART_TWO_LEVEL, SL_PART_COUNT };

struct sl_direction_config {
    unsigned kind;          /* enum sl_direction_kind */
    unsigned first, second; /* enum sl_direction_part: the two combined predictors */
    uint64_t shift;
    uint64_t bimodal_entries;
    uint64_t gshare_entries, history;
    uint64_t local_entries, local_histories, local_history;
    uint64_t chooser_entries;
    /* bimodal_entries is also the size of the base table of TAGE. */
    uint64_t tage_tables, tage_entries, tage_tag, tage_shortest, tage_longest, tage_reset;
};

extern const struct sl_option sl_direction_options[]; /* section `bpred` */

/* Checks options against each other. Returns 0 or SL_EUSAGE. */
int sl_direction_check(const struct sl_direction_config *config, struct sl_failure *f);

struct sl_direction;

/* Size of the state, and its initialization in memory of that size, aligned to 64 bytes. */
size_t sl_direction_bytes(const struct sl_direction_config *config);
void sl_direction_init(struct sl_direction *d, const struct sl_direction_config *config);

/* Predicts the conditional branch at `pc`, then learns its outcome. `backward`: its target is not
 * after it. Returns the prediction. */
bool sl_direction_step(struct sl_direction *d, uint64_t pc, bool backward, bool taken);

/* ---- TAGE (tage.c) ---- */

/* History length of a table: a geometric series from shortest to longest. */
unsigned sl_tage_history(const struct sl_direction_config *config, unsigned table);

struct sl_tage;

/* As for sl_direction; `a` is pc >> shift. */
size_t sl_tage_bytes(const struct sl_direction_config *config);
void sl_tage_init(struct sl_tage *t, const struct sl_direction_config *config);
bool sl_tage_step(struct sl_tage *t, uint64_t a, bool taken);

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
    SL_PREDICTED,   /* fetch continued at the right address */
    SL_MISFETCHED,  /* direct and predicted taken, but the target was unknown at fetch: corrected in
                       decode, with a bubble */
    SL_MISDIRECTED, /* conditional, wrong direction: detected in execute */
    SL_MISTARGETED, /* indirect or return, wrong target: detected in execute */
    SL_PREDICTION_COUNT
};

struct sl_retired_branch {
    uint64_t pc;
    uint64_t next;   /* address after it (after its delay slot, if it has one) */
    uint64_t target; /* its destination; of a conditional branch, the taken one */
    enum sl_branch kind;
    bool taken; /* of conditional branches; all others are taken */
};

struct sl_predictor;

/* Size of the state, and its initialization in memory of that size, aligned to 64 bytes. */
size_t sl_predictor_bytes(const struct sl_predictor_config *config);
void sl_predictor_init(struct sl_predictor *p, const struct sl_predictor_config *config);

/* Predicts a branch, then learns its outcome. Returns how it was predicted; SL_PREDICTED for
 * SL_BRANCH_NONE. */
enum sl_prediction sl_predictor_step(struct sl_predictor *p, const struct sl_retired_branch *b);

#endif
