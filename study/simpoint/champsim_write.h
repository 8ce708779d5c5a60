/* SPDX-License-Identifier: MIT */
/* Writes a stream as a trace in ChampSim's format, for `sluice convert`; champsim.h describes the
 * format. */
#ifndef SL_CHAMPSIM_WRITE_H
#define SL_CHAMPSIM_WRITE_H

#include "sluice.h"

/* Writes a stream as a ChampSim trace to `out`, and the loaded values to `values` unless that is
 * NULL. Accesses that do not fit into a record (more than four loads or two stores of an
 * instruction) are dropped and counted in *left_out. Returns 0, an error of the source, or
 * SL_EUSAGE if the stream has several threads (a ChampSim trace has one core) or has no addresses
 * of loads and stores. The caller checks both files for write errors. */
int sl_champsim_write(struct sl_source *source, FILE *out, FILE *values, uint64_t *left_out,
                      struct sl_failure *f);

#endif
