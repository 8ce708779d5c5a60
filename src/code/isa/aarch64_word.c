/* SPDX-License-Identifier: MIT */
/* Decoder of AArch64 branches, traps, loads, stores and system instructions from their encoding
 * (ARM DDI 0487, C4.1). It does not use the library Capstone, because Capstone 4 lacks the v8.1
 * atomics and SVE, and because Capstone's access flags are not reliable. aarch64.c decodes all
 * other instructions with Capstone.
 *
 *   31 30 29 28 27 26 25 24 ...            9     5 4     0
 *  ┌──┬──┬──┬──┬──┬──┬──┬──┬──────────────┬───────┬───────┐
 *  │size │     │1 │V │0 │                 │ rn    │ rt    │   loads and stores
 *  └──┴──┴──┴──┴──┴──┴──┴──┴──────────────┴───────┴───────┘
 *
 * `dc zva` and similar are stores of unknown width; MTE tags are not memory. Of SVE only loads and
 * stores are decoded, with their base register and (first) vector; predicates are in no set. */
#include "insn_info.h"

static unsigned bits(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & ((1u << (high - low + 1)) - 1);
}

/* A source or target, where 31 is the zero register; in an address it is sp. */
static uint64_t general(unsigned number)
{
    return number == 31 ? 0 : UINT64_C(1) << number;
}

static uint64_t bit(unsigned number)
{
    return UINT64_C(1) << number;
}

static uint64_t relative(uint64_t pc, uint32_t word, unsigned high, unsigned low)
{
    uint64_t sign = bit(high - low + 2), offset = (uint64_t)bits(word, high, low) << 2;
    return pc + (offset ^ sign) - sign;
}

static void direct(enum sl_branch kind, uint64_t target, struct sl_insn_info *info)
{
    info->branch = (uint8_t)kind;
    info->class = kind == SL_BRANCH_CONDITIONAL ? SL_CLASS_BRANCH : SL_CLASS_JUMP;
    info->target = target;
    info->writes.general = kind == SL_BRANCH_CALL ? bit(30) : 0;
}

/* br, blr, ret and the forms with pointer authentication (braa, retaa, ...). */
static void indirect(uint32_t word, struct sl_insn_info *info)
{
    static const uint8_t kind[8] = {SL_BRANCH_INDIRECT, SL_BRANCH_INDIRECT_CALL, SL_BRANCH_RETURN};
    unsigned signed_return = bits(word, 24, 21) == 2 && bits(word, 11, 11);
    info->branch = kind[bits(word, 23, 21)];
    info->class = SL_CLASS_JUMP;
    if (info->branch == SL_BRANCH_NONE) { /* eret, drps */
        info->class = SL_CLASS_SYSTEM;
        info->flags = SL_INSN_ENDS;
        return;
    }
    info->reads.general = signed_return ? bit(30) | bit(31) : general(bits(word, 9, 5));
    if (bits(word, 24, 24))
        info->reads.general |= bit(bits(word, 4, 0)); /* the modifier; 31 is sp */
    info->writes.general = info->branch == SL_BRANCH_INDIRECT_CALL ? bit(30) : 0;
}

static bool branch(uint64_t pc, uint32_t word, struct sl_insn_info *info)
{
    if (bits(word, 30, 26) == 0x05) { /* b, bl */
        direct(word >> 31 ? SL_BRANCH_CALL : SL_BRANCH_JUMP, relative(pc, word, 25, 0), info);
    } else if (bits(word, 31, 24) == 0x54) { /* b.cond; al and nv are unconditional */
        bool always = bits(word, 3, 1) == 7;
        direct(always ? SL_BRANCH_JUMP : SL_BRANCH_CONDITIONAL, relative(pc, word, 23, 5), info);
        info->reads.general = always ? 0 : bit(SL_REG_FLAGS);
    } else if (bits(word, 30, 26) == 0x0d) { /* cbz, cbnz, tbz, tbnz */
        bool test = bits(word, 25, 25);
        direct(SL_BRANCH_CONDITIONAL, relative(pc, word, test ? 18 : 23, 5), info);
        info->reads.general = general(bits(word, 4, 0));
    } else if (bits(word, 31, 25) == 0x6b) {
        indirect(word, info);
    } else if (bits(word, 31, 24) == 0xd4) { /* svc, hvc, smc, brk, hlt, dcps */
        info->class = SL_CLASS_SYSTEM;
        info->flags = SL_INSN_ENDS;
    } else {
        return false;
    }
    return true;
}

static void set_access(unsigned flags, unsigned width, struct sl_insn_info *info)
{
    info->class = flags == SL_INSN_STORES ? SL_CLASS_STORE : SL_CLASS_LOAD;
    info->flags = (uint8_t)flags;
    info->width = (uint8_t)width;
}

/* Adds the data registers; rt2 is rt if there is only one. */
static void set_data(bool vector, unsigned rt, unsigned rt2, struct sl_insn_info *info)
{
    struct sl_regs *set = info->flags & SL_INSN_LOADS ? &info->writes : &info->reads;
    if (vector)
        set->vector |= bit(rt) | bit(rt2);
    else
        set->general |= general(rt) | general(rt2);
}

/* ldxr, stxr, ldar, stlr, pairs of them, cas, casp. */
static void exclusive(uint32_t word, struct sl_insn_info *info)
{
    unsigned rs = bits(word, 20, 16), rt = bits(word, 4, 0), rt2 = bits(word, 14, 10);
    bool ordered = bits(word, 23, 23), loads = bits(word, 22, 22), o1 = bits(word, 21, 21);
    bool pair = o1 && !ordered, swaps = o1 && (ordered || !(word >> 31));
    unsigned width = 1u << bits(word, 31, 30);
    if (pair)
        width = bits(word, 30, 30) ? 16 : 8;
    if (swaps) {
        set_access(SL_INSN_LOADS | SL_INSN_STORES, width, info);
        info->writes.general = general(rs) | (pair ? general(rs | 1) : 0);
        info->reads.general |= info->writes.general | general(rt) | (pair ? general(rt | 1) : 0);
    } else {
        set_access(loads ? SL_INSN_LOADS : SL_INSN_STORES, width, info);
        set_data(false, rt, pair ? rt2 : rt, info);
        if (!loads && !ordered)
            info->writes.general |= general(rs); /* the status */
    }
    if (!ordered || swaps)
        info->class = SL_CLASS_ATOMIC;
}

/* ld1 ... st4 and single lanes. */
static void structures(uint32_t word, struct sl_insn_info *info)
{
    static const uint8_t registers[16] = {4, 0, 4, 0, 3, 0, 3, 1, 2, 0, 2};
    unsigned flags = bits(word, 22, 22) ? SL_INSN_LOADS : SL_INSN_STORES, n, width;
    bool lane = bits(word, 24, 24), all_lanes = false;
    if (lane) {
        unsigned scale = bits(word, 15, 14);
        n = (bits(word, 13, 13) << 1 | bits(word, 21, 21)) + 1;
        all_lanes = scale == 3;
        if (all_lanes)
            scale = bits(word, 11, 10);
        else if (scale == 2 && bits(word, 10, 10))
            scale = 3;
        width = n << scale;
    } else {
        n = registers[bits(word, 15, 12)];
        width = n * (bits(word, 30, 30) ? 16 : 8);
    }
    set_access(flags, width, info);
    for (unsigned i = 0; i < n; i++)
        set_data(true, (bits(word, 4, 0) + i) % 32, (bits(word, 4, 0) + i) % 32, info);
    if (lane && !all_lanes)
        info->reads.vector |= info->writes.vector; /* the other lanes are preserved */
    if (bits(word, 23, 23)) {                      /* post-index */
        info->reads.general |= general(bits(word, 20, 16));
        info->writes.general |= bit(bits(word, 9, 5));
    }
}

static void pair(uint32_t word, bool vector, struct sl_insn_info *info)
{
    unsigned size = bits(word, 31, 30), width = vector ? 8u << size : size == 2 ? 16 : 8;
    bool loads = bits(word, 22, 22);
    if (!vector && size == 1 && !loads)
        width = 16; /* stgp: two registers, and a tag */
    set_access(loads ? SL_INSN_LOADS : SL_INSN_STORES, width, info);
    set_data(vector, bits(word, 4, 0), bits(word, 14, 10), info);
    if (bits(word, 23, 23)) /* post- and pre-index */
        info->writes.general |= bit(bits(word, 9, 5));
}

static void atomic(uint32_t word, struct sl_insn_info *info)
{
    bool load_only = bits(word, 15, 12) == 0xc; /* ldapr */
    set_access(load_only ? SL_INSN_LOADS : SL_INSN_LOADS | SL_INSN_STORES, 1u << bits(word, 31, 30),
               info);
    set_data(false, bits(word, 4, 0), 31, info);
    if (!load_only) {
        info->reads.general |= general(bits(word, 20, 16));
        info->class = SL_CLASS_ATOMIC;
    }
}

/* One register, all addressing modes. */
static void single(uint32_t word, bool vector, struct sl_insn_info *info)
{
    unsigned size = bits(word, 31, 30), opc = bits(word, 23, 22), mode = bits(word, 11, 10);
    unsigned rt = bits(word, 4, 0);
    bool scaled = bits(word, 24, 24), by_register = !scaled && bits(word, 21, 21);
    if (by_register && mode == 2)
        info->reads.general |= general(bits(word, 20, 16));
    if (!vector && size == 3 && opc == 2 && !(by_register && mode != 2)) {
        info->class = SL_CLASS_OTHER; /* prfm */
        return;
    }
    if (by_register && mode == 0) {
        atomic(word, info);
        return;
    }
    bool loads = vector ? opc & 1 : opc != 0;
    if (by_register && mode & 1) /* ldraa, ldrab: bits 23:22 have another meaning */
        loads = true;
    set_access(loads ? SL_INSN_LOADS : SL_INSN_STORES, vector && opc & 2 ? 16 : 1u << size, info);
    set_data(vector, rt, rt, info);
    if (!scaled && mode & 1 && !(by_register && mode == 1))
        info->writes.general |= bit(bits(word, 9, 5));
}

static void literal(uint32_t word, bool vector, struct sl_insn_info *info)
{
    unsigned size = bits(word, 31, 30), rt = bits(word, 4, 0);
    if (!vector && size == 3) { /* prfm */
        info->class = SL_CLASS_OTHER;
        return;
    }
    set_access(SL_INSN_LOADS, vector ? 4u << size : size == 1 ? 8 : 4, info);
    set_data(vector, rt, rt, info);
}

static bool memory(uint32_t word, struct sl_insn_info *info)
{
    bool vector = bits(word, 26, 26);
    if (!bits(word, 27, 27) || bits(word, 25, 25))
        return false;
    unsigned form = bits(word, 29, 28);
    if (form != 1 || bits(word, 24, 24))
        info->reads.general = bit(bits(word, 9, 5));
    if (form == 0 && vector)
        structures(word, info);
    else if (form == 0 && !bits(word, 24, 24))
        exclusive(word, info);
    else if (form == 1 && !bits(word, 24, 24))
        literal(word, vector, info);
    else if (form == 1 && bits(word, 21, 21)) { /* tags: stzg and stz2g clear memory, too */
        if (bits(word, 22, 22) && bits(word, 11, 10))
            set_access(SL_INSN_STORES, bits(word, 23, 23) ? 32 : 16, info);
        info->writes.general = bits(word, 10, 10) ? bit(bits(word, 9, 5)) : 0;
    } else if (form == 1 && bits(word, 11, 10) == 0) { /* ldapur, stlur */
        set_access(bits(word, 23, 22) ? SL_INSN_LOADS : SL_INSN_STORES, 1u << bits(word, 31, 30),
                   info);
        set_data(false, bits(word, 4, 0), 31, info);
    } else if (form == 2)
        pair(word, vector, info);
    else if (form == 3)
        single(word, vector, info);
    return true;
}

/* SVE: bits 31:29 = 100, 101 and 110 load (prefetches count as loads), 111 stores. Other SVE, SME
 * and unallocated encodings are `other`. */
static bool scalable_or_none(uint32_t word, struct sl_insn_info *info)
{
    if (bits(word, 28, 27)) /* not in the groups with 00 there */
        return false;
    if (bits(word, 26, 25) != 2 || !(word >> 31))
        return true;
    set_access(bits(word, 30, 29) == 3 ? SL_INSN_STORES : SL_INSN_LOADS, 0, info);
    info->reads.general = bit(bits(word, 9, 5));
    if (bits(word, 30, 29) == 1 && bits(word, 15, 14) != 2) /* scalar plus scalar */
        info->reads.general |= general(bits(word, 20, 16));
    set_data(true, bits(word, 4, 0), bits(word, 4, 0), info);
    return true;
}

/* Hints are nops, except those that sign an address: xpaclri, paciaz ... autibsp, pacia1716. */
static void hint(uint32_t word, struct sl_insn_info *info)
{
    unsigned number = bits(word, 11, 5);
    info->class = SL_CLASS_NOP;
    if (number == 7 || number >> 3 == 1 || number >> 3 == 3) {
        bool link = number >> 3 != 1, sp = number & 1 && number != 7;
        info->class = SL_CLASS_ARITHMETIC;
        info->reads.general = link ? bit(30) | (sp ? bit(31) : 0) : bit(16) | bit(17);
        info->writes.general = link ? bit(30) : bit(17);
    }
}

/* System registers that are in our sets: nzcv; fpcr and fpsr. */
static struct sl_regs special(unsigned number)
{
    return (struct sl_regs){.general = number == 0xda10 ? bit(SL_REG_FLAGS) : 0,
                            .vector = number >> 1 == 0xda20 >> 1 ? bit(SL_REG_FPFLAGS) : 0};
}

/* System instructions: hints, barriers, moves from and to system registers. */
static bool system_insn(uint32_t word, struct sl_insn_info *info)
{
    if (bits(word, 31, 22) != 0x354)
        return false;
    if ((word & 0xfffff01f) == 0xd503201f) {
        hint(word, info);
        return true;
    }
    info->class = SL_CLASS_SYSTEM;
    if ((word & ~31u) == 0xd50b7420 || (word & ~31u) == 0xd50b7480) /* dc zva, dc gzva */
        set_access(SL_INSN_STORES, 0, info);
    if (bits(word, 21, 21)) { /* mrs, sysl */
        info->reads = special(bits(word, 20, 5));
        info->writes.general = general(bits(word, 4, 0));
    } else { /* msr, sys; other instructions have the zero register here */
        info->reads.general = general(bits(word, 4, 0));
        info->writes = special(bits(word, 20, 5));
    }
    return true;
}

bool sl_aarch64_word(uint64_t pc, uint32_t word, struct sl_insn_info *info)
{
    return scalable_or_none(word, info) || branch(pc, word, info) || memory(word, info) ||
           system_insn(word, info);
}
