/* SPDX-License-Identifier: MIT */
/* AArch64. Branches, traps, loads and stores are decoded from the encoding (ARM DDI 0487, C4.1):
 * there are few forms, Capstone 4 lacks the v8.1 atomics and SVE, and its access flags are not
 * reliable. The rest is data processing: of Capstone's operands the first is written and the others
 * are read, with the exceptions listed here.
 *
 *   31 30 29 28 27 26 25 24 ...            9     5 4     0
 *  ┌──┬──┬──┬──┬──┬──┬──┬──┬──────────────┬───────┬───────┐
 *  │size │     │1 │V │0 │                 │ rn    │ rt    │   loads and stores
 *  └──┴──┴──┴──┴──┴──┴──┴──┴──────────────┴───────┴───────┘
 *
 * `dc zva` and similar are stores of unknown width; MTE tags are not memory. Of SVE only loads and
 * stores are decoded, with their base register and (first) vector; predicates are in no set. */
#include "capstone_decode.h"

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

/* Vector by element: half precision, complex numbers, dot products, widening sums. */
static bool is_newer_by_element(uint32_t word)
{
    unsigned size = bits(word, 23, 22), opcode = bits(word, 15, 12);
    bool upper = bits(word, 29, 29);
    return opcode >= 14 || (upper && (opcode == 13 || (opcode < 8 && opcode & 1))) ||
           ((opcode & 3) == 1 && size == 0) || (!(opcode & 3) && upper == opcode >> 3 && size == 2);
}

/* Of half precision, Capstone 4 knows only conversions to other floating-point types. */
static bool is_newer_scalar(uint32_t word)
{
    bool half = bits(word, 23, 22) == 3, one_source = bits(word, 14, 10) == 0x10;
    bool converts = one_source && bits(word, 21, 17) == 0x11;
    bool rounds = one_source && bits(word, 21, 17) == 0x14; /* frint32z and the like */
    bool javascript = (word & 0xfffffc00) == 0x1e7e0000;    /* fjcvtzs */
    return bits(word, 24, 24) ? half : (half && !converts) || rounds || javascript;
}

/* One source: half precision, rounding to 32 or 64 bits, bfloat16; across lanes. */
static bool is_newer_one_source(uint32_t word)
{
    unsigned opcode = bits(word, 16, 12);
    bool upper = bits(word, 29, 29), high = bits(word, 23, 23);
    switch (bits(word, 21, 17)) {
    case 0x10:
        return (opcode >= 0x1e && !high) || (opcode == 0x16 && high);
    case 0x18:
        return !upper && opcode >> 2 == 3;
    case 0x1c:
        return bits(word, 22, 22);
    }
    return false;
}

/* The lowest set bit of imm5 gives the element size. The CPU ignores the bits that are not part of
 * the index, but Capstone 4 requires zeros. */
static bool is_odd_element(uint32_t word)
{
    unsigned element = bits(word, 20, 16), unit = element & -element;
    if ((word & 0xffe08400) == 0x6e000400) /* ins */
        return bits(word, 14, 11) & (unit - 1);
    return (word & 0xbfe0fc00) == 0x0e000c00 && element != unit; /* dup from a general register */
}

/* Floating point, scalar and vector, and vectors of integers. */
static bool is_newer_vector(uint32_t word)
{
    if (bits(word, 28, 28) && !bits(word, 30, 30))
        return is_newer_scalar(word);
    if (word >> 31) /* SHA3, SM3, SM4 */
        return true;
    bool odd = bits(word, 10, 10), three = bits(word, 21, 21) && odd;
    unsigned shift = bits(word, 22, 19), opcode = bits(word, 15, 11);
    if (bits(word, 24, 24) && odd) /* half precision: constants, conversions with a point */
        return shift ? shift >> 1 == 1 && (opcode == 0x1c || opcode == 0x1f) : opcode == 0x1f;
    if (bits(word, 24, 24))
        return is_newer_by_element(word);
    if (bits(word, 11, 10) == 2)
        return is_newer_one_source(word);
    return (!bits(word, 21, 21) && opcode >> 4 && odd) ||    /* complex numbers, dot products */
           (bits(word, 22, 21) == 2 && opcode < 8 && odd) || /* half precision */
           (three && !bits(word, 22, 22) &&
            opcode == (bits(word, 29, 29) ? 0x19 : 0x1d)) || /* fmlal */
           is_odd_element(word);
}

/* Memory tags and pointer authentication. */
static bool is_newer_integer(uint32_t word)
{
    return (word & 0xbf800000) == 0x91800000 || /* addg, subg */
           ((word & 0xdfe00000) == 0x9ac00000 && bits(word, 15, 10) < 8 &&
            bits(word, 15, 10) != 2 && bits(word, 15, 10) != 3) || /* subp, irg, gmi */
           (word & 0xffe0fc00) == 0x9ac03000 ||
           (word & 0xffe07c10) == 0xba000400 || /* pacga, rmif */
           (word & 0xffff0000) == 0xdac10000;   /* pacda ... */
}

/* Instructions that Capstone 4 lacks and 5 knows in part: `other` with every version. */
static bool newer(uint32_t word)
{
    return bits(word, 27, 25) == 7 ? is_newer_vector(word) : is_newer_integer(word);
}

bool sl_aarch64_word(uint64_t pc, uint32_t word, struct sl_insn_info *info)
{
    return scalable_or_none(word, info) || branch(pc, word, info) || memory(word, info) ||
           system_insn(word, info) || newer(word);
}

/* Number of a vector register under any of its names; -1 for other registers. */
static int vector_number(arm64_reg reg)
{
    static const arm64_reg first[] = {ARM64_REG_B0, ARM64_REG_H0, ARM64_REG_S0,
                                      ARM64_REG_D0, ARM64_REG_Q0, ARM64_REG_V0};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (reg >= first[i] && reg < first[i] + 32)
            return (int)(reg - first[i]);
    return -1;
}

static void add(struct sl_regs *set, arm64_reg reg)
{
    if (vector_number(reg) >= 0)
        set->vector |= bit((unsigned)vector_number(reg));
    else if (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30)
        set->general |= bit((unsigned)(reg - ARM64_REG_W0));
    else if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
        set->general |= bit((unsigned)(reg - ARM64_REG_X0));
    else if (reg == ARM64_REG_X29 || reg == ARM64_REG_X30)
        set->general |= bit(29 + (unsigned)(reg - ARM64_REG_X29));
    else if (reg == ARM64_REG_SP || reg == ARM64_REG_WSP)
        set->general |= bit(31);
    else if (reg == ARM64_REG_NZCV)
        set->general |= bit(SL_REG_FLAGS);
}

static unsigned class_of(const cs_arm64 *arm, const char *name)
{
    bool vector = false, lanes = false;
    for (unsigned i = 0; i < arm->op_count; i++) {
        const cs_arm64_op *op = &arm->operands[i];
        if (op->type == ARM64_OP_REG && vector_number(op->reg) >= 0) {
            vector = true;
            lanes = lanes || op->vas != ARM64_VAS_INVALID || op->vector_index >= 0;
        }
    }
    if (vector)
        return !lanes && sl_find_name("f* scvtf ucvtf", name) ? SL_CLASS_FLOAT : SL_CLASS_VECTOR;
    if (sl_find_name("*mul* *madd* *msub* *mneg*", name))
        return SL_CLASS_MULTIPLY;
    return sl_find_name("?div", name) ? SL_CLASS_DIVIDE : SL_CLASS_ARITHMETIC;
}

void sl_aarch64_info(const cs_insn *insn, const char *name, struct sl_insn_info *info)
{
    const cs_arm64 *arm = &insn->detail->arm64;
    const cs_arm64_op *first = &arm->operands[0];
    bool writes = !sl_find_name("cmp cmn tst ccmp ccmn fcmp* fccmp*", name);
    bool merges = sl_find_name(
                      "movk bfm bfi bfc bfxil ins bit bif bsl sli sri tbx *mla* *mls* "
                      "*aba* *adal* *sra aes? sha1c sha1m sha1p sha1s* sha2* *n2 suqadd usqadd",
                      name) ||
                  (sl_find_name("orr bic", name) && arm->op_count == 2) || first->vector_index >= 0;
    info->class = (uint8_t)class_of(arm, name);
    for (unsigned i = 0; i < arm->op_count; i++) {
        const cs_arm64_op *op = &arm->operands[i];
        if (op->type != ARM64_OP_REG)
            continue;
        if (i > 0 || !writes || merges)
            add(&info->reads, op->reg);
        if (i == 0 && writes)
            add(&info->writes, op->reg);
    }
    for (unsigned i = 0; i < insn->detail->regs_read_count; i++)
        add(&info->reads, (arm64_reg)insn->detail->regs_read[i]);
    for (unsigned i = 0; i < insn->detail->regs_write_count; i++)
        add(&info->writes, (arm64_reg)insn->detail->regs_write[i]);
}
