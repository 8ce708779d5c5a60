/* SPDX-License-Identifier: MIT */
/* Transfers of control: pairs of blocks, signal handlers, delay slots (flow.h). */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"

void sl_flow_init(struct sl_flow *flow, const struct sl_code *code,
                  uint32_t (*meaning)(void *, const struct sl_block_end *, uint32_t, uint32_t),
                  void *context)
{
    *flow = (struct sl_flow){.code = code, .meaning = meaning, .context = context};
    memset(flow->recent, 0xff, sizeof flow->recent); /* from no block */
}

int sl_flow_sync(struct sl_flow *flow, struct sl_failure *f)
{
    if (!SL_GROW(flow->place, flow->places_capacity, flow->code->n_blocks) || flow->out_of_memory)
        return sl_out_of_memory(f);
    for (; flow->n_places < flow->code->n_blocks; flow->n_places++)
        flow->place[flow->n_places] = (struct sl_flow_place){{SL_FLOW_NONE, SL_FLOW_NONE},
                                                             {SL_FLOW_UNKNOWN, SL_FLOW_UNKNOWN}};
    return 0;
}

void sl_flow_free(struct sl_flow *flow)
{
    free(flow->place);
    free(flow->other);
    free(flow->joined);
    sl_index_free(&flow->others);
}

const struct sl_block_end *sl_flow_end(const struct sl_flow *flow, uint32_t block)
{
    return block < flow->n_places ? &flow->code->end[block]
                                  : &flow->joined[SL_FLOW_NONE - 1 - block];
}

/* True if code at `pc` can follow a block with this end. */
static bool possible(const struct sl_block_end *end, uint64_t pc)
{
    switch (end->branch) {
    case SL_BRANCH_CONDITIONAL:
        return pc == end->target || pc == end->next;
    case SL_BRANCH_JUMP:
    case SL_BRANCH_CALL:
        return pc == end->target;
    case SL_BRANCH_NONE:
        return pc == end->next;
    default:
        return true;
    }
}

static struct sl_flow_pair *recent(struct sl_flow *flow, uint32_t from, uint32_t next)
{
    uint64_t key = (uint64_t)from << 32 | next;
    return &flow->recent[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SL_FLOW_RECENT_LOG2)];
}

/* The second slot of a block holds the pair used last. */
static void keep(struct sl_flow *flow, uint32_t from, uint32_t next, uint32_t meaning)
{
    if (from < flow->n_places) {
        flow->place[from].next[1] = next;
        flow->place[from].meaning[1] = meaning;
    }
}

static void remember(struct sl_flow *flow, uint32_t from, uint32_t next, uint32_t meaning)
{
    if (from < flow->n_places && flow->place[from].next[0] == SL_FLOW_NONE) {
        flow->place[from].next[0] = next;
        flow->place[from].meaning[0] = meaning;
        return;
    }
    keep(flow, from, next, meaning);
    *recent(flow, from, next) = (struct sl_flow_pair){from, next, meaning};
    uint32_t number = sl_index_add(&flow->others, from, next);
    if (number == SL_NO_INDEX || !SL_GROW(flow->other, flow->other_capacity, (size_t)number + 1))
        flow->out_of_memory = true;
    else
        flow->other[number] = meaning;
}

/* Joins a block that ends before its delay slot with the block of the slot. */
static uint32_t join(struct sl_flow *flow, uint32_t block, uint32_t slot)
{
    uint32_t number = sl_index_find(&flow->others, ~(uint64_t)block, slot);
    if (number != SL_NO_INDEX)
        return flow->other[number];
    number = sl_index_add(&flow->others, ~(uint64_t)block, slot);
    if (number == SL_NO_INDEX || !SL_GROW(flow->other, flow->other_capacity, (size_t)number + 1) ||
        !SL_GROW(flow->joined, flow->joined_capacity, flow->n_joined + 1)) {
        flow->out_of_memory = true;
        return slot;
    }
    struct sl_block_end end = *sl_flow_end(flow, block);
    end.next = flow->code->end[slot].next;
    end.slot_missing = false;
    flow->joined[flow->n_joined] = end;
    return flow->other[number] = SL_FLOW_NONE - 1 - (uint32_t)flow->n_joined++;
}

static uint64_t last_insn_pc(const struct sl_flow *flow, uint32_t block)
{
    const struct sl_statics *statics = flow->code->statics;
    const struct sl_block *b = &statics->block[block];
    return statics->insn[statics->block_insn[b->insns_at + b->n_insns - 1u]].pc;
}

/* A signal handler begins or has ended. At an end, the interrupted block continues; if that was
 * itself the end of a handler, the block that this one had interrupted. */
static uint32_t interrupt(struct sl_flow *flow, struct sl_flow_thread *thread, uint32_t from,
                          uint32_t next)
{
    uint64_t pc = flow->code->statics->block[next].pc;
    for (uint32_t i = thread->n_waiting; i-- > 0;) {
        uint32_t waiting = thread->waiting[i].block;
        const struct sl_block_end *end = sl_flow_end(flow, waiting);
        bool goes_on = possible(end, pc);
        /* Back inside the block: after a fault, the instruction is executed again. */
        bool again = waiting < flow->n_places && pc >= flow->code->statics->block[waiting].pc &&
                     pc < end->next;
        if (!goes_on && !again)
            continue;
        thread->n_waiting = i;
        thread->signal = SL_FLOW_ENDED;
        if (!goes_on)
            return SL_FLOW_NOTHING;
        thread->block = waiting;
        return sl_flow_step(flow, thread, next);
    }
    if (thread->n_waiting == SL_FLOW_WAITING) {
        for (uint32_t i = 1; i < SL_FLOW_WAITING; i++)
            thread->waiting[i - 1] = thread->waiting[i];
        thread->n_waiting--;
    }
    thread->waiting[thread->n_waiting++].block = from;
    thread->signal = SL_FLOW_BEGAN;
    return SL_FLOW_NOTHING;
}

uint32_t sl_flow_known(const struct sl_flow *flow, uint32_t from, uint32_t next)
{
    uint32_t meaning = sl_flow_cached(flow->place, flow->n_places, from, next);
    if (meaning != SL_FLOW_UNKNOWN)
        return meaning;
    uint32_t number = sl_index_find(&flow->others, from, next);
    return number != SL_NO_INDEX ? flow->other[number] : SL_FLOW_UNKNOWN;
}

uint32_t sl_flow_look(struct sl_flow *flow, struct sl_flow_thread *thread, uint32_t next)
{
    uint32_t from = thread->block;
    thread->block = next;
    if (from == SL_FLOW_NONE)
        return SL_FLOW_NOTHING;

    struct sl_flow_pair *pair = recent(flow, from, next);
    if (pair->from == from && pair->next == next) {
        keep(flow, from, next, pair->meaning);
        return pair->meaning;
    }
    uint32_t number = sl_index_find(&flow->others, from, next);
    if (number != SL_NO_INDEX) {
        keep(flow, from, next, flow->other[number]);
        *pair = (struct sl_flow_pair){from, next, flow->other[number]};
        return flow->other[number];
    }
    const struct sl_block_end *end = sl_flow_end(flow, from);
    uint64_t pc = flow->code->statics->block[next].pc;
    if (end->slot_missing && pc == end->next) {
        thread->block = join(flow, from, next);
        return SL_FLOW_NOTHING;
    }
    if (end->flags & SL_INSN_REPEATS && pc == last_insn_pc(flow, from)) {
        remember(flow, from, next, SL_FLOW_NOTHING);
        return SL_FLOW_NOTHING;
    }
    if (possible(end, pc)) {
        uint32_t meaning = flow->meaning(flow->context, end, from, next);
        remember(flow, from, next, meaning);
        return meaning;
    }

    return interrupt(flow, thread, from, next);
}
