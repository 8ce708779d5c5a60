/* SPDX-License-Identifier: MIT */
/* Converts decoded instructions to ops, the form in which the core models execute them: selects the
 * execution unit, registers and instruction class of each instruction. */
#include "op.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"

static const struct {
    uint8_t unit, event;
} by_class[SL_CLASS_COUNT] = {
    [SL_CLASS_OTHER] = {SL_UNIT_ALU, SL_MACHINE_OTHER_CLASS},
    [SL_CLASS_ARITHMETIC] = {SL_UNIT_ALU, SL_MACHINE_ARITHMETIC},
    [SL_CLASS_MULTIPLY] = {SL_UNIT_MULTIPLY, SL_MACHINE_MULTIPLY},
    [SL_CLASS_DIVIDE] = {SL_UNIT_DIVIDE, SL_MACHINE_MULTIPLY},
    [SL_CLASS_LOAD] = {SL_UNIT_MEMORY, SL_MACHINE_LOAD},
    [SL_CLASS_STORE] = {SL_UNIT_MEMORY, SL_MACHINE_STORE},
    [SL_CLASS_ATOMIC] = {SL_UNIT_MEMORY, SL_MACHINE_OTHER_CLASS},
    [SL_CLASS_BRANCH] = {SL_UNIT_ALU, SL_MACHINE_BRANCH},
    [SL_CLASS_JUMP] = {SL_UNIT_ALU, SL_MACHINE_JUMP},
    [SL_CLASS_FLOAT] = {SL_UNIT_FLOAT, SL_MACHINE_FLOAT},
    [SL_CLASS_VECTOR] = {SL_UNIT_FLOAT, SL_MACHINE_FLOAT},
    [SL_CLASS_SYSTEM] = {SL_UNIT_SYSTEM, SL_MACHINE_SYSTEM},
    [SL_CLASS_NOP] = {SL_UNIT_NONE, SL_MACHINE_OTHER_CLASS},
};

/* Lists the registers of a set, as many as fit. */
static uint8_t list_registers(const struct sl_regs *set, uint8_t *out, unsigned capacity)
{
    const uint64_t word[2] = {set->general, set->vector};
    unsigned n = 0;
    for (unsigned w = 0; w < 2; w++)
        for (uint64_t left = word[w]; left && n < capacity; left &= left - 1)
            out[n++] = (uint8_t)(64 * w + (unsigned)__builtin_ctzll(left));
    return (uint8_t)n;
}

/* x86-64 `leave` loads the base pointer from the address in it, and sets the stack pointer to that
 * address plus 8: the updated register is not the one that is read. */
static bool is_leave(enum sl_arch arch, const struct sl_insn_info *info)
{
    const uint64_t rsp = 1u << 4, rbp = 1u << 5;
    return arch == SL_ARCH_X86_64 && info->class == SL_CLASS_LOAD && info->reads.general == rbp &&
           info->writes.general == (rsp | rbp);
}

/* Results of a load that do not come from memory: the stack pointer of `pop` and `ret`, the base of
 * a load with update, addresses and count of a string move. Such a register is both read and
 * written. It is not an update if it is the only result of a load, which then follows a pointer;
 * but it is one if the instruction also stores or repeats, since a move from memory to memory loads
 * no register. */
static struct sl_regs updates_of(enum sl_arch arch, const struct sl_insn_info *info)
{
    uint64_t written = info->writes.general, both = written & info->reads.general;
    bool to_memory = info->flags & (SL_INSN_STORES | SL_INSN_REPEATS);
    bool follows = info->class == SL_CLASS_LOAD && both == written && !info->writes.vector;
    bool moves = info->class == SL_CLASS_LOAD || info->class == SL_CLASS_STORE ||
                 info->class == SL_CLASS_JUMP || info->flags & SL_INSN_REPEATS;
    if (is_leave(arch, info))
        return (struct sl_regs){.general = written & ~both};
    return (struct sl_regs){
        .general = info->flags & SL_INSN_LOADS && moves && (to_memory || !follows) ? both : 0};
}

static struct sl_op op_of(const struct sl_code *code, uint32_t number)
{
    const struct sl_insn *insn = &code->statics->insn[number];
    const struct sl_insn_info *info = sl_code_insn(code, number);
    struct sl_op op = {.pc = insn->pc,
                       .insn = number,
                       .size = insn->size,
                       .branch = info->branch,
                       .unit = by_class[info->class].unit,
                       .flags = info->flags,
                       .event = by_class[info->class].event};
    if (op.unit == SL_UNIT_FLOAT)
        op.unit = (uint8_t)sl_float_unit(code->statics, number);
    memset(op.source, SL_OP_NEVER_WRITTEN, sizeof op.source);
    memset(op.result, SL_OP_NEVER_READ, sizeof op.result);
    op.n_sources = list_registers(&info->reads, op.source, SL_OP_SOURCES);
    struct sl_regs updates = updates_of(code->statics->program.arch, info);
    struct sl_regs loaded = {info->writes.general & ~updates.general, info->writes.vector};
    op.n_results = list_registers(&loaded, op.result, SL_OP_RESULTS);
    op.n_updates = list_registers(&updates, op.result + op.n_results, SL_OP_RESULTS - op.n_results);
    op.n_results = (uint8_t)(op.n_results + op.n_updates);
    return op;
}

int sl_ops_sync(struct sl_ops *ops, const struct sl_code *code, struct sl_failure *f)
{
    const struct sl_statics *statics = code->statics;
    if (ops->block_at && ops->n_blocks == code->n_blocks)
        return 0;
    if (!SL_GROW(ops->op, ops->ops_capacity, statics->n_block_insns) ||
        !SL_GROW(ops->block_at, ops->blocks_capacity, code->n_blocks + 1) ||
        !SL_GROW(ops->classes, ops->classes_capacity, code->n_blocks))
        return sl_out_of_memory(f);
    for (; ops->n_blocks < code->n_blocks; ops->n_blocks++) {
        const struct sl_block *block = &statics->block[ops->n_blocks];
        struct sl_op_classes *classes = &ops->classes[ops->n_blocks];
        ops->block_at[ops->n_blocks] = (uint32_t)ops->n_ops;
        classes->n[0] = block->n_insns;
        for (uint32_t i = 0; i < block->n_insns; i++) {
            struct sl_op op = op_of(code, statics->block_insn[block->insns_at + i]);
            classes->n[op.event - SL_MACHINE_INSTRUCTIONS]++;
            ops->op[ops->n_ops++] = op;
        }
    }
    ops->block_at[ops->n_blocks] = (uint32_t)ops->n_ops;
    return 0;
}

void sl_ops_free(struct sl_ops *ops)
{
    free(ops->op);
    free(ops->block_at);
    free(ops->classes);
    *ops = (struct sl_ops){0};
}
