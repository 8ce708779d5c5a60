/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stages, the write buffers of the plugin's threads: gives each thread a stage, and copies the
 * contents of full stages to slots of the ring (stages.h). */
#include "stages.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

static unsigned needs;
static uint32_t data_at;
static pthread_key_t at_thread_end;

static struct sl_stage no_stage_yet = {.blocks = SL_STAGE_DATA, .at = SL_STAGE_WORDS};
__thread struct sl_stage *stages_own = &no_stage_yet;

static void empty(struct sl_stage *stage)
{
    sl_stage_set(stage, 0, SL_STAGE_DATA, 0);
    stage->last_insn = UINT32_MAX;
}

/* A private stage of this thread, for events that are discarded. */
static __thread struct sl_stage *discard_stage;

static struct sl_stage *private_stage(void)
{
    if (!discard_stage) {
        discard_stage = mmap(NULL, sizeof *discard_stage, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (discard_stage == MAP_FAILED)
            abort(); /* out of memory: the guest could not continue either */
        pthread_setspecific(at_thread_end, discard_stage);
    }
    empty(discard_stage);
    return stages_own = discard_stage;
}

static struct sl_ring *ring;

/* A slot with capacity for a full stage; NULL when detached. */
static struct sl_slot *slot_with_space(struct sl_stage *stage)
{
    struct sl_slot *slot = stage->slot ? &ring->slot[stage->slot - 1] : NULL;
    bool capacity = slot && slot->n_words + SL_STAGE_DATA <= data_at &&
                    (!needs ||
                     data_at + slot->n_data + SL_STAGE_WORDS - SL_STAGE_DATA <= SL_SLOT_WORDS);
    return capacity ? slot : writer_next_slot(stage);
}

/* Prefetches the lines that the next stage is copied to: they are in the cache of sluice's core,
 * and the transfer takes as long as filling a stage. */
static void prefetch_write(const uint32_t *word, uint32_t n)
{
    for (uint32_t i = 0; i < n; i += 16)
        __builtin_prefetch(word + i, 1);
}

static bool flush(struct sl_stage *stage)
{
    const uint32_t *data = stage->word + SL_STAGE_DATA;
    uint32_t n = stage->blocks, n_data = stage->at - SL_STAGE_DATA;
    if (!writer_owns(stage)) { /* there are too many threads */
        writer_count_dropped(stage->word, n, data);
        empty(stage);
        return true;
    }
    struct sl_slot *slot = slot_with_space(stage);
    if (!slot)
        return false;
    uint32_t *word = slot->word + atomic_load_explicit(&slot->n_words, memory_order_relaxed);
    uint32_t *slot_data = slot->word + data_at +
                          atomic_load_explicit(&slot->n_data, memory_order_relaxed);
    memcpy(word, stage->word, n * sizeof *word);
    memcpy(slot_data, data, n_data * sizeof *data);
    stage->moving = slot->n_words + n;
    atomic_store_explicit(&slot->n_data, slot->n_data + n_data, memory_order_release);
    atomic_store_explicit(&slot->n_words, slot->n_words + n, memory_order_release);
    writer_in_order();
    empty(stage);
    writer_in_order();
    stage->moving = 0;
    prefetch_write(word + n, n);
    prefetch_write(slot_data + n_data, n_data);
    return true;
}

static struct sl_stage *first_stage(void)
{
    struct sl_stage *stage = writer_reserve_stage();
    if (!stage)
        return private_stage();
    empty(stage);
    pthread_setspecific(at_thread_end, stage);
    return stages_own = stage;
}

struct sl_stage *stages_make_space(void)
{
    struct sl_stage *stage = stages_own;
    if (writer_detached())
        return private_stage();
    if (stage == &no_stage_yet)
        return first_stage();
    sl_stage_close(stage, needs);
    if (stage->at < SL_STAGE_LIMIT && stage->blocks < SL_STAGE_DATA)
        return stage;
    return flush(stage) ? stage : private_stage();
}

struct sl_stage *stages_continue(void)
{
    struct sl_stage *stage = stages_own;
    uint32_t last_insn = stage->last_insn, block = stage->open_block;
    sl_stage_close(stage, needs);
    if (writer_detached() || !flush(stage))
        stage = private_stage();
    stage->word[0] = SL_WORD_CONTINUED | SL_WORD_OPEN;
    stage->start = SL_STAGE_DATA;
    stage->last_insn = last_insn;
    stage->open_block = block;
    writer_in_order();
    sl_stage_set(stage, 1, SL_STAGE_DATA + 1, SL_STAGE_OPEN);
    return stage;
}

static void thread_ends(void *context)
{
    struct sl_stage *stage = context;
    stages_own = &no_stage_yet;
    if (!writer_detached()) {
        sl_stage_close(stage, needs);
        if (flush(stage) && writer_owns(stage))
            writer_release_stage(stage);
    }
    if (discard_stage)
        munmap(discard_stage, sizeof *discard_stage);
    discard_stage = NULL;
}

static void in_child(bool attached)
{
    (void)attached;
    private_stage();
}

struct sl_ring *stages_attach(int fd)
{
    pthread_key_create(&at_thread_end, thread_ends);
    ring = writer_attach(fd, in_child);
    needs = ring ? ring->needs : 0;
    data_at = ring ? ring->data_at : 0;
    return ring;
}
