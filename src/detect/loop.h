/* SPDX-License-Identifier: MIT */
/* What a profile of loops was asked for. */
#ifndef SL_LOOP_H
#define SL_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct sl_loop_config {
    bool tail, inclusive;
    bool trips; /* entries of loops are counted, not iterations */
    uint64_t span, depth;
};

#endif
