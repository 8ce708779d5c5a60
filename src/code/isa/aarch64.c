/* SPDX-License-Identifier: MIT */
/* Decoder of AArch64 data processing instructions, based on the operand list of Capstone, a
 * disassembler library. The first operand counts as written and all others count as read, except
 * for the instructions listed in this file. aarch64_word.c decodes branches, loads, stores and
 * system instructions. */
#include "capstone_decode.h"

static unsigned bits(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & ((1u << (high - low + 1)) - 1);
}

static uint64_t bit(unsigned number)
{
    return UINT64_C(1) << number;
}

/* Vector by element: half precision, complex numbers, dot products, widening sums. */
static bool is_newer_by_element(uint32_t word)
{
    unsigned size = bits(word, 23, 22), opcode = bits(word, 15, 12);
    bool upper = bits(word, 29, 29);
    return opcode >= 14 || (upper && (opcode == 13 || (opcode < 8 && opcode & 1))) ||
           ((opcode & 3) == 1 && size == 0) || (!(opcode & 3) && upper == opcode >> 3 && size == 2);
}

/* Of half precision, Capstone 4 knows only conversions to other floating-point types. */
static bool is_newer_scalar(uint32_t word)
{
    bool half = bits(word, 23, 22) == 3, one_source = bits(word, 14, 10) == 0x10;
    bool converts = one_source && bits(word, 21, 17) == 0x11;
    bool rounds = one_source &&
                  bits(word, 21, 17) == 0x14; /* frint32z, frint32x, frint64z, frint64x */
    bool javascript = (word & 0xfffffc00) == 0x1e7e0000; /* fjcvtzs */
    return bits(word, 24, 24) ? half : (half && !converts) || rounds || javascript;
}

/* One source: half precision, rounding to 32 or 64 bits, bfloat16; across lanes. */
static bool is_newer_one_source(uint32_t word)
{
    unsigned opcode = bits(word, 16, 12);
    bool upper = bits(word, 29, 29), high = bits(word, 23, 23);
    switch (bits(word, 21, 17)) {
    case 0x10:
        return (opcode >= 0x1e && !high) || (opcode == 0x16 && high);
    case 0x18:
        return !upper && opcode >> 2 == 3;
    case 0x1c:
        return bits(word, 22, 22);
    }
    return false;
}

/* The lowest set bit of imm5 gives the element size. The CPU ignores the bits that are not part of
 * the index, but Capstone 4 requires zeros. */
static bool is_odd_element(uint32_t word)
{
    unsigned element = bits(word, 20, 16), unit = element & -element;
    if ((word & 0xffe08400) == 0x6e000400) /* ins */
        return bits(word, 14, 11) & (unit - 1);
    return (word & 0xbfe0fc00) == 0x0e000c00 && element != unit; /* dup from a general register */
}

/* Floating point, scalar and vector, and vectors of integers. */
static bool is_newer_vector(uint32_t word)
{
    if (bits(word, 28, 28) && !bits(word, 30, 30))
        return is_newer_scalar(word);
    if (word >> 31) /* SHA3, SM3, SM4 */
        return true;
    bool odd = bits(word, 10, 10), three = bits(word, 21, 21) && odd;
    unsigned shift = bits(word, 22, 19), opcode = bits(word, 15, 11);
    if (bits(word, 24, 24) && odd) /* half precision: constants, conversions with a point */
        return shift ? shift >> 1 == 1 && (opcode == 0x1c || opcode == 0x1f) : opcode == 0x1f;
    if (bits(word, 24, 24))
        return is_newer_by_element(word);
    if (bits(word, 11, 10) == 2)
        return is_newer_one_source(word);
    return (!bits(word, 21, 21) && opcode >> 4 && odd) ||    /* complex numbers, dot products */
           (bits(word, 22, 21) == 2 && opcode < 8 && odd) || /* half precision */
           (three && !bits(word, 22, 22) &&
            opcode == (bits(word, 29, 29) ? 0x19 : 0x1d)) || /* fmlal */
           is_odd_element(word);
}

/* Memory tags and pointer authentication. */
static bool is_newer_integer(uint32_t word)
{
    return (word & 0xbf800000) == 0x91800000 || /* addg, subg */
           ((word & 0xdfe00000) == 0x9ac00000 && bits(word, 15, 10) < 8 &&
            bits(word, 15, 10) != 2 && bits(word, 15, 10) != 3) || /* subp, irg, gmi */
           (word & 0xffe0fc00) == 0x9ac03000 ||
           (word & 0xffe07c10) == 0xba000400 || /* pacga, rmif */
           (word & 0xffff0000) == 0xdac10000;   /* pacda ... */
}

bool sl_aarch64_newer(uint32_t word)
{
    return bits(word, 27, 25) == 7 ? is_newer_vector(word) : is_newer_integer(word);
}

/* Number of a vector register under any of its names; -1 for other registers. */
static int vector_number(arm64_reg reg)
{
    static const arm64_reg first[] = {ARM64_REG_B0, ARM64_REG_H0, ARM64_REG_S0,
                                      ARM64_REG_D0, ARM64_REG_Q0, ARM64_REG_V0};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (reg >= first[i] && reg < first[i] + 32)
            return (int)(reg - first[i]);
    return -1;
}

static void add(struct sl_regs *set, arm64_reg reg)
{
    if (vector_number(reg) >= 0)
        set->vector |= bit((unsigned)vector_number(reg));
    else if (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30)
        set->general |= bit((unsigned)(reg - ARM64_REG_W0));
    else if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
        set->general |= bit((unsigned)(reg - ARM64_REG_X0));
    else if (reg == ARM64_REG_X29 || reg == ARM64_REG_X30)
        set->general |= bit(29 + (unsigned)(reg - ARM64_REG_X29));
    else if (reg == ARM64_REG_SP || reg == ARM64_REG_WSP)
        set->general |= bit(31);
    else if (reg == ARM64_REG_NZCV)
        set->general |= bit(SL_REG_FLAGS);
}

static unsigned class_of(const cs_arm64 *arm, const char *name)
{
    bool vector = false, lanes = false;
    for (unsigned i = 0; i < arm->op_count; i++) {
        const cs_arm64_op *op = &arm->operands[i];
        if (op->type == ARM64_OP_REG && vector_number(op->reg) >= 0) {
            vector = true;
            lanes = lanes || op->vas != ARM64_VAS_INVALID || op->vector_index >= 0;
        }
    }
    if (vector)
        return !lanes && sl_find_name("f* scvtf ucvtf", name) ? SL_CLASS_FLOAT : SL_CLASS_VECTOR;
    if (sl_find_name("*mul* *madd* *msub* *mneg*", name))
        return SL_CLASS_MULTIPLY;
    return sl_find_name("?div", name) ? SL_CLASS_DIVIDE : SL_CLASS_ARITHMETIC;
}

void sl_aarch64_info(const cs_insn *insn, const char *name, struct sl_insn_info *info)
{
    const cs_arm64 *arm = &insn->detail->arm64;
    const cs_arm64_op *first = &arm->operands[0];
    bool writes = !sl_find_name("cmp cmn tst ccmp ccmn fcmp* fccmp*", name);
    bool merges = sl_find_name(
                      "movk bfm bfi bfc bfxil ins bit bif bsl sli sri tbx *mla* *mls* "
                      "*aba* *adal* *sra aes? sha1c sha1m sha1p sha1s* sha2* *n2 suqadd usqadd",
                      name) ||
                  (sl_find_name("orr bic", name) && arm->op_count == 2) || first->vector_index >= 0;
    info->class = (uint8_t)class_of(arm, name);
    for (unsigned i = 0; i < arm->op_count; i++) {
        const cs_arm64_op *op = &arm->operands[i];
        if (op->type != ARM64_OP_REG)
            continue;
        if (i > 0 || !writes || merges)
            add(&info->reads, op->reg);
        if (i == 0 && writes)
            add(&info->writes, op->reg);
    }
    for (unsigned i = 0; i < insn->detail->regs_read_count; i++)
        add(&info->reads, (arm64_reg)insn->detail->regs_read[i]);
    for (unsigned i = 0; i < insn->detail->regs_write_count; i++)
        add(&info->writes, (arm64_reg)insn->detail->regs_write[i]);
}
