/* SPDX-License-Identifier: MIT */
/* Execution counts of the code of one object file, for the formats that optimizers read (bolt,
 * profgen, autofdo). Addresses are those of the process, in the mappings of this object file. */
#ifndef SL_EDGE_COUNTS_H
#define SL_EDGE_COUNTS_H

#include "code_object.h"
#include "transfer_counts.h"
#include "db_code.h"

struct sl_edge_counts {
    struct sl_code_object object;
    struct sl_transfer_counts runs;    /* blocks, from the first instruction to the last */
    struct sl_transfer_counts taken;   /* taken branches */
    struct sl_transfer_counts passed;  /* from an instruction to the next one, where that is not
                                          implied: branch not taken, return from a call */
    struct sl_transfer_counts entered; /* entries from outside of the file; `from` is 0 */
};

/* Counts from the first profile of edges by count or, if there is none, of paths; and from the
 * first profiles of blocks and calls, if there are any. Call sl_edge_counts_free() only after
 * success.
 *
 *     SL_EUSAGE    there is no profile of edges or paths, or no such file
 *     SL_EFORMAT   the database is damaged
 *     SL_ENOMEM */
int sl_edge_counts(struct sl_edge_counts *counts, struct sl_database *database,
                   const struct sl_report_config *config, struct sl_failure *f);
void sl_edge_counts_free(struct sl_edge_counts *counts);

/* Convert an address of the process to an address in the file (as objdump shows), and to a file
 * offset. */
uint64_t sl_edge_counts_file_address(const struct sl_edge_counts *counts, uint64_t address);
uint64_t sl_edge_counts_file_offset(const struct sl_edge_counts *counts, uint64_t address);

/* Computes the executions of each saved block into count[], from a profile of blocks or else from
 * edges (block_counts.c). All lists must be sorted. `calls` and `blocks` are NULL without such a
 * profile. Returns 0 or SL_ENOMEM. */
int sl_block_counts(const struct sl_db_code *code, const struct sl_transfer_counts *edges,
                    const struct sl_transfer_counts *calls, const struct sl_transfer_counts *blocks,
                    uint64_t *count, struct sl_failure *f);

#endif
