/* SPDX-License-Identifier: MIT */
/* Names, and the choice of the decoder by architecture. */
#include "isa.h"

#include <stdlib.h>

#include "capstone_decode.h"
#include "description.h"

struct sl_decoder {
    enum sl_arch arch;
    struct sl_capstone *capstone; /* NULL where we decode ourselves */
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
