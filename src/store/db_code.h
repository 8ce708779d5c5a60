/* SPDX-License-Identifier: MIT */
/* Decodes the blocks of a database again, for exporters that need the branch at the end of a block
 * and its successors. Overlapping blocks have their own copies of instructions.
 *
 * Blocks are ordered by address; of several with the same first address (QEMU may cut a block
 * short, and code can be overwritten), the longest is first. */
#ifndef SL_DB_CODE_H
#define SL_DB_CODE_H

#include <sqlite3.h>

#include "code.h"

struct sl_database;

struct sl_db_code {
    struct sl_statics statics;    /* without objects */
    struct sl_code code;          /* same block numbers; refers to `statics` */
    struct sl_index_map branches; /* by their address */
    uint32_t *branch_block;       /* a block that ends in each branch */
    size_t branches_capacity;
};

/* A row of the table `block`. */
struct sl_db_block {
    uint64_t pc;
    const uint8_t *bytes, *sizes; /* SQLite's, valid until its next step */
    size_t n_bytes, n_insns;
    uint16_t length; /* bytes in the program; imported instructions are stored in fewer */
};

/* Finds the program's architecture. SL_EFORMAT: it is unknown. */
int sl_db_code_arch(struct sl_database *database, enum sl_arch *arch, struct sl_failure *f);

/* Reads a row of all columns of `block`. SL_EFORMAT: its bytes and sizes do not fit together. */
int sl_db_code_block(struct sl_database *database, enum sl_arch arch, sqlite3_stmt *row,
                     struct sl_db_block *block, struct sl_failure *f);

/* Reads and decodes all blocks. Returns 0, SL_EFORMAT if the database is damaged, or SL_ENOMEM. */
int sl_db_code(struct sl_database *database, struct sl_db_code *code, struct sl_failure *f);
void sl_db_code_free(struct sl_db_code *code);

/* The number of the first block that starts at `pc`; SL_NO_INDEX: none. */
uint32_t sl_db_code_at(const struct sl_db_code *code, uint64_t pc);

/* The end of the blocks whose last instruction is the branch at `pc`; NULL: there are none. */
const struct sl_block_end *sl_db_code_branch(const struct sl_db_code *code, uint64_t pc);

/* Whether going from `branch` to `to` means that a conditional branch was not taken. */
bool sl_db_code_passes(const struct sl_db_code *code, uint64_t branch, uint64_t to);

/* The address of a block's last instruction. */
uint64_t sl_db_code_last(const struct sl_db_code *code, size_t block);

#endif
