/* SPDX-License-Identifier: MIT */
/* Which unit a floating-point instruction uses: recognises multiplications (also fused ones),
 * divisions and square roots by their encoding. A table of masks for fixed-length instruction sets,
 * opcode and map for x86-64; scalar and packed forms alike. Integer vector products, approximate
 * reciprocals and x87 transcendental functions count as additions. */
#include "op.h"

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

/* An instruction, decoded up to its opcode. */
struct opcode {
    uint8_t map; /* 0: one byte; 1: 0f; 2: 0f 38 */
    uint8_t byte;
    uint8_t modrm; /* 0 if there is none */
};

static bool is_prefix(uint8_t byte)
{
    return byte == 0x66 || byte == 0x67 || byte == 0xf2 || byte == 0xf3 || byte == 0xf0 ||
           byte == 0x64 || byte == 0x65 || (byte & 0xe7) == 0x26 || (byte & 0xf0) == 0x40;
}

static struct opcode opcode_of(const uint8_t *byte, unsigned n)
{
    struct opcode o = {0};
    unsigned at = 0;
    while (at < n && is_prefix(byte[at]))
        at++;
    if (at + 2 < n && byte[at] == 0xc5) { /* VEX of two bytes, of three, EVEX */
        o.map = 1;
        at += 2;
    } else if (at + 3 < n && byte[at] == 0xc4) {
        o.map = byte[at + 1] & 31;
        at += 3;
    } else if (at + 4 < n && byte[at] == 0x62) {
        o.map = byte[at + 1] & 7;
        at += 4;
    } else if (at + 1 < n && byte[at] == 0x0f) {
        o.map = byte[at + 1] == 0x38 ? 2 : 1;
        at += o.map;
    }
    if (at < n)
        o.byte = byte[at++];
    if (at < n)
        o.modrm = byte[at];
    return o;
}

static enum sl_unit x87(struct opcode o)
{
    unsigned reg = o.modrm >> 3 & 7;
    if (o.byte == 0xd9 && o.modrm == 0xfa)
        return SL_UNIT_FLOAT_DIVIDE; /* fsqrt */
    if (o.byte & 1 || (o.byte == 0xda && o.modrm >= 0xc0))
        return SL_UNIT_FLOAT; /* only the even ones compute; fcmov is one of them */
    return reg == 1 ? SL_UNIT_FLOAT_MULTIPLY : reg >= 6 ? SL_UNIT_FLOAT_DIVIDE : SL_UNIT_FLOAT;
}

static enum sl_unit x86(const uint8_t *byte, unsigned n)
{
    struct opcode o = opcode_of(byte, n);
    if (o.map == 0 && (o.byte & 0xf8) == 0xd8)
        return x87(o);
    if (o.map == 1 && o.byte == 0x59)
        return SL_UNIT_FLOAT_MULTIPLY;
    if (o.map == 1 && (o.byte == 0x5e || o.byte == 0x51))
        return SL_UNIT_FLOAT_DIVIDE;
    bool fused = (o.byte & 15) >= 6 && o.byte >= 0x96 && o.byte <= 0xbf;
    return o.map == 2 && fused ? SL_UNIT_FLOAT_MULTIPLY : SL_UNIT_FLOAT;
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
