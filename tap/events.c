/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Callbacks of the QEMU plugin for block entries and memory accesses. The callbacks write events to
 * the stage, the write buffer of the guest's thread (events.h). */
#include "events.h"

#include "stages.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)

static bool big_endian;
static unsigned needs; /* a copy of ring->needs: the child of a fork has no ring */
static uint64_t guest_base;

/* ---- blocks ---- */

/* True if a block can begin: the previous one is finished, and the stage has capacity. */
static inline bool ready(const struct sl_stage *stage)
{
    return LIKELY(stage->progress == 0 && stage->at < SL_STAGE_LIMIT &&
                  stage->blocks < SL_STAGE_DATA);
}

/* Completes a block whose word and `words` words of data are written. */
static inline void finish(struct sl_stage *stage, uint32_t words)
{
    writer_in_order();
    sl_stage_set(stage, stage->blocks + 1u, stage->at + words, 0);
}

static inline void set_at(struct sl_stage *stage, uint32_t at)
{
    writer_in_order();
    stage->at = (uint16_t)at;
}

static inline void set_progress(struct sl_stage *stage, uint32_t progress)
{
    writer_in_order();
    stage->progress = progress;
}

void on_block_only(unsigned vcpu, void *block)
{
    (void)vcpu;
    struct sl_stage *stage = stages_own;
    if (!LIKELY(stage->blocks < SL_STAGE_DATA))
        stage = stages_make_space();
    uint16_t at = stage->blocks;
    stage->word[at] = (uint32_t)(uintptr_t)block;
    writer_in_order();
    stage->blocks = (uint16_t)(at + 1);
}

/* Slow path: begins a block when the stage is full or its last block is unfinished. `words` counts
 * the word of the block and the first load's value. A separate function, called last, so that its
 * callers need not save registers. */
__attribute__((noinline, cold)) static void begin_slowly(uint32_t block, uint64_t value,
                                                         uint32_t words, bool finished)
{
    struct sl_stage *stage = stages_make_space();
    stage->word[stage->blocks] = block;
    memcpy(stage->word + stage->at, &value, sizeof value);
    if (finished)
        finish(stage, words - 1);
    else
        set_progress(stage, words);
}

void on_block(unsigned vcpu, void *block)
{
    (void)vcpu;
    struct sl_stage *stage = stages_own;
    if (ready(stage)) {
        stage->word[stage->blocks] = (uint32_t)(uintptr_t)block;
        finish(stage, 0);
    } else {
        begin_slowly((uint32_t)(uintptr_t)block, 0, 1, true);
    }
}

void on_block_before_loads(unsigned vcpu, void *block)
{
    (void)vcpu;
    struct sl_stage *stage = stages_own;
    if (ready(stage)) {
        stage->word[stage->blocks] = (uint32_t)(uintptr_t)block;
        set_progress(stage, 1);
    } else {
        begin_slowly((uint32_t)(uintptr_t)block, 0, 1, false);
    }
}

void on_open_block(unsigned vcpu, void *block)
{
    (void)vcpu;
    struct sl_stage *stage = stages_own;
    if (!ready(stage))
        stage = stages_make_space();
    stage->word[stage->blocks] = (uint32_t)(uintptr_t)block | SL_WORD_OPEN;
    stage->start = stage->at;
    stage->last_insn = UINT32_MAX;
    stage->open_block = (uint32_t)(uintptr_t)block;
    writer_in_order();
    sl_stage_set(stage, stage->blocks + 1u, stage->at + 1u, SL_STAGE_OPEN);
}

/* ---- loads of load layouts ---- */

/* Four functions for each size; values of a big-endian guest are byte-swapped. */
#define WORDS(bits) ((bits) > 32 ? 2u : 1u)
#define LOADED(bits, swap) swap(*(const volatile uint##bits##_t *)(uintptr_t)(address + guest_base))
#define AS_IT_IS(x) (x)
#define LAYOUT_LOADS(bits, order, swap, type)                                               \
    static void on_load_##bits##order(unsigned vcpu, uint32_t info, uint64_t address,       \
                                      void *position)                                       \
    {                                                                                       \
        (void)vcpu, (void)info;                                                             \
        struct sl_stage *stage = stages_own;                                                \
        type value = LOADED(bits, swap);                                                    \
        if (!LIKELY(stage->progress == (uint32_t)(uintptr_t)position))                      \
            return;                                                                         \
        memcpy(stage->word + stage->at + (uintptr_t)position - 1, &value, sizeof value);    \
        set_progress(stage, (uint32_t)(uintptr_t)position + WORDS(bits));                   \
    }                                                                                       \
    static void on_last_load_##bits##order(unsigned vcpu, uint32_t info, uint64_t address,  \
                                           void *position)                                  \
    {                                                                                       \
        (void)vcpu, (void)info;                                                             \
        struct sl_stage *stage = stages_own;                                                \
        type value = LOADED(bits, swap);                                                    \
        uint32_t before = (uint32_t)(uintptr_t)position - 1;                                \
        if (!LIKELY(stage->progress == before + 1))                                         \
            return;                                                                         \
        memcpy(stage->word + stage->at + before, &value, sizeof value);                     \
        finish(stage, before + WORDS(bits));                                                \
    }                                                                                       \
    static void on_first_load_##bits##order(unsigned vcpu, uint32_t info, uint64_t address, \
                                            void *block)                                    \
    {                                                                                       \
        (void)vcpu, (void)info;                                                             \
        struct sl_stage *stage = stages_own;                                                \
        type value = LOADED(bits, swap);                                                    \
        if (ready(stage)) {                                                                 \
            stage->word[stage->blocks] = (uint32_t)(uintptr_t)block;                        \
            memcpy(stage->word + stage->at, &value, sizeof value);                          \
            set_progress(stage, 1 + WORDS(bits));                                           \
        } else {                                                                            \
            begin_slowly((uint32_t)(uintptr_t)block, value, 1 + WORDS(bits), false);        \
        }                                                                                   \
    }                                                                                       \
    static void on_only_load_##bits##order(unsigned vcpu, uint32_t info, uint64_t address,  \
                                           void *block)                                     \
    {                                                                                       \
        (void)vcpu, (void)info;                                                             \
        struct sl_stage *stage = stages_own;                                                \
        type value = LOADED(bits, swap);                                                    \
        if (ready(stage)) {                                                                 \
            stage->word[stage->blocks] = (uint32_t)(uintptr_t)block;                        \
            memcpy(stage->word + stage->at, &value, sizeof value);                          \
            finish(stage, WORDS(bits));                                                     \
        } else {                                                                            \
            begin_slowly((uint32_t)(uintptr_t)block, value, 1 + WORDS(bits), true);         \
        }                                                                                   \
    }

LAYOUT_LOADS(8, _little, AS_IT_IS, uint32_t)
LAYOUT_LOADS(16, _little, AS_IT_IS, uint32_t)
LAYOUT_LOADS(32, _little, AS_IT_IS, uint32_t)
LAYOUT_LOADS(64, _little, AS_IT_IS, uint64_t)
LAYOUT_LOADS(16, _big, __builtin_bswap16, uint32_t)
LAYOUT_LOADS(32, _big, __builtin_bswap32, uint32_t)
LAYOUT_LOADS(64, _big, __builtin_bswap64, uint64_t)

/* By big_endian, order in the block, and log2 of the size. */
#define BY_SIZE(kind, order)                                              \
    {                                                                     \
        kind##8_little, kind##16##order, kind##32##order, kind##64##order \
    }
static const api_access_cb on_layout_load[2][EVENT_ORDERS][4] = {
    {BY_SIZE(on_first_load_, _little), BY_SIZE(on_load_, _little), BY_SIZE(on_last_load_, _little),
     BY_SIZE(on_only_load_, _little)},
    {BY_SIZE(on_first_load_, _big), BY_SIZE(on_load_, _big), BY_SIZE(on_last_load_, _big),
     BY_SIZE(on_only_load_, _big)},
};

api_access_cb event_load(int loads, enum event_order order)
{
    return on_layout_load[big_endian][order][__builtin_ctz((unsigned)(loads & ~LOADS_THEN_STORES))];
}

static bool is_store(struct event_site *site, uint32_t info)
{
    if (info == atomic_load_explicit(&site->store_info, memory_order_relaxed))
        return true;
    if (!qemu_plugin_mem_is_store(info))
        return false;
    atomic_store_explicit(&site->store_info, info, memory_order_relaxed);
    return true;
}

void on_load_before_store(unsigned vcpu, uint32_t info, uint64_t address, void *udata)
{
    struct event_load_before_store *it = udata;
    if (!is_store(&it->site, info))
        it->load(vcpu, info, address, (void *)(uintptr_t)it->position);
}

/* ---- accesses that name their instruction ---- */

/* The loaded bytes as a number in the guest's byte order, also for an instruction that swaps them
 * (movbe). Read byte by byte, since they may be the last before an unmapped page. */
static uint64_t loaded(uint32_t info, uint64_t address)
{
    unsigned size_log2 = qemu_plugin_mem_size_shift(info);
    unsigned size = size_log2 >= 3 ? 8 : 1u << size_log2;
    if (api_has_values()) {
        uint64_t given = api_access_value(info);
        return qemu_plugin_mem_is_big_endian(info) == big_endian
                   ? given
                   : __builtin_bswap64(given) >> (64 - 8 * size);
    }
    const uint8_t *host = (const uint8_t *)(uintptr_t)(address + guest_base);
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)host[i] << 8 * (big_endian ? size - 1 - i : i);
    return value;
}

/* A stage with capacity for an event; NULL if the callback is spurious (events.h). */
static struct sl_stage *stage_for_event(const struct event_site *site)
{
    struct sl_stage *stage = stages_own;
    if (site->block != EVENT_ANY_BLOCK &&
        (stage->progress != SL_STAGE_OPEN || stage->open_block != site->block))
        return NULL;
    return stage->at + sl_event_words(needs) <= SL_STAGE_WORDS ? stage : stages_continue();
}

/* In a stream without addresses: at most one event per executed instruction. A wide load that QEMU
 * makes in parts is represented by its first part, the low one. */
static void on_named_load(unsigned vcpu, uint32_t info, uint64_t address, void *udata)
{
    (void)vcpu;
    struct event_site *site = udata;
    if (stages_own->last_insn == site->insn || is_store(site, info))
        return;
    struct sl_stage *stage = stage_for_event(site);
    if (!stage)
        return;
    uint32_t at = stage->at;
    uint64_t value = loaded(info, address);
    stage->last_insn = site->insn;
    stage->word[at] = site->insn;
    memcpy(stage->word + at + 1, &value, sizeof value);
    set_at(stage, at + 3);
}

/* Every access with its address; stores only if they are needed. */
static void on_access(unsigned vcpu, uint32_t info, uint64_t address, void *udata)
{
    (void)vcpu;
    struct event_site *site = udata;
    bool store = is_store(site, info), more = stages_own->last_insn == site->insn;
    if (store && !(needs & SL_NEED_STORES))
        return;
    if (more && site->block != EVENT_ANY_BLOCK && site->simple &&
        (!store || stages_own->last_stored))
        return;
    struct sl_stage *stage = stage_for_event(site);
    if (!stage)
        return;
    uint32_t at = stage->at;
    stage->last_insn = site->insn;
    stage->last_stored = store;
    stage->word[at++] = site->insn | qemu_plugin_mem_size_shift(info) << SL_MEM_SIZE_SHIFT |
                        (store ? SL_MEM_STORE : 0) | (more ? SL_MEM_MORE : 0);
    memcpy(stage->word + at, &address, sizeof address);
    at += 2;
    if (needs & SL_NEED_VALUES) {
        uint64_t value = store ? 0 : loaded(info, address);
        memcpy(stage->word + at, &value, sizeof value);
        at += 2;
    }
    set_at(stage, at);
}

api_access_cb event_access(void)
{
    return needs & (SL_NEED_ADDRESSES | SL_NEED_STORES) ? on_access : on_named_load;
}

/* ---- starting ---- */

void events_start(const struct guest *guest, unsigned ring_needs)
{
    big_endian = guest->big_endian;
    needs = ring_needs;
}

void events_set_base(uint64_t base)
{
    guest_base = base;
}
