/* SPDX-License-Identifier: MIT */
/* Instructions as a core sees them: what is constant of each, laid out block by
 * block so that a core walks an array. Made once when a block is new. */
#ifndef SL_OP_H
#define SL_OP_H

#include "code.h"
#include "happening.h"

/* What executes it, by its class. What loads or stores besides (an addition from memory,
 * a call that pushes) has its own unit, and the flags say that it needs a port, too. */
enum sl_unit {
    SL_UNIT_NONE, /* no-operation */
    SL_UNIT_ALU,
    SL_UNIT_MULTIPLY,
    SL_UNIT_DIVIDE,
    SL_UNIT_FLOAT, /* and vector */
    SL_UNIT_FLOAT_MULTIPLY,
    SL_UNIT_FLOAT_DIVIDE, /* and square root: the float multiplier is busy until it is done */
    SL_UNIT_MEMORY,       /* loads, stores, atomics: address generation and port */
    SL_UNIT_SYSTEM,       /* alone in the machine */
    SL_UNITS
};

/* Registers by number: 0 to 63 of sl_regs.general, 64 to 127 of .vector. Two more, so
 * that a core need not ask how many there are: one that nobody writes is in the places
 * of source[] that are not used, one that nobody reads in those of result[]. */
#define SL_OP_SOURCES 6
#define SL_OP_RESULTS 4
#define SL_OP_NEVER_WRITTEN 128
#define SL_OP_NEVER_READ 129
#define SL_OP_REGISTERS 130

struct sl_op {
    uint64_t pc;
    uint32_t insn; /* its number: finds its mem events */
    uint8_t size;
    uint8_t branch;               /* enum sl_branch */
    uint8_t unit;                 /* enum sl_unit */
    uint8_t flags;                /* enum sl_insn_flags */
    uint8_t happening;            /* which of SL_H_LOAD ... SL_H_OTHER_CLASS it is */
    uint8_t n_sources, n_results; /* those beyond the room are left out: few in practice */
    uint8_t n_updates;            /* of a load: the last so many results are addresses counted up */
    uint8_t source[SL_OP_SOURCES], result[SL_OP_RESULTS];
    /* So many behind it in its block are in the line of instructions that it ends in, and may go
     * with it: none of them is a system instruction, nor is it. 0 is never wrong. */
    uint8_t run;
};

/* Fills in the runs of a block's ops. */
void sl_ops_find_runs(struct sl_op *op, size_t n, unsigned line_log2);

/* How many instructions of a block are of each class: the happenings from
 * SL_H_INSTRUCTIONS to SL_H_OTHER_CLASS. Whole words, so that several are added at once. */
#define SL_OP_CLASSES (SL_H_OTHER_CLASS - SL_H_INSTRUCTIONS + 1)
#define SL_OP_CLASS_WORDS ((SL_OP_CLASSES + 3) / 4)
union sl_op_classes {
    uint16_t n[4 * SL_OP_CLASS_WORDS];
    uint64_t word[SL_OP_CLASS_WORDS];
};

struct sl_ops {
    struct sl_op *op;
    uint32_t *block_at;           /* by block: its first op; one more at the end */
    union sl_op_classes *classes; /* by block */
    size_t n_ops, n_blocks, room_ops, room_blocks, room_classes;
};

/* Makes the ops of the blocks that are new, which are fetched by lines of that size. A struct of
 * zeroes has none. */
int sl_ops_sync(struct sl_ops *ops, const struct sl_code *code, unsigned line_log2,
                struct sl_failure *f);
void sl_ops_free(struct sl_ops *ops);

/* Returns the first four bytes of an instruction as a number, in the byte order of its instruction
 * set; for fixed-length instruction sets, the instruction. */
static inline uint32_t sl_insn_word(const struct sl_statics *statics, uint32_t number)
{
    const struct sl_insn *insn = &statics->insn[number];
    bool big = statics->program.arch == SL_ARCH_MIPS;
    uint32_t word = 0;
    for (unsigned i = 0; i < insn->size && i < 4; i++)
        word |= (uint32_t)statics->bytes[insn->bytes_at + i] << 8 * (big ? 3 - i : i);
    return word;
}

/* Returns SL_UNIT_FLOAT, SL_UNIT_FLOAT_MULTIPLY or SL_UNIT_FLOAT_DIVIDE for an instruction of class
 * float or vector; the class alone does not tell (float_unit.c). */
enum sl_unit sl_float_unit(const struct sl_statics *statics, uint32_t number);

#endif
