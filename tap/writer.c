/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "writer.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

static struct sl_ring *ring; /* not there any more in the child of a fork */
static unsigned wants;        /* so this is a copy */
static _Atomic bool detached;
static pthread_key_t at_thread_end;

static struct sl_stage no_stage_yet = {.at = SL_STAGE_WORDS};
__thread struct sl_stage *writer_stage = &no_stage_yet;

bool writer_detached(void)
{
    return atomic_load_explicit(&detached, memory_order_relaxed);
}

static void empty(struct sl_stage *stage)
{
    sl_stage_set(stage, 0, 0);
    stage->last_insn = UINT32_MAX;
}

/* A stage of this thread alone, for events that go nowhere. */
static __thread struct sl_stage *own;

static struct sl_stage *private_stage(void)
{
    if (!own) {
        own = mmap(NULL, sizeof *own, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (own == MAP_FAILED)
            abort(); /* the guest could not go on either */
        pthread_setspecific(at_thread_end, own);
    }
    empty(own);
    return writer_stage = own;
}

static bool in_ring(const struct sl_stage *stage)
{
    return stage >= ring->stage && stage < ring->stage + SL_RING_STAGES;
}

/* ---- slots --------------------------------------------------------------- */

static uint32_t backlog(void)
{
    return atomic_load(&ring->published) - atomic_load(&ring->consumed);
}

/* Whether somebody reads; if not, this process is on its own from now on. */
static bool reader_there(void)
{
    if (getppid() != ring->reader_pid || atomic_load(&ring->reader_gone))
        detached = true;
    return !writer_detached();
}

/* False when nobody will make room any more. */
static bool wait_for_room(void)
{
    uint32_t seen = atomic_load(&ring->consumed);
    while (atomic_load(&ring->published) - seen >= ring->in_flight_max) {
        if (!reader_there())
            return false;
        atomic_fetch_add(&ring->guest_waits, 1);
        sl_ring_wake_reader(ring);
        sl_futex_wait(&ring->consumed, seen, 100);
        atomic_fetch_sub(&ring->guest_waits, 1);
        seen = atomic_load(&ring->consumed);
    }
    return true;
}

static void publish(struct sl_slot *slot)
{
    atomic_store(&slot->state, SL_SLOT_FULL);
    uint32_t place = atomic_fetch_add(&ring->published, 1);
    atomic_store_explicit(&ring->order[place % SL_RING_ORDER], (uint32_t)(slot - ring->slot) + 1,
                          memory_order_release);
    uint32_t wanted = atomic_load(&ring->reader_waits_for);
    if (wanted && backlog() >= wanted)
        sl_ring_wake_reader(ring);
}

/* There are more slots than stages and published slots together can hold, so
 * one is free as soon as the reader has caught up. */
static struct sl_slot *take_slot(struct sl_stage *stage)
{
    for (;;) {
        for (uint32_t i = 0; i < SL_RING_SLOTS; i++) {
            struct sl_slot *slot = &ring->slot[i];
            uint32_t state = SL_SLOT_FREE;
            if (atomic_load_explicit(&slot->state, memory_order_relaxed) != SL_SLOT_FREE ||
                !atomic_compare_exchange_strong(&slot->state, &state, SL_SLOT_FILLING))
                continue;
            slot->thread = stage->thread;
            slot->flags = stage->flags;
            atomic_store(&slot->n_words, 0);
            stage->slot = i + 1;
            stage->flags = 0;
            return slot;
        }
        if (!reader_there())
            return NULL;
        usleep(1000);
    }
}

/* Implied loads by block, in pieces that never move: read without a lock. */
#define PIECE 4096u
struct implied {
    uint8_t n, words;
};
static struct implied *implied[8192];

void writer_set_implied(uint32_t block, unsigned n, unsigned words)
{
    uint32_t piece = block / PIECE % 8192;
    if (!implied[piece])
        implied[piece] = calloc(PIECE, sizeof **implied);
    if (implied[piece])
        implied[piece][block % PIECE] = (struct implied){(uint8_t)n, (uint8_t)words};
}

static struct implied implied_of(uint32_t block)
{
    const struct implied *piece = implied[block / PIECE % 8192];
    return piece ? piece[block % PIECE] : (struct implied){0, 0};
}

/* What a dropped slot held. (Of a block that was left early, the loads are not
 * known any more; its words are, and they are counted.) */
static void count_dropped(const uint32_t *words, uint32_t n_words)
{
    uint64_t blocks = 0, mems = 0;
    for (uint32_t i = 0; i < n_words; blocks++) {
        uint32_t word = words[i++];
        if (!(word & SL_WORD_OPEN)) {
            struct implied its = implied_of(word);
            mems += its.n;
            i += its.words;
            continue;
        }
        uint32_t n = words[i++];
        mems += n & ~SL_WORD_CUT;
        i += n & SL_WORD_CUT ? n & ~SL_WORD_CUT : n * sl_event_words(wants);
        blocks -= word == (SL_WORD_CONTINUED | SL_WORD_OPEN);
    }
    atomic_fetch_add(&ring->dropped_blocks, blocks);
    atomic_fetch_add(&ring->dropped_mems, mems);
}

/* The slot with room for a stage; NULL when detached. */
static struct sl_slot *slot_with_room(struct sl_stage *stage)
{
    struct sl_slot *slot = stage->slot ? &ring->slot[stage->slot - 1] : NULL;
    if (slot && slot->n_words + SL_STAGE_WORDS <= SL_SLOT_WORDS)
        return slot;
    if (slot && ring->lossy && backlog() >= ring->in_flight_max) {
        count_dropped(slot->word, slot->n_words);
        slot->flags |= SL_CHUNK_GAP;
        atomic_store(&slot->n_words, 0);
        return slot;
    }
    if (slot) {
        if (!wait_for_room())
            return NULL;
        publish(slot);
        stage->slot = 0;
    }
    return take_slot(stage);
}

static bool flush(struct sl_stage *stage)
{
    if (!in_ring(stage)) { /* there are too many threads */
        count_dropped(stage->word, stage->at);
        empty(stage);
        return true;
    }
    struct sl_slot *slot = slot_with_room(stage);
    if (!slot)
        return false;
    uint32_t n = atomic_load_explicit(&slot->n_words, memory_order_relaxed);
    memcpy(slot->word + n, stage->word, stage->at * sizeof *stage->word);
    n += stage->at;
    stage->moving = n;
    atomic_store_explicit(&slot->n_words, n, memory_order_release);
    writer_in_order();
    empty(stage);
    writer_in_order();
    stage->moving = 0;
    /* Where the next one goes: those lines are in sluice's core, and take as long to
     * come as a stage takes to fill. */
    for (uint32_t i = n; i < n + SL_STAGE_WORDS && i < SL_SLOT_WORDS; i += 16)
        __builtin_prefetch(&slot->word[i], 1);
    return true;
}

/* ---- stages -------------------------------------------------------------- */

static struct sl_stage *take_stage(void)
{
    uint32_t thread = atomic_fetch_add(&ring->threads, 1);
    for (uint32_t i = 0; i < SL_RING_STAGES; i++) {
        struct sl_stage *stage = &ring->stage[i];
        uint32_t used = 0;
        if (!atomic_compare_exchange_strong(&stage->used, &used, 1))
            continue;
        stage->thread = thread;
        stage->flags = SL_CHUNK_START;
        stage->slot = stage->moving = 0;
        empty(stage);
        pthread_setspecific(at_thread_end, stage);
        return writer_stage = stage;
    }
    return private_stage();
}

struct sl_stage *writer_make_room(void)
{
    struct sl_stage *stage = writer_stage;
    if (writer_detached())
        return private_stage();
    if (stage == &no_stage_yet)
        return take_stage();
    sl_stage_close(stage, wants);
    if (stage->at < SL_STAGE_LIMIT)
        return stage;
    return flush(stage) ? stage : private_stage();
}

struct sl_stage *writer_continue(void)
{
    struct sl_stage *stage = writer_stage;
    uint32_t last_insn = stage->last_insn, block = stage->open_block;
    sl_stage_close(stage, wants);
    if (writer_detached() || !flush(stage))
        stage = private_stage();
    stage->word[0] = SL_WORD_CONTINUED | SL_WORD_OPEN;
    stage->start = 1;
    stage->last_insn = last_insn;
    stage->open_block = block;
    writer_in_order();
    sl_stage_set(stage, 2, SL_STAGE_OPEN);
    return stage;
}

static void thread_ends(void *its_stage)
{
    struct sl_stage *stage = its_stage;
    writer_stage = &no_stage_yet;
    if (!writer_detached()) {
        sl_stage_close(stage, wants);
        if (flush(stage) && in_ring(stage) && wait_for_room()) {
            publish(&ring->slot[stage->slot - 1]);
            stage->slot = 0;
            atomic_store(&stage->used, 0);
        }
    }
    if (own)
        munmap(own, sizeof *own);
    own = NULL;
}

/* The child of a fork is another program run: it keeps running, unprofiled,
 * and must not touch what its parent goes on using. */
static void in_child(void)
{
    bool was = detached;
    detached = true;
    private_stage();
    if (!was)
        munmap(ring, sizeof *ring);
}

static void in_parent(void)
{
    if (!writer_detached())
        atomic_fetch_add(&ring->forks, 1);
}

struct sl_ring *writer_attach(int fd)
{
    void *memory = mmap(NULL, sizeof *ring, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (memory == MAP_FAILED)
        return NULL;
    ring = memory;
    if (ring->magic != SL_RING_MAGIC)
        return NULL;
    wants = ring->wants;
    pthread_atfork(NULL, in_parent, in_child);
    pthread_key_create(&at_thread_end, thread_ends);
    atomic_store(&ring->attached, 1);
    return ring;
}

/* ---- records ------------------------------------------------------------- */

static void copy_in(uint64_t at, const void *data, size_t size)
{
    size_t offset = (size_t)(at % SL_RING_RECORD_BYTES);
    size_t until_end = SL_RING_RECORD_BYTES - offset;
    size_t first = size < until_end ? size : until_end;
    memcpy(ring->records + offset, data, first);
    memcpy(ring->records, (const char *)data + first, size - first);
}

void writer_record(unsigned type, const void *head, size_t n_head, const void *tail, size_t n_tail)
{
    uint32_t record[2] = {(uint32_t)(n_head + n_tail), type};
    size_t size = sizeof record + n_head + n_tail;
    uint64_t at = atomic_load(&ring->records_written);
    while (at + size - atomic_load(&ring->records_read) > SL_RING_RECORD_BYTES) {
        if (!reader_there())
            return;
        sl_ring_wake_reader(ring);
        usleep(200);
    }
    copy_in(at, record, sizeof record);
    copy_in(at + sizeof record, head, n_head);
    copy_in(at + sizeof record + n_head, tail, n_tail);
    atomic_store_explicit(&ring->records_written, at + size, memory_order_release);
}
