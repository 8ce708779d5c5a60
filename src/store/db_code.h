/* SPDX-License-Identifier: MIT */
/* Reader of the blocks in a database. It decodes the instructions again, for exporters that need
 * the branch at the end of a block and the successors of the block. Overlapping blocks have their
 * own copies of instructions.
 *
 * Blocks are ordered by address. Several blocks may have the same first address, because QEMU may
 * cut a block short and code may be overwritten; the longest is the first of them. */
#ifndef SL_DB_CODE_H
#define SL_DB_CODE_H

#include <sqlite3.h>

#include "code.h"

struct sl_database;

struct sl_db_code {
    struct sl_statics statics;    /* without objects */
    struct sl_code code;          /* with the same block ids; refers to `statics` */
    struct sl_index_map branches; /* by their address */
    uint32_t *branch_block;       /* a block that ends in each branch */
    size_t branches_capacity;
};

/* A row of the table `block`. */
struct sl_db_block {
    uint64_t pc;
    const uint8_t *bytes, *sizes; /* belong to SQLite; valid until its next step */
    size_t n_bytes, n_insns;
    uint16_t length; /* bytes in the program; imported instructions are stored in fewer */
};

/* Sets *arch to the program's architecture. Returns 0, or SL_EFORMAT if it is unknown. */
int sl_db_code_arch(struct sl_database *database, enum sl_arch *arch, struct sl_failure *f);

/* Reads a row with all columns of `block`. Returns 0, or SL_EFORMAT if bytes and sizes contradict
 * each other. */
int sl_db_code_block(struct sl_database *database, enum sl_arch arch, sqlite3_stmt *row,
                     struct sl_db_block *block, struct sl_failure *f);

/* Reads and decodes all blocks. Returns 0, SL_EFORMAT if the database is damaged, or SL_ENOMEM. */
int sl_db_code(struct sl_database *database, struct sl_db_code *code, struct sl_failure *f);
void sl_db_code_free(struct sl_db_code *code);

/* Returns the index of the first block that starts at `pc`; SL_NO_INDEX: none. */
uint32_t sl_db_code_at(const struct sl_db_code *code, uint64_t pc);

/* Returns the end of the blocks whose last instruction is the branch at `pc`; NULL: none. */
const struct sl_block_end *sl_db_code_branch(const struct sl_db_code *code, uint64_t pc);

/* True if the transfer from `branch` to `to` is a conditional branch that was not taken. */
bool sl_db_code_falls_through(const struct sl_db_code *code, uint64_t branch, uint64_t to);

/* Returns the address of a block's last instruction. */
uint64_t sl_db_code_last(const struct sl_db_code *code, size_t block);

#endif
