/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determines which loads an x86-64 instruction makes each time it is executed (loads.h).
 *
 * One function per opcode map and kind of operand:
 *
 *              ModRM names memory   ModRM names a register, or no ModRM
 *   one byte   memory               plain
 *   0F         memory_0f            plain_0f
 *   0F 38, 3A  memory_0f38          no load
 *
 * Always unknown: instructions with a lock prefix or with 32-bit addresses (67), and bytes whose
 * number is not the length of the instruction. A VEX prefix is translated to F2, F3, 66 and REX.W
 * (x86_encoding.h). The library decodes x86-64 with Capstone (src/code/isa/x86.c). */
#include "loads.h"

#include "x86_encoding.h"

static int word(const struct x86_shape *x)
{
    return x->wide ? 8 : x->operand_size ? 2 : 4;
}

/* Stack operands are never 4 bytes wide. */
static int stack_word(const struct x86_shape *x)
{
    return x->operand_size && !x->wide ? 2 : 8;
}

/* General operand of instructions that ignore prefix 66. */
static int long_word(const struct x86_shape *x)
{
    return x->wide ? 8 : 4;
}

/* Scalar floating point: F3 is single, F2 double; packed is unknown. */
static int scalar(const struct x86_shape *x)
{
    return x->repeat == 0xf3 ? 4 : x->repeat == 0xf2 ? 8 : LOADS_UNKNOWN;
}

/* clang-format off */
static int memory(const struct x86_shape *x)
{
    uint8_t op = x->opcode;
    int size = op & 1 ? word(x) : 1;
    if (op < 0x40) { /* add or adc sbb and sub xor cmp */
        bool to_memory = !(op & 2), compare = op >= 0x38;
        return to_memory && !compare ? size | LOADS_THEN_STORES : size;
    }
    switch (op) {
    case 0x63: /* movslq */
        return 4;
    case 0x69: case 0x6b: /* imul */
        return word(x);
    case 0x80: case 0x81: case 0x83: /* add ... cmp with an immediate */
        return x->reg == 7 ? size : size | LOADS_THEN_STORES;
    case 0x84: case 0x85: case 0x8a: case 0x8b: /* test, mov */
        return size;
    case 0x88: case 0x89: case 0x8c: case 0x8d: /* mov to memory, lea */
        return 0;
    case 0xc6: case 0xc7: /* mov immediate */
        return x->reg == 0 ? 0 : LOADS_UNKNOWN;
    case 0xc0: case 0xc1: case 0xd0: case 0xd1: case 0xd2: case 0xd3: /* shifts */
        return size | LOADS_THEN_STORES;
    case 0xf6: case 0xf7: /* test, none, not, neg, mul, imul, div, idiv */
        return x->reg == 1                  ? LOADS_UNKNOWN
               : x->reg == 2 || x->reg == 3 ? size | LOADS_THEN_STORES
                                            : size;
    case 0xfe: case 0xff:
        if (x->reg < 2) /* inc, dec */
            return size | LOADS_THEN_STORES;
        if (op == 0xfe)
            return LOADS_UNKNOWN;
        return x->reg == 4   ? 8                                     /* jmp */
               : x->reg == 2 ? 8 | LOADS_THEN_STORES                 /* call */
               : x->reg == 6 ? stack_word(x) | LOADS_THEN_STORES     /* push */
                             : LOADS_UNKNOWN;
    default:
        return LOADS_UNKNOWN;
    }
}

static int plain(const struct x86_shape *x)
{
    uint8_t op = x->opcode;
    if (x->modrm) {
        bool odd = op == 0x82 || op == 0x8e || op == 0x8f || ((op & 0xfe) == 0xc6 && x->reg);
        return odd ? LOADS_UNKNOWN : 0;
    }
    if (op < 0x40) /* add ... cmp to the accumulator */
        return (op & 6) == 4 ? 0 : LOADS_UNKNOWN;
    switch (op) {
    case 0xa0: case 0xa1: /* mov from a 64-bit address */
        return op & 1 ? word(x) : 1;
    case 0xc2: case 0xc3: case 0xc9: /* ret, leave */
        return stack_word(x);
    case 0x68: case 0x6a: case 0x98: case 0x99: /* push, cwde, cdq */
    case 0xa2: case 0xa3: case 0xa8: case 0xa9: /* mov to an address, test */
    case 0xaa: case 0xab:                       /* stos, rep stos */
    case 0xe8: case 0xe9: case 0xeb:            /* call, jmp */
    case 0xf5: case 0xf8: case 0xf9: case 0xfc: case 0xfd:
        return 0;
    default:
        break;
    }
    if ((op & 0xf8) == 0x58) /* pop */
        return stack_word(x);
    /* push, xchg and nop, jcc, mov immediate, loop */
    return (op & 0xf8) == 0x50 || (op & 0xf8) == 0x90 || (op & 0xf0) == 0x70 || (op & 0xf0) == 0xb0 ||
                   (op & 0xfc) == 0xe0
               ? 0
               : LOADS_UNKNOWN;
}

/* Instructions that also have a VEX form. */
static int memory_0f_vector(const struct x86_shape *x)
{
    switch (x->opcode) {
    case 0x11: case 0x13: case 0x17: case 0x29: case 0x2b: case 0x7f: /* mov* to memory */
    case 0xd6: case 0xe7:
        return 0;
    case 0x7e: /* movq from memory, movd and movq to it */
        return x->repeat == 0xf3 ? 8 : 0;
    case 0x10: case 0x2c: case 0x2d: case 0x51: case 0x58: case 0x59: case 0x5a: case 0x5c:
    case 0x5d: case 0x5e: case 0x5f: case 0xc2:
        return scalar(x);
    case 0x12: case 0x16: /* movlp*, movhp* */
        return x->repeat ? LOADS_UNKNOWN : 8;
    case 0x2a: /* cvtsi2s* */
        return x->repeat ? long_word(x) : LOADS_UNKNOWN;
    case 0x2e: case 0x2f: /* ucomis*, comis* */
        return x->repeat ? LOADS_UNKNOWN : x->operand_size ? 8 : 4;
    case 0x6e: /* movd, movq */
        return x->repeat ? LOADS_UNKNOWN : long_word(x);
    default:
        return LOADS_UNKNOWN;
    }
}

static int memory_0f(const struct x86_shape *x)
{
    int vector = memory_0f_vector(x);
    if (vector != LOADS_UNKNOWN || x->vex)
        return vector;
    switch (x->opcode) {
    case 0x0d: case 0x18: case 0x19: case 0x1c: case 0x1d: case 0x1e: case 0x1f: /* prefetch, nop */
    case 0xc3:                                                                   /* movnti */
        return 0;
    case 0xaf: case 0xbc: case 0xbd: /* imul, bsf and tzcnt, bsr and lzcnt */
        return word(x);
    case 0xb8: /* popcnt */
        return x->repeat == 0xf3 ? word(x) : LOADS_UNKNOWN;
    case 0xb6: case 0xbe: /* movzb, movsb */
        return 1;
    case 0xb7: case 0xbf: /* movzw, movsw */
        return 2;
    case 0xba: /* none, bt with an immediate; bts, btr, btc */
        return x->reg < 4 ? LOADS_UNKNOWN : x->reg == 4 ? word(x) : word(x) | LOADS_THEN_STORES;
    default:
        if ((x->opcode & 0xf0) == 0x40) /* cmov, whether it moves or not */
            return word(x);
        return (x->opcode & 0xf0) == 0x90 ? 0 : LOADS_UNKNOWN; /* set */
    }
}

static int plain_0f(const struct x86_shape *x)
{
    uint8_t op = x->opcode;
    if (x->modrm) {
        bool odd = op < 0x10 || op == 0x1a || op == 0x1b || (op & 0xf8) == 0x20 || op == 0xae ||
                   op == 0xc7 || op == 0xf7 || op == 0xff;
        return odd ? LOADS_UNKNOWN : 0;
    }
    switch (op) {
    case 0x05: case 0x0b: case 0x31: case 0x77: /* syscall, ud2, rdtsc, emms and vzeroupper */
    case 0xa0: case 0xa2: case 0xa8:            /* push %fs, cpuid, push %gs */
        return 0;
    default: /* jcc, bswap */
        return (op & 0xf0) == 0x80 || (op & 0xf8) == 0xc8 ? 0 : LOADS_UNKNOWN;
    }
}
/* clang-format on */

/* Of the three-byte opcodes, only those on general registers are certain. */
static int memory_0f38(const struct x86_shape *x)
{
    uint8_t op = x->opcode;
    if (!x->vex)
        return LOADS_UNKNOWN;
    if (x->map == X86_0F3A)
        return op == 0xf0 ? long_word(x) : LOADS_UNKNOWN; /* rorx */
    /* andn; blsr, blsmsk, blsi; bzhi, pext, pdep; mulx; bextr, shlx, sarx, shrx */
    return op == 0xf2 || op == 0xf3 || op == 0xf5 || op == 0xf6 || op == 0xf7 ? long_word(x)
                                                                              : LOADS_UNKNOWN;
}

int loads_x86(const uint8_t *bytes, size_t size)
{
    struct x86_shape x = x86_shape(bytes, size);
    if (x.lock || x.length != size || x.map == X86_UNKNOWN || x.address_size)
        return LOADS_UNKNOWN;
    bool to_memory = x.modrm && !x86_is_register(&x);
    switch (x.map) {
    case X86_ONE_BYTE:
        return to_memory ? memory(&x) : plain(&x);
    case X86_0F:
        return to_memory ? memory_0f(&x) : plain_0f(&x);
    default:
        return to_memory ? memory_0f38(&x) : 0;
    }
}
