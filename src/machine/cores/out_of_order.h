/* SPDX-License-Identifier: MIT */
/* The out-of-order core's configuration; the core itself is a sl_core_kind (core.h). */
#ifndef SL_OUT_OF_ORDER_H
#define SL_OUT_OF_ORDER_H

#include "options.h"

struct sl_out_of_order_config {
    uint64_t fetch, dispatch, issue, commit;                            /* instructions a cycle */
    uint64_t rob, lsq, ifq;                                             /* instructions in them */
    uint64_t alu, mul, fpu, fpmul, ports;                               /* units */
    uint64_t multiply, divide, float_add, float_multiply, float_divide; /* cycles */
    uint64_t address, forwarding;
    uint64_t branch_penalty, misfetch_penalty;
};

extern const struct sl_option sl_out_of_order_options[];

/* SL_EUSAGE, in a sentence that begins with the option to change. */
int sl_out_of_order_check(const void *config, struct sl_failure *f);

#endif
