/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the engine's own files share, and where versions of QEMU differ. */
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

/* QEMU's own, for what is not public to its translators. */
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

/* Of a field of the stage, from the guest's registers. */
#define STAGE_OFFSET(field)                                                          \
    ((intptr_t)(SLUICE_NEG_OFFSET(sluice_page) + offsetof(struct sl_stage, field)) - \
     (intptr_t)offsetof(ArchCPU, env))

/* Of a translation: it leaves loads out. QEMU tells such translations apart by all their flags,
 * and uses this one for nothing. */
#define SLUICE_CF_BARE UINT32_C(0x00800000)

/* What sluice wants, for the whole run. */
struct sluice_engine {
    struct sl_ring *ring; /* NULL: not started by sluice, or on our own by now */
    const struct guest *guest;
    unsigned needs;
    uint32_t data_at;                  /* in slots */
    struct sl_load_sampling stretches; /* where loads are watched; of 0: everywhere */
    bool on;                           /* started by sluice */
    bool by_calls;                     /* nothing is certain: to test what is */
    bool repeatable;                   /* random numbers and time stamps are not the machine's */
};
extern struct sluice_engine sluice_engine;

static inline struct sl_stage *sluice_stage(CPUState *cpu)
{
    return (struct sl_stage *)SLUICE_NEG(cpu)->sluice_page;
}

/* The most that code of one translated block may add inline, and what is kept free behind
 * `end` for that and for calls. */
#define SLUICE_INLINE_WORDS 4096u
#define SLUICE_SLACK_WORDS (2 * SLUICE_INLINE_WORDS)

/* An access that is written by a call; as long as its translation. */
struct sluice_site {
    uint32_t insn;
    uint32_t flags; /* of a mem_insn word */
};

/* How far a block had come, by the place in its code: behind `offset`, `words` of the data are
 * there of the piece that has `all`. */
struct sluice_step {
    uint16_t offset;
    uint16_t words, all;
};
struct sluice_steps {
    uint32_t n;
    struct sluice_step step[];
};

#endif
