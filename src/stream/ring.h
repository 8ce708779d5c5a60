/* SPDX-License-Identifier: MIT */
/* The ring: shared memory through which the tap, the part of sluice in QEMU, sends the events of
 * the profiled program to sluice. This header defines the layout and the protocol for both sides.
 *
 *   +-----------------+---------+-------------------+------------------+
 *   | struct sl_ring: | records | stage 0, 1, 2 ... | slot 0, 1, 2 ... |
 *   | counters, order |         |                   |                  |
 *   +-----------------+---------+-------------------+------------------+
 *
 * Events are 32-bit words in *slots*. A slot has two areas: the words of consecutive blocks, and
 * the *data* of these blocks in the same order. The word of a block contains the length of the
 * block's data, so that the reader finds the next block before it has decoded this one. A slot's
 * data begin at the index `data_at` of the ring.
 *
 *   slot     | b0 b1 b2 b3 ...          | data of b0, data of b2, ...          |
 *            0                          data_at                    SL_SLOT_WORDS
 *
 * The plugin's threads write to their *stages* first, which stay in the L1 caches of their cores,
 * and copy a full stage to a slot at once. For code that makes a call per event, this is faster.
 * The engine's threads write directly to slots, which is faster for inline stores. Their stages
 * hold only the pointers. A thread *publishes* a full slot: it writes the slot's index to order[],
 * where sluice reads the slots in order of publication. sluice returns a slot by marking it free.
 * When `in_flight_max` published slots wait, the guest waits, too. If `lossy`, the guest instead
 * drops the slot's events and counts them.
 *
 * The words of blocks:
 *
 *   block | length     A block is entered. Its data are the values of the loads in its load layout,
 *                      which a LOAD_LAYOUT record has sent. A value has one
 *                      word, or two, low word first, if the layout marks the load as wide
 *                      (8 bytes). The length must be that of the layout.
 *   block              The same with a length of 0. If the layout is not empty, this is a *bare*
 *                      block: the engine has left out its loads (load_sampling.h).
 *   VARIANT | v        A block is entered, with another load layout than its own. The engine's
 *                      layouts depend on how QEMU translated the block.
 *   block | OPEN       A block is entered. The first word of its data is a count:
 *                        n         n events that name their instruction follow
 *                        n | CUT   a fault ended the block early; n words of the first loads
 *                                  of its layout follow
 *   CONTINUED | OPEN   More events of the previous block; the data begin with n.
 *
 *   An event that names its instruction: the mem_insn word of event.h, then 2 words of address if
 *   addresses are needed, then 2 words of value if values are needed.
 *
 * The fill counts are in the stages and slots themselves. When the guest has ended, in any way,
 * sluice therefore still reads all recorded events. Nothing is flushed at exit, and SIGKILL loses
 * nothing.
 *
 * Static records (statics.h) go through a byte ring. They are written before any event that needs
 * them, and sluice empties the byte ring before it reads a slot.
 *
 * Both sides wait with futexes and a time limit, after which they check that the other side still
 * runs: the tap by its parent's process id, sluice by waitpid. (With `reader_apart`, neither is the
 * other's parent, and each checks the other's process id.) A waiting guest wakes sluice each time
 * it checks. If sluice finds nothing to read at these wake-ups for seconds, both wait for each
 * other, which only a corrupted ring can cause. sluice then stops reading.
 *
 * The memory is sparse. A run uses in_flight_max slots, one slot and stage per thread, and the
 * records: about 13 MB for one thread. */
#ifndef SL_RING_H
#define SL_RING_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "event.h"

#define SL_RING_MAGIC UINT32_C(0x726c7337) /* "7slr" */
/* Maximum number of threads at the same time. Events of further threads are dropped and counted. */
#define SL_RING_STAGES 1024u
#define SL_RING_SLOTS (SL_RING_STAGES + 64)
#define SL_RING_ORDER 4096u
#define SL_RING_IN_FLIGHT 8u
#define SL_RING_RECORD_BYTES (UINT32_C(1) << 22)
#define SL_STAGE_WORDS 988u /* makes a stage one page */
#define SL_STAGE_DATA 320u  /* index at which a stage's data begin; block words come before */
/* 1 MB, the size of a core's second-level cache: when a slot is written again, its old lines have
 * left the caches of both cores, so that they cause less coherence traffic. Slots of 512 KB and 128
 * KB are slower (docs/dev/ring-slots.md). */
#define SL_SLOT_WORDS (UINT32_C(1) << 18)
/* Last index in a stage at which a block's data may begin: the largest load layout still fits. */
#define SL_LOAD_LAYOUT_MAX 100u
#define SL_STAGE_LIMIT (SL_STAGE_WORDS - 2 * SL_LOAD_LAYOUT_MAX - 8)

/* The word of a block, from the top bit down: open, variant, length, id. */
#define SL_WORD_OPEN (UINT32_C(1) << 31)
#define SL_WORD_CUT (UINT32_C(1) << 31)
#define SL_WORD_CONTINUED UINT32_C(0x7fffffff)
#define SL_WORD_VARIANT (UINT32_C(1) << 30)
#define SL_WORD_LENGTH_SHIFT 25
#define SL_WORD_LONG 31u /* as a length: too long for the field, see the load layout */
#define SL_WORD_IDS (UINT32_C(1) << SL_WORD_LENGTH_SHIFT)
#define SL_WORD_NAME (SL_WORD_VARIANT | (SL_WORD_IDS - 1))

/* Record with a load layout. It occurs only in the ring; statics.h has the other records. u32 word
 * (the block, or VARIANT | the next id of a variant), u32 block, then one u32 per load: the id of
 * its instruction, with SL_LOAD_LAYOUT_WIDE for a wide load. */
#define SL_RECORD_LOAD_LAYOUT 16
#define SL_LOAD_LAYOUT_WIDE (UINT32_C(1) << 31)

enum sl_slot_state { SL_SLOT_FREE, SL_SLOT_FILLING, SL_SLOT_FULL };

/* A thread's write position.
 *
 * The plugin writes a block's word to word[blocks] and its data from word[at] on. Both indices
 * advance only when the last load of the block's layout is written, so that loads do not wait for
 * one another. `progress` is 0 when a block begins, unless the previous block was left early or is
 * open. A block costs this test, a test for space, and the stores of its words.
 *
 * A thread may be killed between any two of its stores (by exit_group in another thread, for
 * example). So words are written before the index or progress that counts them, and where several
 * indices change, one store changes them all.
 *
 * The engine advances `block_ptr`, which points after the last block's word, and `data_ptr`, which
 * points after its data, when a block begins. Translated code then stores the block's values before
 * `data_ptr`. If a thread is killed while it runs translated code, the reader therefore ignores the
 * values of the last block. QEMU's state of a virtual CPU has a page that is mapped to the stage.
 * The fields of translated code are at the end of the page, next to the guest's registers. */
struct sl_stage {
    uint32_t word[SL_STAGE_WORDS];
    union {
        struct {
            uint16_t blocks;   /* index of the current block's word */
            uint16_t at;       /* index of its data, or of an open block's next event */
            uint32_t progress; /* words of an unfinished block; SL_STAGE_OPEN: an open block */
        };
        uint64_t position;
    };
    uint32_t start;       /* index of an open block's count */
    uint32_t open_block;  /* id of the open block */
    uint32_t last_insn;   /* instruction of the newest event */
    uint32_t last_stored; /* that event was a store */
    _Atomic uint32_t used;
    uint32_t thread;
    uint32_t flags;  /* enum sl_chunk_flags, for its next slot */
    uint32_t slot;   /* slot + 1, or 0 */
    uint32_t moving; /* slot's n_words after the copy in progress; 0: no copy in progress */

    uint32_t bare;        /* the thread runs bare translations */
    uint64_t stop;        /* from this block_ptr on, choose again (tap/engine/runtime.c) */
    uint64_t n_blocks;    /* blocks of the thread up to `counted` */
    uint64_t counted;     /* a block_ptr */
    uint32_t running;     /* translated code may be running */
    uint32_t base_slot;   /* slot + 1 that the pointers below refer to; 0: they are not set */
    uint64_t base;        /* address of the slot's words in the engine's process */
    uint64_t end;         /* no block's word is written from here on */
    uint32_t *open_count; /* count of the last word, if further named events belong to it */
    uint32_t helped_insn; /* 1 + instruction whose helper functions report accesses; 0: none */
    uint32_t more;        /* an earlier access of that instruction was stored inline */
    uint64_t data_end;    /* no block with data begins from here on */
    uint64_t limit;       /* `end` or `stop`, or 0 to make the next block leave */
    uint64_t data_ptr;    /* address of the next data */
    uint64_t block_ptr;   /* address of the next block's word */
};
#define SL_STAGE_OPEN UINT32_MAX
_Static_assert(sizeof(struct sl_stage) == 4096, "a stage is a page");

static inline void sl_stage_set(struct sl_stage *stage, uint32_t blocks, uint32_t at,
                                uint32_t progress)
{
    union {
        struct {
            uint16_t blocks, at;
            uint32_t progress;
        };
        uint64_t position;
    } next = {{(uint16_t)blocks, (uint16_t)at, progress}};
    *(volatile uint64_t *)&stage->position = next.position;
}

struct sl_slot {
    _Atomic uint32_t n_words; /* block words */
    _Atomic uint32_t state;
    uint32_t thread;
    uint32_t flags; /* enum sl_chunk_flags */
    _Atomic uint32_t n_data;
    uint32_t unused[11];
    uint32_t word[SL_SLOT_WORDS];
};

struct sl_ring {
    uint32_t magic;
    uint32_t needs; /* enum sl_needs */
    uint32_t lossy;
    uint32_t in_flight_max;
    uint32_t name_all; /* for tests: every load names its instruction */
    int32_t reader_pid;
    uint32_t reader_apart; /* the reader is not the parent of the tap's process */
    uint32_t repeatable;   /* random numbers and time stamps are the same in each run */
    uint32_t run;          /* index of this run among those of its process (--follow) */
    uint32_t data_at;      /* index in a slot at which data begin */
    struct sl_load_sampling load_sampling; /* outside of windows, loads may be left out */

    /* The queue of published slots. */
    _Alignas(64) _Atomic uint32_t published; /* written by the tap */
    _Atomic uint32_t guest_waits;            /* threads that wait for `consumed` */
    _Alignas(64) _Atomic uint32_t consumed;  /* written by sluice */
    _Atomic uint32_t reader_gone;      /* sluice does not read any more; the guest continues */
    _Atomic uint32_t reader_waits_for; /* wake it at this backlog; 0: it does not wait */
    _Atomic uint32_t wake_reader;      /* the futex it waits on */
    _Alignas(64) _Atomic uint32_t order[SL_RING_ORDER]; /* slot + 1; 0: not written yet */

    /* The byte ring of static records: both positions only grow. */
    _Alignas(64) _Atomic uint64_t records_written;
    _Alignas(64) _Atomic uint64_t records_read;

    /* What the tap reports about the run. */
    _Alignas(64) _Atomic uint64_t dropped_blocks, dropped_mems;
    _Atomic uint32_t exec_pending; /* an exec was called and has not returned */
    _Atomic uint32_t forks;
    _Atomic uint32_t threads;
    _Atomic uint32_t attached; /* the tap has mapped the ring */

    _Alignas(4096) uint8_t records[SL_RING_RECORD_BYTES];
    _Alignas(4096) struct sl_stage stage[SL_RING_STAGES];
    _Alignas(4096) struct sl_slot slot[SL_RING_SLOTS];
};

/* The index at which a slot's data begin. With load sampling most blocks are bare, and without
 * needs all are, so the block words get more space. */
static inline uint32_t sl_slot_data_at(unsigned needs, const struct sl_load_sampling *sampling)
{
    if (!needs)
        return SL_SLOT_WORDS;
    return sampling->of > 1 ? SL_SLOT_WORDS / 8 * 7 : SL_SLOT_WORDS / 4;
}

/* The word of a block or variant with `words` words of data. */
static inline uint32_t sl_block_word(uint32_t name, uint32_t words)
{
    return name | (words < SL_WORD_LONG ? words : SL_WORD_LONG) << SL_WORD_LENGTH_SHIFT;
}

static inline uint32_t sl_field_length(uint32_t word)
{
    return word >> SL_WORD_LENGTH_SHIFT & SL_WORD_LONG;
}

/* Words of an event that names its instruction. */
static inline uint32_t sl_event_words(unsigned needs)
{
    return 1u + (needs & (SL_NEED_ADDRESSES | SL_NEED_STORES) ? 2 : 0) +
           (needs & SL_NEED_VALUES ? 2 : 0);
}

/* Completes the stage's current block, so that its words can be read: writes the count of an open
 * block; turns a block that was left early into an open one with CUT. */
static inline void sl_stage_close(struct sl_stage *stage, unsigned needs)
{
    if (stage->progress == SL_STAGE_OPEN) {
        stage->word[stage->start] = (stage->at - stage->start - 1) / sl_event_words(needs);
    } else if (stage->progress) {
        uint32_t *data = stage->word + stage->at, n = stage->progress - 1;
        memmove(data + 1, data, n * sizeof *data);
        data[0] = n | SL_WORD_CUT;
        stage->word[stage->blocks] |= SL_WORD_OPEN;
        sl_stage_set(stage, stage->blocks + 1u, stage->at + n + 1, 0);
    }
    stage->progress = 0;
}

static inline void sl_futex_wait(_Atomic uint32_t *word, uint32_t while_equal, long milliseconds)
{
    struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    syscall(SYS_futex, word, FUTEX_WAIT, while_equal, &limit, NULL, 0);
}

static inline void sl_futex_wake_all(_Atomic uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* The tap calls this after it has published a slot, needs space, or checks on the reader. */
static inline void sl_ring_wake_reader(struct sl_ring *ring)
{
    if (atomic_exchange(&ring->reader_waits_for, 0)) {
        atomic_fetch_add(&ring->wake_reader, 1);
        sl_futex_wake_all(&ring->wake_reader);
    }
}

#endif
