/* SPDX-License-Identifier: MIT */
/* Recognizes, by their encodings, the x86-64 instructions that Capstone 4 and Capstone 5 decode
 * differently (x86_encoding.h). The encodings are from the Intel 64 and IA-32 Architectures
 * Software Developer's Manual, volume 2, appendix A.
 *
 * An instruction that some version of Capstone lacks has class `other` with all versions:
 * extensions since 2017, and forms that no compiler emits (undocumented x87 forms, 16-bit near
 * branches). AVX-512 (EVEX) is left to Capstone, because QEMU does not execute it, except its mask
 * moves, which have VEX encodings. */
#include "capstone_decode.h"
#include "x86_encoding.h"

static unsigned modrm_of(const struct x86_shape *x)
{
    return (unsigned)x->mod << 6 | (unsigned)x->reg << 3 | x->rm;
}

static bool is_newer_vex(const struct x86_shape *x)
{
    unsigned o = x->opcode;
    switch (x->map) {
    case X86_0F: /* masks */
        return (o >= 0x41 && o <= 0x4b) || (o >= 0x90 && o <= 0x99);
    case X86_0F38: /* gf2p8mulb; aes of 256 bits */
        return o == 0xcf || (o >= 0xdc && o <= 0xdf && x->vex_l);
    case X86_0F3A: /* masks; gf2p8affine; pclmul of 256 bits */
        return (o >= 0x30 && o <= 0x33) || o >> 1 == 0xce >> 1 || (o == 0x44 && x->vex_l);
    default:
        return false;
    }
}

/* One byte of opcode: movsxd of 32 bits, segments with REX.R, x87, near branches. */
static bool is_odd(const struct x86_shape *x)
{
    unsigned o = x->opcode, m = modrm_of(x);
    bool near = o >> 1 == 0xe8 >> 1 && x->operand_size && !x->wide;
    bool segment = (o == 0x8c || o == 0x8e) && x->rex_r;
    bool float_alias = (o == 0xdc && m >= 0xd0 && m < 0xe0) ||
                       (o == 0xdd && m >= 0xc8 && m < 0xd0) ||
                       (o == 0xde && m >= 0xd0 && m < 0xd8) || (o == 0xdf && m >= 0xc8 && m < 0xe0);
    return (o == 0x63 && !x->wide) || segment || near || float_alias;
}

/* clang-format off */
static bool is_newer_0f(const struct x86_shape *x)
{
    unsigned o = x->opcode, m = modrm_of(x), n = x->reg;
    bool reg = m >= 0xc0, prefix = x->operand_size || x->repeat;
    switch (o) {
    case 0x01: /* rdpkru, wrpkru */
        return m == 0xee || m == 0xef;
    case 0x0d: /* prefetches */
        return n > 1 || prefix;
    case 0x1a: case 0x1b: case 0x1c: case 0x1f: /* MPX, cldemote: nops to QEMU */
        return reg || o != 0x1f;
    case 0x1e: /* rdssp; endbr64 and endbr32 are known */
        return reg && m != 0xfa && m != 0xfb;
    case 0x78: case 0x79: /* SSE4a */
        return true;
    case 0xae: /* ptwrite, incssp, tpause, umwait, umonitor */
        return (n == 4 && prefix) || (reg && n > 4 && prefix);
    case 0xc7: /* rdpid, senduipi */
        return reg && n == 7 && x->repeat == 0xf3;
    case 0xff: /* ud0 */
        return true;
    }
    return o >> 4 == 8 && x->operand_size && !x->wide;
}
/* clang-format on */

struct sl_x86_compare sl_x86_compare(const uint8_t *bytes)
{
    struct x86_shape x = x86_shape(bytes, 15);
    uint8_t width = x.repeat == 0xf3 ? 4 : x.repeat == 0xf2 ? 8 : x.vex_l ? 32 : 16;
    return (struct sl_x86_compare){x.map == X86_0F && x.opcode == 0xc2, x.vex, x.repeat != 0,
                                   width};
}

bool sl_x86_newer(const uint8_t *bytes)
{
    struct x86_shape x = x86_shape(bytes, 15);
    if (x.vex)
        return is_newer_vex(&x);
    switch (x.map) {
    case X86_ONE_BYTE:
        return is_odd(&x);
    case X86_0F:
        return is_newer_0f(&x);
    case X86_0F38: /* gf2p8mulb, wruss, wrss, movdir64b, movdiri */
        return x.opcode == 0xcf || x.opcode == 0xf5 ||
               (x.opcode == 0xf6 && !x.operand_size && x.repeat != 0xf3) || x.opcode == 0xf8 ||
               x.opcode == 0xf9;
    case X86_0F3A: /* gf2p8affine */
        return x.opcode >> 1 == 0xce >> 1;
    default: /* EVEX */
        return false;
    }
}
