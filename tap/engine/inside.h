/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internal header of the engine: declarations for several of its files, and macros for differences
 * between versions of QEMU. */
#ifndef SL_ENGINE_INSIDE_H
#define SL_ENGINE_INSIDE_H

#include "qemu/osdep.h"
#include "exec/exec-all.h"
#include "exec/translator.h"
#include "tcg/tcg.h"
#include "tcg/tcg-op.h"

#include "engine.h"
#include "guest.h"
#include "load_sampling.h"
#include "writer.h"

/* QEMU's internal header: for functions that translators do not use. */
#include "../../../tcg/tcg-internal.h"

#if QEMU_VERSION_MAJOR < 8
#define SLUICE_TEMP() tcg_temp_new_i64()
#define SLUICE_INSERT(op, opc, n) tcg_op_insert_after(tcg_ctx, op, opc)
#define SLUICE_NEG(cpu) cpu_neg(cpu)
#define SLUICE_NEG_OFFSET(field) (offsetof(ArchCPU, neg.field))
#define SLUICE_ENV cpu_env
#else
#define SLUICE_NEG(cpu) (&(cpu)->neg)
#define SLUICE_NEG_OFFSET(field) (offsetof(ArchCPU, parent_obj.neg.field))
#define SLUICE_ENV tcg_env
#include "tcg/tcg-temp-internal.h"
#include "../tb-internal.h"
#define SLUICE_TEMP() tcg_temp_ebb_new_i64()
#define SLUICE_INSERT(op, opc, n) tcg_op_insert_after(tcg_ctx, op, opc, n)
#endif

/* Offset of a field of the stage from the guest's registers (env). */
#define STAGE_OFFSET(field)                                                          \
    ((intptr_t)(SLUICE_NEG_OFFSET(sluice_page) + offsetof(struct sl_stage, field)) - \
     (intptr_t)offsetof(ArchCPU, env))

/* Flag of a bare translation (inline.c). QEMU looks up translations by all their flags and does not
 * use this bit itself. */
#define SLUICE_CF_BARE UINT32_C(0x00800000)

/* Configuration of the run, as sluice has written it to the ring. */
struct sluice_engine {
    struct sl_ring *ring; /* NULL: not started by sluice, or detached from the ring */
    const struct guest *guest;
    unsigned needs;
    uint32_t data_at;                      /* index in a slot where data begin */
    struct sl_load_sampling load_sampling; /* of = 0: every load */
    bool on;                               /* started by sluice */
    bool by_calls;   /* for tests: no access is certain, so all are written by calls */
    bool repeatable; /* random numbers and time stamps are the same in each run */
};
extern struct sluice_engine sluice_engine;

static inline struct sl_stage *sluice_stage(CPUState *cpu)
{
    return (struct sl_stage *)SLUICE_NEG(cpu)->sluice_page;
}

/* Maximum data of one translated block that are stored inline, and the space after `end` and
 * `data_end` that is reserved for them and for calls. */
#define SLUICE_INLINE_WORDS 4096u
#define SLUICE_SLACK_WORDS (2 * SLUICE_INLINE_WORDS)

/* An access that is written by a call. Lives as long as the translation. */
struct sluice_site {
    uint32_t insn;
    uint32_t flags; /* of a mem_insn word */
};

/* Progress of a block by offset in its host code: from `offset` on, `words` of the `all` data words
 * of the current piece are stored. */
struct sluice_progress {
    uint16_t offset;
    uint16_t words, all;
};
struct sluice_progress_map {
    uint32_t n;
    struct sluice_progress entry[];
};

/* ---- stages (runtime.c) ---- */

/* True if the page is mapped to a stage of the ring; false if it is private memory. */
bool sluice_is_shared(const struct sl_stage *stage);

/* Replaces the page by zeroed private memory: the next block is treated as a thread's first. */
void sluice_make_private(struct sl_stage *stage);

/* Directs the stage to memory that is not read: the thread's events are discarded. */
void sluice_discard_events(struct sl_stage *stage);

/* Adds the events in the stage's buffer to the ring's counts of dropped events. */
void sluice_count_dropped(const struct sl_stage *stage);

/* Stores the number of block words and data words in the slot, for the reader. */
void sluice_store_counts(const struct sl_stage *stage);

/* Continues in another slot in the middle of a block. The next block leaves translated code, since
 * its limit must be set for the new slot. */
void sluice_next_slot_in_block(struct sl_stage *stage);

#endif
