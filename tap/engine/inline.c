/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine's functions that QEMU's translator calls at the start and end of each block and of
 * each instruction.
 *
 * A *bare* translation, for code outside the sampling windows of loads, stores no loads. The engine
 * first makes an ordinary translation and then removes the operations that store loads. QEMU ends a
 * block when it has too many operations. So both translations end at the same instruction and are
 * the same block. */
#include "inline.h"

#include "exec/helper-gen.h"

struct sluice_translation sluice_tr;
TCGv_ptr sluice_block_ptr, sluice_data_ptr;
bool sluice_in_registers;

TCGOp *sluice_awaited, *sluice_entered;

void sluice_start_tcg(void)
{
    intptr_t block_ptr_offset = STAGE_OFFSET(block_ptr), data_ptr_offset = STAGE_OFFSET(data_ptr);
    if (!sluice_engine.on) {
        return;
    }
    sluice_in_registers = sluice_fix_registers(&sluice_block_ptr, block_ptr_offset,
                                               &sluice_data_ptr, data_ptr_offset,
                                               sluice_engine.needs);
    if (!sluice_in_registers) {
        sluice_block_ptr = tcg_global_mem_new_ptr(SLUICE_ENV, block_ptr_offset, "sluice_block_ptr");
        sluice_data_ptr = tcg_global_mem_new_ptr(SLUICE_ENV, data_ptr_offset, "sluice_data_ptr");
    }
}

bool sluice_checks_space(void)
{
    return sluice_tr.checks_space = sluice_engine.on && !writer_detached();
}

/* Emits code that leaves the block if `pointer` has reached the stage's field at `offset`. */
static void check_against(TCGv_ptr pointer, intptr_t offset)
{
    TCGv_ptr limit = tcg_temp_new_ptr();
    tcg_gen_ld_ptr(limit, SLUICE_ENV, offset);
    tcg_gen_brcond_i64(TCG_COND_GEU, (TCGv_i64)pointer, (TCGv_i64)limit, tcg_ctx->exitreq_label);
    tcg_temp_free_ptr(limit);
}

static void check_space(void)
{
    if (!tcg_ctx->exitreq_label) { /* the block must not leave: a helper function gets space */
        gen_helper_sluice_space(SLUICE_ENV);
        return;
    }
    check_against(sluice_block_ptr, STAGE_OFFSET(limit));
    if (sluice_engine.needs) {
        check_against(sluice_data_ptr, STAGE_OFFSET(data_end));
        sluice_tr.data_check[1] = tcg_last_op();
        sluice_tr.data_check[0] = QTAILQ_PREV(sluice_tr.data_check[1], link);
    }
}

/* x86: the address of a vsyscall is not an instruction. */
static bool is_vsyscall(uint64_t pc)
{
#ifdef TARGET_VSYSCALL_PAGE
    return (pc & TARGET_PAGE_MASK) == TARGET_VSYSCALL_PAGE;
#else
    return false;
#endif
}

bool sluice_tb_start(DisasContextBase *db)
{
    db->tb->sluice_progress_map = NULL;
    sluice_tr.progress_map = NULL;
    sluice_awaited = sluice_entered = NULL;
    sluice_tr.n_progress = sluice_tr.n_left_out = sluice_tr.n_pieces = 0;
    sluice_tr.has_data = false;
    sluice_tr.data_check[0] = sluice_tr.data_check[1] = NULL;
    sluice_tr.bare = tb_cflags(db->tb) & SLUICE_CF_BARE;
    sluice_tr.on = sluice_tr.checks_space && !is_vsyscall(db->pc_first);
    if (sluice_tr.checks_space) {
        check_space();
    }
    if (!sluice_tr.on) {
        return false;
    }
    sluice_tr.certain = !sluice_engine.by_calls;
    sluice_begin_piece();
    sluice_tr.scanned = tcg_last_op();
    return true;
}

void sluice_insn_start(DisasContextBase *db)
{
    if (sluice_tr.text.n_insns && !block_goes_on(&sluice_tr.text, db->pc_next)) {
        sluice_end_piece(SL_MARK_NONE);
        sluice_tr.text.n_insns = 0;
    }
    if (!sluice_tr.text.n_insns && db->num_insns > 1) {
        sluice_begin_piece(); /* the previous piece has ended, perhaps at a region marker */
    }
    sluice_tr.pc = db->pc_next;
    sluice_tr.insn_at = db->num_insns;
    sluice_tr.insn_start = tcg_last_op();
    sluice_tr.may_access = false;
    sluice_tr.n_inline = sluice_tr.n_sites = sluice_tr.n_marked = 0;
    sluice_tr.n_layout_before = sluice_tr.n_layout;
    sluice_tr.n_progress_before = sluice_tr.n_progress;
    sluice_tr.left_out_before = sluice_tr.n_left_out;
    sluice_tr.n_stores_before = sluice_tr.n_stores;
    sluice_tr.words_before = sluice_tr.n_words;
    sluice_tr.named_before = sluice_tr.n_named;
}

/* QEMU has discarded the instruction because it did not fit into the block. */
static void discard_insn(void)
{
    sluice_tr.n_layout = sluice_tr.n_layout_before;
    sluice_tr.n_left_out = sluice_tr.left_out_before;
    sluice_tr.n_progress = sluice_tr.text.n_insns ? sluice_tr.n_progress_before
                                                  : sluice_tr.piece_progress;
    sluice_tr.n_stores = sluice_tr.n_stores_before;
    sluice_tr.n_words = sluice_tr.words_before;
    sluice_tr.n_named = sluice_tr.named_before;
}

/* Accesses by this instruction's helper functions are reported with the id of the instruction. */
static void expect_helpers(uint32_t id)
{
    bool done = sluice_tr.n_inline && !sluice_every_access();
    sluice_insert_store32(sluice_tr.insn_start, done ? 0 : id + 1, STAGE_OFFSET(helped_insn));
    sluice_insert_store32(sluice_tr.insn_start, sluice_tr.n_inline ? 1 : 0, STAGE_OFFSET(more));
    sluice_tr.calls = true;
    sluice_tr.certain = false;
}

#ifdef TARGET_X86_64
#define LONGEST_INSN 16
#else
#define LONGEST_INSN 4 /* also where pc_next has skipped a delay slot */
#endif

static void add_insn(DisasContextBase *db)
{
    uint8_t bytes[16] = {0};
    size_t size = MIN(db->pc_next - sluice_tr.pc, LONGEST_INSN);
    memcpy(bytes, g2h_untagged(sluice_tr.pc), size);
    uint32_t id = block_add(&sluice_tr.text, sluice_tr.pc, bytes, size);
    for (unsigned i = 0; i < sluice_tr.n_sites; i++) {
        sluice_tr.site[i]->insn = id;
    }
    for (unsigned i = 0; i < sluice_tr.n_marked; i++) {
        sluice_set_constant(sluice_tr.marked[i].op, 0, id | sluice_tr.marked[i].flags);
    }
    for (unsigned i = sluice_tr.n_layout_before; i < sluice_tr.n_layout; i++) {
        sluice_tr.layout[i] |= id;
    }
    if (sluice_engine.needs) {
        sluice_scan();
        if (sluice_tr.may_access && (sluice_engine.needs & SL_NEED_STORES ||
                                     sluice_engine.guest->loads(bytes, size) == LOADS_UNKNOWN)) {
            expect_helpers(id);
        }
    }
    int mark = sluice_engine.guest->mark(bytes, size);
    if (mark) {
        sluice_end_piece(mark);
        sluice_tr.text.n_insns = 0;
    }
}

void sluice_insn_end(DisasContextBase *db)
{
    if (db->num_insns < sluice_tr.insn_at) {
        discard_insn();
    } else {
        add_insn(db);
    }
}

void sluice_tb_end(DisasContextBase *db)
{
    sluice_tr.on = false;
    if (sluice_tr.text.n_insns) {
        sluice_end_piece(SL_MARK_NONE);
    }
    for (unsigned i = 0; i < sluice_tr.n_left_out; i++) {
        tcg_op_remove(tcg_ctx, sluice_tr.left_out[i]);
    }
    for (unsigned i = 0; i < 2 && sluice_tr.data_check[i] && !sluice_tr.has_data; i++) {
        tcg_op_remove(tcg_ctx, sluice_tr.data_check[i]);
    }
    sluice_tr.pieces_written = 0;
    sluice_entered = sluice_tr.n_pieces ? sluice_tr.piece[0].entry : NULL;
    if (sluice_tr.n_progress && !sluice_tr.bare) {
        size_t size = sluice_tr.n_progress * sizeof *sluice_tr.progress;
        sluice_tr.progress_map = g_malloc(sizeof *sluice_tr.progress_map + size);
        sluice_tr.progress_map->n = sluice_tr.n_progress;
        memcpy(sluice_tr.progress_map->entry, sluice_tr.progress, size);
        db->tb->sluice_progress_map = sluice_tr.progress_map;
        sluice_tr.written = 0;
        sluice_awaited = sluice_tr.progress_op[0];
    }
}

void sluice_written(size_t offset)
{
    sluice_tr.progress_map->entry[sluice_tr.written++].offset = offset;
    sluice_awaited = sluice_tr.written < sluice_tr.progress_map->n
                         ? sluice_tr.progress_op[sluice_tr.written]
                         : NULL;
}

uint32_t sluice_entry_written(void)
{
    uint32_t bytes = sluice_tr.piece[sluice_tr.pieces_written++].data_bytes;
    sluice_entered = sluice_tr.pieces_written < sluice_tr.n_pieces
                         ? sluice_tr.piece[sluice_tr.pieces_written].entry
                         : NULL;
    return bytes;
}
