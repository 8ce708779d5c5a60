/* What instructions load: see loads.h.
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * To answer "unknown" costs time, to answer wrongly gives wrong values (a test
 * compares whole programs with every answer made "unknown"). So instructions
 * that QEMU makes in several accesses, in helper functions or atomically are
 * unknown: pairs, vectors, x87, string and locked instructions. */
#include "loads.h"

#include <stdbool.h>
#include <string.h>

#include "guest_x86.h"

/* ---- x86-64 -------------------------------------------------------------- */

static int x86_word(const struct x86_shape *x)
{
    return x->wide ? 8 : x->operand_size ? 2 : 4;
}

/* Scalar floating point: F3 is single, F2 double; packed is unknown. */
static int x86_scalar(const struct x86_shape *x)
{
    return x->repeat == 0xf3 ? 4 : x->repeat == 0xf2 ? 8 : LOADS_UNKNOWN;
}

/* With a memory operand, map 0F. */
static int x86_0f_memory(const struct x86_shape *x)
{
    int word = x86_word(x);
    switch (x->opcode) {
    case 0x0d: case 0x18: case 0x19: case 0x1a: case 0x1b: case 0x1c: case 0x1d: case 0x1e:
    case 0x1f:                                          /* prefetch, nop */
    case 0x13: case 0x17: case 0x2b: case 0xc3: case 0xe7: case 0xd6: /* mov* to memory */
        return x->vex ? LOADS_UNKNOWN : 0;
    case 0x11: case 0x29: case 0x7f:
        return 0;
    case 0x7e:
        return x->repeat == 0xf3 ? 8 : 0;
    case 0x10: case 0x2c: case 0x2d: case 0x51: case 0x58: case 0x59: case 0x5a: case 0x5c:
    case 0x5d: case 0x5e: case 0x5f:
        return x86_scalar(x);
    case 0x12: case 0x16:
        return x->repeat ? LOADS_UNKNOWN : 8; /* movlp*, movhp* */
    case 0x2a:
        return x->repeat && !x->vex ? (x->wide ? 8 : 4) : LOADS_UNKNOWN;
    case 0x2e: case 0x2f:
        return x->operand_size ? 8 : 4;
    case 0x6e:
        return x->vex ? LOADS_UNKNOWN : x->wide ? 8 : 4;
    default:
        break;
    }
    if (x->vex)
        return LOADS_UNKNOWN;
    switch (x->opcode) {
    case 0xaf: case 0xb8: case 0xbc: case 0xbd: /* imul, popcnt, bsf, bsr */
        return word;
    case 0xb6: case 0xbe:
        return 1;
    case 0xb7: case 0xbf:
        return 2;
    case 0xba: /* bt with an immediate; bts, btr, btc */
        return x->reg < 4 ? LOADS_UNKNOWN : x->reg == 4 ? word : word | LOADS_THEN_STORES;
    default:
        break;
    }
    if ((x->opcode & 0xf0) == 0x40) /* cmov: QEMU loads in any case */
        return word;
    if ((x->opcode & 0xf0) == 0x90) /* set */
        return 0;
    return LOADS_UNKNOWN;
}

/* Without a memory operand, map 0F. */
static int x86_0f_bare(const struct x86_shape *x)
{
    uint8_t op = x->opcode;
    if (x->modrm)
        return op == 0x01 || op == 0xae || op == 0xc7 || op == 0xf7 ? LOADS_UNKNOWN : 0;
    return (op & 0xf0) == 0x80 || (op & 0xf8) == 0xc8 || op == 0x05 || op == 0x0b || op == 0x31 ||
                   op == 0xa2 ? 0 : LOADS_UNKNOWN;
}

/* With a memory operand, one-byte opcodes. */
static int x86_memory(const struct x86_shape *x)
{
    uint8_t op = x->opcode;
    int size = op & 1 ? x86_word(x) : 1;
    if (op < 0x40) { /* add or adc sbb and sub xor cmp */
        bool to_memory = !(op & 2), compare = op >= 0x38;
        return to_memory && !compare ? size | LOADS_THEN_STORES : size;
    }
    switch (op) {
    case 0x63:
        return 4;
    case 0x69: case 0x6b:
        return x86_word(x);
    case 0x80: case 0x81: case 0x83:
        return x->reg == 7 ? size : size | LOADS_THEN_STORES;
    case 0x84: case 0x85: case 0x8a: case 0x8b:
        return size;
    case 0x88: case 0x89: case 0x8d: case 0xc6: case 0xc7:
        return 0;
    case 0xc0: case 0xc1: case 0xd0: case 0xd1: case 0xd2: case 0xd3:
        return size | LOADS_THEN_STORES;
    case 0xf6: case 0xf7:
        return x->reg == 2 || x->reg == 3 ? size | LOADS_THEN_STORES : size;
    case 0xfe:
        return x->reg < 2 ? size | LOADS_THEN_STORES : LOADS_UNKNOWN;
    case 0xff:
        return x->reg < 2    ? size | LOADS_THEN_STORES
               : x->reg == 4 ? 8                         /* jmp */
               : x->reg == 2 || (x->reg == 6 && !x->operand_size)
                   ? 8 | LOADS_THEN_STORES               /* call, push */
                   : LOADS_UNKNOWN;
    default:
        return LOADS_UNKNOWN;
    }
}

/* Without a memory operand, one-byte opcodes. */
static int x86_bare(const struct x86_shape *x)
{
    uint8_t op = x->opcode;
    if (x->modrm)
        return op == 0x8e ? LOADS_UNKNOWN : 0;
    if ((op & 0xf8) == 0x58) /* pop */
        return x->operand_size ? 2 : 8;
    if (op == 0xc3 || op == 0xc2 || op == 0xc9) /* ret, leave */
        return 8;
    if (op < 0x40)
        return (op & 7) == 4 || (op & 7) == 5 ? 0 : LOADS_UNKNOWN;
    switch (op) {
    case 0x68: case 0x6a: case 0xa8: case 0xa9: case 0xaa: case 0xab: case 0xe8: case 0xe9: case 0xeb:
    case 0xf8: case 0xf9: case 0xfc: case 0xfd:
        return 0;
    default: /* push, jcc, xchg and nop, cwd, mov immediate, loop */
        return (op & 0xf8) == 0x50 || (op & 0xf0) == 0x70 || (op & 0xf8) == 0x90 || op == 0x98 ||
                       op == 0x99 || (op & 0xf0) == 0xb0 || (op & 0xfc) == 0xe0 ? 0 : LOADS_UNKNOWN;
    }
}

static int x86_loads(const uint8_t *bytes, size_t size)
{
    struct x86_shape x = x86_shape(bytes, size);
    if (x.lock || x.length != size || x.map == X86_UNKNOWN || x.address_size)
        return LOADS_UNKNOWN;
    bool memory = x.modrm && !x86_is_register(&x);
    if (x.map == X86_ONE_BYTE)
        return memory ? x86_memory(&x) : x86_bare(&x);
    if (x.map == X86_0F)
        return memory ? x86_0f_memory(&x) : x86_0f_bare(&x);
    return memory ? LOADS_UNKNOWN : 0;
}

/* ---- RISC-V -------------------------------------------------------------- */

static uint32_t word_of(const uint8_t *b, bool big_endian)
{
    return big_endian ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]
                      : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

/* Compressed loads by quadrant and function; quadrant 0 and 2 alike. */
static int riscv_compressed(uint32_t half, bool wide)
{
    unsigned quadrant = half & 3, function = half >> 13;
    if (quadrant == 1)
        return 0;
    switch (function) {
    case 1: /* c.fld */
        return 8;
    case 2: /* c.lw */
        return 4;
    case 3: /* c.ld, on 32 bits c.flw */
        return wide ? 8 : 4;
    case 4: /* in quadrant 0, Zcb has small loads here */
        return quadrant == 0 ? LOADS_UNKNOWN : 0;
    case 5: /* in quadrant 2, Zcmp pops several registers */
        return quadrant == 2 ? LOADS_UNKNOWN : 0;
    default:
        return 0;
    }
}

static int riscv_loads(const uint8_t *bytes, size_t size, bool wide)
{
    if (size == 2)
        return riscv_compressed((uint32_t)bytes[1] << 8 | bytes[0], wide);
    if (size != 4)
        return LOADS_UNKNOWN;
    uint32_t word = word_of(bytes, false);
    unsigned opcode = word & 127, function = word >> 12 & 7;
    if (opcode == 0x03)
        return function == 7 ? LOADS_UNKNOWN : 1 << (function & 3);
    if (opcode == 0x07)
        return function == 2 ? 4 : function == 3 ? 8 : LOADS_UNKNOWN;
    bool plain = opcode == 0x13 || opcode == 0x1b || opcode == 0x33 || opcode == 0x3b ||
                 opcode == 0x17 || opcode == 0x37 || opcode == 0x63 || opcode == 0x67 ||
                 opcode == 0x6f || opcode == 0x23 || opcode == 0x53 || opcode == 0x73 ||
                 (opcode & 0x73) == 0x43 || opcode == 0x0f;
    return plain ? 0 : LOADS_UNKNOWN;
}

static int riscv64_loads(const uint8_t *bytes, size_t size)
{
    return riscv_loads(bytes, size, true);
}

static int riscv32_loads(const uint8_t *bytes, size_t size)
{
    return riscv_loads(bytes, size, false);
}

/* ---- MIPS ---------------------------------------------------------------- */

static int mips_loads(const uint8_t *bytes, size_t size, bool big_endian)
{
    if (size != 4)
        return LOADS_UNKNOWN;
    unsigned opcode = word_of(bytes, big_endian) >> 26;
    switch (opcode) {
    case 0x20: case 0x24:
        return 1;
    case 0x21: case 0x25:
        return 2;
    case 0x23: case 0x31: /* lw, lwc1 */
        return 4;
    case 0x35: /* ldc1 */
        return 8;
    case 0x28: case 0x29: case 0x2b: case 0x39: case 0x3d: case 0x33: /* stores, pref */
        return 0;
    default: /* arithmetic, branches, coprocessor 0 and 1 */
        return opcode < 0x12 || (opcode >= 0x14 && opcode <= 0x17) || opcode == 0x1c ? 0
                                                                                     : LOADS_UNKNOWN;
    }
}

static int mipsel_loads(const uint8_t *bytes, size_t size)
{
    return mips_loads(bytes, size, false);
}

static int mipsbe_loads(const uint8_t *bytes, size_t size)
{
    return mips_loads(bytes, size, true);
}

/* ---- AArch64 ------------------------------------------------------------- */

static int aarch64_loads(const uint8_t *bytes, size_t size)
{
    if (size != 4)
        return LOADS_UNKNOWN;
    uint32_t word = word_of(bytes, false);
    unsigned group = word >> 25 & 15, log2 = word >> 30, opc = word >> 22 & 3;
    bool vector = word >> 26 & 1;
    if ((group & 5) != 4) /* branches, arithmetic, floating point; SVE is not known */
        return group == 2 || group < 2 ? LOADS_UNKNOWN : 0;
    if ((word & 0x3b000000) == 0x18000000) /* ldr literal, prfm */
        return vector ? (log2 == 2 ? LOADS_UNKNOWN : log2 ? 8 : 4) : log2 == 3 ? 0 : log2 == 1 ? 8 : 4;
    if ((word & 0x3a000000) == 0x28000000) /* pairs */
        return word >> 22 & 1 ? LOADS_UNKNOWN : 0;
    if ((word & 0x3a000000) != 0x38000000)
        return LOADS_UNKNOWN;
    bool immediate = word >> 24 & 1, extended = word >> 21 & 1;
    if (!immediate && extended && (word >> 10 & 3) != 2)
        return LOADS_UNKNOWN; /* atomics, authenticated loads */
    if (vector)
        return opc & 2 ? (opc == 2 ? 0 : LOADS_UNKNOWN) : opc ? 1 << log2 : 0;
    return opc == 0 ? 0 : log2 == 3 && opc == 2 ? 0 : 1 << log2;
}

loads_of loads_find(const char *target_name)
{
    static const struct {
        const char *target_name;
        loads_of loads;
    } guests[] = {
        {"x86_64", x86_loads},        {"aarch64", aarch64_loads}, {"riscv64", riscv64_loads},
        {"riscv32", riscv32_loads},   {"mipsel", mipsel_loads},   {"mips", mipsbe_loads},
    };
    for (size_t i = 0; i < sizeof guests / sizeof *guests; i++)
        if (!strcmp(guests[i].target_name, target_name))
            return guests[i].loads;
    return NULL;
}
