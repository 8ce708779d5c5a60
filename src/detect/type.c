/* SPDX-License-Identifier: MIT */
/* Detector `type`: identifies the object's class at each indirect call by the method-table slot
 * from which the target of the call was loaded. Tuple: <pc of the indirect call, address of the
 * slot>.
 *
 * The slot is an entry of a method table (or of a table of function pointers), so that it
 * identifies the class of the object.
 *
 * A call through memory loads its slot itself. For a call through a register, the slot is the
 * address that the register was last loaded from. If the register was written in any other way
 * since then, the event's slot is 0. So there is one event per indirect call in any case.
 *
 * Each block has a static summary: which registers its loads leave with a known slot, and which
 * registers it clobbers. */
#include <stdlib.h>

#include "detector_state.h"
#include "failure.h"
#include "grow.h"

#define REGISTERS 32u
#define UNKNOWN_REGISTER 32 /* its slot is always 0 */

struct summary {
    uint32_t insn[2];     /* index of the first and number of its loads in `loads` */
    uint32_t clobbers;    /* registers that it clobbers, as bits */
    uint32_t call_insn;   /* SL_NO_INDEX: no indirect call, or not selected */
    int8_t call_register; /* -1: a call through memory */
};

struct slot_load {
    uint32_t insn;
    uint8_t reg;
};

struct type {
    struct sl_detector_state base; /* first */
    struct summary *summary;
    size_t n_blocks, summary_capacity;
    struct slot_load *loads;
    size_t n_loads, loads_capacity;
};

struct thread {
    uint64_t slot[REGISTERS + 1]; /* 0: unknown */
};

static int only_register(uint64_t set)
{
    return set && !(set & (set - 1)) ? __builtin_ctzll(set) : -1;
}

/* Summarizes a block: a load into one register gives it a slot, any other write clobbers it. */
static bool summarize(struct type *s, const struct sl_block *block, struct summary *out)
{
    const struct sl_statics *statics = s->base.env->statics;
    size_t first = s->n_loads;
    for (unsigned i = 0; i < block->n_insns; i++) {
        uint32_t insn = statics->block_insn[block->insns_at + i];
        const struct sl_insn_info *info = sl_code_insn(s->base.env->code, insn);
        uint32_t writes = (uint32_t)info->writes.general;
        int reg = only_register(writes);
        for (size_t j = first; j < s->n_loads; j++)
            if (writes >> s->loads[j].reg & 1)
                s->loads[j--] = s->loads[--s->n_loads];
        out->clobbers |= writes;
        if (info->class == SL_CLASS_LOAD && reg >= 0 && reg < (int)REGISTERS) {
            if (!SL_GROW(s->loads, s->loads_capacity, s->n_loads + 1))
                return false;
            s->loads[s->n_loads++] = (struct slot_load){insn, (uint8_t)reg};
        }
    }
    out->insn[0] = (uint32_t)first;
    out->insn[1] = (uint32_t)(s->n_loads - first);
    return true;
}

static int sync(void *state, struct sl_failure *f)
{
    struct type *s = state;
    const struct sl_detector_env *w = s->base.env;
    if (!SL_GROW(s->summary, s->summary_capacity, w->statics->n_blocks))
        return sl_out_of_memory(f);
    for (; s->n_blocks < w->statics->n_blocks; s->n_blocks++) {
        const struct sl_block_end *end = &w->code->end[s->n_blocks];
        struct summary *summary = &s->summary[s->n_blocks];
        *summary = (struct summary){.call_insn = SL_NO_INDEX, .call_register = -1};
        if (!summarize(s, &w->statics->block[s->n_blocks], summary))
            return sl_out_of_memory(f);
        if (end->branch != SL_BRANCH_INDIRECT_CALL || !w->selection->chosen[end->branch_insn])
            continue;
        const struct sl_insn_info *call = sl_code_insn(w->code, end->branch_insn);
        summary->call_insn = end->branch_insn;
        if (!(call->flags & SL_INSN_LOADS)) {
            /* x86 calls also read the stack pointer. */
            uint64_t reads = call->reads.general & ~call->writes.general;
            int reg = only_register(reads ? reads : call->reads.general);
            summary->call_register = (int8_t)(reg < 0 ? UNKNOWN_REGISTER : reg);
        }
    }
    return 0;
}

/* The address of the first access of `insn` in this execution of the block; 0: none. */
static uint64_t address_of(const struct sl_chunk *chunk, uint32_t low, uint32_t high, uint32_t insn)
{
    for (uint32_t i = low; i < high; i++)
        if ((chunk->mem_insn[i] & (SL_MEM_INSN_MASK | SL_MEM_STORE)) == insn)
            return chunk->mem_addr[i];
    return 0;
}

static int feed(void *state, const struct sl_slice *slice, struct sl_events *out,
                struct sl_failure *f)
{
    struct type *s = state;
    const struct sl_chunk *chunk = slice->chunk;
    int fresh;
    struct thread *t = sl_threads_state(&s->base.threads, chunk->thread, sizeof *t, &fresh);
    if (!t)
        return sl_out_of_memory(f);
    if (!slice->joined)
        *t = (struct thread){{0}};
    for (uint32_t i = slice->block_low; i < slice->block_high; i++) {
        const struct summary *b = &s->summary[chunk->block[i]];
        uint32_t low = chunk->block_mem[i];
        uint32_t high = sl_chunk_mem(chunk, i + 1);
        uint64_t slot = 0;
        uint64_t before = b->call_register >= 0 ? t->slot[b->call_register] : 0;
        for (uint32_t clobbers = b->clobbers; clobbers; clobbers &= clobbers - 1)
            t->slot[__builtin_ctz(clobbers)] = 0;
        for (uint32_t j = 0; j < b->insn[1]; j++) {
            const struct slot_load *load = &s->loads[b->insn[0] + j];
            t->slot[load->reg] = address_of(chunk, low, high, load->insn);
        }
        if (b->call_insn == SL_NO_INDEX)
            continue;
        if (b->call_register < 0)
            slot = address_of(chunk, low, high, b->call_insn);
        else if (t->slot[b->call_register] || (uint64_t)b->clobbers >> b->call_register & 1)
            slot = t->slot[b->call_register];
        else
            slot = before;
        uint32_t tuple_id = sl_dictionary_add(&s->base.tuples,
                                              s->base.env->statics->insn[b->call_insn].pc, slot);
        if (tuple_id == SL_NO_INDEX)
            return sl_out_of_memory(f);
        if (out->position)
            out->position[out->n] = i + 1;
        out->tuple_id[out->n++] = tuple_id;
    }
    return 0;
}

static void close_type(void *state)
{
    struct type *s = state;
    free(s->summary);
    free(s->loads);
    sl_detector_state_close(s);
}

const struct sl_detector_kind sl_detector_type = {
    .name = "type",
    .summary = "method-table slots from which indirect calls loaded their target: <pc, slot>",
    .plural = "types",
    .per_instruction = true,
    .first = SL_FIELD_CODE,
    .second = {"slot", NULL, SL_FIELD_SLOT},
    .stream_needs = SL_NEED_ADDRESSES,
    .unweighted = true,
    .default_metric = "count",
    .state_size = sizeof(struct type),
    .init = sl_detector_state_init,
    .sync = sync,
    .feed = feed,
    .end_thread = sl_detector_state_end_thread,
    .names = sl_detector_state_names,
    .close = close_type,
};
