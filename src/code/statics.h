/* SPDX-License-Identifier: MIT */
/* The static table: what is said once of a program and referred to by number.
 *
 * Blocks and instructions have dense numbers. A block is what QEMU translates
 * in one piece: one entry, straight through, a branch at its end or none; two
 * blocks may overlap. An instruction is its address and its bytes: where code
 * is overwritten (a just-in-time compiler), the new instruction is another one.
 *
 * The table is built from *records*, the same in the ring and in a trace file
 * (docs/trace-format.md). They may come from a hostile file, so applying one
 * checks everything. */
#ifndef SL_STATICS_H
#define SL_STATICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "index_map.h"
#include "sluice-wants.h"

struct sl_failure;

enum sl_arch {
    SL_ARCH_NONE, /* made-up streams: no code behind the addresses */
    SL_ARCH_X86_64,
    SL_ARCH_AARCH64,
    SL_ARCH_RISCV64,
    SL_ARCH_RISCV32,
    SL_ARCH_MIPSEL,
    SL_ARCH_MIPS,
    SL_ARCH_DESCRIBED, /* of whatever machine: descriptions instead of code (description.h) */
    SL_ARCH_COUNT
};

/* "x86-64", "aarch64", ...; for printing and for traces. */
const char *sl_arch_name(enum sl_arch arch);

enum sl_mark { SL_MARK_NONE, SL_MARK_BEGIN, SL_MARK_END };

struct sl_block {
    uint64_t pc;
    uint32_t insns_at; /* its instruction numbers: block_insn[insns_at ...] */
    uint16_t n_insns;
    uint16_t n_bytes;
    uint8_t mark; /* enum sl_mark: the last instruction is a mark */
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

/* How the program was run, and how it ended. */
/* What watched the program. */
enum sl_tap { SL_TAP_UNKNOWN, SL_TAP_PLUGIN, SL_TAP_ENGINE };

/* "engine", "plugin"; NULL if it is not known. */
const char *sl_tap_name(enum sl_tap tap);

struct sl_program {
    enum sl_arch arch;
    unsigned needs;
    char *path;     /* the file that was executed */
    char **argv;    /* NULL at the end */
    int status;     /* as from waitpid(2) */
    bool ended;     /* the end record has been seen */
    bool exec;      /* it replaced itself by another program: not profiled */
    uint32_t forks; /* children, which are not profiled */
    uint32_t threads;
    uint64_t dropped_blocks, dropped_mems; /* in a lossy run */
    enum sl_tap tap;
};

struct sl_statics {
    struct sl_block *block;
    uint16_t *block_size; /* instructions of each block, apart: summed for every event */
    struct sl_insn *insn;
    uint32_t *block_insn;
    uint8_t *bytes;
    struct sl_object *object;
    size_t n_blocks, n_insns, n_block_insns, n_bytes, n_objects;
    size_t blocks_capacity, block_size_capacity, insns_capacity, block_insns_capacity,
        bytes_capacity, objects_capacity;
    struct sl_program program;
};

/* Records. Each is a 4-byte length of what follows the 8-byte head, a 4-byte
 * type, and the payload; little-endian, unaligned, no padding:
 *
 *   PROGRAM  u32 arch, u32 wants, u32 n, then n strings (u32 length, bytes):
 *            the path, then the arguments
 *   OBJECT   u64 start, u64 end, u64 offset, then the path's bytes
 *   BLOCK    u64 pc, u32 number, u8 mark, u16 n_insns, then for each
 *            instruction u32 number, u8 size, then all instruction bytes
 *   END      u32 status, u32 exec, u32 forks, u32 threads,
 *            u64 dropped blocks, u64 dropped mems, u32 tap (older ones are without it)
 *
 * In a program whose architecture is SL_ARCH_DESCRIBED an instruction's `size` is that in the
 * guest, and its bytes are SL_DESCRIPTION_SIZE ones that describe it.
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
#define SL_INSN_MAX ((1u << 27) - 1) /* what fits beside the flags of a mem event */
#define SL_RECORD_MAX (1u << 20)     /* longest payload */

/* Bytes that there are of an instruction. */
#define SL_DESCRIPTION_SIZE 24u
static inline uint8_t sl_insn_stored(const struct sl_statics *statics, const struct sl_insn *insn)
{
    return statics->program.arch == SL_ARCH_DESCRIBED ? SL_DESCRIPTION_SIZE : insn->size;
}

/* Applies whole records from `data`; a piece of one at the end is left for the
 * next time. Returns the number of bytes used, or a negative error: SL_EFORMAT
 * for a record that cannot be, which leaves the table as it was before it. */
int64_t sl_statics_apply(struct sl_statics *statics, const uint8_t *data, size_t size,
                         struct sl_failure *f);

/* Writes the record that gives `statics->program`'s beginning or end into
 * `out`, at most `room` bytes; returns its size, or 0 if there is no room. */
size_t sl_statics_program_record(const struct sl_statics *statics, uint8_t *out, size_t capacity);
size_t sl_statics_end_record(const struct sl_statics *statics, uint8_t *out, size_t capacity);

void sl_statics_free(struct sl_statics *statics);

#endif
