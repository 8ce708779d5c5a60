/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads that AArch64, RISC-V and MIPS instructions certainly make: see loads.h.
 *
 * On these architectures only load instructions load, so a few fields of the encoding decide. No
 * answer is LOADS_THEN_STORES: instructions that load and store are atomic, hence unknown.
 *
 * Not modelled: MIPS16 and microMIPS, whose encodings cannot be distinguished from those of MIPS.
 * Their 2-byte instructions are unknown, and nearly every block contains one. The full decoders are
 * src/code/isa/aarch64.c, riscv.c and mips.c. */
#include "loads.h"

/* ---- AArch64 ---- */

/* Load or store of one register, with an immediate, or with an index (bit 21 set, bits 11:10 = 2);
 * other encodings with bit 21 are atomic. */
static int aarch64_single(uint32_t i)
{
    unsigned log2 = i >> 30, opc = i >> 22 & 3;
    bool vector = i >> 26 & 1;
    if (!(i >> 24 & 1) && (i >> 21 & 1) && (i >> 10 & 3) != 2)
        return LOADS_UNKNOWN;
    if (opc == 0)
        return 0;
    if (vector)
        return opc == 1 ? 1 << log2 : opc == 2 && log2 == 0 ? 0 : LOADS_UNKNOWN; /* str q */
    if (opc == 2 && log2 == 3)
        return 0; /* prfm */
    return opc == 3 && log2 >= 2 ? LOADS_UNKNOWN : 1 << log2;
}

static int aarch64_memory(uint32_t i)
{
    unsigned log2 = i >> 30;
    bool vector = i >> 26 & 1;
    if ((i & 0x3ffffc00) == 0x089ffc00) /* stlr */
        return 0;
    if ((i & 0x3ffffc00) == 0x08dffc00) /* ldar */
        return 1 << log2;
    if ((i & 0xbe400000) == 0x0c000000) /* st1 ... st4 */
        return 0;
    if ((i & 0x3b000000) == 0x18000000) /* ldr, ldrsw, prfm of a literal */
        return vector ? (log2 < 2 ? 4 << log2 : LOADS_UNKNOWN) : log2 == 3 ? 0 : log2 == 1 ? 8 : 4;
    if ((i & 0x3a000000) == 0x28000000) /* ldp, stp, ldnp, stnp */
        return log2 != 3 && !(i >> 22 & 1) ? 0 : LOADS_UNKNOWN;
    return (i & 0x3a000000) == 0x38000000 ? aarch64_single(i) : LOADS_UNKNOWN;
}

/* clang-format off */
int loads_aarch64(const uint8_t *bytes, size_t size)
{
    if (size != 4)
        return LOADS_UNKNOWN;
    uint32_t i = guest_little32(bytes);
    switch (i >> 25 & 15) {
    case 4: case 6: case 12: case 14:
        return aarch64_memory(i);
    case 5: case 7: case 13: case 15: /* arithmetic on registers, general and vector */
    case 8: case 9:                   /* with immediates */
    case 10: case 11:                 /* branches, system */
        return 0;
    default: /* SVE, SME */
        return LOADS_UNKNOWN;
    }
}
/* clang-format on */

/* ---- RISC-V ---- */

/* By column (bits 1:0) and row (bits 15:13). Zcb and Zcmp define loads in encodings that were
 * reserved, and in that of c.fsdsp. */
static int riscv_compressed(unsigned column, unsigned row, bool wide)
{
    if (column == 1)
        return 0;
    switch (row) {
    case 1: /* c.fld, c.fldsp */
        return 8;
    case 2: /* c.lw, c.lwsp */
        return 4;
    case 3: /* c.ld, c.ldsp, on 32 bits c.flw, c.flwsp */
        return wide ? 8 : 4;
    case 4: /* none; c.jr, c.mv, c.ebreak, c.jalr, c.add */
        return column == 2 ? 0 : LOADS_UNKNOWN;
    case 5: /* c.fsd; c.fsdsp */
        return column == 0 ? 0 : LOADS_UNKNOWN;
    default: /* c.addi4spn, c.slli; stores */
        return 0;
    }
}

/* clang-format off */
static int riscv(const uint8_t *bytes, size_t size, bool wide)
{
    if (size == 2)
        return riscv_compressed(bytes[0] & 3, bytes[1] >> 5, wide);
    if (size != 4)
        return LOADS_UNKNOWN;
    uint32_t i = guest_little32(bytes);
    unsigned function = i >> 12 & 7;
    switch (i & 0x7f) {
    case 0x03: /* lb, lh, lw, ld, lbu, lhu, lwu */
        return function == 7 ? LOADS_UNKNOWN : 1 << (function & 3);
    case 0x07: /* flh, flw, fld; vectors */
        return function >= 1 && function <= 3 ? 1 << function : LOADS_UNKNOWN;
    case 0x0f: /* fence, fence.i */
        return function <= 1 ? 0 : LOADS_UNKNOWN;
    case 0x23: /* sb, sh, sw, sd */
        return function <= 3 ? 0 : LOADS_UNKNOWN;
    case 0x27: /* fsh, fsw, fsd, fsq; vectors */
        return function >= 1 && function <= 4 ? 0 : LOADS_UNKNOWN;
    case 0x73: /* ecall, ebreak, csr*; hypervisor loads */
        return function != 4 ? 0 : LOADS_UNKNOWN;
    case 0x13: case 0x17: case 0x1b: case 0x33: case 0x37: case 0x3b: /* arithmetic */
    case 0x43: case 0x47: case 0x4b: case 0x4f: case 0x53:            /* floating point */
    case 0x63: case 0x67: case 0x6f:                                  /* branches */
        return 0;
    default:
        return LOADS_UNKNOWN;
    }
}
/* clang-format on */

int loads_riscv64(const uint8_t *bytes, size_t size)
{
    return riscv(bytes, size, true);
}

int loads_riscv32(const uint8_t *bytes, size_t size)
{
    return riscv(bytes, size, false);
}

/* ---- MIPS ---- */

/* clang-format off */
/* A branch-likely executes its delay slot only if it is taken, so a load in the slot is not certain.
 * The branch itself is unknown for that reason, which makes its whole block name its loads. */
static int mips(uint32_t i)
{
    unsigned opcode = i >> 26, function = i & 63;
    bool to_zero = !(i >> 16 & 31); /* a prefetch on some CPUs */
    switch (opcode) {
    case 0x01: /* branches on a sign; bltzl, bgezl, bltzall, bgezall */
        return (i >> 16 & 0x0e) != 2 ? 0 : LOADS_UNKNOWN;
    case 0x11: /* floating point; bc1fl, bc1tl */
        return (i >> 21 & 31) != 8 || !(i >> 17 & 1) ? 0 : LOADS_UNKNOWN;
    case 0x20: case 0x24: /* lb, lbu */
        return to_zero ? LOADS_UNKNOWN : 1;
    case 0x21: case 0x25: /* lh, lhu */
        return to_zero ? LOADS_UNKNOWN : 2;
    case 0x23: /* lw */
        return to_zero ? LOADS_UNKNOWN : 4;
    case 0x31: /* lwc1 */
        return 4;
    case 0x35: /* ldc1 */
        return 8;
    case 0x28: case 0x29: case 0x2b: /* sb, sh, sw; swl and swr are made in helper functions */
    case 0x33: case 0x39: case 0x3d: /* pref, swc1, sdc1 */
        return 0;
    case 0x1c: /* madd, maddu, mul, msub, msubu, clz, clo; some CPUs have loads here */
        return function <= 5 || function == 0x20 || function == 0x21 ? 0 : LOADS_UNKNOWN;
    case 0x1f: /* ext, ins, seb and the like, rdhwr; indexed loads */
        return function == 0 || function == 4 || function == 0x20 || function == 0x3b ? 0
                                                                                      : LOADS_UNKNOWN;
    default: /* arithmetic, branches, coprocessor 0; beql and the like, coprocessor 2 ... */
        return opcode <= 0x10 ? 0 : LOADS_UNKNOWN;
    }
}
/* clang-format on */

int loads_mipsel(const uint8_t *bytes, size_t size)
{
    return size == 4 ? mips(guest_little32(bytes)) : LOADS_UNKNOWN;
}

int loads_mips(const uint8_t *bytes, size_t size)
{
    return size == 4 ? mips(guest_big32(bytes)) : LOADS_UNKNOWN;
}
