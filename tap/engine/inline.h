/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State of the engine during the translation of a block, shared by inline.c, inline_block.c and
 * inline_access.c.
 *
 * QEMU translates one block at a time under a lock, so there is one instance of the state.
 *
 * A *piece* is the part of a translated block that sluice counts as one block. It ends early at a
 * region marker and where the addresses of consecutive instructions are not contiguous. */
#ifndef SL_ENGINE_INLINE_H
#define SL_ENGINE_INLINE_H

#include "inside.h"

#include "blocks.h"

#define MAX_STORES 8192u
#define MAX_PROGRESS 8192u
#define MAX_LEFT_OUT 65536u

struct sluice_translation {
    bool checks_space; /* the block begins with a check for capacity (sluice_checks_space) */
    bool on;           /* the block is instrumented */
    bool certain;      /* the next access is certain (inline_access.c) */
    TCGOp *scanned;    /* the last operation that sluice_scan() has read */

    /* The current piece. */
    struct block_text text;
    TCGOp *block_word; /* stores the word of the block; its constant is set at the piece's end */
    TCGOp *entry;      /* the last operation of the piece's prologue */
    bool calls;        /* some access of the piece is written by a call */
    uint32_t n_words;  /* words of data that the piece stores inline */
    uint32_t n_named;  /* named events among the data */
    unsigned n_stores;
    TCGOp *store[MAX_STORES]; /* stores of data; offsets are relative to the start of the data until
                               * the piece ends, then relative to its end */
    TCGOp *count;             /* stores the count of named events */
    uint32_t layout[SL_LOAD_LAYOUT_MAX];
    unsigned n_layout;

    /* The current instruction. The fields *_before restore the state if QEMU discards it. */
    uint64_t pc;
    TCGOp *insn_start;
    int insn_at;       /* QEMU's index of the instruction in the translated block, from 1 */
    bool may_access;   /* it calls a helper function that may access guest memory */
    unsigned n_inline; /* accesses stored inline */
    unsigned n_sites, n_marked, n_layout_before, n_progress_before, n_stores_before;
    uint32_t words_before, named_before;
    struct sluice_site *site[64];
    struct {
        TCGOp *op;
        uint32_t flags;
    } marked[64]; /* stores of mem_insn words; the instruction's id is filled in later */

    /* The whole translated block. */
    bool bare;            /* a bare translation: without loads (inline.c) */
    bool has_data;        /* some piece stores data */
    TCGOp *data_check[2]; /* the check for capacity for data: a load, a branch */
    unsigned n_left_out, left_out_before;
    TCGOp *left_out[MAX_LEFT_OUT]; /* operations to remove from a bare translation */
    unsigned n_progress, written;
    TCGOp *progress_op[MAX_PROGRESS]; /* the operation after which progress[i] holds */
    struct sluice_progress progress[MAX_PROGRESS];
    unsigned piece_progress;                  /* index of the piece's first progress entry */
    struct sluice_progress_map *progress_map; /* copy for the TranslationBlock */
    unsigned n_pieces, pieces_written;
    struct {
        TCGOp *entry;
        uint32_t data_bytes;
    } piece[TCG_MAX_INSNS + 1];
};
extern struct sluice_translation sluice_tr;

/* Where the next block word and the next data go, as TCG values: the fields block_ptr and data_ptr
 * of struct sl_stage. */
extern TCGv_ptr sluice_block_ptr, sluice_data_ptr;

/* The two are in host registers (registers.c.inc), which registers.c.inc advances. Otherwise TCG
 * operations advance them. */
extern bool sluice_in_registers;

/* True if every access is an event that names its instruction; false in a stream of load values
 * alone, in which most loads are in the load layout of their block. */
static inline bool sluice_every_access(void)
{
    return sluice_engine.needs & (SL_NEED_ADDRESSES | SL_NEED_STORES);
}

/* ---- inline_block.c ---- */

/* Emit a store of a 32-bit constant or of a 64-bit value as the piece's next data. */
void sluice_store_word(uint32_t word);
void sluice_store_wide(TCGv_i64 value);

/* The last operation stores data: its offset is adjusted at the end of the piece. */
void sluice_record_store(void);

/* Marks an operation that is about loads: a bare translation removes it. */
void sluice_leave_out(TCGOp *op);

/* From the next operation on, all data emitted so far are stored (struct sluice_progress). */
void sluice_record_progress(void);

/* Replaces the constant in an operation's argument. */
void sluice_set_constant(TCGOp *op, unsigned argument, uint32_t word);

/* Inserts, after `before`, a store of a constant to an offset from the guest's registers. */
TCGOp *sluice_insert_store32(TCGOp *before, uint32_t word, intptr_t offset);

/* `mark` is an enum sl_mark: the region marker that ends the piece. */
void sluice_begin_piece(void);
void sluice_end_piece(int mark);

/* ---- inline_access.c ---- */

/* Reads the operations that were emitted since the last call, and updates `certain` and
 * `may_access`. */
void sluice_scan(void);

#endif
