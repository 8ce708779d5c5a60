/* SPDX-License-Identifier: MIT */
/* Decoder of RISC-V instructions: RV32 and RV64 with the extensions I, M, A, F, D, C, Zicsr and
 * Zifencei. The encodings are from the unprivileged specification, version 20191213, chapters 16
 * and 24.
 *
 * A compressed instruction is first expanded to its 32-bit form, without immediate (only branch
 * offsets are needed, and these are read from the compressed form), so that one function
 * finds classes and registers of both.
 *
 *   31      25 24   20 19   15 14    12 11    7 6      2 1 0
 *  ┌──────────┬───────┬───────┬────────┬───────┬────────┬───┐
 *  │ funct7   │ rs2   │ rs1   │ funct3 │ rd    │ opcode │1 1│
 *  └──────────┴───────┴───────┴────────┴───────┴────────┴───┘
 *
 * Calls and returns follow the specification's hints for return-address stacks: x1 and x5 are link
 * registers. Departure: `jalr x1, x5`, which swaps coroutines, is a call, not a return and a call.
 *
 * Reserved functions of OP and OP-IMM are arithmetic, because the bit-manipulation extensions use
 * them. Vectors (V) are `other`. Accrued floating-point exceptions (fcsr) are no result: no
 * instruction waits for them. */
#include "insn_info.h"

/* clang-format off */
enum {
    OP_LOAD = 0x03, OP_LOAD_FP = 0x07, OP_FENCE = 0x0f, OP_IMM = 0x13, OP_AUIPC = 0x17,
    OP_IMM_32 = 0x1b, OP_STORE = 0x23, OP_STORE_FP = 0x27, OP_AMO = 0x2f, OP_REG = 0x33,
    OP_LUI = 0x37, OP_REG_32 = 0x3b, OP_MADD = 0x43, OP_MSUB = 0x47, OP_NMSUB = 0x4b,
    OP_NMADD = 0x4f, OP_FP = 0x53, OP_BRANCH = 0x63, OP_JALR = 0x67, OP_JAL = 0x6f,
    OP_SYSTEM = 0x73,
};
/* clang-format on */

/* Register fields; D is written, the others are read. */
enum { XD = 1, XS1 = 2, XS2 = 4, FD = 8, FS1 = 16, FS2 = 32, FS3 = 64 };

#define ROW(opcode, class, fields) [(opcode) >> 2] = {SL_CLASS_##class, (fields)}
static const struct {
    uint8_t class, fields;
} major[32] = {
    ROW(OP_LOAD, LOAD, XD | XS1),
    ROW(OP_LOAD_FP, LOAD, FD | XS1),
    ROW(OP_FENCE, SYSTEM, 0),
    ROW(OP_IMM, ARITHMETIC, XD | XS1),
    ROW(OP_AUIPC, ARITHMETIC, XD),
    ROW(OP_IMM_32, ARITHMETIC, XD | XS1),
    ROW(OP_STORE, STORE, XS1 | XS2),
    ROW(OP_STORE_FP, STORE, XS1 | FS2),
    ROW(OP_AMO, ATOMIC, XD | XS1 | XS2),
    ROW(OP_REG, ARITHMETIC, XD | XS1 | XS2),
    ROW(OP_LUI, ARITHMETIC, XD),
    ROW(OP_REG_32, ARITHMETIC, XD | XS1 | XS2),
    ROW(OP_MADD, FLOAT, FD | FS1 | FS2 | FS3),
    ROW(OP_MSUB, FLOAT, FD | FS1 | FS2 | FS3),
    ROW(OP_NMSUB, FLOAT, FD | FS1 | FS2 | FS3),
    ROW(OP_NMADD, FLOAT, FD | FS1 | FS2 | FS3),
    ROW(OP_FP, FLOAT, 0),
    ROW(OP_BRANCH, BRANCH, XS1 | XS2),
    ROW(OP_JALR, JUMP, XD | XS1),
    ROW(OP_JAL, JUMP, XD),
    ROW(OP_SYSTEM, SYSTEM, 0),
};

/* Bits of a branch offset, from bit `top` of the instruction down: the position of each in the
 * offset, 0: not part of it. */
struct scatter {
    uint8_t top, n, to[32];
};
static const struct scatter jal_offset = {
    31, 20, {20, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 11, 19, 18, 17, 16, 15, 14, 13, 12}};
static const struct scatter branch_offset = {
    31, 25, {12, 10, 9, 8, 7, 6, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 3, 2, 1, 11}};
static const struct scatter c_jump_offset = {12, 11, {11, 4, 9, 8, 10, 6, 7, 3, 2, 1, 5}};
static const struct scatter c_branch_offset = {12, 11, {8, 4, 3, 0, 0, 0, 7, 6, 2, 1, 5}};

static uint64_t gather(const struct scatter *scatter, uint32_t word)
{
    uint64_t value = 0, sign = UINT64_C(1) << scatter->to[0];
    for (unsigned i = 0; i < scatter->n; i++)
        if (scatter->to[i])
            value |= (uint64_t)(word >> (scatter->top - i) & 1) << scatter->to[i];
    return (value ^ sign) - sign;
}

static uint32_t encode(unsigned opcode, unsigned funct3, unsigned rd, unsigned rs1, unsigned rs2)
{
    return opcode | rd << 7 | funct3 << 12 | rs1 << 15 | rs2 << 20;
}

/* c.sub and similar: registers 8 to 15, two bits of function each. */
static uint32_t expand_arithmetic(uint32_t c, bool rv64, unsigned rd, unsigned rs2)
{
    unsigned function = c >> 10 & 3;
    if (function < 3)
        return encode(OP_IMM, function == 2 ? 7 : 5, rd, rd, 0);
    if (c >> 12 & 1)
        return rv64 && !(c >> 6 & 1) ? encode(OP_REG_32, 0, rd, rd, rs2) : 0;
    static const uint8_t funct3[4] = {0, 4, 6, 7};
    return encode(OP_REG, funct3[c >> 5 & 3], rd, rd, rs2);
}

/* c.jr, c.mv, c.ebreak, c.jalr, c.add. */
static uint32_t expand_jump(uint32_t c, unsigned rd, unsigned rs2)
{
    bool second = c >> 12 & 1;
    if (rs2)
        return encode(OP_REG, 0, rd, second ? rd : 0, rs2);
    if (rd)
        return encode(OP_JALR, 0, second, rd, 0);
    return second ? encode(OP_SYSTEM, 0, 0, 0, 1) : 0;
}

/* clang-format off */
/* The 32-bit form of a compressed instruction; 0 if there is none. */
static uint32_t expand(uint32_t c, bool rv64)
{
    enum { SP = 2 };
    unsigned rd = c >> 7 & 31, rs2 = c >> 2 & 31;
    unsigned low_rd = 8 + (c >> 7 & 7), low_rs2 = 8 + (c >> 2 & 7);
    switch ((c & 3) << 3 | c >> 13) {
    case 000: return c >> 5 ? encode(OP_IMM, 0, low_rs2, SP, 0) : 0;
    case 001: return encode(OP_LOAD_FP, 3, low_rs2, low_rd, 0);
    case 002: return encode(OP_LOAD, 2, low_rs2, low_rd, 0);
    case 003: return encode(rv64 ? OP_LOAD : OP_LOAD_FP, rv64 ? 3 : 2, low_rs2, low_rd, 0);
    case 005: return encode(OP_STORE_FP, 3, 0, low_rd, low_rs2);
    case 006: return encode(OP_STORE, 2, 0, low_rd, low_rs2);
    case 007: return encode(rv64 ? OP_STORE : OP_STORE_FP, rv64 ? 3 : 2, 0, low_rd, low_rs2);
    case 010: return encode(OP_IMM, 0, rd, rd, 0);
    case 011: return rv64 ? encode(OP_IMM_32, 0, rd, rd, 0) : encode(OP_JAL, 0, 1, 0, 0);
    case 012: return encode(OP_IMM, 0, rd, 0, 0);
    case 013: return rd == SP ? encode(OP_IMM, 0, SP, SP, 0) : encode(OP_LUI, 0, rd, 0, 0);
    case 014: return expand_arithmetic(c, rv64, low_rd, low_rs2);
    case 015: return encode(OP_JAL, 0, 0, 0, 0);
    case 016: return encode(OP_BRANCH, 0, 0, low_rd, 0);
    case 017: return encode(OP_BRANCH, 1, 0, low_rd, 0);
    case 020: return encode(OP_IMM, 1, rd, rd, 0);
    case 021: return encode(OP_LOAD_FP, 3, rd, SP, 0);
    case 022: return rd ? encode(OP_LOAD, 2, rd, SP, 0) : 0;
    case 023:
        if (!rv64)
            return encode(OP_LOAD_FP, 2, rd, SP, 0);
        return rd ? encode(OP_LOAD, 3, rd, SP, 0) : 0;
    case 024: return expand_jump(c, rd, rs2);
    case 025: return encode(OP_STORE_FP, 3, 0, SP, rs2);
    case 026: return encode(OP_STORE, 2, 0, SP, rs2);
    case 027: return encode(rv64 ? OP_STORE : OP_STORE_FP, rv64 ? 3 : 2, 0, SP, rs2);
    default: return 0;
    }
}
/* clang-format on */

/* Floating-point operations by their funct5. */
static unsigned float_fields(uint32_t word)
{
    unsigned function = 1u << (word >> 27);
    const unsigned two_sources = 0x0010003f;  /* fadd ... fmin, compares */
    const unsigned to_integer = 0x11100000;   /* compares, fcvt.w, fmv.x, fclass */
    const unsigned from_integer = 0x44000000; /* fcvt.s.w, fmv.w.x */
    return (function & to_integer ? XD : FD) | (function & from_integer ? XS1 : FS1) |
           (function & two_sources ? FS2 : 0u);
}

static void set_branch(unsigned opcode, unsigned rd, unsigned rs1, struct sl_insn_info *info)
{
    bool links = rd == 1 || rd == 5;
    if (opcode == OP_BRANCH)
        info->branch = SL_BRANCH_CONDITIONAL;
    else if (opcode == OP_JAL)
        info->branch = links ? SL_BRANCH_CALL : SL_BRANCH_JUMP;
    else if (links)
        info->branch = SL_BRANCH_INDIRECT_CALL;
    else
        info->branch = rd == 0 && (rs1 == 1 || rs1 == 5) ? SL_BRANCH_RETURN : SL_BRANCH_INDIRECT;
}

/* Memory accesses; false if the width does not exist. */
static bool set_access(unsigned opcode, uint32_t word, bool rv64, struct sl_insn_info *info)
{
    unsigned funct3 = word >> 12 & 7;
    bool is_float = opcode == OP_LOAD_FP || opcode == OP_STORE_FP;
    bool valid = is_float            ? funct3 >= 1 && funct3 <= 4
                 : opcode == OP_LOAD ? funct3 < (rv64 ? 7 : 6) && (rv64 || funct3 != 3)
                 : opcode == OP_AMO  ? funct3 == 2 || (rv64 && funct3 == 3)
                                     : funct3 < (rv64 ? 4 : 3);
    info->width = (uint8_t)(1u << (is_float ? funct3 : funct3 & 3));
    if (opcode == OP_LOAD || opcode == OP_LOAD_FP)
        info->flags = SL_INSN_LOADS;
    else if (opcode != OP_AMO)
        info->flags = SL_INSN_STORES;
    else
        info->flags = word >> 27 == 2   ? SL_INSN_LOADS  /* lr */
                      : word >> 27 == 3 ? SL_INSN_STORES /* sc */
                                        : SL_INSN_LOADS | SL_INSN_STORES;
    return valid;
}

/* CSR accesses and traps. Returns the register fields. */
static unsigned set_system(uint32_t word, struct sl_insn_info *info)
{
    unsigned funct3 = word >> 12 & 7, number = word >> 20;
    if (funct3 == 0) {
        info->flags = SL_INSN_ENDS;
        return 0;
    }
    if (number >= 1 && number <= 3) /* fflags, frm, fcsr */
        info->reads.vector = info->writes.vector = UINT64_C(1) << SL_REG_FPFLAGS;
    return funct3 < 4 ? XD | XS1 : XD;
}

static void set_registers(unsigned fields, uint32_t word, struct sl_insn_info *info)
{
    const uint64_t one = 1, not_zero = ~one;
    uint64_t d = one << (word >> 7 & 31), s1 = one << (word >> 15 & 31);
    uint64_t s2 = one << (word >> 20 & 31), s3 = one << (word >> 27);
    info->writes.general |= fields & XD ? d & not_zero : 0;
    info->reads.general |= (fields & XS1 ? s1 & not_zero : 0) | (fields & XS2 ? s2 & not_zero : 0);
    info->writes.vector |= fields & FD ? d : 0;
    info->reads.vector |= (fields & FS1 ? s1 : 0) | (fields & FS2 ? s2 : 0) |
                          (fields & FS3 ? s3 : 0);
}

void sl_riscv_decode(unsigned xlen, uint64_t pc, const uint8_t *bytes, size_t size,
                     struct sl_insn_info *info)
{
    const bool rv64 = xlen == 64;
    if (size != 2 && size != 4)
        return;
    uint32_t word = bytes[0] | (uint32_t)bytes[1] << 8, given = word;
    const bool compressed = (word & 3) != 3;
    if (compressed != (size == 2))
        return;
    if (compressed)
        word = expand(word, rv64);
    else
        word = given |= (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    const unsigned opcode = word & 0x7f;
    if ((opcode & 3) != 3 || (!rv64 && (opcode == OP_IMM_32 || opcode == OP_REG_32)))
        return;

    /* clang-format off */
    unsigned class = major[opcode >> 2].class, fields = major[opcode >> 2].fields;
    const struct scatter *scatter = NULL;
    switch (opcode) {
    case OP_LOAD: case OP_LOAD_FP: case OP_STORE: case OP_STORE_FP: case OP_AMO:
        if (!set_access(opcode, word, rv64, info)) {
            *info = (struct sl_insn_info){.size = info->size};
            return;
        }
        break;
    case OP_IMM:
        if (word == OP_IMM) /* addi x0, x0, 0 */
            class = SL_CLASS_NOP;
        break;
    case OP_REG: case OP_REG_32:
        if (word >> 25 == 1)
            class = word >> 14 & 1 ? SL_CLASS_DIVIDE : SL_CLASS_MULTIPLY;
        break;
    case OP_FP:
        fields = float_fields(word);
        break;
    case OP_SYSTEM:
        fields = set_system(word, info);
        break;
    case OP_BRANCH:
        if ((word >> 13 & 3) == 1) /* reserved */
            return;
        scatter = compressed ? &c_branch_offset : &branch_offset;
        set_branch(opcode, 0, 0, info);
        break;
    case OP_JAL:
        scatter = compressed ? &c_jump_offset : &jal_offset;
        /* fall through */
    case OP_JALR:
        if (opcode == OP_JALR && (word >> 12 & 7))
            return;
        set_branch(opcode, word >> 7 & 31, word >> 15 & 31, info);
        break;
    default:
        break;
    }
    info->class = (uint8_t)class;
    set_registers(fields, word, info);
    if (scatter) {
        info->target = pc + gather(scatter, given);
        if (!rv64)
            info->target &= UINT32_MAX;
    }
}
/* clang-format on */
