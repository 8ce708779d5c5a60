/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determines which loads an AArch64, RISC-V or MIPS instruction makes each time it is executed
 * (loads.h).
 *
 * The library's decoders (src/code/isa) say what an instruction loads. This file adds what they do
 * not know: which accesses QEMU makes otherwise than at once, in translated code, and which
 * encodings mean different instructions on different CPUs. These are unknown. No answer is
 * LOADS_THEN_STORES: instructions that load and store are atomic, hence unknown.
 *
 * Not modelled: MIPS16 and microMIPS, whose encodings cannot be distinguished from those of MIPS.
 * Their 2-byte instructions are unknown, and nearly every block contains one. */
#include "loads.h"

#include "insn_info.h"

/* The answer for an instruction without exceptions. */
static int loads_of(const struct sl_insn_info *info)
{
    if (info->class == SL_CLASS_OTHER || info->class == SL_CLASS_ATOMIC)
        return LOADS_UNKNOWN;
    if (!(info->flags & SL_INSN_LOADS))
        return 0;
    return info->width && info->width <= 8 ? info->width : LOADS_UNKNOWN;
}

/* ---- AArch64 ---- */

/* A load, store or prefetch of one register: of a literal; with an immediate, or with an index (bit
 * 21 set, bits 11:10 = 2; other encodings with bit 21 are atomic); ldar and stlr. */
static bool aarch64_is_single(uint32_t i)
{
    if ((i & 0x3a000000) == 0x38000000)
        return (i >> 24 & 1) || !(i >> 21 & 1) || (i >> 10 & 3) == 2;
    return (i & 0x3b000000) == 0x18000000 || (i & 0x3fbffc00) == 0x089ffc00;
}

int loads_aarch64(const uint8_t *bytes, size_t size)
{
    struct sl_insn_info info = {0};
    if (size != 4)
        return LOADS_UNKNOWN;
    uint32_t i = guest_little32(bytes);
    if (!sl_aarch64_word(0, i, &info))
        return 0;          /* data processing */
    if (!(i & 0x18000000)) /* SVE, SME: helper functions */
        return LOADS_UNKNOWN;
    if ((i & 0x0a000000) != 0x08000000) /* branches, system */
        return 0;
    if (!aarch64_is_single(
            i)) { /* stp, stnp, st1 ... st4 store several times; others are unknown */
        bool pair = (i & 0x3a000000) == 0x28000000, vectors = (i & 0xbe000000) == 0x0c000000;
        return (pair || vectors) && info.flags == SL_INSN_STORES ? 0 : LOADS_UNKNOWN;
    }
    return info.class == SL_CLASS_OTHER ? 0 /* prfm */ : loads_of(&info);
}

/* ---- RISC-V ---- */

/* Unknown are cbo.zero and similar (in the opcode of fence), hypervisor loads (in that of ecall),
 * and c.fsdsp, whose encoding Zcmp also uses for loads. */
static int riscv(const uint8_t *bytes, size_t size, unsigned xlen)
{
    struct sl_insn_info info = {0};
    sl_riscv_decode(xlen, 0, bytes, size, &info);
    unsigned opcode = bytes[0] & 0x7f, function = bytes[1] >> 4 & 7;
    if (size == 2 ? (bytes[0] & 3) == 2 && bytes[1] >> 5 == 5
                  : (opcode == 0x0f && function > 1) || (opcode == 0x73 && function == 4))
        return LOADS_UNKNOWN;
    return loads_of(&info);
}

int loads_riscv64(const uint8_t *bytes, size_t size)
{
    return riscv(bytes, size, 64);
}

int loads_riscv32(const uint8_t *bytes, size_t size)
{
    return riscv(bytes, size, 32);
}

/* ---- MIPS ---- */

/* A branch-likely executes its delay slot only if it is taken, so a load in the slot is not
 * certain. The branch itself is unknown for that reason, which makes its whole block name its
 * loads. */
static bool mips_is_likely(uint32_t i)
{
    unsigned opcode = i >> 26;
    return opcode >> 2 == 5 ||                                            /* beql ... bgtzl */
           (opcode == 0x01 && (i >> 16 & 0x0e) == 2) ||                   /* bltzl ... bgezall */
           (opcode == 0x11 && (i >> 21 & 31) == 8 && (i >> 17 & 1) != 0); /* bc1fl, bc1tl */
}

/* clang-format off */
static int mips(const uint8_t *bytes, size_t size, bool big_endian)
{
    struct sl_insn_info info = {0};
    if (size != 4)
        return LOADS_UNKNOWN;
    uint32_t i = big_endian ? guest_big32(bytes) : guest_little32(bytes);
    sl_mips_decode(big_endian, 0, bytes, size, &info);
    if (mips_is_likely(i))
        return LOADS_UNKNOWN;
    switch (i >> 26) {
    case 0x20: case 0x21: case 0x23: case 0x24: case 0x25: /* to $0: a prefetch on some CPUs */
        return i >> 16 & 31 ? loads_of(&info) : LOADS_UNKNOWN;
    case 0x33: /* pref */
        return 0;
    case 0x13: case 0x1f: /* indexed */
        return info.flags & (SL_INSN_LOADS | SL_INSN_STORES) ? LOADS_UNKNOWN : loads_of(&info);
    case 0x22: case 0x26: case 0x2a: case 0x2e:            /* lwl, lwr, swl, swr: helper functions */
    case 0x18: case 0x32: case 0x36: case 0x3a: case 0x3e: /* release 6, or coprocessor 2 */
        return LOADS_UNKNOWN;
    default:
        return loads_of(&info);
    }
}
/* clang-format on */

int loads_mipsel(const uint8_t *bytes, size_t size)
{
    return mips(bytes, size, false);
}

int loads_mips(const uint8_t *bytes, size_t size)
{
    return mips(bytes, size, true);
}
