/* SPDX-License-Identifier: MIT */
/* x86-64 instructions on which versions of Capstone differ, found by their encoding (Intel 64 and
 * IA-32 Architectures Software Developer's Manual, volume 2, appendix A).
 *
 *   prefixes  REX  [0f [38 | 3a]]  opcode  modrm ...
 *   c5 | c4: VEX, which contains map, prefix, W and L
 *
 * Instructions that some version lacks have class `other` with all versions: extensions since 2017,
 * and forms that no compiler emits (undocumented x87 forms, 16-bit near branches). AVX-512 (EVEX)
 * is left to Capstone, because QEMU does not execute it, except its mask moves, which have VEX
 * encodings. */
#include "capstone_decode.h"

struct encoding {
    bool vex, operand_size, rep, repne, rex_w, rex_r, wide; /* wide: 256 bits */
    unsigned map;                                           /* 0, then 1: 0f, 2: 0f38, 3: 0f3a */
    unsigned opcode, modrm;
};

static bool is_prefix(uint8_t byte)
{
    return byte == 0x66 || byte == 0x67 || byte == 0xf0 || byte == 0xf2 || byte == 0xf3 ||
           byte >> 1 == 0x64 >> 1 || (byte & 0xe7) == 0x26;
}

static void set_prefix(struct encoding *e, uint8_t byte)
{
    e->operand_size = e->operand_size || byte == 0x66;
    e->repne = e->repne || byte == 0xf2;
    e->rep = e->rep || byte == 0xf3;
}

/* `bytes` has 16 bytes, padded with zeros. */
static struct encoding split(const uint8_t *bytes)
{
    static const uint8_t prefix[] = {0, 0x66, 0xf3, 0xf2};
    struct encoding e = {0};
    unsigned at = 0;
    for (; at < 14 && is_prefix(bytes[at]); at++)
        set_prefix(&e, bytes[at]);
    if (bytes[at] >> 1 == 0xc4 >> 1) {
        const uint8_t *last = bytes + at + (bytes[at] == 0xc4 ? 2 : 1);
        e.vex = true;
        e.map = bytes[at] == 0xc4 ? bytes[at + 1] & 31 : 1;
        e.rex_w = bytes[at] == 0xc4 && *last >> 7;
        e.wide = *last >> 2 & 1;
        set_prefix(&e, prefix[*last & 3]);
        at = (unsigned)(last - bytes) + 1;
    } else {
        if (bytes[at] >> 4 == 4) {
            e.rex_w = bytes[at] >> 3 & 1;
            e.rex_r = bytes[at++] >> 2 & 1;
        }
        if (bytes[at] == 0x0f) {
            unsigned second = bytes[++at];
            e.map = second == 0x38 ? 2 : second == 0x3a ? 3 : 1;
            at += e.map > 1;
        }
    }
    e.opcode = bytes[at];
    e.modrm = bytes[at + 1];
    return e;
}

static bool is_newer_vex(const struct encoding *e)
{
    unsigned o = e->opcode;
    switch (e->map) {
    case 1: /* masks */
        return (o >= 0x41 && o <= 0x4b) || (o >= 0x90 && o <= 0x99);
    case 2: /* gf2p8mulb; aes of 256 bits */
        return o == 0xcf || (o >= 0xdc && o <= 0xdf && e->wide);
    case 3: /* masks; gf2p8affine; pclmul of 256 bits */
        return (o >= 0x30 && o <= 0x33) || o >> 1 == 0xce >> 1 || (o == 0x44 && e->wide);
    }
    return false;
}

/* One byte of opcode: movsxd of 32 bits, segments with REX.R, x87, near branches. */
static bool is_odd(const struct encoding *e)
{
    unsigned o = e->opcode, m = e->modrm;
    bool near = o >> 1 == 0xe8 >> 1 && e->operand_size && !e->rex_w;
    bool segment = (o == 0x8c || o == 0x8e) && e->rex_r;
    bool float_alias = (o == 0xdc && m >= 0xd0 && m < 0xe0) ||
                       (o == 0xdd && m >= 0xc8 && m < 0xd0) ||
                       (o == 0xde && m >= 0xd0 && m < 0xd8) || (o == 0xdf && m >= 0xc8 && m < 0xe0);
    return (o == 0x63 && !e->rex_w) || segment || near || float_alias;
}

/* clang-format off */
static bool is_newer_0f(const struct encoding *e)
{
    unsigned o = e->opcode, m = e->modrm, n = m >> 3 & 7;
    bool reg = m >= 0xc0, prefix = e->operand_size || e->rep || e->repne;
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
        return reg && n == 7 && e->rep;
    case 0xff: /* ud0 */
        return true;
    }
    return o >> 4 == 8 && e->operand_size && !e->rex_w;
}
/* clang-format on */

struct sl_x86_compare sl_x86_compare(const uint8_t *bytes)
{
    struct encoding e = split(bytes);
    uint8_t width = e.rep ? 4 : e.repne ? 8 : e.wide ? 32 : 16;
    return (struct sl_x86_compare){e.map == 1 && e.opcode == 0xc2, e.vex, e.rep || e.repne, width};
}

bool sl_x86_newer(const uint8_t *bytes)
{
    struct encoding e = split(bytes);
    if (e.vex)
        return is_newer_vex(&e);
    switch (e.map) {
    case 0:
        return is_odd(&e);
    case 1:
        return is_newer_0f(&e);
    case 2: /* gf2p8mulb, wruss, wrss, movdir64b, movdiri */
        return e.opcode == 0xcf || e.opcode == 0xf5 ||
               (e.opcode == 0xf6 && !e.operand_size && !e.rep) || e.opcode == 0xf8 ||
               e.opcode == 0xf9;
    default: /* gf2p8affine */
        return e.opcode >> 1 == 0xce >> 1;
    }
}
