/* SPDX-License-Identifier: MIT */
/* Writer of retired.txt: the instructions that a RISC-V core would retire for a stream, one per
 * line. The test bench of a front end (rtl/bench/bench_rvfi.v) presents them at the retirement
 * port.
 *
 *     pc insn next address mask data weight...        hexadecimal
 *
 * The instructions of a block are consecutive; `next` of the last one is the address of the
 * following block. The weight of a block is on its last instruction. The branch of the last block
 * has no known target: it is replaced by a nop.
 *
 * A core runs one program, and signal handlers do not follow from its branches. The stream is
 * therefore written only up to the first block that does not follow from its predecessor. */
#ifndef SL_RETIRED_H
#define SL_RETIRED_H

#include "metric.h"
#include "source.h"

struct sl_retired {
    const struct sl_metric *metric;
    const char *machine; /* as for a session; NULL: no CPU model */
    bool by_access;      /* weights belong to loads, not to blocks */
    unsigned parts;      /* numbers per weight */
    /* Results: */
    unsigned xlen;
    uint64_t instructions;
    bool cut;
};

/* Writes the stream, which the caller closes. Returns 0, SL_ENOMEM, SL_EUSAGE if it is not a
 * RISC-V program, SL_EUNSUPPORTED if it has several threads, or an error of the stream or the CPU
 * model. */
int sl_retired_write(struct sl_retired *retired, struct sl_source *source, FILE *out,
                     struct sl_failure *f);

#endif
