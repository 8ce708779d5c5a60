/* SPDX-License-Identifier: MIT */
/* Classifier of floating-point instructions: finds the execution unit that an instruction needs.
 * Multiplications (also fused ones), divisions and square roots are recognized by their encoding,
 * with a table of masks if all instructions have the same length, and with the opcode and opcode
 * map on x86-64. Scalar and packed instructions are treated in the same way. Integer vector
 * products, approximate reciprocals and x87 transcendental functions count as additions. */
#include <string.h>

#include "op.h"
#include "x86_encoding.h"

struct pattern {
    uint32_t mask, value;
    uint8_t unit;
};

static const struct pattern riscv[] = {
    {0xf800007f, 0x10000053, SL_UNIT_FLOAT_MULTIPLY}, /* fmul */
    {0x00000073, 0x00000043, SL_UNIT_FLOAT_MULTIPLY}, /* fmadd, fmsub, fnmsub, fnmadd */
    {0xf800007f, 0x18000053, SL_UNIT_FLOAT_DIVIDE},   /* fdiv */
    {0xf800007f, 0x58000053, SL_UNIT_FLOAT_DIVIDE},   /* fsqrt */
    {0, 0, SL_UNIT_FLOAT},
};

static const struct pattern mips[] = {
    {0xffc0003f, 0x46000002, SL_UNIT_FLOAT_MULTIPLY}, /* mul.s, mul.d */
    {0xfc000020, 0x4c000020, SL_UNIT_FLOAT_MULTIPLY}, /* madd, msub, nmadd, nmsub */
    {0xffc0003f, 0x46000003, SL_UNIT_FLOAT_DIVIDE},   /* div */
    {0xffc0003f, 0x46000004, SL_UNIT_FLOAT_DIVIDE},   /* sqrt */
    {0xffc0003f, 0x46000015, SL_UNIT_FLOAT_DIVIDE},   /* recip */
    {0xffc0003f, 0x46000016, SL_UNIT_FLOAT_DIVIDE},   /* rsqrt */
    {0, 0, SL_UNIT_FLOAT},
};

static const struct pattern aarch64[] = {
    {0xff207c00, 0x1e200800, SL_UNIT_FLOAT_MULTIPLY}, /* fmul, fnmul */
    {0xff000000, 0x1f000000, SL_UNIT_FLOAT_MULTIPLY}, /* fmadd, fmsub, fnmadd, fnmsub */
    {0xff20fc00, 0x1e201800, SL_UNIT_FLOAT_DIVIDE},   /* fdiv */
    {0xff3ffc00, 0x1e21c000, SL_UNIT_FLOAT_DIVIDE},   /* fsqrt */
    {0xbfa0fc00, 0x2e20dc00, SL_UNIT_FLOAT_MULTIPLY}, /* fmul, of vectors */
    {0xbf20fc00, 0x0e20cc00, SL_UNIT_FLOAT_MULTIPLY}, /* fmla, fmls */
    {0xaf80b400, 0x0f801000, SL_UNIT_FLOAT_MULTIPLY}, /* fmla, fmls, by an element */
    {0xaf80f400, 0x0f809000, SL_UNIT_FLOAT_MULTIPLY}, /* fmul, by an element */
    {0xbfa0fc00, 0x2e20fc00, SL_UNIT_FLOAT_DIVIDE},   /* fdiv, of vectors */
    {0xbfbffc00, 0x2ea1f800, SL_UNIT_FLOAT_DIVIDE},   /* fsqrt */
    {0, 0, SL_UNIT_FLOAT},
};

static enum sl_unit by_pattern(const struct pattern *pattern, uint32_t word)
{
    while ((word & pattern->mask) != pattern->value)
        pattern++; /* the last one matches everything */
    return pattern->unit;
}

/* ---- x86-64 ---- */

static enum sl_unit x87(uint8_t opcode, uint8_t modrm)
{
    unsigned reg = modrm >> 3 & 7;
    if (opcode == 0xd9 && modrm == 0xfa)
        return SL_UNIT_FLOAT_DIVIDE; /* fsqrt */
    if (opcode & 1 || (opcode == 0xda && modrm >= 0xc0))
        return SL_UNIT_FLOAT; /* only the even ones compute; fcmov is one of them */
    return reg == 1 ? SL_UNIT_FLOAT_MULTIPLY : reg >= 6 ? SL_UNIT_FLOAT_DIVIDE : SL_UNIT_FLOAT;
}

static enum sl_unit x86(const uint8_t *bytes, size_t size)
{
    uint8_t b[24] = {0};
    struct x86_shape x = {.map = X86_ONE_BYTE};
    memcpy(b, bytes, size < 15 ? size : 15);
    size_t at = x86_opcode(&x, b);
    if (x.map == X86_ONE_BYTE && (x.opcode & 0xf8) == 0xd8)
        return x87(x.opcode, b[at]);
    if (x.map == X86_0F && x.opcode == 0x59)
        return SL_UNIT_FLOAT_MULTIPLY;
    if (x.map == X86_0F && (x.opcode == 0x5e || x.opcode == 0x51))
        return SL_UNIT_FLOAT_DIVIDE;
    bool fused = (x.opcode & 15) >= 6 && x.opcode >= 0x96 && x.opcode <= 0xbf;
    return x.map == X86_0F38 && fused ? SL_UNIT_FLOAT_MULTIPLY : SL_UNIT_FLOAT;
}

enum sl_unit sl_float_unit(const struct sl_statics *statics, uint32_t number)
{
    const struct sl_insn *insn = &statics->insn[number];
    switch (statics->program.arch) {
    case SL_ARCH_X86_64:
        return x86(statics->bytes + insn->bytes_at, insn->size);
    case SL_ARCH_AARCH64:
        return by_pattern(aarch64, sl_insn_word(statics, number));
    case SL_ARCH_RISCV64:
    case SL_ARCH_RISCV32:
        return by_pattern(riscv, sl_insn_word(statics, number));
    case SL_ARCH_MIPSEL:
    case SL_ARCH_MIPS:
        return by_pattern(mips, sl_insn_word(statics, number));
    default:
        return SL_UNIT_FLOAT;
    }
}
