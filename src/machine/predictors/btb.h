/* SPDX-License-Identifier: MIT */
/* The branch target buffer: where taken branches went last time, by their address.
 * Set-associative, the least recently taken branch of a set is replaced. */
#ifndef SL_BTB_H
#define SL_BTB_H

#include "options.h"

struct sl_btb_config {
    uint64_t entries, ways;
};

extern const struct sl_option sl_btb_options[]; /* section `btb` */

/* What cannot be, beyond the bounds of each option. */
int sl_btb_check(const struct sl_btb_config *config, struct sl_failure *f);

struct sl_btb;

/* Bytes of state, and its making in that much memory, 64-byte aligned. The sets
 * are found by pc >> shift. */
size_t sl_btb_bytes(const struct sl_btb_config *config);
void sl_btb_init(struct sl_btb *b, const struct sl_btb_config *config, unsigned shift);

/* The branch at `pc` was taken to `target`. True if the buffer had just that for
 * it; it has from now on. Without entries always false. */
bool sl_btb_step(struct sl_btb *b, uint64_t pc, uint64_t target);

#endif
