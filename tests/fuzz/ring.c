/* SPDX-License-Identifier: MIT */
/* Fuzzer for the reader of the ring, the shared memory through which QEMU sends events to sluice.
 * While the reader runs, the fuzzer writes invalid data to the ring (usage: ring.t [SECONDS]).
 *
 * The guest source (guest_source.c) is linked with a process that replaces QEMU. It writes as the
 * tape specifies: valid records, words and slots, then arbitrary data anywhere while the reader
 * reads, and ends in some way. Whatever it writes, the reader must end, and every chunk that it
 * returns keeps the guarantees of event.h. Half of the streams are recorded instead, where values
 * go from the ring into frames (ring_sort.c); the recorded part must be a readable trace. */
#include <sys/mman.h>
#include <sys/wait.h>

#include "chunk_bounds.h"
#include "scratch.h"
#include "tape_source.h"

#include "emulator.h"
#include "ring.h"
#include "sluice.h"

const char fuzz_name[] = "ring";

static struct tape *script;
static unsigned long n_chunks, n_corrupted, n_ended, n_other, n_recorded;

/* ---- the guest ---- */

struct guest {
    struct sl_ring *ring;
    struct tape *tape;
    uint32_t n_blocks, n_insns, slot;
    uint8_t words[256]; /* of the loads of each block, the first ones */
    unsigned patience;  /* good things that it does for a bad one */
};

static void put_bytes(struct guest *g, const void *data, size_t size)
{
    uint64_t at = atomic_load(&g->ring->records_written);
    for (size_t i = 0; i < size; i++)
        g->ring->records[(at + i) % SL_RING_RECORD_BYTES] = ((const uint8_t *)data)[i];
    atomic_store(&g->ring->records_written, at + size);
}

/* A block of n instructions of four bytes, all of them loads that are implied. */
static void good_block(struct guest *g)
{
    unsigned n = 1 + pick(g->tape, 4);
    uint8_t record[256];
    uint32_t implied[12] = {0, SL_RECORD_LOAD_LAYOUT, g->n_blocks, g->n_blocks};
    size_t size = 0;
#define PUT(value, bytes)                 \
    do {                                  \
        uint64_t v = (value);             \
        memcpy(record + size, &v, bytes); \
        size += bytes;                    \
    } while (0)
    PUT(15 + 9 * n, 4);
    PUT(SL_RECORD_BLOCK, 4);
    PUT(0x401000 + 64 * (uint64_t)g->n_blocks, 8);
    PUT(g->n_blocks, 4);
    PUT(0, 1);
    PUT(n, 2);
    for (unsigned i = 0; i < n; i++) {
        PUT(g->n_insns + i, 4);
        PUT(4, 1);
    }
    for (unsigned i = 0; i < n; i++)
        PUT(0x8b489090, 4);
    put_bytes(g, record, size);
    implied[0] = 8 + 4 * n;
    for (unsigned i = 0; i < n; i++) {
        unsigned wide = pick(g->tape, 2);
        implied[4 + i] = (g->n_insns + i) | (wide ? SL_LOAD_LAYOUT_WIDE : 0);
        g->words[g->n_blocks % 256] = (uint8_t)(g->words[g->n_blocks % 256] + 1 + wide);
    }
    put_bytes(g, implied, 16 + 4 * n);
    g->n_blocks++;
    g->n_insns += n;
}

static void good_slot(struct guest *g)
{
    struct sl_ring *ring = g->ring;
    struct sl_slot *slot = &ring->slot[g->slot++ % 24];
    uint32_t n = 0, n_data = 0, known = g->n_blocks < 256 ? g->n_blocks : 256;
    for (unsigned i = 0; atomic_load(&slot->state) != SL_SLOT_FREE && i < 20; i++)
        usleep(100);
    for (unsigned i = pick(g->tape, 40); i && known; i--) {
        uint32_t block = pick(g->tape, known);
        slot->word[n++] = sl_block_word(block, g->ring->needs ? g->words[block] : 0);
        for (unsigned k = 0; g->ring->needs && k < g->words[block]; k++)
            slot->word[ring->data_at % SL_SLOT_WORDS + n_data++] = (uint32_t)take(g->tape, 1);
    }
    slot->thread = pick(g->tape, 3);
    slot->flags = pick(g->tape, SL_CHUNK_FLAGS + 1);
    atomic_store(&slot->n_data, n_data);
    atomic_store(&slot->n_words, n);
    atomic_store(&slot->state, SL_SLOT_FULL);
    uint32_t place = atomic_fetch_add(&ring->published, 1);
    atomic_store(&ring->order[place % SL_RING_ORDER], (uint32_t)(slot - ring->slot) + 1);
    sl_ring_wake_reader(ring);
}

/* Anything anywhere that is in use. */
static void misbehave(struct guest *g)
{
    struct sl_ring *ring = g->ring;
    struct tape *t = g->tape;
    uint32_t word = (uint32_t)number(t), i = pick(t, 24);
    switch (pick(t, 13)) {
    case 0:
        atomic_store(&ring->published,
                     pick(t, 2) ? word : atomic_load(&ring->published) + pick(t, 40));
        break;
    case 1:
        atomic_store(&ring->records_written, atomic_load(&ring->records_written) + word);
        break;
    case 2:
        atomic_store(&ring->order[pick(t, 64)], pick(t, 2) ? word : i);
        break;
    case 3:
        atomic_store(&ring->slot[i].n_words, word);
        break;
    case 4:
        atomic_store(&ring->slot[i].state, word);
        break;
    case 5:
        ring->slot[i].word[(pick(t, 2) ? ring->data_at % SL_SLOT_WORDS : 0) + pick(t, 256)] = word;
        break;
    case 6:
        ((uint32_t *)&ring->stage[pick(t, 4)])[pick(t, 1024)] = word;
        break;
    case 7: { /* a thread that has not ended */
        struct sl_stage *stage = &ring->stage[pick(t, 4)];
        stage->slot = pick(t, 2) ? i + 1 : word;
        stage->blocks = (uint16_t)(pick(t, 2) ? pick(t, SL_STAGE_DATA) : word);
        stage->at = (uint16_t)(pick(t, 2) ? SL_STAGE_DATA + pick(t, 600) : word);
        stage->progress = pick(t, 2) ? pick(t, 100) : word;
        stage->start = pick(t, 1000);
        stage->running = pick(t, 2);
        stage->base_slot = pick(t, 2) ? stage->slot : word;
        stage->block_ptr = stage->base + number(t);
        stage->data_ptr = stage->base +
                          (pick(t, 2) ? 4 * (ring->data_at + pick(t, 300)) : number(t));
        atomic_store(&stage->used, 1);
        break;
    }
    case 8:
        ring->records[take(t, 2)] = (uint8_t)word;
        break;
    case 9:
        ((uint32_t *)ring)[pick(t, 16)] ^= word;
        break;
    case 10:
        atomic_store(&ring->consumed, word);
        break;
    case 11:
        atomic_store(&ring->slot[i].n_data, pick(t, 2) ? word : pick(t, 300));
        break;
    default:
        atomic_store(&ring->slot[i].n_words, pick(t, 300));
        ring->slot[i].thread = word;
    }
}

static void behave(struct guest *g)
{
    atomic_store(&g->ring->attached, 1);
    while (g->tape->at < g->tape->end)
        if (!pick(g->tape, g->patience))
            misbehave(g);
        else if (pick(g->tape, 3))
            good_slot(g);
        else
            good_block(g);
}

/* In the place of QEMU's start. */
int sl_emulator_start(pid_t *pid, enum sl_tap *tap, const char **warning,
                      const struct sl_guest *guest, const struct sl_executable *executable,
                      int ring_fd, int32_t *reader, struct sl_failure *f)
{
    (void)guest, (void)executable, (void)reader, (void)f;
    *tap = SL_TAP_PLUGIN;
    *warning = NULL;
    *pid = fork();
    if (*pid)
        return *pid < 0 ? SL_EIO : 0;
    struct guest g = {.tape = script};
    static const unsigned patience[] = {2, 8, 40, 250};
    unsigned end = pick(script, 4);
    g.patience = patience[pick(script, 4)];
    g.ring = mmap(NULL, sizeof *g.ring, PROT_READ | PROT_WRITE, MAP_SHARED, ring_fd, 0);
    behave(&g);
    if (end == 3)
        kill(getpid(), SIGKILL);
    _exit((int)end);
}

/* No guest of ours runs already. */
void sl_emulator_join(int32_t *reader)
{
    (void)reader;
    abort();
}

/* ---- the reader ---- */

void fuzz_begin(void)
{
    make_scratch();
}

static int read_chunks(struct sl_source *source, uint32_t insn_mask, struct sl_failure *f)
{
    struct sl_chunk chunk;
    int more;
    while ((more = sl_source_next(source, &chunk, f)) > 0) {
        n_chunks++;
        if (!chunk_in_bounds(&chunk, source, insn_mask))
            fuzz_wrong("a chunk that breaks its promises");
    }
    return more;
}

/* A trace of it; what was written before something went wrong is whole. */
static int record(struct sl_source *source, struct sl_failure *f)
{
    struct sl_source *trace;
    struct sl_failure why = {0};
    int result = sl_record(
        source, scratch_database,
        &(struct sl_recording){.size = sizeof(struct sl_recording), .threads = 1}, NULL, NULL, f);
    if (sl_source_open(&trace, scratch_database, &why) >= 0) {
        uint32_t mask = sl_source_contents(trace) & ~SL_NEED_VALUES ? SL_MEM_INSN_MASK : UINT32_MAX;
        if (read_chunks(trace, mask, &why) < 0)
            fuzz_wrong(why.text);
        sl_source_close(trace);
        n_recorded++;
    } else if (result >= 0) {
        fuzz_wrong(why.text);
    }
    unlink(scratch_database);
    return result;
}

void fuzz_one(const uint8_t *data, size_t size)
{
    struct tape t = tape_of(data, size);
    char *argv[] = {"/bin/true", NULL};
    struct sl_guest guest = {
        .size = sizeof guest, .argv = argv, .needs = pick(&t, 8), .lossy = pick(&t, 2)};
    struct sl_failure f = {0};
    struct sl_source *source;
    bool recorded = pick(&t, 2);
    script = &t;
    if (sl_source_run(&source, &guest, &f) < 0)
        return;
    int more = recorded ? record(source, &f) : read_chunks(source, SL_MEM_INSN_MASK, &f);
    n_ended += more >= 0;
    n_corrupted += more == SL_EFORMAT;
    n_other += more < 0 && more != SL_EFORMAT;
    sl_source_close(source);
}

void fuzz_figures(void)
{
    printf(
        "# %lu chunks given out; %lu streams read to their ends, %lu found to be written over, %lu "
        "failed otherwise; %lu recorded\n",
        n_chunks, n_ended, n_corrupted, n_other, n_recorded);
    fclose(nowhere);
}
