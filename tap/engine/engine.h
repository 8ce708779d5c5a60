/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine: a tap inside of QEMU. What QEMU's own files call (hooks-*.patch).
 *
 * Translated code stores what a block does into the ring, without a call:
 *
 *     here >= limit?      leave: there is no room, or somebody asks this thread to stop
 *     there >= data_end?  leave (only where a block has data)
 *     [here] = number of the block
 *     here += 4, there += words of the block's data
 *     ... first load ...   [there - 8] = value
 *     ... second load ...  [there - 4] = value
 *
 * These four are in the thread's stage (src/stream/ring.h), a shared page that is
 * mapped into QEMU's state of the virtual processor, the first two also in registers of the host's
 * (registers.c.inc). How much a block adds and where its
 * values go is filled in when its last load is known (inline.c). What cannot be known at
 * translation is written by calls (runtime.c): accesses behind a branch inside of a block,
 * those of helper functions, and everything that follows them in the block. */
#ifndef SL_ENGINE_H
#define SL_ENGINE_H

#include "hooks.h"

struct DisasContextBase;

/* ---- translation (inline.c) ---- */

void sluice_start_tcg(void);                       /* behind the target's globals */
bool sluice_tb_start(struct DisasContextBase *db); /* false: it is none of ours */
void sluice_insn_start(struct DisasContextBase *db);
void sluice_insn_end(struct DisasContextBase *db);
void sluice_tb_end(struct DisasContextBase *db);

/* Around an access to guest memory that is being translated: the address as it was before,
 * if it will be wanted (NULL: not); then what was loaded, or that something was stored. */
TCGv_i64 sluice_address(TCGTemp *address, TCGType type);
void sluice_access(TCGTemp *value, TCGType type, TCGv_i64 address, MemOp memop, bool store);

/* Code for the operation has been written, up to `offset`. */
extern TCGOp *sluice_awaited;
void sluice_written(size_t offset);

/* Code for the operation has been written with which a block of ours begins, if its positions are
 * in registers: how many bytes of data it has. */
extern TCGOp *sluice_entered;
uint32_t sluice_entry_written(void);

/* ---- registers (registers.c.inc, in tcg.c) ---- */

/* Positions that stay in registers while translated code runs, and where in the processor's state
 * they are else; false: this host has none to spare. */
bool sluice_fix_registers(TCGv_ptr *here, intptr_t its_place, TCGv_ptr *there,
                          intptr_t place_of_there, bool have_data);
void sluice_load_registers(TCGContext *s); /* writes code that does */

/* Whether a function with these flags of QEMU's may access guest memory, of which events are
 * written: it needs the processor's state then, in case that this fails. It need not write to that
 * state: atomic ones do not, and positions have moved all the same when they return. */
static inline bool sluice_may_access(unsigned call_flags)
{
    return !(call_flags & (TCG_CALL_NO_READ_GLOBALS | TCG_CALL_NO_SIDE_EFFECTS));
}

/* ---- running (runtime.c) ---- */

void sluice_enter(CPUState *cpu); /* translated code is about to run */
void sluice_leave(CPUState *cpu); /* it does not run any more */
/* After a block has left at its check: true if that was ours, and is done. */
bool sluice_make_room(CPUState *cpu);
/* The processor's state is being made that of `host_pc`; then the block is left. */
void sluice_restored(CPUState *cpu, TranslationBlock *tb, uintptr_t host_pc);
void sluice_thread_ends(CPUState *cpu);

#endif
