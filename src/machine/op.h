/* SPDX-License-Identifier: MIT */
/* Ops: instructions in the form in which the core models execute them. An op contains the constant
 * properties of an instruction. The ops of a block are computed and stored when the block is
 * executed for the first time. */
#ifndef SL_OP_H
#define SL_OP_H

#include "code.h"
#include "machine_event.h"

/* Execution unit, by instruction class. An instruction that also loads or stores (an addition
 * from memory, a call that pushes) has its own unit, and its flags say that it needs a memory
 * port, too. */
enum sl_unit {
    SL_UNIT_NONE, /* no-operation */
    SL_UNIT_ALU,
    SL_UNIT_MULTIPLY,
    SL_UNIT_DIVIDE,
    SL_UNIT_FLOAT, /* and vector */
    SL_UNIT_FLOAT_MULTIPLY,
    SL_UNIT_FLOAT_DIVIDE, /* and square root: the float multiplier is busy until it is done */
    SL_UNIT_MEMORY,       /* loads, stores, atomics: address generation and port */
    SL_UNIT_SYSTEM,       /* executes while no other instruction does */
    SL_UNITS
};

/* Registers: 0 to 63 are sl_regs.general, 64 to 127 .vector. Two dummies fill unused elements, so
 * that cores need no count: source[] with one that is never written, result[] with one that is
 * never read. */
#define SL_OP_SOURCES 6
#define SL_OP_RESULTS 4
#define SL_OP_NEVER_WRITTEN 128
#define SL_OP_NEVER_READ 129
#define SL_OP_REGISTERS 130

struct sl_op {
    uint64_t pc;
    uint32_t insn; /* instruction id, as in memory events */
    uint8_t size;
    uint8_t branch;               /* enum sl_branch */
    uint8_t unit;                 /* enum sl_unit */
    uint8_t flags;                /* enum sl_insn_flags */
    uint8_t event;                /* its class: SL_MACHINE_LOAD ... SL_MACHINE_OTHER_CLASS */
    uint8_t n_sources, n_results; /* excess registers are dropped; rare */
    uint8_t n_updates;            /* of a load: the last n_updates results are updated addresses */
    uint8_t source[SL_OP_SOURCES], result[SL_OP_RESULTS];
};

/* Instructions of a block by class: events SL_MACHINE_INSTRUCTIONS ... SL_MACHINE_OTHER_CLASS. */
#define SL_OP_CLASSES (SL_MACHINE_OTHER_CLASS - SL_MACHINE_INSTRUCTIONS + 1)
struct sl_op_classes {
    uint16_t n[SL_OP_CLASSES];
};

struct sl_ops {
    struct sl_op *op;
    uint32_t *block_at;            /* by block: index of its first op; one more at the end */
    struct sl_op_classes *classes; /* by block */
    size_t n_ops, n_blocks, ops_capacity, blocks_capacity, classes_capacity;
};

/* Makes the ops of new blocks. A zeroed struct has none. Returns 0 or SL_ENOMEM. */
int sl_ops_sync(struct sl_ops *ops, const struct sl_code *code, struct sl_failure *f);
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
 * float or vector, by its encoding (float_unit.c). */
enum sl_unit sl_float_unit(const struct sl_statics *statics, uint32_t number);

#endif
