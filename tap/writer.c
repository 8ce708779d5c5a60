/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "writer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static struct sl_ring *ring;
static _Atomic bool detached;
static pthread_key_t at_thread_end;

static struct sl_slot no_slot_yet = {
    .n_blocks = SL_CHUNK_BLOCKS, .n_mems = SL_CHUNK_MEMS, .last_insn = UINT32_MAX};
__thread struct sl_slot *writer_slot = &no_slot_yet;
static __thread uint32_t thread_number;

bool writer_detached(void)
{
    return atomic_load_explicit(&detached, memory_order_relaxed);
}

static void empty(struct sl_slot *slot)
{
    atomic_store_explicit(&slot->n_blocks, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->n_mems, 0, memory_order_relaxed);
}

/* A slot of this thread alone, emptied whenever it is full. */
static struct sl_slot *private_slot(void)
{
    static __thread struct sl_slot *mine;
    if (!mine) {
        mine = mmap(NULL, sizeof *mine, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mine == MAP_FAILED)
            abort(); /* the guest could not go on either */
    }
    empty(mine);
    return writer_slot = mine;
}

static uint32_t backlog(void)
{
    return atomic_load(&ring->published) - atomic_load(&ring->consumed);
}

/* Whether somebody reads; if not, this process is on its own from now on. */
static bool reader_there(void)
{
    if (getppid() != ring->reader_pid || atomic_load(&ring->reader_gone))
        detached = true;
    return !detached;
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

static struct sl_slot *free_slot(void)
{
    for (uint32_t i = 0; i < SL_RING_SLOTS; i++) {
        uint32_t state = SL_SLOT_FREE;
        if (atomic_load_explicit(&ring->slot[i].state, memory_order_relaxed) == SL_SLOT_FREE &&
            atomic_compare_exchange_strong(&ring->slot[i].state, &state, SL_SLOT_FILLING))
            return &ring->slot[i];
    }
    return NULL;
}

static struct sl_slot *drop(struct sl_slot *slot)
{
    atomic_fetch_add(&ring->dropped_blocks, slot->n_blocks);
    atomic_fetch_add(&ring->dropped_mems, slot->n_mems);
    empty(slot);
    slot->flags |= SL_CHUNK_GAP;
    return slot;
}

static bool in_ring(const struct sl_slot *slot)
{
    return slot >= ring->slot && slot < ring->slot + SL_RING_SLOTS;
}

struct sl_slot *writer_next(void)
{
    struct sl_slot *full = writer_slot;
    uint32_t flags = 0;
    if (writer_detached())
        return private_slot();
    if (full == &no_slot_yet) {
        thread_number = atomic_fetch_add(&ring->threads, 1);
        pthread_setspecific(at_thread_end, ring);
        flags = SL_CHUNK_START;
    } else if (!in_ring(full)) {
        drop(full);
        flags = SL_CHUNK_GAP;
    } else {
        if (ring->lossy && backlog() >= ring->in_flight_max)
            return drop(full);
        if (!wait_for_room())
            return private_slot();
    }
    uint32_t last_insn = full->last_insn; /* once published, the slot is sluice's */
    if (in_ring(full))
        publish(full);
    struct sl_slot *slot = free_slot();
    if (!slot)
        return private_slot(); /* more threads than slots: dropped when full, and counted */
    slot->thread = thread_number;
    slot->flags = flags;
    slot->last_insn = last_insn;
    empty(slot);
    return writer_slot = slot;
}

static void thread_ends(void *unused)
{
    (void)unused;
    if (!writer_detached() && in_ring(writer_slot) && wait_for_room())
        publish(writer_slot);
    writer_slot = &no_slot_yet;
}

/* The child of a fork is another program run: it keeps running, unprofiled,
 * and must not touch what its parent goes on using. */
static void in_child(void)
{
    detached = true;
    private_slot();
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
    pthread_atfork(NULL, in_parent, in_child);
    pthread_key_create(&at_thread_end, thread_ends);
    atomic_store(&ring->attached, 1);
    return ring;
}

static void copy_in(uint64_t at, const void *data, size_t size)
{
    size_t offset = (size_t)(at % SL_RING_RECORD_BYTES);
    size_t until_end = SL_RING_RECORD_BYTES - offset;
    size_t first = size < until_end ? size : until_end;
    memcpy(ring->records + offset, data, first);
    memcpy(ring->records, (const char *)data + first, size - first);
}

void writer_record(enum sl_record type, const void *head, size_t n_head, const void *tail,
                   size_t n_tail)
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
