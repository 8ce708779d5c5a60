/* SPDX-License-Identifier: MIT */
/* The blocks that a database has, decoded again: for exporters that have to know how a
 * block ends and where it can go from there. Blocks that overlap have their own copies of
 * instructions.
 *
 * Blocks are in the order of their addresses; of those that begin at the same one (QEMU
 * may cut a block short, and code can be overwritten), the longest is first. */
#ifndef SL_SAVED_CODE_H
#define SL_SAVED_CODE_H

#include <sqlite3.h>

#include "code.h"

struct sl_database;

struct sl_saved_code {
    struct sl_statics statics;    /* no objects */
    struct sl_code code;          /* the same numbers; refers to the above */
    struct sl_index_map branches; /* by their address */
    uint32_t *branch_block;       /* for each, a block that ends in it */
    size_t room_branches;
};

/* A row of the table `block`. */
struct sl_saved_block {
    uint64_t pc;
    const uint8_t *bytes, *sizes; /* SQLite's, valid until its next step */
    size_t n_bytes, n_insns;
    uint16_t length; /* bytes in the program; imported instructions are stored in fewer */
};

/* The program's architecture; SL_EFORMAT if there is no such. */
int sl_saved_code_arch(struct sl_database *database, enum sl_arch *arch, struct sl_failure *f);

/* Reads a row of all columns of `block`. SL_EFORMAT: its bytes and sizes do not fit together. */
int sl_saved_code_block(struct sl_database *database, enum sl_arch arch, sqlite3_stmt *row,
                        struct sl_saved_block *block, struct sl_failure *f);

/* 0, SL_EFORMAT if the database is damaged, or SL_ENOMEM. */
int sl_saved_code(struct sl_database *database, struct sl_saved_code *code, struct sl_failure *f);
void sl_saved_code_free(struct sl_saved_code *code);

/* The number of the first block that begins there, SL_NO_INDEX if none does. */
uint32_t sl_saved_code_at(const struct sl_saved_code *code, uint64_t pc);

/* How blocks that end in the branch at this address end; NULL if none does. */
const struct sl_block_end *sl_saved_code_branch(const struct sl_saved_code *code, uint64_t pc);

/* Whether that which went so was a conditional branch that was not taken. */
bool sl_saved_code_passes(const struct sl_saved_code *code, uint64_t branch, uint64_t to);

/* Of a block: the address of its last instruction. */
uint64_t sl_saved_code_last(const struct sl_saved_code *code, size_t block);

#endif
