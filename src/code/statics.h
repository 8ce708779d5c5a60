/* SPDX-License-Identifier: MIT */
/* Static table: the blocks, instructions and mapped files of the profiled program. The events of a
 * stream contain indices into this table.
 *
 * Blocks and instructions have dense numbers. A block is what QEMU translates as one unit: one
 * entry, no branch except at its end; two blocks may overlap. An instruction is identified by its
 * address and its bytes: where code is overwritten (by a just-in-time compiler), the new
 * instruction gets another number.
 *
 * The table is built from *records*, which are the same in the ring and in a trace file
 * (docs/trace-format.md). They may come from a hostile file, so every field is checked. */
#ifndef SL_STATICS_H
#define SL_STATICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "index_map.h"
#include "sluice-needs.h"

struct sl_failure;

enum sl_arch {
    SL_ARCH_NONE, /* synthetic streams: there is no code at the addresses */
    SL_ARCH_X86_64,
    SL_ARCH_AARCH64,
    SL_ARCH_RISCV64,
    SL_ARCH_RISCV32,
    SL_ARCH_MIPSEL,
    SL_ARCH_MIPS,
    SL_ARCH_DESCRIBED, /* any architecture: descriptions instead of code (isa.h) */
    SL_ARCH_COUNT
};

/* "x86-64", "aarch64", ...; for printing and for traces. */
const char *sl_arch_name(enum sl_arch arch);

enum sl_mark { SL_MARK_NONE, SL_MARK_BEGIN, SL_MARK_END };

struct sl_block {
    uint64_t pc;
    uint32_t insns_at; /* index in block_insn[] of its instruction numbers */
    uint16_t n_insns;
    uint16_t n_bytes;
    uint8_t mark; /* enum sl_mark: the last instruction is a region marker */
};

struct sl_insn {
    uint64_t pc;
    uint32_t bytes_at; /* bytes[bytes_at ... + sl_insn_stored] */
    uint8_t size;
};

struct sl_object {
    uint64_t start, end; /* guest addresses of this mapping */
    uint64_t offset;     /* in the file */
    char *path;
};

/* The component that traced the program. */
enum sl_tap { SL_TAP_UNKNOWN, SL_TAP_PLUGIN, SL_TAP_ENGINE };

/* "engine", "plugin"; NULL for SL_TAP_UNKNOWN. */
const char *sl_tap_name(enum sl_tap tap);

/* How the program was run, and how it ended. */
struct sl_program {
    enum sl_arch arch;
    unsigned needs;
    char *path;     /* the file that was executed */
    char **argv;    /* NULL at the end */
    int status;     /* as from waitpid(2) */
    bool ended;     /* the end record has been seen */
    bool exec;      /* it executed another program, which was not profiled */
    uint32_t forks; /* child processes, which were not profiled */
    uint32_t threads;
    uint64_t dropped_blocks, dropped_mems; /* in a lossy run */
    enum sl_tap tap;
};

struct sl_statics {
    struct sl_block *block;
    uint16_t *block_size; /* n_insns of each block, in an array of its own: read for every event */
    struct sl_insn *insn;
    uint32_t *block_insn;
    uint8_t *bytes;
    struct sl_object *object;
    size_t n_blocks, n_insns, n_block_insns, n_bytes, n_objects;
    size_t blocks_capacity, block_size_capacity, insns_capacity, block_insns_capacity,
        bytes_capacity, objects_capacity;
    struct sl_program program;
};

/* Records. Each is an 8-byte head (4-byte length of the payload, 4-byte type) and the payload;
 * little-endian, unaligned, no padding:
 *
 *   PROGRAM  u32 arch, u32 needs, u32 n, then n strings (u32 length, bytes):
 *            the path, then the arguments
 *   OBJECT   u64 start, u64 end, u64 offset, then the path's bytes
 *   BLOCK    u64 pc, u32 number, u8 mark, u16 n_insns, then for each
 *            instruction u32 number, u8 size, then all instruction bytes
 *   END      u32 status, u32 exec, u32 forks, u32 threads,
 *            u64 dropped blocks, u64 dropped mems, u32 tap (may be absent)
 *
 * In a program whose architecture is SL_ARCH_DESCRIBED an instruction's `size` is that in the
 * guest, and its bytes are a description of SL_DESCRIPTION_SIZE bytes.
 *
 * Block numbers come in order, without gaps; so do first uses of instruction
 * numbers. */
enum sl_record {
    SL_RECORD_PROGRAM = 1,
    SL_RECORD_OBJECT = 2,
    SL_RECORD_BLOCK = 3,
    SL_RECORD_END = 4,
};
#define SL_RECORD_HEAD 8u
#define SL_BLOCK_INSNS_MAX 4096u
#define SL_INSN_MAX ((1u << 27) - 1) /* what fits next to the flags of a mem event */
#define SL_RECORD_MAX (1u << 20)     /* longest payload */

/* Stored bytes of an instruction: its code or its description. */
#define SL_DESCRIPTION_SIZE 24u
static inline uint8_t sl_insn_stored(const struct sl_statics *statics, const struct sl_insn *insn)
{
    return statics->program.arch == SL_ARCH_DESCRIBED ? SL_DESCRIPTION_SIZE : insn->size;
}

/* Applies the complete records in `data`; an incomplete record at the end is left for the next
 * call. Returns the number of bytes used, or a negative error: SL_EFORMAT for an invalid record,
 * which leaves the table as it was before that record. */
int64_t sl_statics_apply(struct sl_statics *statics, const uint8_t *data, size_t size,
                         struct sl_failure *f);

/* Write the PROGRAM or the END record of `statics->program` to `out`. Return its size, or 0 if it
 * is longer than `capacity`. */
size_t sl_statics_program_record(const struct sl_statics *statics, uint8_t *out, size_t capacity);
size_t sl_statics_end_record(const struct sl_statics *statics, uint8_t *out, size_t capacity);

void sl_statics_free(struct sl_statics *statics);

#endif
