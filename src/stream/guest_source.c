/* The live source: a guest under QEMU, read through the ring (ring.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "emulator.h"
#include "failure.h"
#include "grow.h"
#include "ring.h"
#include "source.h"

/* Wake up only for several slots at a time: fewer switches for both sides. */
#define WORTH_WAKING 4u
/* But look that often at what there is, and whether the guest still lives. */
#define LOOK_MILLISECONDS 10

/* A block's implied loads: implied_insn[at ... at + n], with SL_IMPLIED_WIDE. */
struct implied {
    uint32_t at;
    uint16_t n, words;
};

struct guest_source {
    struct sl_source source;
    struct sl_ring *ring;
    uint8_t *records; /* a linear copy of what is in the byte ring */
    pid_t pid;
    bool gone; /* it has ended; its stages are salvaged */

    struct implied *implied; /* by block */
    size_t room_implied;
    uint32_t *implied_insn;
    size_t n_implied_insns, room_implied_insns;

    /* What is being read. */
    const uint32_t *word, *end;
    uint32_t thread, flags;
    struct sl_slot *slot;   /* to be given back; NULL: none */
    uint32_t next_salvaged; /* stage to look at after the end */
    struct sl_stage stage;  /* a dead thread's, completed */
    bool slot_salvaged;     /* its slot has been read */

    struct arrays *out;
};

/* Implied loads are copied four at a time, which may write past the last. */
#define MARGIN 4u
struct arrays {
    uint32_t block[SL_CHUNK_BLOCKS], block_mem[SL_CHUNK_BLOCKS];
    uint32_t mem_insn[SL_CHUNK_MEMS + MARGIN];
    uint64_t mem_value[SL_CHUNK_MEMS + MARGIN], mem_addr[SL_CHUNK_MEMS];
};

static int corrupted(struct sl_failure *f)
{
    return sl_fail(f, SL_EFORMAT, "the program has written over sluice's memory: its profile cannot "
                                  "be trusted");
}

/* ---- records ------------------------------------------------------------- */

static int apply_implied(struct guest_source *g, const uint8_t *payload, uint32_t length,
                         struct sl_failure *f)
{
    uint32_t block = UINT32_MAX, n = length / 4 - 1;
    if (length >= 8)
        memcpy(&block, payload, 4);
    if (length < 8 || n > SL_IMPLIED_MAX || block >= g->source.statics.n_blocks)
        return corrupted(f);
    if (!SL_GROW(g->implied, g->room_implied, (size_t)block + 1) ||
        !SL_GROW(g->implied_insn, g->room_implied_insns, g->n_implied_insns + n + MARGIN))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    uint32_t *insn = g->implied_insn + g->n_implied_insns, words = n;
    memcpy(insn, payload + 4, 4 * n);
    for (uint32_t i = 0; i < n; i++) {
        words += insn[i] >> 31;
        if ((insn[i] & ~SL_IMPLIED_WIDE) >= g->source.statics.n_insns)
            return corrupted(f);
    }
    g->implied[block] =
        (struct implied){(uint32_t)g->n_implied_insns, (uint16_t)n, (uint16_t)words};
    g->n_implied_insns += n;
    return 0;
}

/* Applies what is for us, and passes on what is for everybody. */
static int apply_records(struct guest_source *g, const uint8_t *data, size_t size,
                         struct sl_failure *f)
{
    size_t at = 0, passed = 0;
    while (at < size) {
        uint32_t head[2];
        if (size - at < sizeof head)
            return corrupted(f);
        memcpy(head, data + at, sizeof head);
        if (size - at - sizeof head < head[0])
            return corrupted(f);
        size_t next = at + sizeof head + head[0];
        if (head[1] == SL_RECORD_IMPLIED) {
            int64_t used = sl_source_records(&g->source, data + passed, at - passed, f);
            int error = used < 0 ? (int)used : apply_implied(g, data + at + sizeof head, head[0], f);
            if (error < 0)
                return error;
            passed = next;
        }
        at = next;
    }
    int64_t used = sl_source_records(&g->source, data + passed, size - passed, f);
    if (used < 0)
        return (int)used;
    if (!SL_GROW(g->implied, g->room_implied, g->source.statics.n_blocks))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    return 0;
}

static int drain_records(struct guest_source *g, struct sl_failure *f)
{
    struct sl_ring *ring = g->ring;
    uint64_t written = atomic_load_explicit(&ring->records_written, memory_order_acquire);
    uint64_t at = atomic_load_explicit(&ring->records_read, memory_order_relaxed);
    if (written == at)
        return 0;
    if (written - at > SL_RING_RECORD_BYTES)
        return corrupted(f);
    size_t size = (size_t)(written - at), offset = (size_t)(at % SL_RING_RECORD_BYTES);
    size_t first = SL_RING_RECORD_BYTES - offset;
    if (first > size)
        first = size;
    memcpy(g->records, ring->records + offset, first);
    memcpy(g->records + first, ring->records, size - first);
    int error = apply_records(g, g->records, size, f);
    if (error < 0)
        return error;
    atomic_store_explicit(&ring->records_read, written, memory_order_release);
    return 0;
}

/* ---- words to arrays ----------------------------------------------------- */

/* Where decoding is; a struct of its own so that the compiler keeps it in
 * registers. */
struct decoder {
    const uint32_t *word, *end;
    uint32_t n_blocks, n_mems;
};

/* A block's implied loads, none of them wide: the instructions from the list, the
 * values from the words. Most blocks are so, and most have few loads. */
static inline void copy_narrow(struct arrays *out, uint32_t at, const uint32_t *insn,
                               const uint32_t *value, uint32_t n)
{
    for (uint32_t i = 0; i < n; i += MARGIN)
        for (uint32_t j = i; j < i + MARGIN; j++) {
            out->mem_insn[at + j] = insn[j];
            out->mem_value[at + j] = value[j];
        }
}

/* Any implied loads, as many as `words` hold. Returns how many. */
static inline uint32_t copy_mixed(struct arrays *out, uint32_t at, const uint32_t *insn,
                                  const uint32_t *value, uint32_t words)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < words; n++) {
        uint32_t wide = insn[n] >> 31;
        uint64_t low = value[i], high = wide ? value[i + 1] : 0;
        out->mem_insn[at + n] = insn[n] & ~SL_IMPLIED_WIDE;
        out->mem_value[at + n] = low | high << 32;
        i += 1 + wide;
    }
    return n;
}

/* `n` events that name their instruction. */
static bool copy_named(struct guest_source *g, struct decoder *d, uint32_t n, unsigned wants)
{
    struct arrays *out = g->out;
    for (uint32_t i = 0; i < n; i++, d->n_mems++) {
        uint32_t insn = *d->word++;
        if ((insn & SL_MEM_INSN_MASK) >= g->source.statics.n_insns)
            return false;
        out->mem_insn[d->n_mems] = insn;
        if (wants & (SL_WANT_ADDRESSES | SL_WANT_STORES)) {
            memcpy(&out->mem_addr[d->n_mems], d->word, 8);
            d->word += 2;
        }
        if (wants & SL_WANT_VALUES) {
            memcpy(&out->mem_value[d->n_mems], d->word, 8);
            d->word += 2;
        }
    }
    return true;
}

/* One open block. Returns 1, 0 if the arrays have no room for it, -1 if the
 * words make no sense. */
static int decode_open(struct guest_source *g, struct decoder *d)
{
    unsigned wants = g->source.statics.program.wants;
    uint32_t block = d->word[0] & ~SL_WORD_OPEN;
    if (d->end - d->word < 2)
        return -1;
    bool cut = d->word[1] & SL_WORD_CUT;
    uint32_t n = d->word[1] & ~SL_WORD_CUT;
    size_t words = (size_t)n * (cut ? 1 : sl_event_words(wants));
    if ((size_t)(d->end - d->word - 2) < words)
        return -1;
    if (d->n_mems + n > SL_CHUNK_MEMS)
        return 0;
    d->word += 2;
    if (block != SL_WORD_CONTINUED) {
        if (block >= g->source.statics.n_blocks)
            return -1;
        g->out->block[d->n_blocks] = block;
        g->out->block_mem[d->n_blocks++] = d->n_mems;
    }
    if (!cut)
        return copy_named(g, d, n, wants) ? 1 : -1;
    if (block == SL_WORD_CONTINUED || n > g->implied[block].words)
        return -1;
    d->n_mems += copy_mixed(g->out, d->n_mems, g->implied_insn + g->implied[block].at, d->word, n);
    d->word += n;
    return 1;
}

/* Decodes as much as the arrays hold. A guest with a wild pointer can reach the
 * ring, so nothing in it is believed. */
static int decode(struct guest_source *g, struct sl_chunk *chunk, struct sl_failure *f)
{
    struct arrays *out = g->out;
    const struct implied *implied = g->implied;
    size_t n_known = g->source.statics.n_blocks;
    unsigned wants = g->source.statics.program.wants;
    struct decoder d = {g->word, g->end, 0, 0};
    while (d.word < d.end && d.n_blocks < SL_CHUNK_BLOCKS) {
        uint32_t block = *d.word;
        if (block < n_known) {
            uint32_t n = implied[block].n, words = implied[block].words;
            const uint32_t *insn = g->implied_insn + implied[block].at;
            if (d.n_mems + n > SL_CHUNK_MEMS)
                break;
            if ((size_t)(d.end - d.word) < 1 + (size_t)words)
                return corrupted(f);
            out->block[d.n_blocks] = block;
            out->block_mem[d.n_blocks++] = d.n_mems;
            if (n == words)
                copy_narrow(out, d.n_mems, insn, d.word + 1, n);
            else
                copy_mixed(out, d.n_mems, insn, d.word + 1, words);
            d.n_mems += n;
            d.word += 1 + words;
        } else {
            int done = block & SL_WORD_OPEN ? decode_open(g, &d) : -1;
            if (done < 0)
                return corrupted(f);
            if (!done)
                break;
        }
    }
    g->word = d.word;
    *chunk = (struct sl_chunk){
        .thread = g->thread,
        .flags = g->flags,
        .n_blocks = d.n_blocks,
        .n_mems = d.n_mems,
        .block = out->block,
        .block_mem = wants ? out->block_mem : NULL,
        .mem_insn = wants ? out->mem_insn : NULL,
        .mem_value = wants & SL_WANT_VALUES ? out->mem_value : NULL,
        .mem_addr = wants & (SL_WANT_ADDRESSES | SL_WANT_STORES) ? out->mem_addr : NULL,
    };
    g->flags = 0;
    return 1;
}

/* A stream of blocks alone is its own array. A scan for the largest number costs
 * next to nothing. */
static int in_place(struct guest_source *g, struct sl_chunk *chunk, struct sl_failure *f)
{
    size_t left = (size_t)(g->end - g->word);
    uint32_t n = left < SL_CHUNK_BLOCKS ? (uint32_t)left : SL_CHUNK_BLOCKS, largest = 0;
    for (uint32_t i = 0; i < n; i++)
        largest = g->word[i] > largest ? g->word[i] : largest;
    if (largest >= g->source.statics.n_blocks)
        return corrupted(f);
    *chunk = (struct sl_chunk){
        .thread = g->thread, .flags = g->flags, .n_blocks = n, .block = g->word};
    g->word += n;
    g->flags = 0;
    return 1;
}

/* ---- slots --------------------------------------------------------------- */

static void give_back(struct guest_source *g)
{
    struct sl_ring *ring = g->ring;
    if (!g->slot)
        return;
    atomic_store(&g->slot->n_words, 0);
    atomic_store(&g->slot->state, SL_SLOT_FREE);
    g->slot = NULL;
    atomic_fetch_add(&ring->consumed, 1);
    if (atomic_load(&ring->guest_waits))
        sl_futex_wake_all(&ring->consumed);
}

static int read_slot(struct guest_source *g, const struct sl_slot *slot, struct sl_failure *f)
{
    uint32_t n = atomic_load_explicit(&slot->n_words, memory_order_acquire);
    if (n > SL_SLOT_WORDS)
        return corrupted(f);
    g->word = slot->word;
    g->end = slot->word + n;
    g->thread = slot->thread;
    g->flags = slot->flags;
    return 1;
}

/* The next published slot. Returns 0 if there is none. A thread that was killed
 * while it published leaves a place empty, which holds up nobody after the
 * guest's end: its slot is left over. */
static int next_in_order(struct guest_source *g, struct sl_failure *f)
{
    struct sl_ring *ring = g->ring;
    uint32_t place = atomic_load_explicit(&ring->consumed, memory_order_relaxed);
    uint32_t published = atomic_load(&ring->published), slot;
    while (!(slot = atomic_load_explicit(&ring->order[place % SL_RING_ORDER],
                                         memory_order_acquire))) {
        if (!g->gone || place == published)
            return 0;
        if (published - place > SL_RING_ORDER)
            return corrupted(f);
        atomic_store(&ring->consumed, ++place);
    }
    if (slot > SL_RING_SLOTS)
        return corrupted(f);
    atomic_store_explicit(&ring->order[place % SL_RING_ORDER], 0, memory_order_relaxed);
    g->slot = &ring->slot[slot - 1];
    return read_slot(g, g->slot, f);
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

/* A dead thread's stage, unless its words have just been copied to its slot. */
static int read_stage(struct guest_source *g, const struct sl_slot *slot, struct sl_failure *f)
{
    struct sl_stage *stage = &g->stage;
    bool open = stage->progress == SL_STAGE_OPEN;
    if (stage->at > (open ? SL_STAGE_WORDS : SL_STAGE_LIMIT + 2 * SL_IMPLIED_MAX) ||
        (open ? stage->start >= stage->at
              : stage->progress > 2 * SL_IMPLIED_MAX + 1 ||
                    (stage->progress && stage->at >= SL_STAGE_LIMIT)))
        return corrupted(f);
    if (slot && stage->moving && stage->moving == slot->n_words)
        sl_stage_set(stage, 0, 0);
    sl_stage_close(stage, g->source.statics.program.wants);
    g->word = stage->word;
    g->end = stage->word + stage->at;
    g->thread = stage->thread;
    g->flags |= stage->flags;
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
            g->flags = 0;
            if (slot)
                return read_slot(g, slot, f);
        }
        g->next_salvaged++;
        g->slot_salvaged = false;
        return read_stage(g, slot, f);
    }
    return 0;
}

/* ---- waiting ------------------------------------------------------------- */

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
    for (;;) {
        if (g->word < g->end)
            return g->ring->wants ? decode(g, chunk, f) : in_place(g, chunk, f);
        give_back(g);
        int more = next_in_order(g, f);
        if (!more && g->gone)
            more = next_left_over(g, f);
        /* After the slot was seen: whatever its events need has been written before. */
        int error = more < 0 ? more : drain_records(g, f);
        if (error < 0)
            return error;
        if (more)
            continue;
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

static void guest_let_go(struct sl_source *source)
{
    struct guest_source *g = (struct guest_source *)source;
    if (g->pid <= 0 || g->gone)
        return;
    atomic_store(&g->ring->reader_gone, 1);
    sl_futex_wake_all(&g->ring->consumed);
    while (waitpid(g->pid, &source->statics.program.status, 0) < 0 && errno == EINTR)
        ;
    g->gone = true;
}

static void guest_close(struct sl_source *source)
{
    struct guest_source *g = (struct guest_source *)source;
    if (g->ring)
        munmap(g->ring, sizeof *g->ring);
    sl_statics_free(&source->statics);
    free(g->records);
    free(g->implied);
    free(g->implied_insn);
    free(g->out);
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
    static const struct sl_source_ops ops = {guest_next, guest_signal, guest_let_go, guest_close};
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
        g->out = malloc(sizeof *g->out);
        if (!g->ring || !g->records || !g->out)
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
