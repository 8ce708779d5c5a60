/* SPDX-License-Identifier: MIT */
/* The return address stack: where returns will go, since calls have told it. A ring:
 * a call too many overwrites the oldest address, a return too many finds what was
 * there before. */
#ifndef SL_RETURN_STACK_H
#define SL_RETURN_STACK_H

#include "options.h"

struct sl_return_stack_config {
    uint64_t depth;
};

extern const struct sl_option sl_return_stack_options[]; /* section `ras` */

struct sl_return_stack;

/* Bytes of state, and its making in that much memory, 64-byte aligned. */
size_t sl_return_stack_bytes(const struct sl_return_stack_config *config);
void sl_return_stack_init(struct sl_return_stack *s, const struct sl_return_stack_config *config);

/* A call, with the address behind it (behind its delay slot, if it has one). */
void sl_return_stack_push(struct sl_return_stack *s, uint64_t address);

/* The address that a return is predicted to go to. At first 0. Neither this nor a
 * push is for a stack of depth 0. */
uint64_t sl_return_stack_pop(struct sl_return_stack *s);

#endif
