/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the engine that run while the guest executes: they provide ring slots for events,
 * select translations with or without loads for load sampling, and mark when a thread enters or
 * leaves translated code.
 *
 * QEMU's state of a virtual CPU contains a page that is the stage of the CPU's thread. Before the
 * thread's first block, and for threads and processes that are not profiled, it is private memory;
 * then the thread's stage in the ring is mapped over it. */
#include "inside.h"

#include <sys/mman.h>

#include "exec/helper-proto.h"

/* ---- memory of virtual CPUs ---- */

/* The page must end where the fields after it begin, so CPUState is not page-aligned. */
#define PAGE 4096u
#define SHIFT ((PAGE - SLUICE_NEG_OFFSET(sluice_page) % PAGE) % PAGE)

static void *cpu_memory_free; /* a free list: other threads may still read a dead CPU */

void *sluice_cpu_memory(size_t size)
{
    void *memory = cpu_memory_free;
    if (memory) {
        cpu_memory_free = *(void **)memory;
        memset(memory, 0, size);
        return memory;
    }
    memory = mmap(NULL, size + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        abort(); /* as QEMU does when it is out of memory */
    }
    return (char *)memory + SHIFT;
}

void sluice_cpu_free(void *memory)
{
    *(void **)memory = cpu_memory_free;
    cpu_memory_free = memory;
}

/* ---- stages and slots ---- */

/* Memory for events that are discarded; one buffer for all threads. */
static uint32_t *discard_buffer(void)
{
    static uint32_t *words;
    if (!words) {
        words = mmap(NULL, SL_SLOT_WORDS * sizeof *words, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (words == MAP_FAILED) {
            abort();
        }
    }
    return words;
}

static void write_to(struct sl_stage *stage, uint32_t *words, uint32_t slot)
{
    stage->open_count = NULL;
    stage->counted = (uintptr_t)words;
    stage->base = (uintptr_t)words;
    stage->block_ptr = (uintptr_t)words;
    stage->data_ptr = (uintptr_t)(words + sluice_engine.data_at);
    stage->end = (uintptr_t)(words + sluice_engine.data_at - SLUICE_SLACK_WORDS);
    stage->data_end = (uintptr_t)(words + SL_SLOT_WORDS - SLUICE_SLACK_WORDS);
    /* The previous slot's limit does not apply: the next block leaves and gets a new limit
     * (sluice_make_space), also when a call in the middle of a block has changed the slot. */
    qatomic_set(&stage->limit, 0);
    writer_in_order();
    stage->base_slot = slot;
}

bool sluice_is_shared(const struct sl_stage *stage)
{
    return stage->used;
}

void sluice_make_private(struct sl_stage *stage)
{
    if (mmap(stage, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
        MAP_FAILED) {
        abort();
    }
}

void sluice_discard_events(struct sl_stage *stage)
{
    if (sluice_is_shared(stage)) {
        sluice_make_private(stage);
    }
    write_to(stage, discard_buffer(), 0);
}

/* Before a thread's first block: maps a stage of the ring over the page of its CPU. If the ring has
 * no free stage, the thread's events are discarded. */
static void attach_stage(struct sl_stage *page)
{
    struct sl_stage *stage = writer_reserve_stage();
    if (!stage || mremap(stage, 0, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, page) == MAP_FAILED) {
        sluice_discard_events(page);
        return;
    }
    page->running = 1;
    page->last_insn = UINT32_MAX;
    page->position = 0;
    page->helped_insn = 0;
    page->bare = 0;
    page->n_blocks = page->counted = page->stop = 0;
    page->limit = page->end = page->data_end = page->block_ptr = page->data_ptr = page->base = 0;
}

static uint32_t n_words(const struct sl_stage *stage)
{
    return (stage->block_ptr - stage->base) / sizeof(uint32_t);
}

void sluice_count_dropped(const struct sl_stage *stage)
{
    uint32_t *words = (uint32_t *)(uintptr_t)stage->base;
    writer_count_dropped(words, n_words(stage), words + sluice_engine.data_at);
}

void sluice_store_counts(const struct sl_stage *stage)
{
    struct sl_slot *slot = &sluice_engine.ring->slot[stage->slot - 1];
    atomic_store(&slot->n_data,
                 (stage->data_ptr - stage->base) / sizeof(uint32_t) - sluice_engine.data_at);
    atomic_store(&slot->n_words, n_words(stage));
}

/* True if no further block may begin in the slot. (A stream of blocks alone has no data: the data
 * area is empty.) */
static bool is_full(const struct sl_stage *stage)
{
    return stage->block_ptr >= stage->end ||
           (sluice_engine.needs && stage->data_ptr >= stage->data_end);
}

/* Adds the blocks since the last call to the number that load sampling needs. */
static void count_blocks(struct sl_stage *stage)
{
    uint32_t n = (stage->block_ptr - stage->counted) / sizeof(uint32_t);
    if (sluice_engine.load_sampling.of > 1) {
        stage->n_blocks += stage->bare
                               ? n
                               : writer_count_blocks((uint32_t *)(uintptr_t)stage->counted, n);
    }
    stage->counted = stage->block_ptr;
}

/* Passes the slot to the reader and continues in another one. */
static void next_slot(struct sl_stage *stage)
{
    struct sl_slot *slot;
    if (!sluice_is_shared(stage)) {
        if (!writer_detached()) {
            sluice_count_dropped(stage);
        }
        write_to(stage, discard_buffer(), 0);
        return;
    }
    if (stage->base_slot) {
        count_blocks(stage);
        sluice_store_counts(stage);
    }
    slot = writer_detached() ? NULL : writer_next_slot(stage);
    if (slot) {
        write_to(stage, slot->word, stage->slot);
    } else {
        sluice_discard_events(stage);
    }
}

static void more_space(struct sl_stage *stage)
{
    if (!stage->base && !writer_detached()) {
        attach_stage(stage);
    }
    next_slot(stage);
}

/* ---- load sampling ---- */

/* A translated block has at most TCG_MAX_INSNS pieces, since each has an instruction. So up to this
 * many blocks may run past `stop` before the next check. */
#define SAMPLING_MARGIN (TCG_MAX_INSNS + 64u)

/* Chooses the translations that run next, with loads or bare, and sets `stop`, where to choose
 * again. Loads are written from a margin before each sampling window, as bare code may run past
 * `stop`, to a margin after it. The reader counts blocks one by one and drops the loads outside the
 * window. */
static void choose_code(CPUState *cpu, struct sl_stage *stage)
{
    const struct sl_load_sampling *s = &sluice_engine.load_sampling;
    uint64_t next, blocks;
    if (s->of <= 1 || !sluice_is_shared(stage)) {
        stage->stop = stage->end;
        return;
    }
    count_blocks(stage);
    next = sl_load_sampling_next(s, stage->n_blocks);
    stage->bare = next - stage->n_blocks > 2 * SAMPLING_MARGIN;
    blocks = stage->bare ? next - SAMPLING_MARGIN - stage->n_blocks
                         : MAX(sl_load_sampling_end(s, next) - stage->n_blocks, SAMPLING_MARGIN);
    stage->stop = MIN(stage->end, stage->block_ptr + MIN(blocks, SL_SLOT_WORDS) * sizeof(uint32_t));
    stage->open_count = NULL;
    stage->helped_insn = 0;
    cpu->tcg_cflags &= ~SLUICE_CF_BARE;
    cpu->tcg_cflags |= stage->bare ? SLUICE_CF_BARE : 0;
}

bool sluice_make_space(CPUState *cpu)
{
    struct sl_stage *stage = sluice_stage(cpu);
    if (!sluice_engine.on) {
        return false;
    }
    if (is_full(stage)) {
        more_space(stage);
    }
    choose_code(cpu, stage);
    qatomic_set(&stage->limit, stage->stop);
    smp_mb(); /* pairs with the barrier in sluice_request_exit() */
    if (qatomic_read(&SLUICE_NEG(cpu)->icount_decr.u16.high)) {
        qatomic_set(&stage->limit, 0);
        return false;
    }
    return true;
}

void sluice_request_exit(CPUState *cpu)
{
    smp_mb();
    qatomic_set(&sluice_stage(cpu)->limit, 0);
}

void sluice_next_slot_in_block(struct sl_stage *stage)
{
    more_space(stage);
    qatomic_set(&stage->limit, 0);
}

void HELPER(sluice_space)(CPUArchState *env)
{
    struct sl_stage *stage = sluice_stage(env_cpu(env));
    if (is_full(stage)) {
        sluice_next_slot_in_block(stage);
    }
}

void sluice_enter(CPUState *cpu)
{
    sluice_stage(cpu)->running = 1;
}

void sluice_leave(CPUState *cpu)
{
    sluice_stage(cpu)->running = 0;
}
