/* SPDX-License-Identifier: MIT */
/* Events of a stream: the blocks that a thread entered and the memory accesses that it made, in
 * program order.
 *
 * A stream is a sequence of *chunks*. A chunk holds consecutive events of one thread in parallel
 * arrays, so that a component that needs one kind (block ids, loaded values) reads only that array,
 * without decoding:
 *
 *     block[]      b0      b1      b2           ids of the blocks entered
 *     block_mem[]  0       2       2            index of the block's first mem event
 *     mem_insn[]   i0 i1           i2 i3        id of the instruction, with flags
 *     mem_value[]  v0 v1           v2 v3        loaded value
 *     mem_addr[]   a0 a1           a2 a3        address
 *
 * The mem events of block k are those from block_mem[k] up to block_mem[k+1] (up to n_mems for the
 * last block). Events before block_mem[0] belong to the last block of the thread's previous chunk.
 *
 * A stream has the arrays that its needs (enum sl_needs) request; the others are NULL. The arrays
 * of mem events that no component needs (sl_source_needs) may be NULL as well; n_mems and block_mem
 * are then still valid. A component that needs one of the mem arrays can tell from mem_addr whether
 * mem_insn words have flags. Other components must read the needs of the source.
 *
 * A block counts as executed when it is entered. With the plugin and load values, it counts when
 * its first load is done, so that a block that faults before that is missing. The ids are indices
 * into the static table (statics.h), which has an entry before the first event that uses it. */
#ifndef SL_EVENT_H
#define SL_EVENT_H

#include <stdint.h>

#include "sluice-needs.h"

/* Capacity of a chunk: large enough that the work per chunk is negligible, small enough that a
 * chunk stays in a core's cache. */
#define SL_CHUNK_BLOCKS 8192u
#define SL_CHUNK_MEMS 8192u

enum sl_chunk_flags {
    SL_CHUNK_START = 1, /* the thread's first chunk: no state from earlier ones */
    SL_CHUNK_GAP = 2,   /* events were dropped before this chunk */
    SL_CHUNK_END = 4,   /* the thread's last chunk: its state can be freed */
    SL_CHUNK_FLAGS = 7, /* all of them */
};

/* A mem_insn word. Streams without addresses have only loads, at most one per executed instruction,
 * and no flags: the word is the id of the instruction. With addresses, every access of an
 * instruction is an event, and the word has flags:
 *
 *     bit 31        store
 *     bit 30        a further access of the same executed instruction
 *     bits 27-29    log2 of the size in bytes
 *     bits 0-26     id of the instruction */
#define SL_MEM_STORE (UINT32_C(1) << 31)
#define SL_MEM_MORE (UINT32_C(1) << 30)
#define SL_MEM_SIZE_SHIFT 27
#define SL_MEM_INSN_MASK ((UINT32_C(1) << SL_MEM_SIZE_SHIFT) - 1)

struct sl_chunk {
    uint32_t thread; /* counted from 0; any value in a hostile stream */
    uint32_t flags;
    uint32_t n_blocks, n_mems;
    const uint32_t *block;
    const uint32_t *block_mem; /* NULL in a stream of blocks only */
    const uint32_t *mem_insn;  /* if needed; with flags only in a stream with addresses */
    const uint64_t *mem_value; /* zero-extended; wide loads by their low 8 bytes */
    const uint64_t *mem_addr;
};

/* Index of block i's first mem event; n_mems after the last block, and in a stream of blocks. */
static inline uint32_t sl_chunk_mem(const struct sl_chunk *chunk, uint32_t i)
{
    return i < chunk->n_blocks && chunk->block_mem ? chunk->block_mem[i] : chunk->n_mems;
}

/* Storage for the events of a chunk. Vector code may write up to SL_CHUNK_MARGIN elements after the
 * last event. */
#define SL_CHUNK_MARGIN 4u
struct sl_chunk_arrays {
    uint32_t block[SL_CHUNK_BLOCKS], block_mem[SL_CHUNK_BLOCKS];
    uint32_t mem_insn[SL_CHUNK_MEMS + SL_CHUNK_MARGIN];
    uint64_t mem_value[SL_CHUNK_MEMS + SL_CHUNK_MARGIN], mem_addr[SL_CHUNK_MEMS];
};

#endif
