/* SPDX-License-Identifier: MIT */
/* How often control passed over the code of one file: what optimizers want to know, each
 * in its own format. Addresses are the program's, and each is in the file. */
#ifndef SL_EDGE_COUNTS_H
#define SL_EDGE_COUNTS_H

#include "code_object.h"
#include "passage.h"
#include "saved_code.h"

struct sl_edge_counts {
    struct sl_code_object object;
    struct sl_passages runs;    /* straight on, from a block's first instruction to its last */
    struct sl_passages taken;   /* from a branch to where it went */
    struct sl_passages passed;  /* from an instruction to the one behind it, where that is not
                                 * plain: a branch not taken, a call returned from */
    struct sl_passages entered; /* from outside of the file; `from` is 0 */
};

/* From the first profile of edges by count or, if there is none, of paths; from the first
 * ones of blocks and calls, if there are such.
 *
 * SL_EUSAGE  there is no profile of edges or paths, or no such file
 * SL_EFORMAT the database is damaged
 * SL_ENOMEM */
int sl_edge_counts(struct sl_edge_counts *counts, struct sl_database *database,
                   const struct sl_report_config *config, struct sl_failure *f);
void sl_edge_counts_free(struct sl_edge_counts *counts);

/* The address that the file itself has for one in it (as in objdump), and its place in the
 * file. */
uint64_t sl_edge_counts_own(const struct sl_edge_counts *counts, uint64_t address);
uint64_t sl_edge_counts_offset(const struct sl_edge_counts *counts, uint64_t address);

/* Fills count[], one for each saved block. All lists are settled. `calls` and `blocks` are
 * NULL where there is no such profile. SL_ENOMEM when memory ran out. */
int sl_block_counts(const struct sl_saved_code *code, const struct sl_passages *edges,
                    const struct sl_passages *calls, const struct sl_passages *blocks,
                    uint64_t *count, struct sl_failure *f);

#endif
