/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks in translated code: what the engine emits at the start of a block, and the values that it
 * fills in at the end of the block, when the block's loads are known.
 *
 * The loads that are stored inline without naming their instruction are the block's implied loads.
 * Their list may depend on more than the block's bytes, for example on whether other threads run.
 * A list that differs from the block's first list makes the translation a *variant* of the
 * block. */
#include "inline.h"

#include "grow.h"
#include "hash.h"
#include "index_map.h"
#include "numbers.h"

/* ---- stores ---- */

void sluice_record_store(void)
{
    sluice_tr.store[sluice_tr.n_stores++] = tcg_last_op();
}

void sluice_leave_out(TCGOp *op)
{
    if (sluice_tr.bare) {
        if (sluice_tr.n_left_out == MAX_LEFT_OUT) {
            abort();
        }
        sluice_tr.left_out[sluice_tr.n_left_out++] = op;
    }
}

void sluice_store_word(uint32_t word)
{
    tcg_gen_st_i32(tcg_constant_i32(word), sluice_data_ptr, sluice_tr.n_words * 4);
    sluice_record_store();
    sluice_tr.n_words++;
}

void sluice_store_wide(TCGv_i64 value)
{
    tcg_gen_st_i64(value, sluice_data_ptr, sluice_tr.n_words * 4);
    sluice_record_store();
    sluice_tr.n_words += 2;
}

void sluice_record_progress(void)
{
    sluice_tr.progress_op[sluice_tr.n_progress] = tcg_last_op();
    sluice_tr.progress[sluice_tr.n_progress++] = (struct sluice_progress){
        .words = sluice_tr.n_words};
}

/* ---- pieces ---- */

void sluice_begin_piece(void)
{
    sluice_tr.text.n_insns = sluice_tr.text.n_bytes = 0;
    sluice_tr.n_words = sluice_tr.n_named = sluice_tr.n_stores = sluice_tr.n_implied = 0;
    sluice_tr.calls = false;
    sluice_tr.count = NULL;
    sluice_tr.piece_progress = sluice_tr.n_progress;
    tcg_gen_st_i32(tcg_constant_i32(0), sluice_block_ptr, 0);
    sluice_tr.number = tcg_last_op();
    if (sluice_every_access()) {
        sluice_store_word(0);
        sluice_tr.count = tcg_last_op();
    }
    /* After the store of the number: a thread that is killed in between has not entered the block.
     * The operations that follow use the new pointers. */
    if (!sluice_in_registers) {
        tcg_gen_addi_ptr(sluice_block_ptr, sluice_block_ptr, 4);
        if (sluice_engine.needs) {
            tcg_gen_addi_ptr(sluice_data_ptr, sluice_data_ptr, 4);
        }
    }
    sluice_tr.entry = tcg_last_op();
    if (sluice_engine.needs) {
        sluice_record_progress();
    }
}

void sluice_set_constant(TCGOp *op, unsigned argument, uint32_t word)
{
    op->args[argument] = tcgv_i32_arg(tcg_constant_i32(word));
}

static struct sl_index_map variants; /* (block, hash of the list) -> number of the variant */
static uint32_t *first_list;         /* by block: hash of its first list; 0: none yet */
static size_t first_list_capacity;

static uint32_t list_hash(void)
{
    uint64_t hash = sluice_tr.n_implied;
    for (unsigned i = 0; i < sluice_tr.n_implied; i++) {
        hash = sl_mix_pair(hash, sluice_tr.implied[i]);
    }
    return (uint32_t)(hash >> 32) | 1;
}

/* The word that denotes the block with its current list of implied loads: the block's number, or
 * VARIANT | number of a variant. Sends a record for a new list. */
static uint32_t entry_word(uint32_t block)
{
    uint32_t hash = list_hash();
    if (sluice_every_access() || !sluice_engine.needs || sluice_tr.bare) {
        return block;
    }
    if (!SL_GROW(first_list, first_list_capacity, (size_t)block + 1)) {
        abort();
    }
    if (!first_list[block]) {
        first_list[block] = hash;
        if (sluice_tr.n_implied) {
            writer_implied(block, block, sluice_tr.implied, sluice_tr.n_implied);
        }
    }
    if (first_list[block] == hash) {
        return block;
    }
    size_t before = variants.n_keys;
    uint32_t variant = sl_index_add(&variants, block, hash);
    if (variant == SL_NO_INDEX || variant >= SL_WORD_NUMBERS - 1) {
        abort();
    }
    if (variant == before) {
        writer_implied(SL_WORD_VARIANT | variant, block, sluice_tr.implied, sluice_tr.n_implied);
    }
    return SL_WORD_VARIANT | variant;
}

TCGOp *sluice_insert_store32(TCGOp *before, uint32_t word, intptr_t offset)
{
    TCGOp *op = SLUICE_INSERT(before, INDEX_op_st_i32, 3);
    sluice_set_constant(op, 0, word);
    op->args[1] = tcgv_ptr_arg(SLUICE_ENV);
    op->args[2] = offset;
    sluice_leave_out(op);
    return op;
}

void sluice_end_piece(int mark)
{
    bool is_new;
    uint32_t number = block_number(&sluice_tr.text, mark, guest_base, &is_new);
    uint32_t words = sluice_tr.bare ? 0 : sluice_tr.n_words, bytes = words * 4;
    for (unsigned i = 0; i < sluice_tr.n_stores; i++) {
        sluice_tr.store[i]->args[2] -= sluice_tr.store[i] == sluice_tr.count ? 0 : bytes;
    }
    if (sluice_every_access()) {
        sluice_set_constant(sluice_tr.number, 0, number | SL_WORD_OPEN);
        sluice_set_constant(sluice_tr.count, 0, sluice_tr.n_named);
    } else {
        sluice_set_constant(sluice_tr.number, 0, sl_block_word(entry_word(number), words));
    }
    if (sluice_in_registers) {
        sluice_tr.piece[sluice_tr.n_pieces].entry = sluice_tr.entry;
        sluice_tr.piece[sluice_tr.n_pieces++].data_bytes = bytes;
    } else if (sluice_engine.needs) {
        /* QEMU's optimizer removes an addition of 0. */
        sluice_tr.entry->args[2] = tcgv_i64_arg(tcg_constant_i64(bytes));
    }
    sluice_tr.has_data |= words;
    for (unsigned i = sluice_tr.piece_progress; i < sluice_tr.n_progress; i++) {
        sluice_tr.progress[i].all = sluice_tr.n_words;
    }
    if (sluice_tr.calls) {
        sluice_insert_store32(sluice_tr.entry, UINT32_MAX, STAGE_OFFSET(last_insn));
    }
}
