/* SPDX-License-Identifier: MIT */
/* A stream as a ChampSim trace (champsim.h), with values, if it has some, in a file beside it. */
#ifndef SL_CHAMPSIM_WRITE_H
#define SL_CHAMPSIM_WRITE_H

#include "sluice.h"

/* SL_EUSAGE if the stream has threads (a trace is of one core), or no addresses of loads and
 * stores. What does not fit a record, more than four loads or two stores of one instruction, is
 * left out: how many is in *left_out. `values` may be NULL: they are not kept. */
int sl_champsim_write(struct sl_source *source, FILE *out, FILE *values, uint64_t *left_out,
                      struct sl_failure *f);

#endif
