/* SPDX-License-Identifier: MIT */
/* Will a conditional branch be taken? The predictors of directions, each a table
 * (or two) of 2-bit counters. One call both predicts and learns: direction.c says
 * what that leaves out. */
#ifndef SL_DIRECTION_H
#define SL_DIRECTION_H

#include "options.h"
#include "tage.h"

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

#endif
