/* What an instruction is: its class, the registers it reads and writes, and
 * how it branches. RISC-V and MIPS are decoded here, x86-64 and AArch64 by
 * Capstone. Bytes that are no instruction are of class `other`: decoding
 * cannot fail. */
#ifndef SL_ISA_H
#define SL_ISA_H

#include "statics.h"

enum sl_class {
    SL_CLASS_OTHER,
    SL_CLASS_ARITHMETIC, /* integer add, logic, shift, move, compare, lea */
    SL_CLASS_MULTIPLY,
    SL_CLASS_DIVIDE,
    SL_CLASS_LOAD,       /* its only work is to load (pop, mov from memory) */
    SL_CLASS_STORE,      /* its only work is to store (push, mov to memory) */
    SL_CLASS_ATOMIC,     /* locked or exclusive access, load-linked, amo */
    SL_CLASS_BRANCH,     /* conditional */
    SL_CLASS_JUMP,       /* every other change of flow: jump, call, return */
    SL_CLASS_FLOAT,      /* scalar floating point, conversions included */
    SL_CLASS_VECTOR,     /* packed integer or floating point */
    SL_CLASS_SYSTEM,     /* system call, fence, control register, hint that traps */
    SL_CLASS_NOP,
    SL_CLASS_COUNT
};

enum sl_branch {
    SL_BRANCH_NONE,
    SL_BRANCH_CONDITIONAL,   /* direct, two ways */
    SL_BRANCH_JUMP,          /* direct, always */
    SL_BRANCH_INDIRECT,      /* through a register or memory, not a return */
    SL_BRANCH_CALL,          /* direct */
    SL_BRANCH_INDIRECT_CALL,
    SL_BRANCH_RETURN,
    SL_BRANCH_COUNT
};

const char *sl_class_name(enum sl_class class);
const char *sl_branch_name(enum sl_branch branch);

/* Register sets. `general` bit 0..31: the integer registers by their number
 * (x86-64: rax rcx rdx rbx rsp rbp rsi rdi r8..r15; AArch64: bit 31 is sp, the
 * zero register is in no set; RISC-V and MIPS: x0/$0 is in no set), then
 * SL_REG_FLAGS (x86 flags, nzcv), SL_REG_HI and SL_REG_LO (MIPS).
 * `vector` bit 0..31: floating-point and vector registers by their number
 * (x87 and MMX count as 0..7), SL_REG_FPFLAGS the FP condition or status. */
struct sl_regs {
    uint64_t general, vector;
};
#define SL_REG_FLAGS 32
#define SL_REG_HI 33
#define SL_REG_LO 34
#define SL_REG_FPFLAGS 32

enum sl_insn_flags {
    SL_INSN_LOADS = 1,      /* reads memory (what a call pops or an add takes included) */
    SL_INSN_STORES = 2,
    SL_INSN_DELAY_SLOT = 4, /* a MIPS branch: the next instruction belongs to it */
    SL_INSN_REPEATS = 8,    /* x86 rep: QEMU re-enters it for each round; not a branch */
    SL_INSN_ENDS = 16,      /* ends a block without being a branch (system call, trap) */
};

struct sl_insn_info {
    uint8_t class;  /* enum sl_class */
    uint8_t branch; /* enum sl_branch */
    uint8_t size;   /* bytes */
    uint8_t flags;  /* enum sl_insn_flags */
    uint8_t width;  /* bytes loaded or stored in all (if both: each way); 0 if none or unknown */
    uint64_t target; /* of a direct branch; 0 otherwise */
    struct sl_regs reads, writes;
};

struct sl_decoder;

/* NULL when memory ran out (or Capstone refuses the architecture). */
struct sl_decoder *sl_decoder_open(enum sl_arch arch);
void sl_decode(struct sl_decoder *decoder, uint64_t pc, const uint8_t *bytes, size_t size,
               struct sl_insn_info *info);

void sl_decoder_close(struct sl_decoder *decoder);

/* The per-architecture decoders; `size` bytes are there. They fill everything
 * but `size`, from an info that is zeroed. */
void sl_riscv_decode(unsigned xlen, uint64_t pc, const uint8_t *bytes, size_t size,
                     struct sl_insn_info *info);
void sl_mips_decode(bool big_endian, uint64_t pc, const uint8_t *bytes, size_t size,
                    struct sl_insn_info *info);

#endif
