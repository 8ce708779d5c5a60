/* SPDX-License-Identifier: MIT */
/* What a RISC-V core's retirement port would show of a stream: an instruction a line, for the bench
 * of a front end (rtl/bench/bench_rvfi.v).
 *
 *     pc insn next address mask data weight...        hexadecimal
 *
 * A block's instructions are one behind the other, the last one's `next` is where the block behind
 * it begins. What a metric says of a block is put on its last instruction. Of the last block nobody
 * knows where its branch went: that is shown as a nop.
 *
 * A core runs one program, and handlers of signals are nothing that its branches say: the stream is
 * shown as far as each block follows from the one before; where it does not, it is cut. */
#ifndef SL_RETIRED_H
#define SL_RETIRED_H

#include "metric.h"
#include "source.h"

struct sl_retired {
    const struct sl_metric *metric;
    const char *machine; /* as for a session; NULL: none */
    bool by_access;      /* weights are those of loads, not of blocks */
    unsigned parts;      /* numbers of a weight */
    /* What was shown: */
    unsigned xlen;
    uint64_t instructions;
    bool cut;
};

/* The stream is the caller's. SL_EUSAGE where it is not one of a RISC-V program. */
int sl_retired_write(struct sl_retired *retired, struct sl_source *source, FILE *out,
                     struct sl_failure *f);

#endif
