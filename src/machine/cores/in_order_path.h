/* SPDX-License-Identifier: MIT */
/* What blocks have done before in the in-order core, so that they need not be gone through
 * instruction by instruction again. The results are the same to the bit: in_order.c, which is asked
 * wherever something is new, defines them. */
#ifndef SL_IN_ORDER_PATH_H
#define SL_IN_ORDER_PATH_H

#include "in_order_state.h"

/* Runs a block that has a shape, as it went before or by sl_in_order_walk. Returns false, and has
 * done nothing, where that is not to be remembered. */
bool sl_in_order_follow(struct sl_in_order *c, const struct sl_executed *e,
                        uint64_t happened[SL_HAPPENINGS]);

/* Before a block is gone through by itself: the core's own fields say what is under way. */
void sl_in_order_settle(struct sl_in_order *c);

/* Frees all that is remembered. */
void sl_in_order_forget(struct sl_in_order *c);

#endif
