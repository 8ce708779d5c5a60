/* SPDX-License-Identifier: MIT */
/* Control flow of a thread: classifies the transfer from each block to the next, and caches the
 * result per pair of blocks. Signal handlers and delay slots are recognized. flow.h describes the
 * classes. */
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
    memset(flow->recent, 0xff, sizeof flow->recent); /* no block has this id */
}

int sl_flow_sync(struct sl_flow *flow, struct sl_failure *f)
{
    if (!SL_GROW(flow->successors, flow->successors_capacity, flow->code->n_blocks) ||
        flow->out_of_memory)
        return sl_out_of_memory(f);
    for (; flow->n_blocks < flow->code->n_blocks; flow->n_blocks++)
        flow->successors[flow->n_blocks] = (struct sl_flow_successors){
            {SL_FLOW_NONE, SL_FLOW_NONE}, {SL_FLOW_UNKNOWN, SL_FLOW_UNKNOWN}};
    return 0;
}

void sl_flow_free(struct sl_flow *flow)
{
    free(flow->successors);
    free(flow->other);
    free(flow->joined);
    sl_index_free(&flow->others);
}

const struct sl_block_end *sl_flow_end(const struct sl_flow *flow, uint32_t block)
{
    return block < flow->n_blocks ? &flow->code->end[block]
                                  : &flow->joined[SL_FLOW_NONE - 1 - block];
}

static struct sl_flow_pair *recent(struct sl_flow *flow, uint32_t from, uint32_t next)
{
    uint64_t key = (uint64_t)from << 32 | next;
    return &flow->recent[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SL_FLOW_RECENT_LOG2)];
}

/* Writes the pair used last to the second slot of its block. */
static void cache_last(struct sl_flow *flow, uint32_t from, uint32_t next, uint32_t meaning)
{
    if (from < flow->n_blocks) {
        flow->successors[from].next[1] = next;
        flow->successors[from].meaning[1] = meaning;
    }
}

static void store(struct sl_flow *flow, uint32_t from, uint32_t next, uint32_t meaning)
{
    if (from < flow->n_blocks && flow->successors[from].next[0] == SL_FLOW_NONE) {
        flow->successors[from].next[0] = next;
        flow->successors[from].meaning[0] = meaning;
        return;
    }
    cache_last(flow, from, next, meaning);
    *recent(flow, from, next) = (struct sl_flow_pair){from, next, meaning};
    uint32_t index = sl_index_add(&flow->others, from, next);
    if (index == SL_NO_INDEX || !SL_GROW(flow->other, flow->other_capacity, (size_t)index + 1))
        flow->out_of_memory = true;
    else
        flow->other[index] = meaning;
}

/* Joins a block that ends before its delay slot with the block of the slot. */
static uint32_t join(struct sl_flow *flow, uint32_t block, uint32_t slot)
{
    uint32_t index = sl_index_find(&flow->others, ~(uint64_t)block, slot);
    if (index != SL_NO_INDEX)
        return flow->other[index];
    index = sl_index_add(&flow->others, ~(uint64_t)block, slot);
    if (index == SL_NO_INDEX || !SL_GROW(flow->other, flow->other_capacity, (size_t)index + 1) ||
        !SL_GROW(flow->joined, flow->joined_capacity, flow->n_joined + 1)) {
        flow->out_of_memory = true;
        return slot;
    }
    struct sl_block_end end = *sl_flow_end(flow, block);
    end.next = flow->code->end[slot].next;
    end.slot_missing = false;
    flow->joined[flow->n_joined] = end;
    return flow->other[index] = SL_FLOW_NONE - 1 - (uint32_t)flow->n_joined++;
}

/* A signal handler begins or has ended. At an end, the interrupted block continues; if that was
 * itself the end of a handler, the block that this one had interrupted. */
static uint32_t interrupt(struct sl_flow *flow, struct sl_flow_thread *thread, uint32_t from,
                          uint32_t next)
{
    uint64_t pc = flow->code->statics->block[next].pc;
    for (uint32_t i = thread->n_interrupted; i-- > 0;) {
        uint32_t interrupted = thread->interrupted[i].block;
        const struct sl_block_end *end = sl_flow_end(flow, interrupted);
        bool goes_on = sl_block_end_leads_to(end, end->next, pc);
        /* Back inside the block: after a fault, the instruction is executed again. */
        bool again = interrupted < flow->n_blocks &&
                     pc >= flow->code->statics->block[interrupted].pc && pc < end->next;
        if (!goes_on && !again)
            continue;
        thread->n_interrupted = i;
        thread->signal = SL_FLOW_ENDED;
        if (!goes_on)
            return SL_FLOW_NOTHING;
        thread->block = interrupted;
        return sl_flow_step(flow, thread, next);
    }
    if (thread->n_interrupted == SL_FLOW_INTERRUPTED_MAX) {
        for (uint32_t i = 1; i < SL_FLOW_INTERRUPTED_MAX; i++)
            thread->interrupted[i - 1] = thread->interrupted[i];
        thread->n_interrupted--;
    }
    thread->interrupted[thread->n_interrupted++].block = from;
    thread->signal = SL_FLOW_BEGAN;
    return SL_FLOW_NOTHING;
}

uint32_t sl_flow_known(const struct sl_flow *flow, uint32_t from, uint32_t next)
{
    uint32_t meaning = sl_flow_cached(flow->successors, flow->n_blocks, from, next);
    if (meaning != SL_FLOW_UNKNOWN)
        return meaning;
    uint32_t index = sl_index_find(&flow->others, from, next);
    return index != SL_NO_INDEX ? flow->other[index] : SL_FLOW_UNKNOWN;
}

uint32_t sl_flow_step_slow(struct sl_flow *flow, struct sl_flow_thread *thread, uint32_t next)
{
    uint32_t from = thread->block;
    thread->block = next;
    if (from == SL_FLOW_NONE)
        return SL_FLOW_NOTHING;

    struct sl_flow_pair *pair = recent(flow, from, next);
    if (pair->from == from && pair->next == next) {
        cache_last(flow, from, next, pair->meaning);
        return pair->meaning;
    }
    uint32_t index = sl_index_find(&flow->others, from, next);
    if (index != SL_NO_INDEX) {
        cache_last(flow, from, next, flow->other[index]);
        *pair = (struct sl_flow_pair){from, next, flow->other[index]};
        return flow->other[index];
    }
    const struct sl_block_end *end = sl_flow_end(flow, from);
    uint64_t pc = flow->code->statics->block[next].pc;
    if (end->slot_missing && pc == end->next) {
        thread->block = join(flow, from, next);
        return SL_FLOW_NOTHING;
    }
    if (end->flags & SL_INSN_REPEATS && pc == sl_block_last_pc(flow->code->statics, from)) {
        store(flow, from, next, SL_FLOW_NOTHING);
        return SL_FLOW_NOTHING;
    }
    if (sl_block_end_leads_to(end, end->next, pc)) {
        uint32_t meaning = flow->meaning(flow->context, end, from, next);
        store(flow, from, next, meaning);
        return meaning;
    }

    return interrupt(flow, thread, from, next);
}
