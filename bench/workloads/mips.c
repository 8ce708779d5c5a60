/* Workload: a simulator of MIPS I processors, which executes a program of forty instructions. The
 * simulated program sorts an array of words with insertion sort and computes the product of the
 * words with a recursive function. The simulator supports only the instructions of that program. It
 * also simulates delay slots: the instruction after a branch is executed before the branch takes
 * effect. The results are checked against C code. */
#include "workload.h"

#define N_DATA 48u
#define DATA 0x1000u /* address */
#define MEMORY_WORDS 2048u
#define INSN_MAX 100000u /* per run; more mean that it hangs */

struct cpu {
    uint32_t reg[32], lo, pc, next_pc;
    uint32_t memory[MEMORY_WORDS];
    uint64_t executed;
    bool halted;
};

enum { ZERO, V0 = 2, A0 = 4, A1, T0 = 8, T1, T2, T3, T4, SP = 29, RA = 31 };

#define R_TYPE(function, rd, rs, rt) ((rs) << 21 | (rt) << 16 | (rd) << 11 | (function))
#define I_TYPE(op, rt, rs, low) ((uint32_t)(op) << 26 | (rs) << 21 | (rt) << 16 | ((low) & 0xffff))
#define JAL(to) (3u << 26 | (to))
#define JR(rs) R_TYPE(8, 0, rs, 0)
#define MULTU(rs, rt) R_TYPE(0x19, 0, rs, rt)
#define MFLO(rd) R_TYPE(0x12, rd, 0, 0)
#define ADDU(rd, rs, rt) R_TYPE(0x21, rd, rs, rt)
#define SLTU(rd, rs, rt) R_TYPE(0x2b, rd, rs, rt)
#define BREAK R_TYPE(0xd, 0, 0, 0)
#define BEQ(rs, rt, by) I_TYPE(4, rt, rs, by)
#define ADDIU(rt, rs, low) I_TYPE(9, rt, rs, low)
#define ORI(rt, rs, low) I_TYPE(0xd, rt, rs, low)
#define LW(rt, low, rs) I_TYPE(0x23, rt, rs, low)
#define SW(rt, low, rs) I_TYPE(0x2b, rt, rs, low)
#define NOP 0

static const uint32_t program[] = {
    /* main: sort(DATA, DATA + 4 N); v0 = product(DATA, DATA + 4 N) */
    ORI(SP, ZERO, 4 * MEMORY_WORDS),
    ORI(A0, ZERO, DATA),
    JAL(8),
    ADDIU(A1, A0, 4 * N_DATA),
    JAL(26),
    ORI(A0, ZERO, DATA),
    BREAK,
    NOP,
    /* 8: sort: for (t0 = a0 + 4; t0 != a1; t0 += 4) */
    ADDIU(T0, A0, 4),
    BEQ(T0, A1, 14),
    LW(T1, 0, T0),
    ADDU(T2, T0, ZERO),
    /* 12: while (t2 != a0 && t1 < t2[-1]) t2[0] = t2[-1], t2--; t2[0] = t1 */
    BEQ(T2, A0, 7),
    LW(T3, -4, T2),
    SLTU(T4, T1, T3),
    BEQ(T4, ZERO, 4),
    NOP,
    SW(T3, 0, T2),
    BEQ(ZERO, ZERO, -7),
    ADDIU(T2, T2, -4),
    SW(T1, 0, T2),
    ADDIU(T0, T0, 4),
    BEQ(ZERO, ZERO, -14),
    NOP,
    JR(RA),
    NOP,
    /* 26: product: a0 == a1 ? 1 : (a0[0] | 1) * product(a0 + 4, a1) */
    BEQ(A0, A1, 13),
    ORI(V0, ZERO, 1),
    ADDIU(SP, SP, -8),
    SW(RA, 4, SP),
    LW(T0, 0, A0),
    ADDIU(A0, A0, 4),
    JAL(26),
    SW(T0, 0, SP),
    LW(T0, 0, SP),
    LW(RA, 4, SP),
    ORI(T0, T0, 1),
    MULTU(V0, T0),
    ADDIU(SP, SP, 8),
    MFLO(V0),
    JR(RA),
    NOP,
};

PART uint32_t *word_at(struct cpu *c, uint32_t address)
{
    if (address % 4 || address / 4 >= MEMORY_WORDS)
        workload_wrong("mips", "access to address", address);
    return &c->memory[address / 4];
}

PART void register_form(struct cpu *c, uint32_t insn)
{
    uint32_t s = c->reg[insn >> 21 & 31], t = c->reg[insn >> 16 & 31];
    uint32_t *d = &c->reg[insn >> 11 & 31];
    switch (insn & 63) {
    case 0x00: *d = t << (insn >> 6 & 31); break;
    case 0x08: c->next_pc = s; break;
    case 0x0d: c->halted = true; break;
    case 0x12: *d = c->lo; break;
    case 0x19: c->lo = s * t; break;
    case 0x21: *d = s + t; break;
    case 0x2b: *d = s < t; break;
    default: workload_wrong("mips", "an instruction of function", insn & 63);
    }
}

PART void immediate_form(struct cpu *c, uint32_t insn)
{
    uint32_t s = c->reg[insn >> 21 & 31], *t = &c->reg[insn >> 16 & 31];
    uint32_t low = insn & 0xffff, extended = low | (low & 0x8000 ? 0xffff0000 : 0);
    switch (insn >> 26) {
    case 0x04: c->next_pc = s == *t ? c->pc + 4 * extended : c->next_pc; break;
    case 0x09: *t = s + extended; break;
    case 0x0d: *t = s | low; break;
    case 0x23: *t = *word_at(c, s + extended); break;
    case 0x2b: *word_at(c, s + extended) = *t; break;
    default: workload_wrong("mips", "an instruction of operation", insn >> 26);
    }
}

PART void step(struct cpu *c)
{
    uint32_t insn = *word_at(c, c->pc);
    c->pc = c->next_pc;
    c->next_pc = c->pc + 4;
    if (insn >> 26 == 0) {
        register_form(c, insn);
    } else if (insn >> 26 == 3) {
        c->reg[RA] = c->next_pc;
        c->next_pc = (c->pc & 0xf0000000) | (insn & 0x3ffffff) << 2;
    } else {
        immediate_form(c, insn);
    }
    c->reg[ZERO] = 0;
}

PART void load(struct cpu *c, const uint32_t data[N_DATA])
{
    memset(c, 0, sizeof *c);
    memcpy(c->memory, program, sizeof program);
    memcpy(c->memory + DATA / 4, data, N_DATA * sizeof *data);
    c->next_pc = 4;
}

static int ascending(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

PART void check(const struct cpu *c, uint32_t data[N_DATA])
{
    uint32_t product = 1;
    qsort(data, N_DATA, sizeof *data, ascending);
    for (uint32_t i = 0; i < N_DATA; i++) {
        product *= data[i] | 1;
        if (c->memory[DATA / 4 + i] != data[i])
            workload_wrong("mips", "the sorted word", i);
    }
    if (c->reg[V0] != product)
        workload_wrong("mips", "the product", c->reg[V0]);
}

int main(int argc, char **argv)
{
    static struct cpu c;
    uint32_t rounds = workload_rounds(argc, argv, 25), seed = 9, sum = 0, data[N_DATA];
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t i = 0; i < N_DATA; i++)
            data[i] = workload_random(&seed);
        load(&c, data);
        while (!c.halted && c.executed++ < INSN_MAX)
            step(&c);
        check(&c, data);
        sum = workload_mix(workload_mix(sum, c.reg[V0]), (uint32_t)c.executed);
    }
    return workload_done("mips", sum);
}
/* SPDX-License-Identifier: MIT */
