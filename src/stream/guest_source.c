/* The live source: a guest under QEMU, read through the ring (ring.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "emulator.h"
#include "failure.h"
#include "ring.h"
#include "source.h"

/* Wake up only for several slots at a time: fewer switches for both sides. */
#define WORTH_WAKING 4u
/* But look that often at what there is, and whether the guest still lives. */
#define LOOK_MILLISECONDS 10

struct guest_source {
    struct sl_source source;
    struct sl_ring *ring;
    uint8_t *records; /* a linear copy of what is in the byte ring */
    pid_t pid;
    bool gone;        /* it has ended; its slots are salvaged */
    struct sl_slot *given; /* what the consumer has; NULL: nothing */
    bool given_in_order;
    uint32_t salvaged; /* slots looked through after the end */
};

/* ---- records ------------------------------------------------------------- */

static int drain_records(struct guest_source *g, struct sl_failure *f)
{
    struct sl_ring *ring = g->ring;
    uint64_t written = atomic_load_explicit(&ring->records_written, memory_order_acquire);
    uint64_t at = atomic_load_explicit(&ring->records_read, memory_order_relaxed);
    if (written == at)
        return 0;
    if (written - at > SL_RING_RECORD_BYTES)
        return sl_fail(f, SL_EFORMAT, "the program has written over sluice's memory");
    size_t size = (size_t)(written - at), offset = (size_t)(at % SL_RING_RECORD_BYTES);
    size_t first = SL_RING_RECORD_BYTES - offset;
    if (first > size)
        first = size;
    memcpy(g->records, ring->records + offset, first);
    memcpy(g->records + first, ring->records, size - first);
    int64_t used = sl_source_records(&g->source, g->records, size, f);
    if (used < 0)
        return (int)used;
    atomic_store_explicit(&ring->records_read, at + (uint64_t)used, memory_order_release);
    return 0;
}

/* ---- slots --------------------------------------------------------------- */

static void give_back(struct guest_source *g)
{
    struct sl_ring *ring = g->ring;
    if (!g->given)
        return;
    atomic_store(&g->given->state, SL_SLOT_FREE);
    g->given = NULL;
    if (g->given_in_order) {
        atomic_fetch_add(&ring->consumed, 1);
        if (atomic_load(&ring->guest_waits))
            sl_futex_wake_all(&ring->consumed);
    }
}

/* The next published slot, NULL if there is none. */
static struct sl_slot *next_in_order(struct guest_source *g)
{
    struct sl_ring *ring = g->ring;
    uint32_t at = atomic_load_explicit(&ring->consumed, memory_order_relaxed) % SL_RING_ORDER;
    uint32_t slot = atomic_load_explicit(&ring->order[at], memory_order_acquire);
    if (!slot || slot > SL_RING_SLOTS)
        return NULL;
    atomic_store_explicit(&ring->order[at], 0, memory_order_relaxed);
    g->given_in_order = true;
    return &ring->slot[slot - 1];
}

/* After the guest's end: what its threads had not published. */
static struct sl_slot *next_salvaged(struct guest_source *g)
{
    while (g->salvaged < SL_RING_SLOTS) {
        struct sl_slot *slot = &g->ring->slot[g->salvaged++];
        if (atomic_load(&slot->state) != SL_SLOT_FREE && (slot->n_blocks || slot->n_mems)) {
            g->given_in_order = false;
            return slot;
        }
    }
    return NULL;
}

/* A guest with a wild pointer can reach the ring, and nothing may go wrong here
 * because of that. A scan for the largest number costs next to nothing. */
static bool numbers_are_below(const uint32_t *number, uint32_t n, uint32_t mask, size_t limit)
{
    uint32_t largest = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t x = number[i] & mask;
        largest = x > largest ? x : largest;
    }
    return n == 0 || largest < limit;
}

static int as_chunk(struct guest_source *g, struct sl_slot *slot, struct sl_chunk *chunk,
                    struct sl_failure *f)
{
    unsigned wants = g->source.statics.program.wants;
    *chunk = (struct sl_chunk){
        .thread = slot->thread,
        .flags = slot->flags,
        .n_blocks = atomic_load_explicit(&slot->n_blocks, memory_order_acquire),
        .n_mems = atomic_load_explicit(&slot->n_mems, memory_order_acquire),
        .block = slot->block,
    };
    if (wants) {
        chunk->block_mem = slot->block_mem;
        chunk->mem_insn = slot->mem_insn;
        chunk->mem_value = wants & SL_WANT_VALUES ? slot->mem_value : NULL;
        chunk->mem_addr = wants & (SL_WANT_ADDRESSES | SL_WANT_STORES) ? slot->mem_addr : NULL;
    }
    const struct sl_statics *statics = &g->source.statics;
    if (chunk->n_blocks > SL_CHUNK_BLOCKS || chunk->n_mems > SL_CHUNK_MEMS ||
        !numbers_are_below(chunk->block, chunk->n_blocks, UINT32_MAX, statics->n_blocks) ||
        (wants && (!numbers_are_below(chunk->mem_insn, chunk->n_mems, SL_MEM_INSN_MASK,
                                      statics->n_insns) ||
                   !numbers_are_below(chunk->block_mem, chunk->n_blocks, UINT32_MAX,
                                      (size_t)chunk->n_mems + 1))))
        return sl_fail(f, SL_EFORMAT, "the program has written over sluice's memory");
    return 1;
}

/* ---- waiting ------------------------------------------------------------- */

static void look_for_end(struct guest_source *g)
{
    int status;
    if (g->gone || waitpid(g->pid, &status, WNOHANG) != g->pid)
        return;
    g->gone = true;
    g->source.statics.program.status = status;
}

static void wait_for_slots(struct guest_source *g)
{
    struct sl_ring *ring = g->ring;
    uint32_t seen = atomic_load(&ring->wake_reader);
    atomic_store(&ring->reader_waits_for, WORTH_WAKING);
    if (atomic_load(&ring->published) - atomic_load(&ring->consumed) < WORTH_WAKING)
        sl_futex_wait(&ring->wake_reader, seen, LOOK_MILLISECONDS);
    atomic_store(&ring->reader_waits_for, 0);
}

static int finish(struct guest_source *g, struct sl_failure *f)
{
    struct sl_program *p = &g->source.statics.program;
    struct sl_ring *ring = g->ring;
    uint8_t record[64];
    if (p->ended)
        return 0;
    p->exec = atomic_load(&ring->exec_pending) != 0;
    p->forks = atomic_load(&ring->forks);
    p->threads = atomic_load(&ring->threads);
    p->dropped_blocks = atomic_load(&ring->dropped_blocks);
    p->dropped_mems = atomic_load(&ring->dropped_mems);
    size_t size = sl_statics_end_record(&g->source.statics, record, sizeof record);
    int64_t used = sl_source_records(&g->source, record, size, f);
    if (used < 0)
        return (int)used;
    if (!atomic_load(&ring->attached))
        return sl_fail(f, SL_EUNSUPPORTED, "QEMU ended before it loaded the plugin: its own message "
                                           "is above");
    return 0;
}

static int guest_next(struct sl_source *source, struct sl_chunk *chunk, struct sl_failure *f)
{
    struct guest_source *g = (struct guest_source *)source;
    give_back(g);
    for (;;) {
        struct sl_slot *slot = next_in_order(g);
        if (!slot && g->gone)
            slot = next_salvaged(g);
        /* After the slot was seen: whatever its events need has been written before. */
        int error = drain_records(g, f);
        if (error < 0)
            return error;
        if (slot) {
            g->given = slot;
            return as_chunk(g, slot, chunk, f);
        }
        if (g->gone)
            return finish(g, f);
        wait_for_slots(g);
        look_for_end(g);
    }
}

static void guest_signal(struct sl_source *source, int number)
{
    struct guest_source *g = (struct guest_source *)source;
    if (!g->gone && g->pid > 0)
        kill(g->pid, number);
}

static void guest_close(struct sl_source *source)
{
    struct guest_source *g = (struct guest_source *)source;
    if (g->pid > 0 && !g->gone) {
        int status;
        atomic_store(&g->ring->reader_gone, 1);
        sl_futex_wake_all(&g->ring->consumed);
        while (waitpid(g->pid, &status, 0) < 0 && errno == EINTR)
            ;
    }
    if (g->ring)
        munmap(g->ring, sizeof *g->ring);
    sl_statics_free(&source->statics);
    free(g->records);
    free(g);
}

/* ---- starting ------------------------------------------------------------ */

static struct sl_ring *make_ring(const struct sl_guest *guest, int *fd)
{
    *fd = memfd_create("sluice-ring", MFD_CLOEXEC);
    if (*fd < 0 || ftruncate(*fd, sizeof(struct sl_ring)) < 0)
        return NULL;
    struct sl_ring *ring = mmap(NULL, sizeof *ring, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_NORESERVE, *fd, 0);
    if (ring == MAP_FAILED)
        return NULL;
    ring->wants = guest->wants;
    ring->lossy = guest->lossy;
    ring->in_flight_max = SL_RING_IN_FLIGHT;
    ring->reader_pid = getpid();
    ring->magic = SL_RING_MAGIC;
    return ring;
}

/* The program record that stands in front of everything. */
static int describe(struct guest_source *g, const struct sl_guest *guest,
                    struct sl_executable *executable, struct sl_failure *f)
{
    struct sl_statics about = {.program = {.arch = executable->arch,
                                           .wants = guest->wants,
                                           .path = executable->path,
                                           .argv = executable->argv}};
    size_t size = sl_statics_program_record(&about, g->records, SL_RING_RECORD_BYTES);
    if (!size)
        return sl_fail(f, SL_EUSAGE, "the program's arguments are too long");
    int64_t used = sl_source_records(&g->source, g->records, size, f);
    return used < 0 ? (int)used : 0;
}

int sl_source_run(struct sl_source **source, const struct sl_guest *guest, struct sl_failure *f)
{
    static const struct sl_source_ops ops = {guest_next, guest_signal, guest_close};
    struct sl_executable executable;
    int ring_fd = -1;
    int error = sl_executable_find(&executable, guest->argv, f);
    struct guest_source *g = error < 0 ? NULL : calloc(1, sizeof *g);
    if (error >= 0 && !g)
        error = sl_fail(f, SL_ENOMEM, "out of memory");
    if (g) {
        g->source.ops = &ops;
        g->ring = make_ring(guest, &ring_fd);
        g->records = malloc(SL_RING_RECORD_BYTES);
        if (!g->ring || !g->records)
            error = sl_fail_errno(f, SL_ENOMEM, "cannot make the shared memory");
        if (error >= 0)
            error = describe(g, guest, &executable, f);
        if (error >= 0)
            error = sl_emulator_start(&g->pid, guest, &executable, ring_fd, f);
        if (error < 0) {
            g->pid = 0;
            guest_close(&g->source);
        } else {
            *source = &g->source;
        }
    }
    if (ring_fd >= 0)
        close(ring_fd);
    sl_executable_free(&executable);
    return error;
}
