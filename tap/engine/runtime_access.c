/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the engine that run while the guest executes: they write memory accesses to the
 * ring, and correct the data of a block that a fault ends early.
 *
 * Calls write the accesses that are not certain (inline_access.c) and those of QEMU's helper
 * functions. When a fault ends a block early, the data that its remaining accesses would have
 * stored are removed. */
#include "inside.h"

#include "exec/helper-proto.h"

/* Appends an event that names its instruction, to the last word if that is open for events, else to
 * a new CONTINUED word. */
static void write_named(struct sl_stage *stage, uint32_t word, uint64_t address, uint64_t value)
{
    uint32_t *at = (uint32_t *)(uintptr_t)stage->data_ptr,
             *block = (uint32_t *)(uintptr_t)stage->block_ptr;
    bool goes_on = stage->open_count && block[-1] == (SL_WORD_CONTINUED | SL_WORD_OPEN);
    if (!goes_on) {
        *block = SL_WORD_CONTINUED | SL_WORD_OPEN;
        stage->open_count = at;
        *at++ = 0;
        /* A thread that is killed between these stores leaves one word without data, which the
         * reader does not count. */
        writer_in_order();
        stage->block_ptr = (uintptr_t)(block + 1);
        writer_in_order();
        stage->data_ptr = (uintptr_t)at;
    }
    *at++ = word;
    if (sluice_engine.needs & (SL_NEED_ADDRESSES | SL_NEED_STORES)) {
        memcpy(at, &address, sizeof address);
        at += 2;
    }
    if (sluice_engine.needs & SL_NEED_VALUES) {
        memcpy(at, &value, sizeof value);
        at += 2;
    }
    /* Count and pointer cannot change in one store. If the thread is killed in between, the words
     * that the count covers are written already. */
    ++*stage->open_count;
    writer_in_order();
    stage->data_ptr = (uintptr_t)at;
}

/* Writes every access of an instruction; in a stream without addresses only its first load. */
static void write_event(struct sl_stage *stage, uint32_t insn, uint32_t flags, uint64_t address,
                        uint64_t value)
{
    const uint64_t capacity = SLUICE_INLINE_WORDS * sizeof(uint32_t),
                   slack = SLUICE_SLACK_WORDS * sizeof(uint32_t);
    bool more = stage->last_insn == insn;
    bool every = sluice_engine.needs & (SL_NEED_ADDRESSES | SL_NEED_STORES);
    if (!every && (more || flags & SL_MEM_STORE)) {
        return;
    }
    if (flags & SL_MEM_STORE && !(sluice_engine.needs & SL_NEED_STORES)) {
        return;
    }
    if (stage->block_ptr + capacity >= stage->end + slack ||
        stage->data_ptr + capacity >= stage->data_end + slack) {
        sluice_next_slot_in_block(stage);
    }
    stage->last_insn = insn;
    write_named(stage, every ? insn | flags | (more ? SL_MEM_MORE : 0) : insn, address,
                flags & SL_MEM_STORE ? 0 : value);
}

void HELPER(sluice_event)(CPUArchState *env, uint64_t address, uint64_t value, void *context)
{
    const struct sluice_site *site = context;
    write_event(sluice_stage(env_cpu(env)), site->insn, site->flags, address, value);
}

/* The value in guest memory, which a load by a helper function has just read. */
static uint64_t value_at(CPUState *cpu, uint64_t address, unsigned log2_size)
{
    const void *host = g2h(cpu, address);
    uint8_t byte;
    uint16_t half;
    uint32_t word;
    uint64_t value;
    bool swap = sluice_engine.guest->big_endian;
    switch (log2_size) {
    case MO_8:
        memcpy(&byte, host, 1);
        return byte;
    case MO_16:
        memcpy(&half, host, 2);
        return swap ? bswap16(half) : half;
    case MO_32:
        memcpy(&word, host, 4);
        return swap ? bswap32(word) : word;
    default:
        memcpy(&value, host, 8);
        return swap ? bswap64(value) : value;
    }
}

static bool traces_accesses(CPUState *cpu)
{
    const struct sl_stage *stage = sluice_stage(cpu);
    /* QEMU also calls these functions itself, to write a signal frame. */
    return sluice_engine.on && stage->running && stage->helped_insn;
}

static void helper_event(CPUState *cpu, uint64_t address, uint32_t flags, uint64_t value)
{
    struct sl_stage *stage = sluice_stage(cpu);
    if (stage->more) { /* an earlier access of the instruction was stored inline */
        stage->last_insn = stage->helped_insn - 1;
    }
    write_event(stage, stage->helped_insn - 1, flags, address, value);
}

void sluice_helper_access(CPUState *cpu, uint64_t address, unsigned log2_size, bool store)
{
    uint32_t flags = log2_size << SL_MEM_SIZE_SHIFT | (store ? SL_MEM_STORE : 0);
    if (traces_accesses(cpu)) {
        helper_event(cpu, address, flags, store ? 0 : value_at(cpu, address, log2_size));
    }
}

/* `before` is the loaded value, since memory has changed already. It may be sign-extended. */
void sluice_helper_exchange(CPUState *cpu, uint64_t address, unsigned log2_size, uint64_t before)
{
    uint32_t flags = log2_size << SL_MEM_SIZE_SHIFT;
    if (traces_accesses(cpu)) {
        helper_event(cpu, address, flags,
                     log2_size < MO_64 ? extract64(before, 0, 8u << log2_size) : before);
        helper_event(cpu, address, flags | SL_MEM_STORE, 0);
    }
}

/* ---- blocks that are left early ---- */

static __thread struct {
    const struct sluice_progress_map *progress;
    uint32_t offset;
    uint64_t block_ptr, data_ptr;
} restored;

void sluice_restored(CPUState *cpu, TranslationBlock *tb, uintptr_t host_pc)
{
    restored.progress = sluice_engine.on ? tb->sluice_progress_map : NULL;
    restored.offset = host_pc - GETPC_ADJ - (uintptr_t)tb->tc.ptr;
    restored.block_ptr = sluice_stage(cpu)->block_ptr;
    restored.data_ptr = sluice_stage(cpu)->data_ptr;
}

/* Shortens the last block's data from `all` words to the first `done`, which are stored. */
static void cut(struct sl_stage *stage, uint32_t all, uint32_t done)
{
    uint32_t *word = (uint32_t *)(uintptr_t)stage->block_ptr - 1;
    uint32_t *data = (uint32_t *)(uintptr_t)stage->data_ptr - all;
    stage->open_count = NULL;
    if (*word & SL_WORD_OPEN) {
        data[0] = (done - MIN(done, 1)) / sl_event_words(sluice_engine.needs);
        done = 1 + data[0] * sl_event_words(sluice_engine.needs);
    } else {
        memmove(data + 1, data, done * sizeof *data);
        data[0] = done | SL_WORD_CUT;
        *word |= SL_WORD_OPEN;
        done++;
    }
    writer_in_order();
    stage->data_ptr = (uintptr_t)(data + done);
}

void sluice_left_early(CPUState *cpu)
{
    const struct sluice_progress_map *progress = restored.progress;
    struct sl_stage *stage = sluice_stage(cpu);
    const struct sluice_progress *last = NULL;
    restored.progress = NULL;
    /* QEMU may also restore the state of a block that then continues. */
    if (!progress || restored.block_ptr != stage->block_ptr ||
        restored.data_ptr != stage->data_ptr) {
        return;
    }
    for (uint32_t i = 0; i < progress->n && progress->entry[i].offset <= restored.offset; i++) {
        last = &progress->entry[i];
    }
    if (last && last->words < last->all) {
        cut(stage, last->all, last->words);
    }
}
