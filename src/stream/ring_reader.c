/* SPDX-License-Identifier: MIT */
/* Reader of the shared-memory ring (ring_reader.h). The traced program can overwrite the ring at
 * any time. The reader therefore has private copies of its state, and fails if the ring differs
 * from these copies. */
#include "ring_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "failure.h"

/* A guest that waits for a slot calls sl_ring_wake_reader() at least ten times a second. If there
 * are this many calls, over this many seconds, and nothing to read, guest and sluice wait for each
 * other. */
#define STUCK_CALLS 20u
#define STUCK_SECONDS 5

/* ---- opening ---- */

static struct sl_ring *make_ring(const struct sl_guest *guest, int *fd)
{
    struct rlimit limit;
    *fd = guest->forked_ring ? guest->forked_ring
                             : memfd_create("sluice-ring", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*fd >= 0 && !getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur < sizeof(struct sl_ring)) {
        errno = EFBIG; /* ftruncate() would raise SIGXFSZ */
        return NULL;
    }
    if (*fd < 0 || ftruncate(*fd, sizeof(struct sl_ring)) < 0)
        return NULL;
    /* The guest can open the file: it must not truncate it. (A ring that an engine has made cannot
     * be sealed.) */
    fcntl(*fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    struct sl_ring *ring = mmap(NULL, sizeof *ring, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_NORESERVE, *fd, 0);
    if (ring == MAP_FAILED)
        return NULL;
    ring->needs = guest->needs;
    ring->lossy = guest->lossy;
    ring->name_all = guest->name_all_loads;
    /* Windows depend on block counts, and those of dropped slots are unknown: with --lossy, the tap
     * leaves no loads out. */
    if (guest->needs == SL_NEED_VALUES && !guest->lossy)
        ring->load_sampling = guest->load_sampling;
    ring->data_at = sl_slot_data_at(guest->needs, &ring->load_sampling);
    ring->in_flight_max = SL_RING_IN_FLIGHT;
    ring->reader_pid = getpid();
    ring->reader_apart = guest->in_place || guest->forked_ring;
    ring->repeatable = guest->repeatable != NULL;
    ring->run = guest->run;
    ring->magic = SL_RING_MAGIC;
    return ring;
}

int sl_ring_open(struct sl_ring_reader *r, struct sl_source *source, const struct sl_guest *guest,
                 int *fd, struct sl_failure *f)
{
    r->source = source;
    r->ring = make_ring(guest, fd);
    struct stat info;
    if (r->ring && !fstat(*fd, &info))
        r->inode = info.st_ino;
    if (!r->ring && errno == EFBIG)
        return sl_fail(f, SL_EIO,
                       "the file size limit (RLIMIT_FSIZE) is too low for the memory that "
                       "sluice shares with the program: raise it to %zu MB",
                       (sizeof *r->ring + 999999) / 1000000);
    r->records = malloc(SL_RING_RECORD_BYTES);
    r->copy = malloc((SL_SLOT_WORDS + 1) * sizeof *r->copy);
    if (!r->ring || !r->records || !r->copy)
        return sl_fail_errno(f, SL_ENOMEM, "cannot make the shared memory");
    memcpy(r->constants, r->ring, SL_RING_CONSTANTS_SIZE);
    r->data_at = r->ring->data_at;
    return sl_ring_decoder_init(&r->decoder, &source->statics, f);
}

void sl_ring_set_reader(struct sl_ring_reader *r)
{
    int32_t own = getpid();
    r->ring->reader_pid = own;
    memcpy(r->constants + offsetof(struct sl_ring, reader_pid), &own, sizeof own);
}

void sl_ring_close(struct sl_ring_reader *r)
{
    if (r->ring)
        munmap(r->ring, sizeof *r->ring);
    free(r->records);
    free(r->copy);
    sl_ring_decoder_free(&r->decoder);
}

/* ---- records ---- */

/* Applies LOAD_LAYOUT records to the decoder and passes all others to the source. */
static int apply_records(struct sl_ring_reader *r, const uint8_t *data, size_t size,
                         struct sl_failure *f)
{
    size_t at = 0, passed = 0;
    while (at < size) {
        uint32_t head[2];
        if (size - at < sizeof head)
            return sl_ring_corrupted(f);
        memcpy(head, data + at, sizeof head);
        if (size - at - sizeof head < head[0])
            return sl_ring_corrupted(f);
        size_t next = at + sizeof head + head[0];
        if (head[1] == SL_RECORD_LOAD_LAYOUT) {
            int64_t used = sl_source_records(r->source, data + passed, at - passed, f);
            int error = used < 0
                            ? (int)used
                            : sl_ring_load_layout(&r->decoder, data + at + sizeof head, head[0], f);
            if (error < 0)
                return error;
            passed = next;
        }
        at = next;
    }
    int64_t used = sl_source_records(r->source, data + passed, size - passed, f);
    return used < 0 ? (int)used : sl_ring_sync(&r->decoder, f);
}

static int drain_records(struct sl_ring_reader *r, struct sl_failure *f)
{
    struct sl_ring *ring = r->ring;
    uint64_t written = atomic_load_explicit(&ring->records_written, memory_order_acquire);
    uint64_t at = r->records_read;
    if (written == at)
        return 0;
    if (written - at > SL_RING_RECORD_BYTES)
        return sl_ring_corrupted(f);
    size_t size = (size_t)(written - at), offset = (size_t)(at % SL_RING_RECORD_BYTES);
    size_t first = SL_RING_RECORD_BYTES - offset;
    if (first > size)
        first = size;
    memcpy(r->records, ring->records + offset, first);
    memcpy(r->records + first, ring->records, size - first);
    int error = apply_records(r, r->records, size, f);
    if (error < 0)
        return error;
    if (atomic_load(&ring->records_read) != at) /* the store below would hide it */
        return sl_ring_corrupted(f);
    r->records_read = written;
    atomic_store_explicit(&ring->records_read, written, memory_order_release);
    return 1;
}

/* ---- slots ---- */

/* Frees the slot whose words have been read. */
static int free_slot(struct sl_ring_reader *r, struct sl_failure *f)
{
    struct sl_ring *ring = r->ring;
    struct sl_slot *slot = r->slot;
    if (!slot)
        return 0;
    if (atomic_load(&ring->consumed) != r->consumed)
        return sl_ring_corrupted(f);
    r->slot = NULL;
    atomic_store(&slot->n_words, 0);
    atomic_store(&slot->n_data, 0);
    atomic_store(&slot->state, SL_SLOT_FREE);
    atomic_store(&ring->consumed, ++r->consumed);
    if (atomic_load(&ring->guest_waits))
        sl_futex_wake_all(&ring->consumed);
    return 0;
}

/* Sets r->words to `n` block words and `n_data` data words of a slot, in place, or in `copy` unless
 * that is NULL. */
static int read_slot(struct sl_ring_reader *r, const struct sl_slot *slot, uint64_t n,
                     uint64_t n_data, uint32_t *copy, struct sl_failure *f)
{
    const uint32_t *word = copy ? copy : slot->word;
    if (n > r->data_at || n_data > SL_SLOT_WORDS - r->data_at)
        return sl_ring_corrupted(f);
    if (copy) {
        memcpy(copy, slot->word, n * sizeof *copy);
        memcpy(copy + r->data_at, slot->word + r->data_at, n_data * sizeof *copy);
    }
    r->words = (struct sl_ring_words){
        .word = word,
        .end = word + n,
        .data = word + r->data_at,
        .data_end = word + r->data_at + n_data,
        .thread = slot->thread,
        .flags = slot->flags,
    };
    return 1;
}

/* Reads the next published slot. Returns 0 if there is none. A thread that was killed while it
 * published leaves an empty entry in the queue; it is skipped after the guest's end, and the slot
 * is read with the unpublished ones. */
static int next_in_order(struct sl_ring_reader *r, struct sl_failure *f)
{
    struct sl_ring *ring = r->ring;
    uint32_t published = r->stopped ? r->last : atomic_load(&ring->published), slot;
    if (published - r->consumed > SL_RING_ORDER)
        return sl_ring_corrupted(f);
    do {
        if (r->consumed == published)
            return 0;
        slot = atomic_load_explicit(&ring->order[r->consumed % SL_RING_ORDER],
                                    memory_order_acquire);
        if (!slot && !r->stopped)
            return 0;
        if (!slot)
            atomic_store(&ring->consumed, ++r->consumed);
    } while (!slot);
    if (slot > SL_RING_SLOTS)
        return sl_ring_corrupted(f);
    atomic_store_explicit(&ring->order[r->consumed % SL_RING_ORDER], 0, memory_order_relaxed);
    r->slot = &ring->slot[slot - 1];
    uint32_t n = atomic_load_explicit(&r->slot->n_words, memory_order_acquire);
    return read_slot(r, r->slot, n, atomic_load(&r->slot->n_data), NULL, f);
}

/* The slot that an ended thread was filling; NULL if none, or if the slot was published and read,
 * and the thread was killed before it noted that. */
static const struct sl_slot *slot_left_over(struct sl_ring_reader *r, const struct sl_stage *stage)
{
    if (!stage->slot || stage->slot > SL_RING_SLOTS)
        return NULL;
    const struct sl_slot *slot = &r->ring->slot[stage->slot - 1];
    return slot->thread == stage->thread && slot->state != SL_SLOT_FREE ? slot : NULL;
}

/* Reads that slot. The engine keeps its fill level in the stage. */
static int read_left_over(struct sl_ring_reader *r, const struct sl_slot *slot,
                          struct sl_failure *f)
{
    const struct sl_stage *stage = &r->stage;
    uint64_t n = slot->n_words, n_data = slot->n_data;
    if (stage->base_slot && stage->base_slot != stage->slot) {
        n = n_data = 0;
    } else if (stage->base_slot) {
        n = (stage->block_ptr - stage->base) / sizeof *slot->word;
        n_data = (stage->data_ptr - stage->base) / sizeof *slot->word - r->data_at;
    }
    int error = read_slot(r, slot, n, n_data, r->copy, f);
    if (error > 0)
        error = drain_records(r, f); /* sl_ring_repair() needs its blocks */
    if (error < 0)
        return error;
    sl_ring_repair(&r->decoder, &r->words, r->copy, r->copy + r->data_at,
                   stage->base_slot && stage->running);
    return 1;
}

/* Reads the stage of an ended thread, unless its words were just copied to the slot. */
static int read_stage(struct sl_ring_reader *r, const struct sl_slot *slot, struct sl_failure *f)
{
    struct sl_stage *stage = &r->stage;
    bool open = stage->progress == SL_STAGE_OPEN;
    if (!stage->at) /* an engine's, or unused */
        sl_stage_set(stage, 0, SL_STAGE_DATA, 0);
    if (stage->blocks > SL_STAGE_DATA || stage->at < SL_STAGE_DATA ||
        stage->at > (open ? SL_STAGE_WORDS : SL_STAGE_LIMIT + 2 * SL_LOAD_LAYOUT_MAX) ||
        (open ? stage->start < SL_STAGE_DATA || stage->start >= stage->at
              : stage->progress > 2 * SL_LOAD_LAYOUT_MAX + 1 ||
                    (stage->progress &&
                     (stage->at >= SL_STAGE_LIMIT || stage->blocks == SL_STAGE_DATA))))
        return sl_ring_corrupted(f);
    if (slot && stage->moving && stage->moving == slot->n_words)
        sl_stage_set(stage, 0, SL_STAGE_DATA, 0);
    sl_stage_close(stage, r->source->statics.program.needs);
    r->words.word = stage->word;
    r->words.end = stage->word + stage->blocks;
    r->words.data = stage->word + SL_STAGE_DATA;
    r->words.data_end = stage->word + stage->at;
    r->words.thread = stage->thread;
    r->words.flags |= stage->flags;
    return 1;
}

/* After the guest's end: reads the slot and then the stage of each thread that had not ended.
 * Returns 0 after the last. */
static int next_left_over(struct sl_ring_reader *r, struct sl_failure *f)
{
    for (; r->next_left_over_stage < SL_RING_STAGES; r->next_left_over_stage++) {
        const struct sl_stage *stage = &r->ring->stage[r->next_left_over_stage];
        if (!atomic_load(&stage->used))
            continue;
        r->stage = *stage;
        const struct sl_slot *slot = slot_left_over(r, &r->stage);
        if (!r->left_over_slot_read) {
            r->left_over_slot_read = true;
            r->words.flags = 0;
            if (slot)
                return read_left_over(r, slot, f);
        }
        r->next_left_over_stage++;
        r->left_over_slot_read = false;
        return read_stage(r, slot, f);
    }
    return 0;
}

/* ---- next words ---- */

void sl_ring_guest_stopped(struct sl_ring_reader *r)
{
    r->stopped = true;
    r->last = atomic_load(&r->ring->published);
}

/* True if the guest has overwritten what only the reader writes. */
static bool is_overwritten(const struct sl_ring_reader *r)
{
    struct sl_ring *ring = r->ring;
    return memcmp(ring, r->constants, SL_RING_CONSTANTS_SIZE) ||
           atomic_load(&ring->consumed) != r->consumed ||
           atomic_load(&ring->records_read) != r->records_read || atomic_load(&ring->reader_gone);
}

/* Fails if the guest has been waiting for too long although there was nothing to read. */
static int check_waiting(struct sl_ring_reader *r, bool has_read, struct sl_failure *f)
{
    uint32_t calls = atomic_load(&r->ring->wake_reader);
    struct timespec now;
    if (has_read || calls == r->calls) {
        r->calls = calls;
        r->called = 0;
        return 0;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!r->called)
        r->called = now.tv_sec;
    if (calls - r->calls < STUCK_CALLS || now.tv_sec - r->called <= STUCK_SECONDS)
        return 0;
    return sl_fail(f, SL_EFORMAT,
                   "the program and sluice wait for each other: the program has overwritten "
                   "sluice's shared memory, and its profile is unreliable");
}

int sl_ring_next(struct sl_ring_reader *r, struct sl_failure *f)
{
    if (is_overwritten(r))
        return sl_ring_corrupted(f);
    int more = free_slot(r, f);
    if (more >= 0)
        more = next_in_order(r, f);
    if (!more && r->stopped)
        more = next_left_over(r, f);
    /* After the slot was found: the tap writes records before the events that need them. */
    int records = more < 0 ? more : drain_records(r, f);
    int error = records < 0 ? records : check_waiting(r, more || records, f);
    return error < 0 ? error : more;
}
