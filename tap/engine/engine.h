/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Interface between QEMU and the engine, the version of the tap that is compiled into QEMU. The
 * patches hooks-*.patch add calls of these functions to QEMU's own files.
 *
 * Translated code stores blocks and loaded values into the ring, without a call:
 *
 *     block_ptr >= limit?     leave: the slot is full, or the thread is requested to stop
 *     data_ptr >= data_end?   leave (only if the block has data)
 *     [block_ptr] = word of the block
 *     block_ptr += 4, data_ptr += bytes of the block's data
 *     ... first load ...      [data_ptr - 8] = value
 *     ... second load ...     [data_ptr - 4] = value
 *
 * block_ptr, data_ptr, limit and data_end are fields of the thread's stage (src/stream/ring.h), a
 * shared page that is mapped into QEMU's state of the virtual CPU. The first two are also in host
 * registers (registers.c.inc). The size of a block's data and the offsets of its values are filled
 * in when its last load is translated (inline_block.c). Accesses that are not known at translation
 * are written by calls (runtime_access.c): accesses after a branch inside a block, accesses of
 * helper functions, and all accesses that follow them in the block. */
#ifndef SL_ENGINE_H
#define SL_ENGINE_H

#include "hooks.h"

struct DisasContextBase;

/* ---- translation (inline.c, inline_block.c, inline_access.c) ---- */

void sluice_start_tcg(void);                       /* after the target has made its globals */
bool sluice_tb_start(struct DisasContextBase *db); /* false: the block is not instrumented */
void sluice_insn_start(struct DisasContextBase *db);
void sluice_insn_end(struct DisasContextBase *db);
void sluice_tb_end(struct DisasContextBase *db);

/* Called before and after the translation of a guest memory access. The first returns a copy of the
 * address, or NULL if it is not needed; the second emits the event, with the loaded value for a
 * load. */
TCGv_i64 sluice_address(TCGTemp *address, TCGType type);
void sluice_access(TCGTemp *value, TCGType type, TCGv_i64 address, MemOp memop, bool store);

/* When QEMU has written the host code of operation sluice_awaited, it calls sluice_written() with
 * the offset of the end of that code. */
extern TCGOp *sluice_awaited;
void sluice_written(size_t offset);

/* When QEMU has written the host code of operation sluice_entered, the last of a block's prologue,
 * it calls sluice_entry_written(), which returns the bytes of the block's data. Only if the
 * pointers are in registers. */
extern TCGOp *sluice_entered;
uint32_t sluice_entry_written(void);

/* ---- registers (registers.c.inc, in tcg.c) ---- */

/* Keeps block_ptr and data_ptr in host registers while translated code runs; the offsets are those
 * of the fields in the CPU's state. Returns false if the host has no registers to spare. */
bool sluice_fix_registers(TCGv_ptr *block_ptr, intptr_t block_ptr_offset, TCGv_ptr *data_ptr,
                          intptr_t data_ptr_offset, bool have_data);
void sluice_load_registers(TCGContext *s); /* emits the code that loads them */

/* True if a helper function with these TCG_CALL_* flags may access guest memory and so write
 * events. A function that accesses memory reads the CPU's state, in case of a fault. It need not
 * write to that state: atomic ones do not, and yet the pointers may have advanced when they return.
 */
static inline bool sluice_may_access(unsigned call_flags)
{
    return !(call_flags & (TCG_CALL_NO_READ_GLOBALS | TCG_CALL_NO_SIDE_EFFECTS));
}

/* ---- execution (runtime.c, runtime_access.c, guest_process.c) ---- */

void sluice_enter(CPUState *cpu); /* translated code is about to run */
void sluice_leave(CPUState *cpu); /* translated code has returned */
/* After a block has left at its check: gives the thread a slot with capacity. Returns false if the
 * exit was requested for another reason, which QEMU then handles. */
bool sluice_make_space(CPUState *cpu);
/* QEMU restores the CPU's state at `host_pc`, before it leaves the block. */
void sluice_restored(CPUState *cpu, TranslationBlock *tb, uintptr_t host_pc);
void sluice_thread_ends(CPUState *cpu);

#endif
