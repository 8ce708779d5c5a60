/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Block entries in the engine's translated code: at the start of each block, emits code that writes
 * the block entry to the ring. The constants of this code are filled in at the end of the block's
 * translation, when the block's loads are known.
 *
 * The loads that are stored inline without naming their instruction are the block's layout loads,
 * its *load layout*. The layout may depend on more than the block's bytes, for example on whether
 * other threads run. A translation whose layout differs from the block's first layout is a
 * *variant* of the block. */
#include "inline.h"

#include "grow.h"
#include "hash.h"
#include "index_map.h"
#include "code_ids.h"

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
    sluice_tr.n_words = sluice_tr.n_named = sluice_tr.n_stores = sluice_tr.n_layout = 0;
    sluice_tr.calls = false;
    sluice_tr.count = NULL;
    sluice_tr.piece_progress = sluice_tr.n_progress;
    tcg_gen_st_i32(tcg_constant_i32(0), sluice_block_ptr, 0);
    sluice_tr.block_word = tcg_last_op();
    if (sluice_every_access()) {
        sluice_store_word(0);
        sluice_tr.count = tcg_last_op();
    }
    /* After the store of the word: a thread that is killed in between has not entered the block.
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

static struct sl_index_map variants; /* (block, hash of the layout) -> id of the variant */
static uint32_t *first_layout;       /* by block: hash of its first layout; 0: none yet */
static size_t first_layout_capacity;

static uint32_t layout_hash(void)
{
    uint64_t hash = sluice_tr.n_layout;
    for (unsigned i = 0; i < sluice_tr.n_layout; i++) {
        hash = sl_mix_pair(hash, sluice_tr.layout[i]);
    }
    return (uint32_t)(hash >> 32) | 1;
}

/* The word that denotes the block with its current load layout: the block's id, or
 * VARIANT | the id of a variant. Sends a record for a new layout. */
static uint32_t entry_word(uint32_t block)
{
    uint32_t hash = layout_hash();
    if (sluice_every_access() || !sluice_engine.needs || sluice_tr.bare) {
        return block;
    }
    if (!SL_GROW(first_layout, first_layout_capacity, (size_t)block + 1)) {
        abort();
    }
    if (!first_layout[block]) {
        first_layout[block] = hash;
        if (sluice_tr.n_layout) {
            writer_load_layout(block, block, sluice_tr.layout, sluice_tr.n_layout);
        }
    }
    if (first_layout[block] == hash) {
        return block;
    }
    size_t before = variants.n_keys;
    uint32_t variant = sl_index_add(&variants, block, hash);
    if (variant == SL_NO_INDEX || variant >= SL_WORD_IDS - 1) {
        abort();
    }
    if (variant == before) {
        writer_load_layout(SL_WORD_VARIANT | variant, block, sluice_tr.layout, sluice_tr.n_layout);
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
    uint32_t id = block_id(&sluice_tr.text, mark, guest_base, &is_new);
    uint32_t words = sluice_tr.bare ? 0 : sluice_tr.n_words, bytes = words * 4;
    for (unsigned i = 0; i < sluice_tr.n_stores; i++) {
        sluice_tr.store[i]->args[2] -= sluice_tr.store[i] == sluice_tr.count ? 0 : bytes;
    }
    if (sluice_every_access()) {
        sluice_set_constant(sluice_tr.block_word, 0, id | SL_WORD_OPEN);
        sluice_set_constant(sluice_tr.count, 0, sluice_tr.n_named);
    } else {
        sluice_set_constant(sluice_tr.block_word, 0, sl_block_word(entry_word(id), words));
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
