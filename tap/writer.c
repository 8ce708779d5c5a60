/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tap's side of the ring, the shared memory between tap and sluice: publishes slots, waits for
 * the reader, sends records, and detaches when the reader has ended (writer.h). */
#include "writer.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "grow.h"

static struct sl_ring *ring; /* unmapped in the child of a fork */
static unsigned needs;       /* copy of ring->needs, for the child of a fork */
static _Atomic bool detached;
static void (*on_child)(bool attached);

bool writer_detached(void)
{
    return atomic_load_explicit(&detached, memory_order_relaxed);
}

bool writer_owns(const struct sl_stage *stage)
{
    return stage >= ring->stage && stage < ring->stage + SL_RING_STAGES;
}

/* ---- slots ---- */

static uint32_t backlog(void)
{
    return atomic_load(&ring->published) - atomic_load(&ring->consumed);
}

/* True if a process that is not our parent runs. kill() would also succeed for a zombie, and its
 * parent may never wait for it. */
static bool is_running(pid_t pid)
{
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (fd < 0) /* no such process, or no free descriptor */
        return errno != ESRCH && !kill(pid, 0);
    struct pollfd end = {.fd = fd, .events = POLLIN};
    bool ended = poll(&end, 1, 0) > 0;
    close(fd);
    return !ended;
}

/* is_running() of the reader, checked at most ten times a second: each check uses a descriptor
 * number that an open() of the guest in another thread would get. */
static bool reader_runs(void)
{
    static _Atomic int64_t asked_ms;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    int64_t now_ms = (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
    int64_t last_ms = atomic_load(&asked_ms);
    if (now_ms - last_ms < 100 || !atomic_compare_exchange_strong(&asked_ms, &last_ms, now_ms))
        return true;
    return is_running(ring->reader_pid);
}

/* False if the reader has ended; the process then detaches from the ring. */
static bool reader_alive(void)
{
    bool lives = ring->reader_apart ? reader_runs() : getppid() == ring->reader_pid;
    if (!lives || atomic_load(&ring->reader_gone))
        detached = true;
    return !writer_detached();
}

/* Waits until a slot may be published. False if the reader has ended. */
static bool wait_for_space(void)
{
    uint32_t seen = atomic_load(&ring->consumed);
    while (atomic_load(&ring->published) - seen >= ring->in_flight_max) {
        if (!reader_alive())
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
    uint32_t position = atomic_fetch_add(&ring->published, 1);
    atomic_store_explicit(&ring->order[position % SL_RING_ORDER], (uint32_t)(slot - ring->slot) + 1,
                          memory_order_release);
    uint32_t wanted = atomic_load(&ring->reader_waits_for);
    if (wanted && backlog() >= wanted)
        sl_ring_wake_reader(ring);
}

/* There are more slots than stages and published slots together use, so one is free when the reader
 * has read the others. */
static struct sl_slot *reserve_slot(struct sl_stage *stage)
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
            atomic_store(&slot->n_data, 0);
            atomic_store(&slot->n_words, 0);
            stage->slot = i + 1;
            stage->flags = 0;
            return slot;
        }
        if (!reader_alive())
            return NULL;
        usleep(1000);
    }
}

/* Size of the load layout by block and by variant, in arrays that never move, so that they can be
 * read without a lock. */
#define PIECE 4096u
#define PIECES 8192u
struct layout_size {
    uint8_t n, words;
};
static struct layout_size *layout_sizes[2 * PIECES];

static uint32_t piece_of(uint32_t word)
{
    return word / PIECE % PIECES + (word & SL_WORD_VARIANT ? PIECES : 0);
}

static void store_layout_size(uint32_t word, unsigned n, unsigned words)
{
    struct layout_size **piece = &layout_sizes[piece_of(word)];
    if (!*piece)
        *piece = calloc(PIECE, sizeof **piece);
    if (*piece)
        (*piece)[word % PIECE] = (struct layout_size){(uint8_t)n, (uint8_t)words};
}

static struct layout_size layout_size_of(uint32_t word)
{
    const struct layout_size *piece = layout_sizes[piece_of(word)];
    return piece ? piece[word % PIECE] : (struct layout_size){0, 0};
}

void writer_load_layout(uint32_t word, uint32_t block, const uint32_t *load, unsigned n)
{
    uint32_t head[2] = {word, block};
    unsigned words = n;
    for (unsigned i = 0; i < n; i++)
        words += load[i] >> 31;
    store_layout_size(word, n, words);
    writer_record(SL_RECORD_LOAD_LAYOUT, head, sizeof head, load, n * sizeof *load);
}

uint64_t writer_count_blocks(const uint32_t *words, uint32_t n_words)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < n_words; i++)
        n += words[i] != (SL_WORD_CONTINUED | SL_WORD_OPEN);
    return n;
}

/* Number of memory accesses in the words. (For a block that was left early, the number of words is
 * counted, since the number of loads is not known.) */
static uint64_t count_mems(const uint32_t *words, uint32_t n_words, const uint32_t *data)
{
    uint64_t mems = 0;
    for (uint32_t i = 0; i < n_words; i++) {
        uint32_t word = words[i];
        if (!(word & SL_WORD_OPEN)) {
            struct layout_size size = {0, 0};
            if (sl_field_length(word))
                size = layout_size_of(word & SL_WORD_NAME);
            mems += size.n;
            data += size.words;
            continue;
        }
        uint32_t n = *data++;
        mems += n & ~SL_WORD_CUT;
        data += n & SL_WORD_CUT ? n & ~SL_WORD_CUT : n * sl_event_words(needs);
    }
    return mems;
}

void writer_count_dropped(const uint32_t *words, uint32_t n_words, const uint32_t *data)
{
    atomic_fetch_add(&ring->dropped_blocks, writer_count_blocks(words, n_words));
    atomic_fetch_add(&ring->dropped_mems, count_mems(words, n_words, data));
}

struct sl_slot *writer_next_slot(struct sl_stage *stage)
{
    struct sl_slot *slot = stage->slot ? &ring->slot[stage->slot - 1] : NULL;
    if (slot && ring->lossy && backlog() >= ring->in_flight_max) {
        writer_count_dropped(slot->word, slot->n_words, slot->word + ring->data_at);
        slot->flags |= SL_CHUNK_GAP;
        atomic_store(&slot->n_data, 0);
        atomic_store(&slot->n_words, 0);
        return slot;
    }
    if (slot) {
        if (!wait_for_space())
            return NULL;
        publish(slot);
        stage->slot = 0;
    }
    return reserve_slot(stage);
}

/* ---- stages ---- */

struct sl_stage *writer_reserve_stage(void)
{
    uint32_t thread = atomic_fetch_add(&ring->threads, 1);
    for (uint32_t i = 0; i < SL_RING_STAGES; i++) {
        struct sl_stage *stage = &ring->stage[i];
        uint32_t used = 0;
        if (!atomic_compare_exchange_strong(&stage->used, &used, 1))
            continue;
        stage->thread = thread;
        stage->flags = SL_CHUNK_START;
        stage->slot = stage->moving = stage->base_slot = 0;
        return stage;
    }
    return NULL;
}

void writer_release_stage(struct sl_stage *stage)
{
    if (stage->slot && wait_for_space()) {
        ring->slot[stage->slot - 1].flags |= SL_CHUNK_END;
        publish(&ring->slot[stage->slot - 1]);
        stage->slot = 0;
        atomic_store(&stage->used, 0);
    }
}

/* Copies of all records sent, for children of fork (--follow). */
static struct {
    bool wanted, failed; /* failed: out of memory, so that children cannot be followed */
    uint8_t *byte;
    size_t n, capacity;
} copies;

void writer_copy_records(void)
{
    copies.wanted = true;
}

/* The child of a fork is a separate run: it gets its own ring or runs on without being profiled. It
 * must not write to its parent's ring, except for the count of forks. */
static void in_child(void)
{
    struct sl_ring *parents = ring;
    bool was = detached;
    detached = true;
    on_child(!was);
    if (was)
        return;
    if (copies.wanted && writer_detached())
        atomic_fetch_add(&parents->forks, 1);
    munmap(parents, sizeof *parents);
}

static void in_parent(void)
{
    if (!copies.wanted && !writer_detached())
        atomic_fetch_add(&ring->forks, 1);
}

/* NULL if the file is not a ring. Closes `fd`. */
static struct sl_ring *map_ring(int fd)
{
    struct stat info;
    bool large = !fstat(fd, &info) && info.st_size >= (off_t)sizeof *ring;
    struct sl_ring *memory = large ? mmap(NULL, sizeof *ring, PROT_READ | PROT_WRITE, MAP_SHARED,
                                          fd, 0)
                                   : MAP_FAILED;
    close(fd);
    if (memory == MAP_FAILED || memory->magic == SL_RING_MAGIC)
        return memory == MAP_FAILED ? NULL : memory;
    munmap(memory, sizeof *memory);
    return NULL;
}

struct sl_ring *writer_attach(int fd, void (*child)(bool attached))
{
    ring = map_ring(fd);
    if (!ring)
        return NULL;
    needs = ring->needs;
    on_child = child;
    pthread_atfork(NULL, in_parent, in_child);
    atomic_store(&ring->attached, 1);
    return ring;
}

/* ---- records ---- */

static void copy_in(uint64_t at, const void *data, size_t size)
{
    size_t offset = (size_t)(at % SL_RING_RECORD_BYTES);
    size_t until_end = SL_RING_RECORD_BYTES - offset;
    size_t first = size < until_end ? size : until_end;
    memcpy(ring->records + offset, data, first);
    memcpy(ring->records, (const char *)data + first, size - first);
}

static size_t size_of(const struct iovec *piece, size_t n)
{
    size_t size = 0;
    for (size_t i = 0; i < n; i++)
        size += piece[i].iov_len;
    return size;
}

/* Writes complete records; waits for space. False if the reader has ended. */
static bool put(const struct iovec *piece, size_t n)
{
    size_t size = size_of(piece, n);
    uint64_t at = atomic_load(&ring->records_written);
    while (at + size - atomic_load(&ring->records_read) > SL_RING_RECORD_BYTES) {
        if (!reader_alive())
            return false;
        sl_ring_wake_reader(ring);
        usleep(200);
    }
    for (size_t i = 0; i < n; at += piece[i++].iov_len)
        copy_in(at, piece[i].iov_base, piece[i].iov_len);
    atomic_store_explicit(&ring->records_written, at, memory_order_release);
    return true;
}

static void copy_records(const struct iovec *piece, size_t n)
{
    copies.failed = copies.failed ||
                    !SL_GROW(copies.byte, copies.capacity, copies.n + size_of(piece, n));
    for (size_t i = 0; i < n && !copies.failed; copies.n += piece[i++].iov_len)
        memcpy(copies.byte + copies.n, piece[i].iov_base, piece[i].iov_len);
}

void writer_record(unsigned type, const void *head, size_t n_head, const void *tail, size_t n_tail)
{
    uint32_t start[2] = {(uint32_t)(n_head + n_tail), type};
    struct iovec piece[] = {{start, sizeof start}, {(void *)head, n_head}, {(void *)tail, n_tail}};
    if (put(piece, 3) && copies.wanted)
        copy_records(piece, 3);
}

/* Writes all stored records, in parts of a quarter of the byte ring. */
static bool send_copies(void)
{
    for (size_t at = 0, n = 0, next = 0; at < copies.n; at += n) {
        uint32_t size;
        for (n = 0; at + n < copies.n && n < SL_RING_RECORD_BYTES / 4; n += next) {
            memcpy(&size, copies.byte + at + n, sizeof size);
            next = 2 * sizeof size + size;
        }
        if (!put(&(struct iovec){copies.byte + at, n}, 1))
            return false;
    }
    return true;
}

struct sl_ring *writer_attach_child(int fd)
{
    struct sl_ring *parents = ring, *own = map_ring(fd);
    if (!own)
        return NULL;
    ring = own;
    detached = false;
    atomic_store(&ring->attached, 1);
    if (!copies.failed && send_copies())
        return own;
    detached = true;
    ring = parents;
    munmap(own, sizeof *own);
    return NULL;
}
