/* SPDX-License-Identifier: MIT */
/* Instruction decoder for all architectures: selects the decoder of the architecture, decodes
 * instruction descriptions, and returns the names of instruction classes and branch kinds. */
#include "isa.h"

#include <stdlib.h>

#include "capstone_decode.h"
#include "description.h"

struct sl_decoder {
    enum sl_arch arch;
    struct sl_capstone *capstone; /* NULL if the architecture is decoded without it */
};

const char *sl_class_name(enum sl_class class)
{
    static const char *const name[SL_CLASS_COUNT] = {
        [SL_CLASS_OTHER] = "other",       [SL_CLASS_ARITHMETIC] = "arithmetic",
        [SL_CLASS_MULTIPLY] = "multiply", [SL_CLASS_DIVIDE] = "divide",
        [SL_CLASS_LOAD] = "load",         [SL_CLASS_STORE] = "store",
        [SL_CLASS_ATOMIC] = "atomic",     [SL_CLASS_BRANCH] = "branch",
        [SL_CLASS_JUMP] = "jump",         [SL_CLASS_FLOAT] = "float",
        [SL_CLASS_VECTOR] = "vector",     [SL_CLASS_SYSTEM] = "system",
        [SL_CLASS_NOP] = "nop",
    };
    return class < SL_CLASS_COUNT ? name[class] : "?";
}

const char *sl_branch_name(enum sl_branch branch)
{
    static const char *const name[SL_BRANCH_COUNT] = {
        [SL_BRANCH_NONE] = "none",     [SL_BRANCH_CONDITIONAL] = "conditional",
        [SL_BRANCH_JUMP] = "jump",     [SL_BRANCH_INDIRECT] = "indirect",
        [SL_BRANCH_CALL] = "call",     [SL_BRANCH_INDIRECT_CALL] = "indirect-call",
        [SL_BRANCH_RETURN] = "return",
    };
    return branch < SL_BRANCH_COUNT ? name[branch] : "?";
}

static void add_register(struct sl_regs *to, uint8_t reg)
{
    if (reg >= 1 && reg <= 64)
        to->general |= UINT64_C(1) << (reg - 1);
    else if (reg >= 65 && reg <= 128)
        to->vector |= UINT64_C(1) << (reg - 65);
}

/* Values that do not exist become "none": a description may come from an untrusted file. */
void sl_description_decode(const uint8_t *bytes, size_t size, struct sl_insn_info *info)
{
    if (size < SL_DESCRIPTION_SIZE)
        return;
    info->class = bytes[0] < SL_CLASS_COUNT ? bytes[0] : SL_CLASS_OTHER;
    info->branch = bytes[1] < SL_BRANCH_COUNT ? bytes[1] : SL_BRANCH_NONE;
    info->flags = bytes[2] & (SL_INSN_LOADS | SL_INSN_STORES | SL_INSN_REPEATS | SL_INSN_ENDS);
    info->width = bytes[3];
    for (unsigned i = 0; i < 2; i++)
        add_register(&info->writes, bytes[4 + i]);
    for (unsigned i = 0; i < 4; i++)
        add_register(&info->reads, bytes[6 + i]);
    for (unsigned i = 0; i < 8; i++)
        info->target |= (uint64_t)bytes[16 + i] << 8 * i;
}

struct sl_decoder *sl_decoder_open(enum sl_arch arch)
{
    struct sl_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder)
        return NULL;
    decoder->arch = arch;
    if (arch == SL_ARCH_X86_64 || arch == SL_ARCH_AARCH64) {
        decoder->capstone = sl_capstone_open(arch);
        if (!decoder->capstone) {
            free(decoder);
            return NULL;
        }
    }
    return decoder;
}

void sl_decode(struct sl_decoder *decoder, uint64_t pc, const uint8_t *bytes, size_t size,
               struct sl_insn_info *info)
{
    *info = (struct sl_insn_info){.size = (uint8_t)size};
    switch (decoder->arch) {
    case SL_ARCH_X86_64:
    case SL_ARCH_AARCH64:
        sl_capstone_decode(decoder->capstone, pc, bytes, size, info);
        break;
    case SL_ARCH_RISCV64:
    case SL_ARCH_RISCV32:
        sl_riscv_decode(decoder->arch == SL_ARCH_RISCV64 ? 64 : 32, pc, bytes, size, info);
        break;
    case SL_ARCH_MIPSEL:
    case SL_ARCH_MIPS:
        sl_mips_decode(decoder->arch == SL_ARCH_MIPS, pc, bytes, size, info);
        break;
    case SL_ARCH_DESCRIBED:
        sl_description_decode(bytes, size, info);
        break;
    case SL_ARCH_NONE:
    case SL_ARCH_COUNT:
        break;
    }
}

void sl_decoder_close(struct sl_decoder *decoder)
{
    if (!decoder)
        return;
    sl_capstone_close(decoder->capstone);
    free(decoder);
}
