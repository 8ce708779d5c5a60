/* SPDX-License-Identifier: MIT */
/* Decoder of x86-64 instructions, based on the output of Capstone 4 or 5, a disassembler library.
 *
 * Capstone gives the operands and the implicit registers. Its access flags of operands are often
 * wrong (`movups [m], xmm` reads memory, `test al, 1` writes al), so the access to the first
 * operand is taken from a table here; further operands are read. If the table has no entry, memory
 * is read and written, and a register is used as Capstone reports.
 *
 * Flags are one register: `inc`, which preserves the carry, writes it; only instructions that test
 * a flag read it. The direction flag, masks (k0-7) and segments are in no set. If a byte or word of
 * a register is written, the register is also read, because the rest is preserved; the same holds
 * for SSE's scalar conversions. The x87 stack is not modelled: st(i) is register i, and every x87
 * instruction reads and writes st(0) and the register that it names. */
#include "capstone_decode.h"

enum { R = 1, W = 2, RW = 3, NONE = 4, ONLY_W = W | NONE };

/* Pseudo-classes, replaced by a class when the operands are known. */
enum {
    BY_OPERANDS = SL_CLASS_COUNT, /* arithmetic, float, vector */
    MOVE,                         /* load or store if it accesses memory, else as above */
};

enum { TESTS = 1, SETS = 2, ENDS = 4, STRING = 8 };

/* The first matching row applies. Names are patterns with * and ?. */
static const struct rule {
    const char *names;
    uint8_t class;
    uint8_t access; /* to the first operand; 0: default, see the head */
    uint8_t more;
} rules[] = {
    {"lea", SL_CLASS_ARITHMETIC, NONE, 0},
    {"nop endbr* pause", SL_CLASS_NOP, NONE, 0},
    {"prefetch*", SL_CLASS_OTHER, NONE, 0},
    {"clflush* clwb invlpg", SL_CLASS_SYSTEM, NONE, 0},

    {"call lcall jmp ljmp ret* iret*", SL_CLASS_JUMP, R, 0},
    {"j* loop*", SL_CLASS_BRANCH, R, 0},

    {"movsb movsw movsd movsq lods? stos?", MOVE, W, STRING},
    {"cmpsb cmpsw cmpsd cmpsq scas?", SL_CLASS_ARITHMETIC, R, STRING},
    {"insb insw insd outsb outsw outsd", SL_CLASS_SYSTEM, RW, STRING},

    {"maskmov* vmaskmovdqu push* enter", SL_CLASS_STORE, R, 0},
    {"pop popf* leave xlatb", SL_CLASS_LOAD, W, 0},
    {"mov* vmov* v*maskmov* v*broadcast* *lddqu fst fstp", MOVE, W, 0},
    {"fld", MOVE, R, 0},

    {"cmp test bt", SL_CLASS_ARITHMETIC, R, SETS},
    {"cmov*", SL_CLASS_ARITHMETIC, RW, TESTS},
    {"bsf bsr", SL_CLASS_ARITHMETIC, RW, 0}, /* the register is preserved if no bit is set */
    {"rcl rcr", SL_CLASS_ARITHMETIC, RW, TESTS},
    {"set*", SL_CLASS_ARITHMETIC, W, TESTS},
    {"cmpxchg* xadd", SL_CLASS_ARITHMETIC, RW, SETS},
    {"cld std", SL_CLASS_ARITHMETIC, 0, 0},
    {"mul imul", SL_CLASS_MULTIPLY, 0, 0},
    {"mulx", SL_CLASS_MULTIPLY, W, 0},
    {"div idiv", SL_CLASS_DIVIDE, R, 0},

    {"sys* int* ud* hlt", SL_CLASS_SYSTEM, R, ENDS},
    {"rd* in", SL_CLASS_SYSTEM, W, 0},
    {"wr* out xabort xbegin xrstor* fxrstor* *ldmxcsr", SL_CLASS_SYSTEM, R, 0},
    {"xsave* fxsave* *stmxcsr", SL_CLASS_SYSTEM, W, 0},
    {"cpuid *fence xgetbv xend xtest", SL_CLASS_SYSTEM, 0, 0},
    {"vzero* *emms", SL_CLASS_VECTOR, 0, 0},

    {"fst* fist* fnst* fnsave fbstp", SL_CLASS_FLOAT, W, 0},
    {"fcmov*", SL_CLASS_FLOAT, W, TESTS},
    {"f* wait", SL_CLASS_FLOAT, R, 0},
    {"*comiss *comisd", SL_CLASS_FLOAT, R, 0},
    {"*cvt*2si", SL_CLASS_FLOAT, W, 0},
    {"vcvtpd2ps", SL_CLASS_VECTOR, ONLY_W, 0},
    {"cvt*2ss cvt*2sd sqrts? rcpss rsqrtss", SL_CLASS_FLOAT, RW, 0},
    {"*ptest vtestp? *pcmp?str?", SL_CLASS_VECTOR, R, 0},
    {"*pextr* *extractps vextract* vcvtps2ph vpscatter* vscatter* v*compress*", SL_CLASS_VECTOR, W,
     0},
    {"*", BY_OPERANDS, 0, 0},
};

/* Our register number + 1 of Capstone's registers; 0: none. */
#define NAMED(number, wide, narrow, byte)                                                    \
    [X86_REG_R##wide] = (number), [X86_REG_E##wide] = (number), [X86_REG_##wide] = (number), \
    [X86_REG_##narrow##byte] = (number)
static const uint8_t legacy[X86_REG_ENDING] = {
    NAMED(1, AX, A, L),
    NAMED(2, CX, C, L),
    NAMED(3, DX, D, L),
    NAMED(4, BX, B, L),
    NAMED(5, SP, SP, L),
    NAMED(6, BP, BP, L),
    NAMED(7, SI, SI, L),
    NAMED(8, DI, DI, L),
    [X86_REG_AH] = 1,
    [X86_REG_CH] = 2,
    [X86_REG_DH] = 3,
    [X86_REG_BH] = 4,
    [X86_REG_EFLAGS] = SL_REG_FLAGS + 1,
};

static bool is_vector(x86_reg reg)
{
    return (reg >= X86_REG_XMM0 && reg <= X86_REG_ZMM31) ||
           (reg >= X86_REG_K0 && reg <= X86_REG_MM7);
}

static void add(struct sl_regs *set, x86_reg reg)
{
    const uint64_t one = 1;
    if (reg >= X86_REG_XMM0 && reg <= X86_REG_ZMM31)
        set->vector |= one << (reg - X86_REG_XMM0) % 32;
    else if (reg >= X86_REG_MM0 && reg <= X86_REG_MM7)
        set->vector |= one << (reg - X86_REG_MM0);
    else if (reg >= X86_REG_ST0 && reg <= X86_REG_ST7)
        set->vector |= one << (reg - X86_REG_ST0);
    else if (reg >= X86_REG_R8 && reg <= X86_REG_R15)
        set->general |= one << (8 + reg - X86_REG_R8);
    else if (reg >= X86_REG_R8B && reg <= X86_REG_R15W)
        set->general |= one << (8 + (reg - X86_REG_R8B) % 8);
    else if (reg < X86_REG_ENDING && legacy[reg])
        set->general |= one << (legacy[reg] - 1);
}

/* Adds operand i: registers, loads, stores, width. */
static void use(const cs_x86_op *op, unsigned i, unsigned access, struct sl_insn_info *info)
{
    if (op->type == X86_OP_REG) {
        bool partial = op->size <= 2 && !is_vector(op->reg);
        if (access == W)
            access |= op->access; /* movhps and similar preserve one half */
        else if (access == 0 || access == NONE)
            access = op->access ? op->access : i == 0 ? RW : R;
        if (access & W)
            add(&info->writes, op->reg);
        if (access & R || (access & W && partial))
            add(&info->reads, op->reg);
    } else if (op->type == X86_OP_MEM) {
        add(&info->reads, op->mem.base);
        add(&info->reads, op->mem.index);
        if (access == NONE)
            return;
        if (access == 0)
            access = i == 0 ? RW : R;
        info->flags |= (uint8_t)((access & R ? SL_INSN_LOADS : 0) |
                                 (access & W ? SL_INSN_STORES : 0));
        info->width = op->size;
    }
}

static void set_branch(const cs_insn *insn, const char *name, struct sl_insn_info *info)
{
    const cs_x86_op *op = &insn->detail->x86.operands[0];
    bool direct = insn->detail->x86.op_count == 1 && op->type == X86_OP_IMM;
    if (info->class == SL_CLASS_BRANCH)
        info->branch = SL_BRANCH_CONDITIONAL;
    else if (sl_find_name("ret* iret*", name))
        info->branch = SL_BRANCH_RETURN;
    else if (sl_find_name("call lcall", name))
        info->branch = direct ? SL_BRANCH_CALL : SL_BRANCH_INDIRECT_CALL;
    else
        info->branch = direct ? SL_BRANCH_JUMP : SL_BRANCH_INDIRECT;
    if (direct && info->branch != SL_BRANCH_RETURN)
        info->target = (uint64_t)op->imm;
}

/* Memory accesses without an operand. */
static void set_implicit_access(const cs_x86 *x86, const char *name, struct sl_insn_info *info)
{
    unsigned width = x86->prefix[2] == X86_PREFIX_OPSIZE && !(x86->rex & 8) ? 2 : 8;
    if (sl_find_name("push* call lcall enter", name))
        info->flags |= SL_INSN_STORES;
    else if (sl_find_name("pop* ret* iret* leave", name) && !sl_find_name("popcnt", name))
        info->flags |= SL_INSN_LOADS;
    else
        width = 0;
    if (sl_find_name("xlatb", name)) {
        info->flags |= SL_INSN_LOADS;
        width = 1;
    } else if (sl_find_name("maskmov* vmaskmovdqu", name)) {
        info->flags |= SL_INSN_STORES;
        width = x86->operands[0].size;
    }
    if (width)
        info->width = (uint8_t)width;
}

static bool repeats(const cs_x86 *x86)
{
    return x86->prefix[0] == X86_PREFIX_REP || x86->prefix[0] == X86_PREFIX_REPNE;
}

/* Implicit registers: Capstone's, corrected. */
static void set_implicit_registers(const cs_detail *detail, const char *name, unsigned more,
                                   struct sl_insn_info *info)
{
    const uint64_t one = 1, flags = one << SL_REG_FLAGS, status = one << SL_REG_FPFLAGS;
    const uint64_t rax = one << 0, rcx = one << 1, rdx = one << 2, rbx = one << 3, rbp = one << 5,
                   r11 = one << 11;
    for (unsigned i = 0; i < detail->regs_read_count; i++)
        add(&info->reads, (x86_reg)detail->regs_read[i]);
    for (unsigned i = 0; i < detail->regs_write_count; i++)
        add(&info->writes, (x86_reg)detail->regs_write[i]);
    if (more & STRING) {
        info->reads.general &= ~flags; /* the direction flag */
        if (!repeats(&detail->x86)) {
            info->reads.general &= ~rcx;
            info->writes.general &= ~rcx;
        }
    }
    if (sl_find_name("*pcmpestr?", name))
        info->reads.general |= rax | rdx;
    info->reads.general |= more & TESTS ? flags : 0;
    info->writes.general |= more & SETS ? flags : 0;

    if (sl_find_name("cmpxchg", name))
        info->writes.general |= rax;
    else if (sl_find_name("cwd cdq cqo", name))
        info->writes.general = rdx;
    else if (sl_find_name("leave", name))
        info->reads.general = rbp;
    else if (sl_find_name("xlatb", name))
        info->reads.general = rax | rbx, info->writes.general = rax;
    else if (sl_find_name("syscall", name))
        info->writes.general = rcx | r11;
    else if (sl_find_name("cld std", name))
        info->writes.general = 0;
    else if (sl_find_name("*pcmpestrm *pcmpistrm", name))
        info->writes = (struct sl_regs){flags, 1};
    else if (sl_find_name("fxch", name))
        info->reads.vector = one << (detail->x86.modrm & 7);
    else if (sl_find_name("v*gather*", name) && detail->x86.op_count == 3)
        add(&info->writes, detail->x86.operands[2].reg); /* the mask is cleared */
    else if (sl_find_name("vzeroupper", name))           /* the lower halves are preserved */
        info->reads.vector = info->writes.vector = 0;

    if (name[0] == 'f' && !sl_find_name("fx* fn* fldcw fldenv frstor", name)) {
        info->reads.vector |= 1 | info->writes.vector;
        info->writes.vector |= 1 | info->reads.vector;
    }
    if (sl_find_name("fcom fcomp fcompp ficom* fucom fucomp fucompp ftst fxam fldcw fldenv frstor "
                     "*ldmxcsr",
                     name))
        info->writes.vector |= status;
    if (sl_find_name("fnst* fnsave *stmxcsr", name))
        info->reads.vector |= status;
}

static unsigned class_by_operands(const cs_x86 *x86, const char *name)
{
    bool vector = false;
    for (unsigned i = 0; i < x86->op_count; i++)
        vector = vector || (x86->operands[i].type == X86_OP_REG && is_vector(x86->operands[i].reg));
    if (!vector)
        return name[0] == 'f' ? SL_CLASS_FLOAT : SL_CLASS_ARITHMETIC;
    bool scalar = sl_find_name("*ss *sd *2si", name) && !sl_find_name("p* vp* v*broadcast*", name);
    return scalar ? SL_CLASS_FLOAT : SL_CLASS_VECTOR;
}

/* Corrects widths that are wrong in some version of Capstone. */
static void set_width(const cs_x86 *x86, const char *name, struct sl_insn_info *info)
{
    if (!info->width)
        return;
    if (sl_find_name("*comiss *comisd fnstsw", name))
        info->width = sl_find_name("*ss", name) ? 4 : sl_find_name("*sd", name) ? 8 : 2;
    else if (sl_find_name("lsl punpckl*", name))
        info->width = x86->operands[0].size;
    else if (x86->opcode[0] == 0xff && (x86->modrm >> 3 & 7) == 5) /* a far jump */
        info->width = 10;
}

static void set_compare(const cs_x86 *x86, struct sl_x86_compare compare, struct sl_insn_info *info)
{
    for (unsigned i = 0; i < x86->op_count; i++) /* the first is written */
        use(&x86->operands[i], i, i ? R : compare.vex ? ONLY_W : RW, info);
    info->class = compare.scalar ? SL_CLASS_FLOAT : SL_CLASS_VECTOR;
    info->width = info->width ? compare.width : 0;
}

void sl_x86_info(const cs_insn *insn, const char *name, struct sl_insn_info *info)
{
    const cs_x86 *x86 = &insn->detail->x86;
    const struct sl_x86_compare compare = sl_x86_compare(insn->bytes);
    if (compare.is) {
        set_compare(x86, compare, info);
        return;
    }
    const struct rule *rule = rules;
    const unsigned by_operands = class_by_operands(x86, name);
    while (!sl_find_name(rule->names, name))
        rule++;
    unsigned class = rule->class, access = rule->access, more = rule->more;
    if (more & STRING && by_operands != SL_CLASS_ARITHMETIC) { /* SSE's movsd and cmpsd */
        class = class == MOVE ? MOVE : BY_OPERANDS;
        access = class == MOVE ? W : 0;
        more = 0;
    }
    if (class == SL_CLASS_MULTIPLY && x86->op_count == 1)
        access = R;

    for (unsigned i = 0; i < x86->op_count && class != SL_CLASS_NOP; i++)
        use(&x86->operands[i], i, i == 0 || access == NONE ? access : 0, info);
    set_width(x86, name, info);
    set_implicit_access(x86, name, info);
    set_implicit_registers(insn->detail, name, more, info);

    if (class == MOVE)
        class = info->flags & SL_INSN_STORES  ? SL_CLASS_STORE
                : info->flags & SL_INSN_LOADS ? SL_CLASS_LOAD
                                              : BY_OPERANDS;
    if (class == BY_OPERANDS)
        class = by_operands;
    if (x86->prefix[0] == X86_PREFIX_LOCK ||
        (info->flags & SL_INSN_LOADS && sl_find_name("xchg", name)))
        class = SL_CLASS_ATOMIC;
    info->class = (uint8_t) class;
    if (class == SL_CLASS_BRANCH || class == SL_CLASS_JUMP)
        set_branch(insn, name, info);
    if (more & ENDS)
        info->flags |= SL_INSN_ENDS;
    if (more & STRING && repeats(x86))
        info->flags |= SL_INSN_REPEATS;
}
