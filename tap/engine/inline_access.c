/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory accesses in the engine's translated code: decides which accesses are written to the ring
 * by inline code and which by a call of a function, and emits the code for both.
 *
 * An access is *certain* if every execution of its block makes it: it comes before the first branch
 * inside the block's code and before the first call of a helper function that may access memory.
 * Certain accesses are stored inline, all others by a call (runtime_access.c). In a stream of load
 * values alone, only the first load of an instruction counts; the certain ones are the block's
 * layout loads. */
#include "inline.h"

#include "exec/helper-gen.h"

static bool has_space(void)
{
    return sluice_tr.n_words + 8 < SLUICE_INLINE_WORDS && sluice_tr.n_stores + 8 < MAX_STORES &&
           sluice_tr.n_progress + 8 < MAX_PROGRESS &&
           sluice_tr.n_marked < G_N_ELEMENTS(sluice_tr.marked) &&
           sluice_tr.n_layout < SL_LOAD_LAYOUT_MAX;
}

/* True for a call of a helper function that may read or write guest memory. */
static bool may_access(TCGOp *op)
{
    const char *name = tcg_call_info(op)->name;
    return sluice_may_access(tcg_call_flags(op)) && strncmp(name, "sluice_", 7) != 0 &&
           strcmp(name, "ld_i128") != 0 &&
           strcmp(name, "st_i128") != 0; /* reported as accesses of the block */
}

static bool is_branch(TCGOp *op)
{
    return tcg_op_defs[op->opc].flags & (TCG_OPF_BB_END | TCG_OPF_BB_EXIT | TCG_OPF_COND_BRANCH);
}

static void load_pointer(TCGOp *before, TCGv_ptr pointer, intptr_t offset)
{
    TCGOp *op = SLUICE_INSERT(before, INDEX_op_ld_i64, 3);
    op->args[0] = tcgv_ptr_arg(pointer);
    op->args[1] = tcgv_ptr_arg(SLUICE_ENV);
    op->args[2] = offset;
}

/* Reloads the pointers after a call that may have advanced them although QEMU assumes that it
 * writes no globals. (Pointers in host registers are reloaded after each of these calls anyway.) */
static void load_pointers(TCGOp *call)
{
    if (!sluice_in_registers && tcg_call_flags(call) & TCG_CALL_NO_WRITE_GLOBALS) {
        load_pointer(call, sluice_block_ptr, STAGE_OFFSET(block_ptr));
        load_pointer(call, sluice_data_ptr, STAGE_OFFSET(data_ptr));
    }
}

void sluice_scan(void)
{
    for (TCGOp *op; (op = QTAILQ_NEXT(sluice_tr.scanned, link)); sluice_tr.scanned = op) {
        if (op->opc == INDEX_op_call && may_access(op)) {
            sluice_tr.may_access = true;
            load_pointers(op);
        }
        sluice_tr.certain &= !is_branch(op);
    }
}

TCGv_i64 sluice_address(TCGTemp *address, TCGType type)
{
    if (!sluice_tr.on || !sluice_engine.needs) {
        return NULL;
    }
    sluice_scan();
    sluice_tr.certain &= !sluice_tr.may_access && has_space();
    if (sluice_tr.certain && !sluice_every_access()) {
        return NULL;
    }
    TCGv_i64 copy = SLUICE_TEMP();
    if (type == TCG_TYPE_I32) {
        tcg_gen_extu_i32_i64(copy, temp_tcgv_i32(address));
    } else {
        tcg_gen_mov_i64(copy, temp_tcgv_i64(address));
    }
    return copy;
}

/* True if the instruction swaps the bytes of its operand (movbe). The stream has the value in the
 * guest's usual byte order. */
static bool is_swapped(MemOp memop)
{
    return (memop & MO_SIZE) && ((memop ^ MO_TE) & MO_BSWAP);
}

static void swap_back(TCGv_i64 value, MemOp memop)
{
    switch (memop & MO_SIZE) {
    case MO_16:
        tcg_gen_bswap16_i64(value, value, TCG_BSWAP_OZ);
        break;
    case MO_32:
        tcg_gen_bswap32_i64(value, value, TCG_BSWAP_OZ);
        break;
    default:
        tcg_gen_bswap64_i64(value, value);
        break;
    }
}

/* The value, zero-extended to 64 bits and in the usual byte order. */
static TCGv_i64 widened(TCGTemp *value, TCGType type, MemOp memop)
{
    TCGv_i64 wide = SLUICE_TEMP();
    if (type == TCG_TYPE_I32) {
        tcg_gen_extu_i32_i64(wide, temp_tcgv_i32(value));
    } else {
        tcg_gen_mov_i64(wide, temp_tcgv_i64(value));
    }
    switch (memop & MO_SSIZE) {
    case MO_SB:
        tcg_gen_ext8u_i64(wide, wide);
        break;
    case MO_SW:
        tcg_gen_ext16u_i64(wide, wide);
        break;
    case MO_SL:
        tcg_gen_ext32u_i64(wide, wide);
        break;
    default:
        break;
    }
    if (is_swapped(memop)) {
        swap_back(wide, memop);
    }
    return wide;
}

static void store_layout_load(TCGTemp *value, TCGType type, MemOp memop)
{
    bool wide = (memop & MO_SIZE) >= MO_64;
    bool unchanged = !is_swapped(memop) && (!(memop & MO_SIGN) || (memop & MO_SIZE) >= MO_32);
    TCGv_i64 other = unchanged ? NULL : widened(value, type, memop);
    sluice_tr.layout[sluice_tr.n_layout++] = wide ? SL_LOAD_LAYOUT_WIDE : 0;
    if (wide) {
        sluice_store_wide(unchanged ? temp_tcgv_i64(value) : other);
    } else {
        if (!unchanged) {
            tcg_gen_st32_i64(other, sluice_data_ptr, sluice_tr.n_words * 4);
        } else if (type == TCG_TYPE_I32) {
            tcg_gen_st_i32(temp_tcgv_i32(value), sluice_data_ptr, sluice_tr.n_words * 4);
        } else {
            tcg_gen_st32_i64(temp_tcgv_i64(value), sluice_data_ptr, sluice_tr.n_words * 4);
        }
        sluice_record_store();
        sluice_tr.n_words++;
    }
    sluice_leave_out(tcg_last_op());
    if (!unchanged) {
        tcg_temp_free_i64(other);
    }
    sluice_record_progress();
}

static uint32_t flags_of(MemOp memop, bool store)
{
    return (memop & MO_SIZE) << SL_MEM_SIZE_SHIFT | (store ? SL_MEM_STORE : 0);
}

static void store_named(TCGTemp *value, TCGType type, TCGv_i64 address, MemOp memop, bool store)
{
    sluice_store_word(0);
    sluice_tr.marked[sluice_tr.n_marked].op = tcg_last_op();
    sluice_tr.marked[sluice_tr.n_marked++].flags = flags_of(memop, store) |
                                                   (sluice_tr.n_inline ? SL_MEM_MORE : 0);
    sluice_store_wide(address);
    if (sluice_engine.needs & SL_NEED_VALUES) {
        TCGv_i64 wide = store ? tcg_constant_i64(0) : widened(value, type, memop);
        sluice_store_wide(wide);
        if (!store) {
            tcg_temp_free_i64(wide);
        }
    }
    sluice_tr.n_named++;
    sluice_record_progress();
}

static void call_for(TCGTemp *value, TCGType type, TCGv_i64 address, MemOp memop, bool store)
{
    struct sluice_site *site = g_new(struct sluice_site, 1);
    TCGv_i64 wide = store ? tcg_constant_i64(0) : widened(value, type, memop);
    if (sluice_tr.n_sites == G_N_ELEMENTS(sluice_tr.site)) {
        abort();
    }
    site->flags = flags_of(memop, store) |
                  (sluice_tr.n_inline && sluice_every_access() ? SL_MEM_MORE : 0);
    sluice_tr.site[sluice_tr.n_sites++] = site;
    sluice_tr.calls = true;
    gen_helper_sluice_event(SLUICE_ENV, address, wide, tcg_constant_ptr(site));
    sluice_leave_out(tcg_last_op());
    if (!store) {
        tcg_temp_free_i64(wide);
    }
}

void sluice_access(TCGTemp *value, TCGType type, TCGv_i64 address, MemOp memop, bool store)
{
    bool counts = store ? sluice_engine.needs & SL_NEED_STORES
                        : sluice_every_access() || !sluice_tr.n_inline;
    if (sluice_tr.on && sluice_engine.needs && counts) {
        if (!sluice_tr.certain) {
            call_for(value, type, address, memop, store);
        } else if (sluice_every_access()) {
            store_named(value, type, address, memop, store);
            sluice_tr.n_inline++;
        } else {
            store_layout_load(value, type, memop);
            sluice_tr.n_inline++;
        }
    }
    if (address) {
        tcg_temp_free_i64(address);
    }
}
