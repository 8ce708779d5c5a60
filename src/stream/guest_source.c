/* The live source: a guest under QEMU, read through the ring (ring.h). */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "emulator.h"
#include "failure.h"
#include "ring.h"
#include "ring_words.h"
#include "source.h"

/* Wake up only for several slots at a time: fewer switches for both sides. */
#define WORTH_WAKING 4u
/* But look that often at what there is, and whether the guest still lives. */
#define LOOK_MILLISECONDS 10
/* A guest that waits for room calls us, ten times a second or more. So many calls, over so many
 * seconds, while there is nothing to read: each waits for the other. */
#define STUCK_CALLS 20u
#define STUCK_SECONDS 5
/* The ring's first bytes, which do not change once it is made. */
#define TERMS offsetof(struct sl_ring, published)

struct guest_source {
    struct sl_source source;
    struct sl_ring *ring;
    uint8_t *records; /* a linear copy of what is in the byte ring */
    pid_t pid;
    enum sl_tap tap;
    bool gone; /* it has ended */
    volatile sig_atomic_t stopped; /* nobody wants more of it: it stands still for a last look */
    bool still; /* it has ended, or stands still: its stages are salvaged */

    /* What the ring says too, and only we write there. */
    uint8_t terms[TERMS];
    uint32_t consumed;
    uint64_t records_read;
    uint32_t last; /* once the guest is still: no slots are published behind this one */

    uint32_t calls; /* of the guest's, when we last got something */
    time_t called;  /* when the first after that was seen; 0: there was none */

    /* What is being read. A copy: the guest can write over the ring at any time, and what
     * was checked has to stay as it was. */
    struct sl_ring_words words;
    uint32_t *copy;
    uint32_t next_salvaged; /* stage to look at after the end */
    struct sl_stage stage;  /* a dead thread's, completed */
    bool slot_salvaged;     /* its slot has been read */

    struct sl_ring_decoder decoder;
};

/* ---- records ------------------------------------------------------------- */

/* Applies what is for us, and passes on what is for everybody. */
static int apply_records(struct guest_source *g, const uint8_t *data, size_t size,
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
        if (head[1] == SL_RECORD_IMPLIED) {
            int64_t used = sl_source_records(&g->source, data + passed, at - passed, f);
            int error = used < 0 ? (int)used
                                 : sl_ring_implied(&g->decoder, data + at + sizeof head, head[0], f);
            if (error < 0)
                return error;
            passed = next;
        }
        at = next;
    }
    int64_t used = sl_source_records(&g->source, data + passed, size - passed, f);
    return used < 0 ? (int)used : sl_ring_catch_up(&g->decoder, f);
}

static int drain_records(struct guest_source *g, struct sl_failure *f)
{
    struct sl_ring *ring = g->ring;
    uint64_t written = atomic_load_explicit(&ring->records_written, memory_order_acquire);
    uint64_t at = g->records_read;
    if (written == at)
        return 0;
    if (written - at > SL_RING_RECORD_BYTES || atomic_load(&ring->records_read) != at)
        return sl_ring_corrupted(f);
    size_t size = (size_t)(written - at), offset = (size_t)(at % SL_RING_RECORD_BYTES);
    size_t first = SL_RING_RECORD_BYTES - offset;
    if (first > size)
        first = size;
    memcpy(g->records, ring->records + offset, first);
    memcpy(g->records + first, ring->records, size - first);
    int error = apply_records(g, g->records, size, f);
    if (error < 0)
        return error;
    g->records_read = written;
    atomic_store_explicit(&ring->records_read, written, memory_order_release);
    return 1;
}

/* ---- slots --------------------------------------------------------------- */

static void give_back(struct guest_source *g, struct sl_slot *slot)
{
    struct sl_ring *ring = g->ring;
    atomic_store(&slot->n_words, 0);
    atomic_store(&slot->state, SL_SLOT_FREE);
    atomic_store(&ring->consumed, ++g->consumed);
    if (atomic_load(&ring->guest_waits))
        sl_futex_wake_all(&ring->consumed);
}

static int read_slot(struct guest_source *g, const struct sl_slot *slot, uint32_t n,
                     struct sl_failure *f)
{
    if (n > SL_SLOT_WORDS)
        return sl_ring_corrupted(f);
    memcpy(g->copy, slot->word, n * sizeof *g->copy);
    g->words.word = g->copy;
    g->words.end = g->copy + n;
    g->words.thread = slot->thread;
    g->words.flags = slot->flags;
    return 1;
}

/* The next published slot. Returns 0 if there is none. A thread that was killed
 * while it published leaves a place empty, which holds up nobody after the
 * guest's end: its slot is left over. */
static int next_in_order(struct guest_source *g, struct sl_failure *f)
{
    struct sl_ring *ring = g->ring;
    uint32_t published = g->still ? g->last : atomic_load(&ring->published), slot;
    if (published - g->consumed > SL_RING_ORDER || atomic_load(&ring->consumed) != g->consumed)
        return sl_ring_corrupted(f);
    do {
        if (g->consumed == published)
            return 0;
        slot = atomic_load_explicit(&ring->order[g->consumed % SL_RING_ORDER], memory_order_acquire);
        if (!slot && !g->still)
            return 0;
        if (!slot)
            atomic_store(&ring->consumed, ++g->consumed);
    } while (!slot);
    if (slot > SL_RING_SLOTS)
        return sl_ring_corrupted(f);
    atomic_store_explicit(&ring->order[g->consumed % SL_RING_ORDER], 0, memory_order_relaxed);
    struct sl_slot *its = &ring->slot[slot - 1];
    int error = read_slot(g, its, atomic_load_explicit(&its->n_words, memory_order_acquire), f);
    give_back(g, its);
    return error;
}

/* The slot that a dead thread was filling; NULL if none, or if it has been read
 * in its order already and the thread did not live to note that. */
static const struct sl_slot *slot_left_over(struct guest_source *g, const struct sl_stage *stage)
{
    if (!stage->slot || stage->slot > SL_RING_SLOTS)
        return NULL;
    const struct sl_slot *slot = &g->ring->slot[stage->slot - 1];
    return slot->thread == stage->thread && slot->state != SL_SLOT_FREE ? slot : NULL;
}

/* The words in that slot. The engine counts them in the stage. */
static int read_left_over(struct guest_source *g, const struct sl_slot *slot, struct sl_failure *f)
{
    const struct sl_stage *stage = &g->stage;
    if (stage->base_slot != stage->slot)
        return read_slot(g, slot, stage->base_slot ? 0 : slot->n_words, f);
    uint64_t n = (stage->here - stage->base) / sizeof *slot->word;
    int error = read_slot(g, slot, n > SL_SLOT_WORDS ? UINT32_MAX : (uint32_t)n, f);
    if (error > 0 && stage->running) {
        int caught_up = drain_records(g, f); /* its blocks are known before it is cut */
        if (caught_up < 0)
            return caught_up;
        g->words.end = g->copy + sl_ring_unfinished(&g->decoder, g->copy, (uint32_t)n);
    }
    return error;
}

/* A dead thread's stage, unless its words have just been copied to its slot. */
static int read_stage(struct guest_source *g, const struct sl_slot *slot, struct sl_failure *f)
{
    struct sl_stage *stage = &g->stage;
    bool open = stage->progress == SL_STAGE_OPEN;
    if (stage->at > (open ? SL_STAGE_WORDS : SL_STAGE_LIMIT + 2 * SL_IMPLIED_MAX) ||
        (open ? stage->start >= stage->at
              : stage->progress > 2 * SL_IMPLIED_MAX + 1 ||
                    (stage->progress && stage->at >= SL_STAGE_LIMIT)))
        return sl_ring_corrupted(f);
    if (slot && stage->moving && stage->moving == slot->n_words)
        sl_stage_set(stage, 0, 0);
    sl_stage_close(stage, g->source.statics.program.wants);
    g->words.word = stage->word;
    g->words.end = stage->word + stage->at;
    g->words.thread = stage->thread;
    g->words.flags |= stage->flags;
    return 1;
}

/* After the guest's end: for each thread that had not ended, what was in its
 * slot, then what was in its stage. Returns 0 after the last. */
static int next_left_over(struct guest_source *g, struct sl_failure *f)
{
    for (; g->next_salvaged < SL_RING_STAGES; g->next_salvaged++) {
        const struct sl_stage *stage = &g->ring->stage[g->next_salvaged];
        if (!atomic_load(&stage->used))
            continue;
        g->stage = *stage;
        const struct sl_slot *slot = slot_left_over(g, &g->stage);
        if (!g->slot_salvaged) {
            g->slot_salvaged = true;
            g->words.flags = 0;
            if (slot)
                return read_left_over(g, slot, f);
        }
        g->next_salvaged++;
        g->slot_salvaged = false;
        return read_stage(g, slot, f);
    }
    return 0;
}

/* ---- waiting ------------------------------------------------------------- */

static void be_still(struct guest_source *g)
{
    g->still = true;
    g->last = atomic_load(&g->ring->published);
}

static void look_for_end(struct guest_source *g)
{
    int status;
    if (g->gone)
        return;
    pid_t ended = waitpid(g->pid, &status, WNOHANG);
    if (ended < 0 && errno == ECHILD)
        status = 0; /* somebody else has taken its status, or nobody wants it */
    else if (ended != g->pid)
        return;
    g->gone = true;
    be_still(g);
    g->source.statics.program.status = status;
}

/* Whether the guest has written where only we do. */
static bool written_over(const struct guest_source *g)
{
    struct sl_ring *ring = g->ring;
    return memcmp(ring, g->terms, TERMS) ||
           atomic_load(&ring->consumed) != g->consumed ||
           atomic_load(&ring->records_read) != g->records_read || atomic_load(&ring->reader_gone);
}

/* There was something to read, or not: then the guest had better not have called for long. */
static int watch_waiting(struct guest_source *g, bool got, struct sl_failure *f)
{
    uint32_t calls = atomic_load(&g->ring->wake_reader);
    struct timespec now;
    if (got || calls == g->calls) {
        g->calls = calls;
        g->called = 0;
        return 0;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!g->called)
        g->called = now.tv_sec;
    if (calls - g->calls < STUCK_CALLS || now.tv_sec - g->called <= STUCK_SECONDS)
        return 0;
    return sl_fail(f, SL_EFORMAT, "the program waits for sluice and sluice for the program, so the "
                                  "program has written over sluice's memory: its profile cannot be "
                                  "trusted");
}

static void wait_for_slots(struct guest_source *g)
{
    struct sl_ring *ring = g->ring;
    uint32_t seen = atomic_load(&ring->wake_reader);
    atomic_store(&ring->reader_waits_for, WORTH_WAKING);
    if (atomic_load(&ring->published) - g->consumed < WORTH_WAKING ||
        !atomic_load(&ring->order[g->consumed % SL_RING_ORDER]))
        sl_futex_wait(&ring->wake_reader, seen, LOOK_MILLISECONDS);
    atomic_store(&ring->reader_waits_for, 0);
}

/* Rather than by what it did wrong itself. */
static bool killed_by_others(int status)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP, SIGSYS};
    bool others = WIFSIGNALED(status);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        others = others && WTERMSIG(status) != own[i];
    return others;
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
    p->tap = g->tap;
    p->dropped_blocks = atomic_load(&ring->dropped_blocks);
    p->dropped_mems = atomic_load(&ring->dropped_mems);
    size_t size = sl_statics_end_record(&g->source.statics, record, sizeof record);
    int64_t used = sl_source_records(&g->source, record, size, f);
    if (used < 0)
        return (int)used;
    if (!atomic_load(&ring->attached) && killed_by_others(p->status))
        return sl_fail(f, SL_EKILLED, "a signal ended the program before it began");
    if (!atomic_load(&ring->attached))
        return sl_fail(f, SL_EUNSUPPORTED, "QEMU ended before it loaded the plugin: its own message "
                                           "is above");
    return 0;
}

/* What there is to read now. Returns 0 if nothing. */
static int look(struct guest_source *g, struct sl_failure *f)
{
    if (written_over(g))
        return sl_ring_corrupted(f);
    int more = next_in_order(g, f);
    if (!more && g->still)
        more = next_left_over(g, f);
    /* After the slot was seen: whatever its events need has been written before. */
    int records = more < 0 ? more : drain_records(g, f);
    int error = records < 0 ? records : watch_waiting(g, more || records, f);
    return error < 0 ? error : more;
}

/* Stops the guest's process for as long as we read what it has recorded, if it will stop. */
static void freeze(struct guest_source *g)
{
    struct timespec pause = {.tv_nsec = LOOK_MILLISECONDS * 1000000};
    siginfo_t info = {0};
    kill(g->pid, SIGSTOP);
    for (int i = 0; i < 100 && !g->gone && !info.si_pid; i++) {
        if (waitid(P_PID, (id_t)g->pid, &info, WSTOPPED | WNOHANG) < 0)
            break;
        if (!info.si_pid) {
            look_for_end(g);
            nanosleep(&pause, NULL);
        }
    }
    be_still(g);
}

static int guest_next(struct sl_source *source, struct sl_chunk *chunk, struct sl_failure *f)
{
    struct guest_source *g = (struct guest_source *)source;
    for (;;) {
        if (g->stopped && !g->still)
            freeze(g);
        if (g->words.word < g->words.end)
            return sl_ring_decode(&g->decoder, &g->words, chunk, f);
        int more = look(g, f);
        if (more < 0)
            return more;
        if (more)
            continue;
        if (g->gone)
            return finish(g, f);
        if (g->still)
            break;
        wait_for_slots(g);
        look_for_end(g);
    }
    snprintf(source->warning, sizeof source->warning,
             "sluice was told twice to end: what the program did after that is not in the profile");
    return 0;
}

static bool guest_signal(struct sl_source *source, int number)
{
    struct guest_source *g = (struct guest_source *)source;
    if (!g->gone && g->pid > 0)
        kill(g->pid, number);
    return g->pid > 0;
}

static void guest_stop(struct sl_source *source)
{
    ((struct guest_source *)source)->stopped = true;
}

static void guest_let_go(struct sl_source *source)
{
    struct guest_source *g = (struct guest_source *)source;
    struct timespec pause = {.tv_nsec = LOOK_MILLISECONDS * 1000000};
    if (g->pid <= 0 || g->gone)
        return;
    atomic_store(&g->ring->reader_gone, 1);
    sl_futex_wake_all(&g->ring->consumed);
    if (g->still)
        kill(g->pid, SIGCONT);
    for (look_for_end(g); !g->gone && !g->stopped; look_for_end(g))
        nanosleep(&pause, NULL);
}

static void guest_close(struct sl_source *source)
{
    struct guest_source *g = (struct guest_source *)source;
    if (g->ring)
        munmap(g->ring, sizeof *g->ring);
    sl_statics_free(&source->statics);
    free(g->records);
    free(g->copy);
    sl_ring_decoder_free(&g->decoder);
    free(g);
}

/* ---- starting ------------------------------------------------------------ */

static struct sl_ring *make_ring(const struct sl_guest *guest, int *fd)
{
    struct rlimit limit;
    *fd = memfd_create("sluice-ring", MFD_CLOEXEC);
    if (*fd >= 0 && !getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur < sizeof(struct sl_ring)) {
        errno = EFBIG; /* and no SIGXFSZ, which would end the caller */
        return NULL;
    }
    if (*fd < 0 || ftruncate(*fd, sizeof(struct sl_ring)) < 0)
        return NULL;
    struct sl_ring *ring = mmap(NULL, sizeof *ring, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_NORESERVE, *fd, 0);
    if (ring == MAP_FAILED)
        return NULL;
    ring->wants = guest->wants;
    ring->lossy = guest->lossy;
    ring->name_all = guest->spelled_out;
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
    static const struct sl_source_ops ops = {guest_next, guest_signal, guest_stop, guest_let_go,
                                             guest_close};
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
        g->copy = malloc((SL_SLOT_WORDS + SL_RING_WORDS_MARGIN) * sizeof *g->copy);
        if (g->ring)
            memcpy(g->terms, g->ring, TERMS);
        if (!g->ring && errno == EFBIG)
            error = sl_fail(f, SL_EIO, "files may not be as large as the memory that sluice shares with "
                            "the program, %zu MB (as a file it is empty): raise the limit, RLIMIT_FSIZE",
                            (sizeof *g->ring + 999999) / 1000000);
        else if (!g->ring || !g->records || !g->copy)
            error = sl_fail_errno(f, SL_ENOMEM, "cannot make the shared memory");
        if (error >= 0)
            error = sl_ring_decoder_init(&g->decoder, &g->source.statics, f);
        if (error >= 0)
            error = describe(g, guest, &executable, f);
        *source = error < 0 ? NULL : &g->source;
        if (error >= 0)
            error = sl_emulator_start(&g->pid, &g->tap, guest, &executable, ring_fd, f);
        if (error < 0) {
            *source = NULL;
            g->pid = 0;
            guest_close(&g->source);
        }
    }
    if (ring_fd >= 0)
        close(ring_fd);
    sl_executable_free(&executable);
    return error;
}
