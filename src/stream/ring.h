/* The ring: shared memory between the guest's process (the tap fills it) and
 * sluice (which empties it). This header is all they have in common.
 *
 *   +--------------+---------------------+---------+---------+-----------+
 *   | struct sl_ring: counters, order[]  | records | slot 0  | slot 1 ...|
 *   +--------------+---------------------+---------+---------+-----------+
 *
 * Events. A guest thread owns one slot and fills it without any locking; a
 * full slot is *published*: its number goes into order[], a queue in which
 * sluice finds the slots in the order of publication. sluice gives slots back
 * by marking them free. At most `in_flight_max` published slots wait at a time;
 * then the guest waits too (or drops the slot's events and counts them, if
 * `lossy`). The memory is sparse: slots are taken lowest first, so what is
 * really used is in_flight_max slots and one for each thread.
 *
 * The counters of a slot being filled are in the slot itself. So when the
 * guest is gone, in whatever way, sluice still reads all that it had recorded:
 * there is no flush at exit, and death by SIGKILL loses nothing.
 *
 * Static records (statics.h) go through a byte ring of their own. They are
 * written before any event that needs them can happen, and sluice empties the
 * byte ring before it reads a slot.
 *
 * Waiting is by futex, always with a time limit, after which each side looks
 * whether the other still lives: the tap by its parent's process number, sluice
 * by waitpid. */
#ifndef SL_RING_H
#define SL_RING_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "event.h"

#define SL_RING_MAGIC UINT32_C(0x726c7331) /* "1slr" */
#define SL_RING_SLOTS 1024u
#define SL_RING_ORDER (2 * SL_RING_SLOTS)
#define SL_RING_IN_FLIGHT 24u
#define SL_RING_RECORD_BYTES (UINT32_C(1) << 22)

enum sl_slot_state { SL_SLOT_FREE, SL_SLOT_FILLING, SL_SLOT_FULL };

struct sl_slot {
    _Atomic uint32_t n_blocks, n_mems;
    uint32_t last_insn; /* of the newest mem event in this block; tap only */
    uint32_t thread;
    uint32_t flags;     /* enum sl_chunk_flags */
    _Atomic uint32_t state;
    uint32_t unused[10];
    uint32_t block[SL_CHUNK_BLOCKS];
    uint32_t block_mem[SL_CHUNK_BLOCKS];
    uint32_t mem_insn[SL_CHUNK_MEMS];
    uint64_t mem_value[SL_CHUNK_MEMS];
    uint64_t mem_addr[SL_CHUNK_MEMS];
};

struct sl_ring {
    uint32_t magic;
    uint32_t wants; /* enum sl_wants */
    uint32_t lossy;
    uint32_t in_flight_max;
    int32_t reader_pid; /* the tap's parent while sluice lives */

    /* The queue of published slots. */
    _Alignas(64) _Atomic uint32_t published;        /* written by the tap */
    _Atomic uint32_t guest_waits;                   /* threads that wait for `consumed` */
    _Alignas(64) _Atomic uint32_t consumed;         /* written by sluice */
    _Atomic uint32_t reader_gone;                   /* sluice lets the guest run on alone */
    _Atomic uint32_t reader_waits_for;              /* wake it at this backlog; 0: it does not wait */
    _Atomic uint32_t wake_reader;                   /* the futex it waits on */
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
    _Alignas(4096) struct sl_slot slot[SL_RING_SLOTS];
};

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
