/* SPDX-License-Identifier: MIT */
/* Decoder of the encoding of an x86-64 instruction: prefixes, opcode, ModRM and length.
 *
 *   [legacy prefixes] [REX] opcode                [ModRM [SIB] [disp]] [imm]
 *   [legacy prefixes] [REX] 0F [38|3A] opcode     [ModRM [SIB] [disp]] [imm]
 *                     VEX (2 or 3 bytes) opcode   [ModRM [SIB] [disp]] [imm8]
 *                     EVEX (4 bytes)     opcode   ModRM ...
 *
 * The tap uses all of it; the library, which decodes with Capstone, uses prefixes and opcode to
 * find instructions that Capstone does not know (x86_newer.c) and multiplications (float_unit.c). A
 * header with static functions, because the tap is not linked with the library.
 *
 * Not modelled: the length of EVEX instructions, and XOP. QEMU executes neither. */
#ifndef SL_X86_ENCODING_H
#define SL_X86_ENCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum x86_map { X86_ONE_BYTE, X86_0F, X86_0F38, X86_0F3A, X86_UNKNOWN };

struct x86_shape {
    enum x86_map map;
    uint8_t opcode;
    uint8_t repeat;    /* the last of F2 and F3, also as encoded in VEX; 0: none */
    bool operand_size; /* 66 */
    bool address_size; /* 67 */
    bool lock;
    bool wide; /* REX.W, also as encoded in VEX */
    bool vex, evex;
    bool vex_l; /* VEX: vectors of 256 bits */
    bool rex_r; /* only without VEX */
    bool modrm; /* there is a ModRM byte, with these fields */
    uint8_t mod, reg, rm;
    size_t length; /* of the whole instruction */
};

static inline bool x86_is_register(const struct x86_shape *x)
{
    return x->modrm && x->mod == 3;
}

/* Decodes prefixes and opcode; returns the offset of the next byte. Reads up to 19 bytes of `b`. */
static inline size_t x86_opcode(struct x86_shape *x, const uint8_t *b)
{
    static const uint8_t vex_repeat[4] = {0, 0, 0xf3, 0xf2};
    size_t at = 0;
    for (; at < 14; at++) {
        uint8_t p = b[at];
        if (p == 0x66)
            x->operand_size = true;
        else if (p == 0x67)
            x->address_size = true;
        else if (p == 0xf2 || p == 0xf3)
            x->repeat = p;
        else if (p == 0xf0)
            x->lock = true;
        else if (p != 0x26 && p != 0x2e && p != 0x36 && p != 0x3e && p != 0x64 && p != 0x65)
            break;
    }
    if (b[at] == 0xc5 || b[at] == 0xc4) {
        bool three = b[at] == 0xc4;
        uint8_t last = b[at + 1 + three];
        unsigned map = three ? b[at + 1] & 31u : 1;
        x->vex = true;
        x->map = map > 3 ? X86_UNKNOWN
                 : map   ? (enum x86_map)map
                         : X86_0F; /* 0: none, or truncated */
        x->operand_size = (last & 3) == 1;
        x->repeat = vex_repeat[last & 3];
        x->wide = three && last & 0x80;
        x->vex_l = last & 4;
        at += 2 + three;
    } else if (b[at] == 0x62) {
        unsigned map = b[at + 1] & 7u;
        x->evex = true;
        x->map = map && map <= 3 ? (enum x86_map)map : X86_UNKNOWN;
        at += 4;
    } else {
        if ((b[at] & 0xf0) == 0x40) {
            x->wide = b[at] & 8;
            x->rex_r = b[at++] & 4;
        }
        if (b[at] == 0x0f) {
            at++;
            x->map = b[at] == 0x38 ? X86_0F38 : b[at] == 0x3a ? X86_0F3A : X86_0F;
            at += x->map != X86_0F;
        }
    }
    x->opcode = b[at];
    return at + 1;
}

static inline bool x86_has_modrm(const struct x86_shape *x)
{
    uint8_t op = x->opcode;
    if (x->map == X86_0F)
        return !((op >= 0x05 && op <= 0x0b) || op == 0x0e || (op >= 0x30 && op <= 0x37) ||
                 op == 0x77 || (op & 0xf0) == 0x80 || (op >= 0xa0 && op <= 0xa2) ||
                 (op >= 0xa8 && op <= 0xaa) || (op & 0xf8) == 0xc8);
    if (x->map != X86_ONE_BYTE)
        return true;
    if (op < 0x40)
        return (op & 7) < 4;
    return op == 0x63 || op == 0x69 || op == 0x6b || (op & 0xf0) == 0x80 || (op & 0xfe) == 0xc0 ||
           (op & 0xfe) == 0xc6 || (op & 0xfc) == 0xd0 || (op & 0xf8) == 0xd8 ||
           (op & 0xfe) == 0xf6 || (op & 0xfe) == 0xfe;
}

/* clang-format off */
static inline size_t x86_immediate(const struct x86_shape *x)
{
    uint8_t op = x->opcode;
    size_t full = x->operand_size && !x->wide ? 2 : 4;
    if (x->map == X86_0F3A)
        return 1;
    if (x->map == X86_0F) {
        if (!x->vex && (op & 0xf0) == 0x80)
            return full;
        return op == 0x0f || (op >= 0x70 && op <= 0x73) || op == 0xa4 || op == 0xac || op == 0xba ||
               op == 0xc2 || (op >= 0xc4 && op <= 0xc6);
    }
    if (x->map != X86_ONE_BYTE)
        return 0;
    if (op < 0x40)
        return (op & 7) == 4 ? 1 : (op & 7) == 5 ? full : 0;
    if ((op & 0xf8) == 0xb8)
        return x->wide ? 8 : full;
    switch (op) {
    case 0x6a: case 0x6b: case 0x80: case 0x83: case 0xa8: case 0xc0: case 0xc1: case 0xc6:
    case 0xcd: case 0xeb:
        return 1;
    case 0x68: case 0x69: case 0x81: case 0xa9: case 0xc7: case 0xe8: case 0xe9:
        return full;
    case 0xc2: case 0xca:
        return 2;
    case 0xc8:
        return 3;
    case 0xa0: case 0xa1: case 0xa2: case 0xa3:
        return x->address_size ? 4 : 8;
    case 0xf6:
        return x->reg < 2;
    case 0xf7:
        return x->reg < 2 ? full : 0;
    default:
        return (op & 0xf0) == 0x70 || (op & 0xf8) == 0xb0 || (op & 0xf8) == 0xe0;
    }
}
/* clang-format on */

/* Decodes up to 15 bytes. Missing bytes count as zeros: if length > size, the instruction is
 * truncated and only `length` is meaningful (whatever the missing bytes are, it exceeds `size`). */
static inline struct x86_shape x86_shape(const uint8_t *bytes, size_t size)
{
    uint8_t b[24] = {0};
    for (size_t i = 0; i < size && i < 15; i++)
        b[i] = bytes[i];

    struct x86_shape x = {.map = X86_ONE_BYTE};
    size_t at = x86_opcode(&x, b);
    if (x.map == X86_UNKNOWN || x.evex) {
        x.map = X86_UNKNOWN;
        x.length = size;
        return x;
    }
    x.modrm = x86_has_modrm(&x);
    if (x.modrm) {
        uint8_t modrm = b[at++];
        x.mod = modrm >> 6;
        x.reg = modrm >> 3 & 7;
        x.rm = modrm & 7;
        bool sib = x.mod != 3 && x.rm == 4;
        bool no_base = x.mod == 0 && (sib ? b[at] & 7 : x.rm) == 5;
        at += sib;
        at += x.mod == 1 ? 1 : x.mod == 2 || no_base ? 4 : 0;
    }
    x.length = at + x86_immediate(&x);
    return x;
}

#endif
