/* SPDX-License-Identifier: MIT */
/* The event vocabulary: what one thread did, in order.
 *
 * A stream is a sequence of *chunks*. A chunk holds consecutive events of one
 * thread in parallel arrays, so that whoever needs only one kind (all block
 * numbers, all loaded values) reads just that, without decoding:
 *
 *     block[]      b0      b1      b2           blocks entered (dense numbers)
 *     block_mem[]  0       2       2            mem events before each of them
 *     mem_insn[]   i0 i1           i2 i3        instruction, with flags
 *     mem_value[]  v0 v1           v2 v3        what it loaded
 *     mem_addr[]   a0 a1           a2 a3        where
 *
 * The mem events block k caused are those from block_mem[k] up to
 * block_mem[k+1] (up to n_mems for the last one). Events in front of
 * block_mem[0] belong to the block this thread was in when its previous chunk
 * ended. A stream has the arrays that its wants ask for; the others are NULL. So may be those of
 * mem events that nobody needs (sl_source_needs): then their numbers alone are there. Whether words
 * have flags is told by the addresses only to those that need some of these arrays; others ask the
 * source's wants.
 *
 * A block counts as executed when it is entered; in a stream with values, when its
 * first load is done (so one that faults before that is missing). What the numbers
 * mean is in the static table (statics.h), which is always ahead of the events. */
#ifndef SL_EVENT_H
#define SL_EVENT_H

#include <stdint.h>

#include "sluice-wants.h"

/* Capacity of a chunk: large enough that per-chunk work does not show, small
 * enough that a chunk in use stays in a core's cache. */
#define SL_CHUNK_BLOCKS 8192u
#define SL_CHUNK_MEMS 8192u

enum sl_chunk_flags {
    SL_CHUNK_START = 1, /* the thread's first chunk: nothing is known of before */
    SL_CHUNK_GAP = 2,   /* events were dropped in front of this chunk */
    SL_CHUNK_END = 4,   /* the thread's last chunk: nobody will ask for what is known of it */
    SL_CHUNK_FLAGS = 7, /* all of them */
};

/* A mem_insn word. Streams without addresses have loads only, at most one for
 * an executed instruction, and no flags: the word is the number itself.
 * With addresses, every access of an instruction is an event of its own:
 *   bit 31      store
 *   bit 30      a further access of the same executed instruction
 *   bits 27-29  log2 of the size in bytes */
#define SL_MEM_STORE (UINT32_C(1) << 31)
#define SL_MEM_MORE (UINT32_C(1) << 30)
#define SL_MEM_SIZE_SHIFT 27
#define SL_MEM_INSN_MASK ((UINT32_C(1) << SL_MEM_SIZE_SHIFT) - 1)

struct sl_chunk {
    uint32_t thread; /* 0 for the first, counted up; from a hostile stream anything */
    uint32_t flags;
    uint32_t n_blocks, n_mems;
    const uint32_t *block;
    const uint32_t *block_mem; /* NULL in a stream of blocks only */
    const uint32_t *mem_insn;  /* there, whoever needs it, in a stream with addresses */
    const uint64_t *mem_value; /* zero-extended; wide loads by their low 8 bytes */
    const uint64_t *mem_addr;
};

/* Room for the events of a chunk. What fills it by vectors may write a little behind the
 * last one. */
#define SL_CHUNK_MARGIN 4u
struct sl_chunk_arrays {
    uint32_t block[SL_CHUNK_BLOCKS], block_mem[SL_CHUNK_BLOCKS];
    uint32_t mem_insn[SL_CHUNK_MEMS + SL_CHUNK_MARGIN];
    uint64_t mem_value[SL_CHUNK_MEMS + SL_CHUNK_MARGIN], mem_addr[SL_CHUNK_MEMS];
};

#endif
