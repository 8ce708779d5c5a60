/* SPDX-License-Identifier: MIT */
/* Decoder of MIPS32 releases 1 and 2, with FPU (MD00086 and MD00565). Of release 6, it decodes only
 * instructions whose encodings release 2 does not use: compact branches (except those encoded as
 * `addi`), the new multiplications and divisions, and floating-point comparisons that write a
 * register. Of the DSP extension, it decodes only indexed loads. It does not decode MSA, MIPS16 and
 * microMIPS.
 *
 *   31    26 25   21 20   16 15   11 10    6 5      0
 *  ┌────────┬───────┬───────┬───────┬───────┬────────┐
 *  │ opcode │ rs fr │ rt ft │ rd fs │ sa fd │ funct  │
 *  └────────┴───────┴───────┴───────┴───────┴────────┘
 *
 * A branch that links conditionally (`bltzal`) is conditional; `bal`, which always links, is a
 * call. A branch that compares a register with itself, or $0 with zero, is always taken: it is a
 * jump (`b` is `beq $0, $0`). A double in two 32-bit registers has its even register here. */
#include "insn_info.h"

/* Bits of a table row: registers read, registers written, memory accesses. */
/* clang-format off */
enum {
    RS = 1, RT = 2, RD = 4, HI = 8, LO = 16, CC = 32, FT = 1024,
    TO_RT = 64, TO_RD = 128, TO_HI = 256, TO_LO = 512, TO_HILO = TO_HI | TO_LO, TO_FT = 2048,
    LOADS = 4096, STORES = 8192, ENDS = 16384,
};
struct row {
    uint16_t use;
    uint8_t class, width;
};

#define ARITH(use) {(use), SL_CLASS_ARITHMETIC, 0}
#define LOAD(width, use) {RS | LOADS | (use), SL_CLASS_LOAD, (width)}
#define STORE(width, use) {RS | STORES | (use), SL_CLASS_STORE, (width)}
#define SYSTEM(use) {(use), SL_CLASS_SYSTEM, 0}

static const struct row primary[64] = {
    [0x08 ... 0x0f] = ARITH(RS | TO_RT), /* addi ... lui, aui */
    [0x20] = LOAD(1, TO_RT),      [0x21] = LOAD(2, TO_RT),      /* lb lh */
    [0x22] = LOAD(4, TO_RT | RT), [0x23] = LOAD(4, TO_RT),      /* lwl lw */
    [0x24] = LOAD(1, TO_RT),      [0x25] = LOAD(2, TO_RT),      /* lbu lhu */
    [0x26] = LOAD(4, TO_RT | RT), [0x28] = STORE(1, RT),        /* lwr sb */
    [0x29] = STORE(2, RT),        [0x2a] = STORE(4, RT),        /* sh swl */
    [0x2b] = STORE(4, RT),        [0x2e] = STORE(4, RT),        /* sw swr */
    [0x2f] = SYSTEM(RS),                                        /* cache */
    [0x30] = {RS | TO_RT | LOADS, SL_CLASS_ATOMIC, 4},          /* ll */
    [0x31] = LOAD(4, TO_FT),                                    /* lwc1 */
    [0x33] = {RS, SL_CLASS_OTHER, 0},                           /* pref */
    [0x35] = LOAD(8, TO_FT),                                    /* ldc1 */
    [0x38] = {RS | RT | TO_RT | STORES, SL_CLASS_ATOMIC, 4},    /* sc */
    [0x39] = STORE(4, FT),        [0x3d] = STORE(8, FT),        /* swc1 sdc1 */
};

static const struct row special[64] = {
    [0x00] = ARITH(RT | TO_RD),           /* sll */
    [0x01] = ARITH(RS | RD | CC | TO_RD), /* movf, movt */
    [0x02] = ARITH(RT | TO_RD),           /* srl, rotr */
    [0x03] = ARITH(RT | TO_RD),           /* sra */
    [0x04 ... 0x07] = ARITH(RS | RT | TO_RD), /* sllv, lsa, srlv, srav */
    [0x08] = {RS, SL_CLASS_JUMP, 0},         /* jr */
    [0x09] = {RS | TO_RD, SL_CLASS_JUMP, 0}, /* jalr */
    [0x0a ... 0x0b] = ARITH(RS | RT | RD | TO_RD), /* movz, movn */
    [0x0c ... 0x0e] = SYSTEM(ENDS),                /* syscall, break, sdbbp */
    [0x0f] = SYSTEM(0),                            /* sync */
    [0x10] = ARITH(HI | TO_RD), [0x11] = ARITH(RS | TO_HI), /* mfhi mthi */
    [0x12] = ARITH(LO | TO_RD), [0x13] = ARITH(RS | TO_LO), /* mflo mtlo */
    [0x18 ... 0x19] = {RS | RT | TO_HILO, SL_CLASS_MULTIPLY, 0}, /* mult, multu */
    [0x1a ... 0x1b] = {RS | RT | TO_HILO, SL_CLASS_DIVIDE, 0},   /* div, divu */
    [0x20 ... 0x27] = ARITH(RS | RT | TO_RD), /* add, sub, and, or, xor, nor */
    [0x2a ... 0x2b] = ARITH(RS | RT | TO_RD), /* slt, sltu */
    [0x30 ... 0x34] = ARITH(RS | RT),         /* traps: tge, tlt, teq */
    [0x35] = ARITH(RS | RT | TO_RD),          /* seleqz */
    [0x36] = ARITH(RS | RT),                  /* tne */
    [0x37] = ARITH(RS | RT | TO_RD),          /* selnez */
};

static const struct row special2[64] = {
    [0x00 ... 0x01] = {RS | RT | HI | LO | TO_HILO, SL_CLASS_MULTIPLY, 0}, /* madd, maddu */
    [0x02] = {RS | RT | TO_RD, SL_CLASS_MULTIPLY, 0},                      /* mul */
    [0x04 ... 0x05] = {RS | RT | HI | LO | TO_HILO, SL_CLASS_MULTIPLY, 0}, /* msub, msubu */
    [0x20 ... 0x21] = ARITH(RS | TO_RD), /* clz, clo */
    [0x3f] = SYSTEM(ENDS),               /* sdbbp */
};

static const struct row special3[64] = {
    [0x00] = ARITH(RS | TO_RT),                                  /* ext */
    [0x04] = ARITH(RS | RT | TO_RT),                             /* ins */
    [0x0a] = {RS | RT | TO_RD | LOADS, SL_CLASS_LOAD, 4},        /* lwx lhx lbux */
    [0x20] = ARITH(RT | TO_RD),                                  /* seb seh wsbh */
    [0x25] = SYSTEM(RS),                                         /* cache (r6) */
    [0x26] = {RS | RT | TO_RT | STORES, SL_CLASS_ATOMIC, 4},     /* sc (r6) */
    [0x35] = {RS, SL_CLASS_OTHER, 0},                            /* pref (r6) */
    [0x36] = {RS | TO_RT | LOADS, SL_CLASS_ATOMIC, 4},           /* ll (r6) */
    [0x3b] = SYSTEM(TO_RT),                                      /* rdhwr */
};
/* clang-format on */

/* The fields of an instruction. */
struct fields {
    uint32_t word;
    unsigned opcode, rs, rt, rd, sa, funct;
};

static uint64_t general(unsigned number)
{
    return number ? UINT64_C(1) << number : 0;
}

static uint64_t bit(unsigned number)
{
    return UINT64_C(1) << number;
}

static void apply(const struct row *row, const struct fields *w, struct sl_insn_info *info)
{
    unsigned use = row->use;
    info->class = row->class;
    info->width = row->width;
    info->flags = (uint8_t)((use & LOADS ? SL_INSN_LOADS : 0) |
                            (use & STORES ? SL_INSN_STORES : 0) | (use & ENDS ? SL_INSN_ENDS : 0));
    info->reads.general = (use & RS ? general(w->rs) : 0) | (use & RT ? general(w->rt) : 0) |
                          (use & RD ? general(w->rd) : 0) | (use & HI ? bit(SL_REG_HI) : 0) |
                          (use & LO ? bit(SL_REG_LO) : 0);
    info->writes.general = (use & TO_RT ? general(w->rt) : 0) | (use & TO_RD ? general(w->rd) : 0) |
                           (use & TO_HI ? bit(SL_REG_HI) : 0) | (use & TO_LO ? bit(SL_REG_LO) : 0);
    info->reads.vector = (use & FT ? bit(w->rt) : 0) | (use & CC ? bit(SL_REG_FPFLAGS) : 0);
    info->writes.vector = use & TO_FT ? bit(w->rt) : 0;
}

/* A direct branch to `offset` words after the next instruction. */
static void direct(enum sl_branch kind, uint64_t pc, int64_t offset, unsigned flags,
                   struct sl_insn_info *info)
{
    info->branch = (uint8_t)kind;
    info->class = kind == SL_BRANCH_CONDITIONAL ? SL_CLASS_BRANCH : SL_CLASS_JUMP;
    info->flags = (uint8_t)flags;
    info->target = (pc + 4 + 4 * (uint64_t)offset) & UINT32_MAX;
}

static void indirect(enum sl_branch kind, unsigned flags, struct sl_insn_info *info)
{
    info->branch = (uint8_t)kind;
    info->class = SL_CLASS_JUMP;
    info->flags = (uint8_t)flags;
}

static int64_t sign_extend(uint32_t value, unsigned n_bits)
{
    int64_t sign = INT64_C(1) << (n_bits - 1);
    return ((int64_t)(value & ((UINT32_C(1) << n_bits) - 1)) ^ sign) - sign;
}

/* bltz, bgez and similar; traps with an immediate. */
static void regimm(const struct fields *w, uint64_t pc, struct sl_insn_info *info)
{
    info->reads.general = general(w->rs);
    if ((w->rt & ~0x13u) == 0) {
        bool links = w->rt & 0x10, always = (w->rt & 1) && w->rs == 0;
        direct(!always ? SL_BRANCH_CONDITIONAL
               : links ? SL_BRANCH_CALL
                       : SL_BRANCH_JUMP,
               pc, (int16_t)w->word, SL_INSN_DELAY_SLOT, info);
        info->writes.general = links ? general(31) : 0;
    } else if (w->rt >= 0x08 && w->rt <= 0x0e && w->rt != 0x0d) { /* tgei ... tnei */
        info->class = SL_CLASS_ARITHMETIC;
    } else if (w->rt == 0x1f) { /* synci */
        info->class = SL_CLASS_SYSTEM;
    }
}

/* clang-format off */
/* Branches of release 6 without a delay slot, in encodings that release 2 reserves or assigns to
 * coprocessor 2. Returns whether it is one. */
static bool compact(const struct fields *w, uint64_t pc, struct sl_insn_info *info)
{
    bool pair = w->opcode == 0x36 || w->opcode == 0x3e; /* beqzc, bnezc; jic, jialc */
    bool links = false;
    switch (w->opcode) {
    case 0x32: case 0x3a: /* bc, balc */
        links = w->opcode == 0x3a;
        direct(links ? SL_BRANCH_CALL : SL_BRANCH_JUMP, pc, sign_extend(w->word, 26), 0, info);
        info->writes.general = links ? general(31) : 0;
        return true;
    case 0x36: case 0x3e:
        if (w->rs) {
            info->reads.general = general(w->rs);
            break;
        }
        links = w->opcode == 0x3e;
        indirect(links ? SL_BRANCH_INDIRECT_CALL : w->rt == 31 ? SL_BRANCH_RETURN : SL_BRANCH_INDIRECT,
                 0, info);
        info->reads.general = general(w->rt);
        info->writes.general = links ? general(31) : 0;
        return true;
    case 0x06: case 0x07: /* blezalc, bgezalc, bgeuc; bgtzalc, bltzalc, bltuc */
        links = w->rs == 0 || w->rs == w->rt;
        /* fall through */
    case 0x16: case 0x17: /* blezc, bgezc, bgec; bgtzc, bltzc, bltc */
        if (w->rt == 0)
            return false;
        info->reads.general = general(w->rs) | general(w->rt);
        break;
    case 0x18: /* bnezalc, bnec, bnvc */
        links = w->rs == 0 && w->rt != 0;
        info->reads.general = general(w->rs) | general(w->rt);
        break;
    default:
        return false;
    }
    direct(SL_BRANCH_CONDITIONAL, pc, pair ? sign_extend(w->word, 21) : (int16_t)w->word, 0, info);
    info->writes.general = links ? general(31) : 0;
    return true;
}

/* Direct branches with a delay slot, by primary opcode. Returns whether it is one. */
static bool branch(const struct fields *w, uint64_t pc, struct sl_insn_info *info)
{
    switch (w->opcode) {
    case 0x02: case 0x03: case 0x1d: { /* j, jal, jalx */
        uint64_t target = ((pc + 4) & 0xf0000000) | (w->word & 0x3ffffff) << 2;
        direct(w->opcode == 0x02 ? SL_BRANCH_JUMP : SL_BRANCH_CALL, pc, 0, SL_INSN_DELAY_SLOT, info);
        info->target = target;
        info->writes.general = w->opcode == 0x02 ? 0 : general(31);
        return true;
    }
    case 0x04: case 0x05: case 0x06: case 0x07: /* beq, bne, blez, bgtz */
    case 0x14: case 0x15: case 0x16: case 0x17: { /* ... and likely */
        bool always = (w->opcode & 1) == 0 && w->rs == w->rt; /* blez has $0 for rt */
        direct(always ? SL_BRANCH_JUMP : SL_BRANCH_CONDITIONAL, pc, (int16_t)w->word,
               SL_INSN_DELAY_SLOT, info);
        info->reads.general = general(w->rs) | general(w->rt);
        return true;
    }
    default:
        return false;
    }
}

/* Floating point: moves, branches, operations. */
static void cop1(const struct fields *w, uint64_t pc, struct sl_insn_info *info)
{
    const uint64_t flags = bit(SL_REG_FPFLAGS), fs = bit(w->rd), fd = bit(w->sa), ft = bit(w->rt);
    info->class = SL_CLASS_FLOAT;
    switch (w->rs) {
    case 0x00: case 0x02: case 0x03: /* mfc1, cfc1, mfhc1 */
        info->writes.general = general(w->rt);
        info->reads.vector = w->rs == 2 ? flags : fs;
        return;
    case 0x04: case 0x06: case 0x07: /* mtc1, ctc1, mthc1 */
        info->reads.general = general(w->rt);
        info->writes.vector = w->rs == 6 ? flags : fs;
        info->reads.vector = w->rs == 7 ? fs : 0; /* the other half is preserved */
        return;
    case 0x08: case 0x09: case 0x0d: /* bc1f, bc1t; bc1eqz, bc1nez (r6) */
        direct(SL_BRANCH_CONDITIONAL, pc, (int16_t)w->word, SL_INSN_DELAY_SLOT, info);
        info->reads.vector = w->rs == 8 ? flags : ft;
        return;
    case 0x10: case 0x11: case 0x14: case 0x15: case 0x16: /* s, d, w, l, ps */
        break;
    default:
        info->class = SL_CLASS_OTHER;
        return;
    }
    info->reads.vector = fs;
    info->writes.vector = fd;
    if (w->funct >= 0x30) { /* c.cond */
        info->reads.vector |= ft;
        info->writes.vector = flags;
    } else if (w->funct == 0x11) { /* movf, movt */
        info->reads.vector |= fd | flags;
    } else if (w->funct == 0x12 || w->funct == 0x13) { /* movz, movn */
        info->reads.vector |= fd;
        info->reads.general = general(w->rt);
    } else if (w->funct < 4 || ((w->rs & 6) == 4 && w->funct < 0x20)) { /* add ... div; cmp (r6) */
        info->reads.vector |= ft;
    }
}
/* clang-format on */

/* Multiply-add, indexed loads and stores of FPU registers. */
static void cop1x(const struct fields *w, struct sl_insn_info *info)
{
    const uint64_t fs = bit(w->rd), fd = bit(w->sa), ft = bit(w->rt), fr = bit(w->rs);
    if (w->funct >= 0x20) {
        info->class = SL_CLASS_FLOAT;
        info->reads.vector = fr | fs | ft;
        info->writes.vector = fd;
        return;
    }
    info->reads.general = general(w->rs) | general(w->rt);
    if (w->funct == 0x0f) /* prefx */
        return;
    bool stores = w->funct & 8;
    info->class = stores ? SL_CLASS_STORE : SL_CLASS_LOAD;
    info->flags = stores ? SL_INSN_STORES : SL_INSN_LOADS;
    info->width = w->funct & 7 ? 8 : 4;
    info->reads.vector = stores ? fs : 0;
    info->writes.vector = stores ? 0 : fd;
}

static void special_row(const struct fields *w, struct sl_insn_info *info)
{
    struct row row = special[w->funct];
    if (w->funct >= 0x18 && w->funct <= 0x1b && w->sa) /* release 6: mul, muh, div, mod */
        row.use = RS | RT | TO_RD;
    apply(&row, w, info);
    bool returns = w->rs == 31;
    if ((w->word & ~0x7c0u) == 0) /* nop, ssnop, ehb, pause */
        info->class = SL_CLASS_NOP;
    else if (w->funct == 0x09 && w->rd) /* release 6 writes jr as jalr $0 */
        indirect(SL_BRANCH_INDIRECT_CALL, SL_INSN_DELAY_SLOT, info);
    else if (w->funct == 0x08 || w->funct == 0x09)
        indirect(returns ? SL_BRANCH_RETURN : SL_BRANCH_INDIRECT, SL_INSN_DELAY_SLOT, info);
}

/* clang-format off */
void sl_mips_decode(bool big_endian, uint64_t pc, const uint8_t *bytes, size_t size,
                    struct sl_insn_info *info)
{
    if (size != 4)
        return;
    uint32_t word = 0;
    for (unsigned i = 0; i < 4; i++)
        word |= (uint32_t)bytes[i] << 8 * (big_endian ? 3 - i : i);
    const struct fields w = {word, word >> 26, word >> 21 & 31, word >> 16 & 31,
                             word >> 11 & 31, word >> 6 & 31, word & 63};
    if (compact(&w, pc, info) || branch(&w, pc, info))
        return;
    switch (w.opcode) {
    case 0x00: special_row(&w, info); break;
    case 0x01: regimm(&w, pc, info); break;
    case 0x10: /* coprocessor 0 */
        info->class = SL_CLASS_SYSTEM;
        if (w.rs & 0x10)
            info->flags = SL_INSN_ENDS; /* eret, wait */
        else if (w.rs & 4)
            info->reads.general = general(w.rt);
        else
            info->writes.general = general(w.rt);
        break;
    case 0x11: cop1(&w, pc, info); break;
    case 0x13: cop1x(&w, info); break;
    case 0x1c: apply(&special2[w.funct], &w, info); break;
    case 0x1f: apply(&special3[w.funct], &w, info); break;
    default: apply(&primary[w.opcode], &w, info); break;
    }
    if (w.opcode == 0x1f && w.funct == 0x0a) /* indexed loads: lwx, lhx, lbux */
        info->width = w.sa == 0 ? 4 : w.sa == 4 ? 2 : 1;
}
/* clang-format on */
