/* SPDX-License-Identifier: MIT */
/* The ring: shared memory between the guest's process (the tap fills it) and
 * sluice (which empties it). This header is all they have in common.
 *
 *   +-----------------+---------+-------------------+------------------+
 *   | struct sl_ring: | records | stage 0, 1, 2 ... | slot 0, 1, 2 ... |
 *   | counters, order |         |                   |                  |
 *   +-----------------+---------+-------------------+------------------+
 *
 * Events are 32-bit words in *slots*, in two columns: words of blocks, one behind the
 * other, and in the same order the *data* of these blocks, of which each has as many words as
 * its block says. So whoever reads knows where the next block's word is without having
 * looked at this one. Where a slot's data begin is in the ring, `data_at`.
 *
 *   slot     | b0 b1 b2 b3 ...          | data of b0, data of b2, ...          |
 *            0                          data_at                    SL_SLOT_WORDS
 *
 * The plugin's threads write them into their *stages* first, which stay in their cores' first-level
 * caches, and copy a full stage into a slot in one go. The engine's threads write straight into
 * slots; their stages only say where they are. (Measured: for code that calls for each event a
 * stage is twice as fast, for code that stores inline slower by a fifth.) A full slot is
 * *published*: its number goes into order[], where sluice finds the slots in the order of
 * publication. sluice gives slots back by marking them free. At most `in_flight_max` published
 * slots wait at a time; then the guest waits too (or drops the slot's events and counts them, if
 * `lossy`).
 *
 * The words:
 *
 *   block          a block is entered; its data are its *implied* loads, in the
 *                  order of its implied list, which an IMPLIED record has given:
 *                  the value in one word, or in two, low word first, if the list
 *                  says that it is wide (8 bytes). How many words these are is in the
 *                  block's word too, and has to be what the list says
 *   block, with a length of 0 where its list is not empty: *bare*, without its loads.
 *                  They are nobody's business: the engine leaves them out where stretches
 *                  (load_sampling.h) are not watched
 *   block | OPEN   as above, but its data are counted: the first word of them is
 *                  n          n events that name their instruction
 *                  n | CUT    n words of implied loads, of the first ones: the
 *                             block was left early, by a fault
 *   CONTINUED | OPEN          more events of the block before; its data begin with n
 *   VARIANT | v    a block is entered, with another list of implied loads than its
 *                  own: the engine's lists depend on how QEMU translated the block
 *
 *   An event that names its instruction: the mem_insn word of event.h, then 2
 *   words of address if addresses are wanted, then 2 of value if values are.
 *
 * The fill counts are in stages and slots themselves. So when the guest is
 * gone, in whatever way, sluice still reads all that it had recorded: there is
 * no flush at exit, and death by SIGKILL loses nothing.
 *
 * Static records (statics.h) go through a byte ring of their own. They are
 * written before any event that needs them can happen, and sluice empties the
 * byte ring before it reads a slot.
 *
 * Waiting is by futex, always with a time limit, after which each side looks
 * whether the other still lives: the tap by its parent's process number, sluice
 * by waitpid. (Where neither is the other's parent, `reader_apart`, each asks the
 * system for the other's end by its number.) A guest that waits calls sluice each time it looks; if
 * sluice finds nothing to read at any of these calls, for seconds, each waits for the other: the
 * ring is not what it was, and that is the end of it. The memory is sparse: in use are
 * in_flight_max slots, one slot and stage for each thread, and the records: about 13 MB for one
 * thread. */
#ifndef SL_RING_H
#define SL_RING_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "event.h"

#define SL_RING_MAGIC UINT32_C(0x726c7337) /* "7slr" */
#define SL_RING_STAGES 1024u               /* threads at a time; more are dropped, and counted */
#define SL_RING_SLOTS (SL_RING_STAGES + 64)
#define SL_RING_ORDER 4096u
#define SL_RING_IN_FLIGHT 8u
#define SL_RING_RECORD_BYTES (UINT32_C(1) << 22)
#define SL_STAGE_WORDS 988u /* with the rest of a stage one page */
#define SL_STAGE_DATA 320u  /* the first of them are blocks, the others data */
/* A megabyte, as large as a core's own cache: what is written again has then left both
 * cores' caches, so that they are in each other's way less. (Measured with values of bzip2,
 * the emulator's time over plain QEMU: 1.48; slots of half a megabyte 1.7, of 128 KB 2.6.) */
#define SL_SLOT_WORDS (UINT32_C(1) << 18)
/* Where a block's data may begin in a stage: behind that, the largest implied list has room. */
#define SL_IMPLIED_MAX 100u
#define SL_STAGE_LIMIT (SL_STAGE_WORDS - 2 * SL_IMPLIED_MAX - 8)

/* A block's word, from the top: open, variant, length, number. */
#define SL_WORD_OPEN (UINT32_C(1) << 31)
#define SL_WORD_CUT (UINT32_C(1) << 31)
#define SL_WORD_CONTINUED UINT32_C(0x7fffffff)
#define SL_WORD_VARIANT (UINT32_C(1) << 30)
#define SL_WORD_LENGTH_SHIFT 25
#define SL_WORD_LONG 31u /* as a length: more words than fit, see the list */
#define SL_WORD_NUMBERS (UINT32_C(1) << SL_WORD_LENGTH_SHIFT)
#define SL_WORD_NAME (SL_WORD_VARIANT | (SL_WORD_NUMBERS - 1))

/* A record for the reader of the ring alone, beside those of statics.h: u32 word (the
 * block, or VARIANT | the next number of a variant), u32 block, then u32 instruction
 * numbers, with a flag, up to its end. */
#define SL_RECORD_IMPLIED 16
#define SL_IMPLIED_WIDE (UINT32_C(1) << 31)

enum sl_slot_state { SL_SLOT_FREE, SL_SLOT_FILLING, SL_SLOT_FULL };

/* The plugin: a block's word is written behind `blocks`, its data behind `at`. These move on only
 * when the last of its implied loads is there: so loads do not wait for one another, and `progress`
 * is 0 whenever a block begins, unless the one before was left early or is open.
 * That and whether there is room are all that a block costs beyond its words.
 *
 * A thread may be killed between any two of its stores (exit_group in another one
 * will do), so words come before the position or progress that counts them, and
 * where several of these change, they do so in one store.
 *
 * The engine: `here`, behind the last block's word, and `there`, behind its data, move on when a
 * block begins; values are stored in front of `there`. So of a thread that is killed while it runs
 * translated code, the values of the last block are not believed. QEMU's state of a virtual
 * processor has a page that is mapped to its stage: what translated code uses is at
 * the page's end, next to the guest's registers. */
struct sl_stage {
    uint32_t word[SL_STAGE_WORDS];
    union {
        struct {
            uint16_t blocks;   /* where the current block's word goes */
            uint16_t at;       /* where its data begin, or an open one's next event goes */
            uint32_t progress; /* words of an unfinished block; SL_STAGE_OPEN: it is an open one */
        };
        uint64_t position;
    };
    uint32_t start;       /* where an open block's count is */
    uint32_t open_block;  /* its number */
    uint32_t last_insn;   /* of the newest event in it */
    uint32_t last_stored; /* that event was a store */
    _Atomic uint32_t used;
    uint32_t thread;
    uint32_t flags;  /* enum sl_chunk_flags, for its next slot */
    uint32_t slot;   /* slot + 1, or 0 */
    uint32_t moving; /* when the slot has this many words, ours are among them; 0: never */

    uint32_t bare;      /* its code now leaves loads out */
    uint64_t stop;      /* from here on, look whether it should */
    uint64_t n_blocks;  /* of the thread, up to: */
    uint64_t counted;   /* this place */
    uint32_t running;   /* translated code may be running */
    uint32_t base_slot; /* slot + 1, of which `base` is the address: else they are not there yet */
    uint64_t base;      /* the engine's address of its slot's words */
    uint64_t end;       /* no block's word is from here on */
    uint32_t *open_count; /* of named events: that of the last word, if it goes on with such */
    uint32_t helped_insn; /* that whose helper functions make accesses: 1 + its number */
    uint32_t more;        /* it has made one before */
    uint64_t data_end;    /* nor does one with data from here on */
    uint64_t limit;       /* `end` or `stop`, or 0 to make the next block leave */
    uint64_t there;       /* where the next data go */
    uint64_t here;        /* where the next block's word goes */
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
    _Atomic uint32_t n_words; /* of blocks */
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
    uint32_t name_all; /* whatever loads: takes nothing for certain, to test what does */
    int32_t reader_pid;
    uint32_t reader_apart; /* it is not the parent of the tap's process, as it is else */
    uint32_t repeatable;   /* random numbers and time stamps are not to be the machine's */
    uint32_t run;          /* the guest's number among those of its process, for whom it forks */
    uint32_t data_at;      /* in slots */
    struct sl_load_sampling stretches; /* elsewhere loads need not be written; of 0: everywhere */

    /* The queue of published slots. */
    _Alignas(64) _Atomic uint32_t published; /* written by the tap */
    _Atomic uint32_t guest_waits;            /* threads that wait for `consumed` */
    _Alignas(64) _Atomic uint32_t consumed;  /* written by sluice */
    _Atomic uint32_t reader_gone;            /* sluice lets the guest run on alone */
    _Atomic uint32_t reader_waits_for;       /* wake it at this backlog; 0: it does not wait */
    _Atomic uint32_t wake_reader;            /* the futex it waits on */
    _Alignas(64) _Atomic uint32_t order[SL_RING_ORDER]; /* slot + 1; 0: not there yet */

    /* The byte ring of static records: positions only ever grow. */
    _Alignas(64) _Atomic uint64_t records_written;
    _Alignas(64) _Atomic uint64_t records_read;

    /* What the tap has to say about the run. */
    _Alignas(64) _Atomic uint64_t dropped_blocks, dropped_mems;
    _Atomic uint32_t exec_pending; /* an exec was called and did not come back */
    _Atomic uint32_t forks;
    _Atomic uint32_t threads;
    _Atomic uint32_t attached; /* the tap has found the ring */

    _Alignas(4096) uint8_t records[SL_RING_RECORD_BYTES];
    _Alignas(4096) struct sl_stage stage[SL_RING_STAGES];
    _Alignas(4096) struct sl_slot slot[SL_RING_SLOTS];
};

/* Where a slot's data begin, for a ring that wants this. Where most blocks are bare, or all of
 * them, words of blocks need more room. */
static inline uint32_t sl_slot_data_at(unsigned needs, const struct sl_load_sampling *stretches)
{
    if (!needs)
        return SL_SLOT_WORDS;
    return stretches->of > 1 ? SL_SLOT_WORDS / 8 * 7 : SL_SLOT_WORDS / 4;
}

/* The word of a block (or of a variant) with so many words of data. */
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

/* Completes the stage's current block, so that its words can be read: an open
 * block gets its count, one that was left early becomes an open one. */
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

/* Called by whoever gave sluice something to do. */
static inline void sl_ring_wake_reader(struct sl_ring *ring)
{
    if (atomic_exchange(&ring->reader_waits_for, 0)) {
        atomic_fetch_add(&ring->wake_reader, 1);
        sl_futex_wake_all(&ring->wake_reader);
    }
}

#endif
