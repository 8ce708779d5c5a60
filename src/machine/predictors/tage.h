/* SPDX-License-Identifier: MIT */
/* TAGE: will a branch be taken, by the longest history that is known to say something (tage.c). */
#ifndef SL_TAGE_H
#define SL_TAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
