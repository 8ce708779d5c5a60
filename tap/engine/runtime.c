/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine while translated code runs: room, accesses that need a call, blocks that are
 * left early, threads and system calls. */
#include "inside.h"

#include <malloc.h>
#include <sys/mman.h>

#include "exec/helper-proto.h"
#include "guest_random.h"
#include "host_float.h"
#include "maps.h"
#if QEMU_VERSION_MAJOR >= 8
#include "user/guest-base.h"
#endif

struct sluice_engine sluice_engine;
#ifdef __x86_64__
__thread bool sluice_float_live;
#endif

/* With one arena for all threads, what QEMU allocates is where it was in the last run. From
 * 8.2 on the guest's stack is among it, and a run has to repeat to the bit. QEMU starts a
 * thread in a constructor of its own, so this comes before. */
static void __attribute__((constructor(101))) use_one_arena(void)
{
    mallopt(M_ARENA_MAX, 1);
}

/* ---- memory of processors ---- */

/* The page has to end where the fields behind it begin. */
#define PAGE 4096u
#define SHIFT ((PAGE - SLUICE_NEG_OFFSET(sluice_page) % PAGE) % PAGE)

static void *cpu_memory_free; /* a list: others may still look at what a thread leaves behind */

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
        abort(); /* as other allocations of QEMU's */
    }
    return (char *)memory + SHIFT;
}

void sluice_cpu_free(void *memory)
{
    *(void **)memory = cpu_memory_free;
    cpu_memory_free = memory;
}

/* ---- stages and slots ---- */

/* Where events go that nobody reads. */
static uint32_t *nowhere(void)
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
    stage->here = (uintptr_t)words;
    stage->there = (uintptr_t)(words + sluice_engine.data_at);
    stage->end = (uintptr_t)(words + sluice_engine.data_at - SLUICE_SLACK_WORDS);
    stage->data_end = (uintptr_t)(words + SL_SLOT_WORDS - SLUICE_SLACK_WORDS);
    /* The limit of the slot before is none here: the next block leaves and gets another one
     * (sluice_make_room), also when a call in the middle of a block has turned to this slot. */
    qatomic_set(&stage->limit, 0);
    writer_in_order();
    stage->base_slot = slot;
}

/* Whether the page is the ring's; if not, it is memory of this process alone. */
static bool is_shared(const struct sl_stage *stage)
{
    return stage->used;
}

/* The page becomes memory of this process alone, all zero: its next block is a thread's first. */
static void make_private(struct sl_stage *stage)
{
    if (mmap(stage, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
        MAP_FAILED) {
        abort();
    }
}

/* The same, for events that go nowhere. */
static void write_nowhere(struct sl_stage *stage)
{
    if (is_shared(stage)) {
        make_private(stage);
    }
    write_to(stage, nowhere(), 0);
}

/* A thread's first block: the page of its processor becomes its stage. */
static void begin(struct sl_stage *page)
{
    struct sl_stage *stage = writer_take_stage();
    if (!stage || mremap(stage, 0, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, page) == MAP_FAILED) {
        write_nowhere(page);
        return;
    }
    page->running = 1;
    page->last_insn = UINT32_MAX;
    page->position = 0;
    page->helped_insn = 0;
    page->bare = 0;
    page->n_blocks = page->counted = page->stop = 0;
    page->limit = page->end = page->data_end = page->here = page->there = page->base = 0;
}

static uint32_t n_words(const struct sl_stage *stage)
{
    return (stage->here - stage->base) / sizeof(uint32_t);
}

static void count_dropped(const struct sl_stage *stage)
{
    uint32_t *words = (uint32_t *)(uintptr_t)stage->base;
    writer_count_dropped(words, n_words(stage), words + sluice_engine.data_at);
}

/* The slot's counts, for whoever reads it. */
static void tell(const struct sl_stage *stage)
{
    struct sl_slot *slot = &sluice_engine.ring->slot[stage->slot - 1];
    atomic_store(&slot->n_data,
                 (stage->there - stage->base) / sizeof(uint32_t) - sluice_engine.data_at);
    atomic_store(&slot->n_words, n_words(stage));
}

/* No block may begin. (Of a stream of blocks alone, data end where they begin.) */
static bool is_full(const struct sl_stage *stage)
{
    return stage->here >= stage->end || (sluice_engine.needs && stage->there >= stage->data_end);
}

/* The blocks since the last time, where it matters how many they are. */
static void count(struct sl_stage *stage)
{
    uint32_t n = (stage->here - stage->counted) / sizeof(uint32_t);
    if (sluice_engine.stretches.of > 1) {
        stage->n_blocks += stage->bare
                               ? n
                               : writer_count_blocks((uint32_t *)(uintptr_t)stage->counted, n);
    }
    stage->counted = stage->here;
}

/* Hands over what is there, and goes on in another slot. */
static void turn(struct sl_stage *stage)
{
    struct sl_slot *slot;
    if (!is_shared(stage)) {
        if (!writer_detached()) {
            count_dropped(stage);
        }
        write_to(stage, nowhere(), 0);
        return;
    }
    if (stage->base_slot) {
        count(stage);
        tell(stage);
    }
    slot = writer_detached() ? NULL : writer_next_slot(stage);
    if (slot) {
        write_to(stage, slot->word, stage->slot);
    } else {
        write_nowhere(stage);
    }
}

static void more_room(struct sl_stage *stage)
{
    if (!stage->base && !writer_detached()) {
        begin(stage);
    }
    turn(stage);
}

/* ---- stretches ---- */

/* A translated block is at most so many of ours, each with an instruction: so far behind `stop`
 * the next look may come. */
#define STRETCH_MARGIN (TCG_MAX_INSNS + 64u)

/* Which code runs next, with loads or bare, and up to where. Loads are written from a little in
 * front of a stretch that is watched, as bare code may run on, to a little behind: the reader
 * counts blocks one by one, and leaves out what is too much. */
static void choose(CPUState *cpu, struct sl_stage *stage)
{
    const struct sl_load_sampling *s = &sluice_engine.stretches;
    uint64_t next, blocks;
    if (s->of <= 1 || !is_shared(stage)) {
        stage->stop = stage->end;
        return;
    }
    count(stage);
    next = sl_load_sampling_next(s, stage->n_blocks);
    stage->bare = next - stage->n_blocks > 2 * STRETCH_MARGIN;
    blocks = stage->bare ? next - STRETCH_MARGIN - stage->n_blocks
                         : MAX(sl_load_sampling_end(s, next) - stage->n_blocks, STRETCH_MARGIN);
    stage->stop = MIN(stage->end, stage->here + MIN(blocks, SL_SLOT_WORDS) * sizeof(uint32_t));
    stage->open_count = NULL;
    stage->helped_insn = 0;
    cpu->tcg_cflags &= ~SLUICE_CF_BARE;
    cpu->tcg_cflags |= stage->bare ? SLUICE_CF_BARE : 0;
}

bool sluice_make_room(CPUState *cpu)
{
    struct sl_stage *stage = sluice_stage(cpu);
    if (!sluice_engine.on) {
        return false;
    }
    if (is_full(stage)) {
        more_room(stage);
    }
    choose(cpu, stage);
    qatomic_set(&stage->limit, stage->stop);
    smp_mb(); /* with sluice_hurry() */
    if (qatomic_read(&SLUICE_NEG(cpu)->icount_decr.u16.high)) {
        qatomic_set(&stage->limit, 0);
        return false;
    }
    return true;
}

void sluice_hurry(CPUState *cpu)
{
    smp_mb();
    qatomic_set(&sluice_stage(cpu)->limit, 0);
}

/* In the middle of a block: the one behind it leaves, as its limit is that of another slot. */
static void turn_inside(struct sl_stage *stage)
{
    more_room(stage);
    qatomic_set(&stage->limit, 0);
}

void HELPER(sluice_room)(CPUArchState *env)
{
    struct sl_stage *stage = sluice_stage(env_cpu(env));
    if (is_full(stage)) {
        turn_inside(stage);
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

/* ---- accesses by calls ---- */

static void named(struct sl_stage *stage, uint32_t word, uint64_t address, uint64_t value)
{
    uint32_t *at = (uint32_t *)(uintptr_t)stage->there, *block = (uint32_t *)(uintptr_t)stage->here;
    bool goes_on = stage->open_count && block[-1] == (SL_WORD_CONTINUED | SL_WORD_OPEN);
    if (!goes_on) {
        *block = SL_WORD_CONTINUED | SL_WORD_OPEN;
        stage->open_count = at;
        *at++ = 0;
        /* Whoever is killed between these has a block too many, without data: nobody counts it. */
        writer_in_order();
        stage->here = (uintptr_t)(block + 1);
        writer_in_order();
        stage->there = (uintptr_t)at;
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
    /* A count and a position cannot change at once: for somebody who is killed in between,
     * the words are there already. */
    ++*stage->open_count;
    writer_in_order();
    stage->there = (uintptr_t)at;
}

/* Every access of an instruction, or without addresses the first load of it. */
static void event(struct sl_stage *stage, uint32_t insn, uint32_t flags, uint64_t address,
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
    if (stage->here + capacity >= stage->end + slack ||
        stage->there + capacity >= stage->data_end + slack) {
        turn_inside(stage);
    }
    stage->last_insn = insn;
    named(stage, every ? insn | flags | (more ? SL_MEM_MORE : 0) : insn, address,
          flags & SL_MEM_STORE ? 0 : value);
}

void HELPER(sluice_event)(CPUArchState *env, uint64_t address, uint64_t value, void *its_site)
{
    const struct sluice_site *site = its_site;
    event(sluice_stage(env_cpu(env)), site->insn, site->flags, address, value);
}

/* What is at a guest address: what a load by a helper function has just found there. */
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

static bool tells_accesses(CPUState *cpu)
{
    const struct sl_stage *stage = sluice_stage(cpu);
    /* QEMU itself uses helper functions, to make a signal's frame. */
    return sluice_engine.on && stage->running && stage->helped_insn;
}

static void helper_event(CPUState *cpu, uint64_t address, uint32_t flags, uint64_t value)
{
    struct sl_stage *stage = sluice_stage(cpu);
    if (stage->more) { /* inline, earlier in the same instruction */
        stage->last_insn = stage->helped_insn - 1;
    }
    event(stage, stage->helped_insn - 1, flags, address, value);
}

void sluice_helper_access(CPUState *cpu, uint64_t address, unsigned log2_size, bool store)
{
    uint32_t flags = log2_size << SL_MEM_SIZE_SHIFT | (store ? SL_MEM_STORE : 0);
    if (tells_accesses(cpu)) {
        helper_event(cpu, address, flags, store ? 0 : value_at(cpu, address, log2_size));
    }
}

/* A load and a store in one: what was loaded is not there any more. It may have come with a sign.
 */
void sluice_helper_exchange(CPUState *cpu, uint64_t address, unsigned log2_size, uint64_t before)
{
    uint32_t flags = log2_size << SL_MEM_SIZE_SHIFT;
    if (tells_accesses(cpu)) {
        helper_event(cpu, address, flags,
                     log2_size < MO_64 ? extract64(before, 0, 8u << log2_size) : before);
        helper_event(cpu, address, flags | SL_MEM_STORE, 0);
    }
}

/* ---- blocks that are left early ---- */

static __thread struct {
    const struct sluice_steps *steps;
    uint32_t offset;
    uint64_t here, there;
} restored;

void sluice_restored(CPUState *cpu, TranslationBlock *tb, uintptr_t host_pc)
{
    restored.steps = sluice_engine.on ? tb->sluice_steps : NULL;
    restored.offset = host_pc - GETPC_ADJ - (uintptr_t)tb->tc.ptr;
    restored.here = sluice_stage(cpu)->here;
    restored.there = sluice_stage(cpu)->there;
}

/* `done` of `all` words of the last block's data are there. */
static void cut(struct sl_stage *stage, uint32_t all, uint32_t done)
{
    uint32_t *word = (uint32_t *)(uintptr_t)stage->here - 1;
    uint32_t *data = (uint32_t *)(uintptr_t)stage->there - all;
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
    stage->there = (uintptr_t)(data + done);
}

void sluice_left_early(CPUState *cpu)
{
    const struct sluice_steps *steps = restored.steps;
    struct sl_stage *stage = sluice_stage(cpu);
    const struct sluice_step *last = NULL;
    restored.steps = NULL;
    /* A block may also go on after its state was asked for. */
    if (!steps || restored.here != stage->here || restored.there != stage->there) {
        return;
    }
    for (uint32_t i = 0; i < steps->n && steps->step[i].offset <= restored.offset; i++) {
        last = &steps->step[i];
    }
    if (last && last->words < last->all) {
        cut(stage, last->all, last->words);
    }
}

/* ---- threads, forks, system calls ---- */

void sluice_thread_ends(CPUState *cpu)
{
    struct sl_stage *stage = sluice_stage(cpu);
    if (!sluice_engine.on || !stage->base) {
        return;
    }
    if (!writer_detached()) {
        if (is_shared(stage)) {
            tell(stage);
            writer_leave_stage(stage);
        } else {
            count_dropped(stage);
        }
    }
    make_private(stage);
}

/* Pages of processors are this process's alone from now on. If what it does is read, they become
 * stages as those of a new program do; other threads than this one are not there any more. */
static void in_child(bool attached)
{
    CPUState *cpu;
    int fd = attached ? sluice_fork_followed() : -1;
    struct sl_ring *ring = fd >= 0 ? writer_attach_child(fd) : NULL;
    CPU_FOREACH(cpu)
    {
        if (ring) {
            make_private(sluice_stage(cpu));
        } else {
            write_nowhere(sluice_stage(cpu));
        }
    }
    sluice_engine.ring = ring;
    if (ring) {
        sluice_fork_is_run(ring->run);
    }
}

static bool is_one_of(const int64_t *numbers, int64_t number)
{
    for (; *numbers >= 0; numbers++) {
        if (*numbers == number) {
            return true;
        }
    }
    return false;
}

void sluice_syscall(int64_t number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4)
{
    maps_call(a1, a2, a3, a4);
    chance_call(a1, a2);
    if (sluice_engine.on && !writer_detached() &&
        is_one_of(sluice_engine.guest->exec_calls, number)) {
        atomic_store(&sluice_engine.ring->exec_pending, 1);
    }
}

void sluice_syscall_return(int64_t number, int64_t result)
{
    if (sluice_engine.repeatable) {
        chance_call_returns(sluice_engine.guest, number, result, guest_base);
    }
    if (!sluice_engine.on || writer_detached()) {
        return;
    }
    if (is_one_of(sluice_engine.guest->exec_calls, number)) {
        atomic_store(&sluice_engine.ring->exec_pending, 0); /* it came back, so it failed */
    } else {
        maps_call_returns(sluice_engine.guest, number, result);
    }
}

/* A program that waits until some time has passed is to see it pass. */
#define TICKS_A_READ 1000

int64_t sluice_ticks(int64_t of_the_machine)
{
    static int64_t counted;
    return sluice_engine.repeatable ? qatomic_add_fetch(&counted, TICKS_A_READ) : of_the_machine;
}

void sluice_attach(const char *fd)
{
    maps_keep_for_forks();
    sluice_engine.guest = guest_find(TARGET_NAME);
    sluice_engine.ring = sluice_engine.guest ? writer_attach(atoi(fd), in_child) : NULL;
    if (!sluice_engine.ring) {
        fprintf(stderr,
                "sluice's engine is started by 'sluice run', and by that of its own version\n");
        exit(125);
    }
    sluice_engine.needs = sluice_engine.ring->needs;
    sluice_engine.data_at = sluice_engine.ring->data_at;
    sluice_engine.by_calls = sluice_engine.ring->name_all;
    sluice_engine.stretches = sluice_engine.ring->stretches;
    sluice_engine.repeatable = sluice_engine.ring->repeatable;
    sluice_engine.on = true;
}
