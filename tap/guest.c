/* What the tap has to know of each guest: see guest.h.
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * never_loads: a callback on an instruction costs a call for every store, and
 * two writes for every instruction that QEMU executes in a helper function
 * (most floating point), so both are left out where it is certain. To say "may
 * load" costs time, to say "never loads" wrongly costs events: in doubt false.
 *
 * Not modelled: MIPS16 and microMIPS, which cannot be told from MIPS by the
 * bytes alone. */
#include "guest.h"

#include <string.h>

#include "guest_x86.h"
#include "sluice-mark.h"
#include "statics.h"

static uint32_t little32(const uint8_t *b)
{
    return (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

static uint32_t big32(const uint8_t *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* `instruction` without its immediate, and where that is. */
static int mark_of(uint32_t instruction, uint32_t form, unsigned shift)
{
    if (instruction == (form | (uint32_t)SLUICE_MARK_BEGIN << shift))
        return SL_MARK_BEGIN;
    if (instruction == (form | (uint32_t)SLUICE_MARK_END << shift))
        return SL_MARK_END;
    return SL_MARK_NONE;
}

/* x86-64 */

static bool x86_whole(const uint8_t *bytes, size_t size)
{
    return x86_shape(bytes, size).length <= size;
}

static bool x86_0f_never_loads(const struct x86_shape *x)
{
    uint8_t op = x->opcode;
    switch (op) {
    case 0x11: case 0x13: case 0x17: case 0x29: case 0x2b: case 0x7f: /* mov* to memory */
    case 0xc3: case 0xe7:                                             /* movnt* */
        return true;
    case 0x7e: case 0xd6: /* movd, movq to memory; with F3, from it */
        return !x->repeat || x86_is_register(x);
    default:
        break;
    }
    if ((op & 0xf0) == 0x90) /* set* */
        return !x->vex;
    bool vector = (op >= 0x10 && op < 0x18) || (op >= 0x28 && op < 0x30) || (op >= 0x50 && op < 0x80) ||
                  op == 0xc2 || (op >= 0xc4 && op < 0xc7) || (op >= 0xd0 && op != 0xf7 && op != 0xff);
    return vector && x86_is_register(x);
}

static bool x86_never_loads(const uint8_t *bytes, size_t size)
{
    struct x86_shape x = x86_shape(bytes, size);
    if (x.lock || x.length != size)
        return false;
    if (x.map == X86_0F)
        return x86_0f_never_loads(&x);
    if (x.map != X86_ONE_BYTE)
        return x.map != X86_UNKNOWN && x86_is_register(&x);
    switch (x.opcode) {
    case 0x88: case 0x89: case 0xa2: case 0xa3: /* mov from register */
    case 0x8d:                                  /* lea */
    case 0x68: case 0x6a:                       /* push immediate */
    case 0xaa: case 0xab:                       /* stos, rep stos */
    case 0xe8:                                  /* call */
        return true;
    case 0xc6: case 0xc7: /* mov immediate */
        return x.reg == 0;
    case 0xff: /* inc, dec, call, jmp, push */
        return x86_is_register(&x);
    default:
        return (x.opcode & 0xf8) == 0x50; /* push */
    }
}

static int x86_mark(const uint8_t *bytes, size_t size)
{
    static const uint8_t nopl[3] = {0x0f, 0x1f, 0x80};
    return size == 7 && memcmp(bytes, nopl, 3) == 0 ? mark_of(little32(bytes + 3), 0, 0)
                                                    : SL_MARK_NONE;
}

/* AArch64 */

static bool aarch64_never_loads(const uint8_t *bytes, size_t size)
{
    if (size != 4)
        return false;
    uint32_t i = little32(bytes);
    bool vector = i >> 26 & 1;

    if ((i & 0x0e000000) == 0x0e000000) /* arithmetic on vector registers */
        return true;
    if ((i & 0xffffffe0) == 0xd50b7420) /* dc zva */
        return true;
    if ((i & 0x3ffffc00) == 0x089ffc00) /* stlr */
        return true;
    if ((i & 0xbe400000) == 0x0c000000) /* st1 ... st4 */
        return true;
    if ((i & 0x3a000000) == 0x28000000) /* ldp, stp, ldnp, stnp */
        return i >> 30 != 3 && !(i >> 22 & 1);
    if ((i & 0x3a000000) != 0x38000000)
        return false;
    /* One register: immediate, or bit 21 with 2 in bits 10 and 11 for an index;
     * the others with bit 21 are atomic. */
    if (!(i >> 24 & 1) && (i >> 21 & 1) && (i >> 10 & 3) != 2)
        return false;
    unsigned opc = i >> 22 & 3;
    return opc == 0 || (vector && opc == 2 && i >> 30 == 0);
}

static int aarch64_mark(const uint8_t *bytes, size_t size)
{
    return size == 4 ? mark_of(little32(bytes), 0xd280001f, 5) : SL_MARK_NONE;
}

/* RISC-V, 32 and 64 bits: what is c.sd in one is c.fsw in the other. */

static bool riscv_never_loads(const uint8_t *bytes, size_t size)
{
    if (size == 2) {
        unsigned column = bytes[0] & 3, row = bytes[1] >> 5;
        /* Not c.fsdsp (column 2, row 5): Zcmp has its pops there. */
        return (column == 0 && row >= 5) || (column == 2 && row >= 6);
    }
    if (size != 4)
        return false;
    uint32_t i = little32(bytes);
    unsigned width = i >> 12 & 7;
    switch (i & 0x7f) {
    case 0x23: /* sb, sh, sw, sd */
        return width <= 3;
    case 0x27: /* fsh, fsw, fsd, fsq */
        return width >= 1 && width <= 4;
    case 0x43: case 0x47: case 0x4b: case 0x4f: case 0x53: /* floating point */
        return true;
    default:
        return false;
    }
}

static int riscv_mark(const uint8_t *bytes, size_t size)
{
    return size == 4 ? mark_of(little32(bytes), 0x00002013, 20) : SL_MARK_NONE;
}

/* MIPS */

static bool mips_word_never_loads(uint32_t i)
{
    switch (i >> 26) {
    case 0x28: case 0x29: case 0x2a: case 0x2b: case 0x2e: /* sb sh swl sw swr */
    case 0x39: case 0x3d:                                  /* swc1 sdc1 */
    case 0x11:                                             /* floating point */
        return true;
    default:
        return false;
    }
}

static bool mipsel_never_loads(const uint8_t *bytes, size_t size)
{
    return size == 4 && mips_word_never_loads(little32(bytes));
}

static bool mips_never_loads(const uint8_t *bytes, size_t size)
{
    return size == 4 && mips_word_never_loads(big32(bytes));
}

static int mipsel_mark(const uint8_t *bytes, size_t size)
{
    return size == 4 ? mark_of(little32(bytes), 0x34000000, 0) : SL_MARK_NONE;
}

static int mips_mark(const uint8_t *bytes, size_t size)
{
    return size == 4 ? mark_of(big32(bytes), 0x34000000, 0) : SL_MARK_NONE;
}

/* mmap (mmap2), munmap, mremap, mprotect; execve, execveat */
#define GENERIC_CALLS .mapping_calls = {222, 215, 216, 226, -1}, .exec_calls = {221, 281, -1}
#define O32_CALLS                                                                                  \
    .mapping_calls = {4090, 4210, 4091, 4167, 4125, -1}, .exec_calls = {4011, 4356, -1}

static const struct guest guests[] = {
    {.target_name = "x86_64",
     .mapping_calls = {9, 11, 25, 10, -1},
     .exec_calls = {59, 322, -1},
     .never_loads = x86_never_loads,
     .whole = x86_whole,
     .mark = x86_mark},
    {.target_name = "aarch64",
     GENERIC_CALLS,
     .never_loads = aarch64_never_loads,
     .mark = aarch64_mark},
    {.target_name = "riscv64",
     GENERIC_CALLS,
     .never_loads = riscv_never_loads,
     .mark = riscv_mark},
    {.target_name = "riscv32",
     GENERIC_CALLS,
     .never_loads = riscv_never_loads,
     .mark = riscv_mark},
    {.target_name = "mipsel",
     O32_CALLS,
     .never_loads = mipsel_never_loads,
     .mark = mipsel_mark},
    {.target_name = "mips",
     .big_endian = true,
     O32_CALLS,
     .never_loads = mips_never_loads,
     .mark = mips_mark},
};

const struct guest *guest_find(const char *target_name)
{
    for (size_t i = 0; i < sizeof guests / sizeof *guests; i++)
        if (strcmp(guests[i].target_name, target_name) == 0)
            return &guests[i];
    return NULL;
}
