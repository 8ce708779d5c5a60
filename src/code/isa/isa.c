/* SPDX-License-Identifier: MIT */
/* Instruction decoder for all architectures (isa.h): calls the decoder of the architecture, decodes
 * instructions that a stream describes without machine code, and calls Capstone for x86-64, for
 * AArch64 and for disassembly. */
#include "isa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capstone_decode.h"

struct sl_decoder {
    enum sl_arch arch;
    csh handle;
    cs_insn *insn; /* NULL if the architecture is decoded without Capstone */
};

const char *sl_class_name(enum sl_class class)
{
    static const char *const name[SL_CLASS_COUNT] = {
        /* clang-format off */
        [SL_CLASS_OTHER] = "other",
        [SL_CLASS_ARITHMETIC] = "arithmetic",
        [SL_CLASS_MULTIPLY] = "multiply",
        [SL_CLASS_DIVIDE] = "divide",
        [SL_CLASS_LOAD] = "load",
        [SL_CLASS_STORE] = "store",
        [SL_CLASS_ATOMIC] = "atomic",
        [SL_CLASS_BRANCH] = "branch",
        [SL_CLASS_JUMP] = "jump",
        [SL_CLASS_FLOAT] = "float",
        [SL_CLASS_VECTOR] = "vector",
        [SL_CLASS_SYSTEM] = "system",
        [SL_CLASS_NOP] = "nop",
        /* clang-format on */
    };
    return class < SL_CLASS_COUNT ? name[class] : "?";
}

const char *sl_branch_name(enum sl_branch branch)
{
    static const char *const name[SL_BRANCH_COUNT] = {
        /* clang-format off */
        [SL_BRANCH_NONE] = "none",
        [SL_BRANCH_CONDITIONAL] = "conditional",
        [SL_BRANCH_JUMP] = "jump",
        [SL_BRANCH_INDIRECT] = "indirect",
        [SL_BRANCH_CALL] = "call",
        [SL_BRANCH_INDIRECT_CALL] = "indirect-call",
        [SL_BRANCH_RETURN] = "return",
        /* clang-format on */
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

/* Decodes a description from an untrusted file: unknown values become "none". */
static void decode_description(const uint8_t *bytes, size_t size, struct sl_insn_info *info)
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

/* ---- Capstone ---- */

/* Architectures and modes of Capstone; CS_ARCH_ARM (0) in rows that this version does not know. */
static const struct {
    cs_arch arch;
    unsigned mode;
} modes[SL_ARCH_COUNT] = {
    [SL_ARCH_X86_64] = {CS_ARCH_X86, CS_MODE_64},
    [SL_ARCH_AARCH64] = {CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN},
    [SL_ARCH_MIPSEL] = {CS_ARCH_MIPS, CS_MODE_MIPS32},
    [SL_ARCH_MIPS] = {CS_ARCH_MIPS, CS_MODE_MIPS32 | (unsigned)CS_MODE_BIG_ENDIAN},
#if CS_API_MAJOR >= 5
    [SL_ARCH_RISCV64] = {CS_ARCH_RISCV, CS_MODE_RISCV64 | CS_MODE_RISCVC},
    [SL_ARCH_RISCV32] = {CS_ARCH_RISCV, CS_MODE_RISCV32 | CS_MODE_RISCVC},
#endif
};

static bool open_handle(enum sl_arch arch, csh *handle)
{
    return modes[arch].arch != CS_ARCH_ARM &&
           cs_open(modes[arch].arch, (cs_mode)modes[arch].mode, handle) == CS_ERR_OK;
}

/* Decodes the first instruction into decoder->insn. Returns its size, 0 if it is unknown. */
static size_t disassemble(struct sl_decoder *decoder, uint64_t pc, const uint8_t *bytes,
                          size_t size)
{
    uint8_t head[16] = {0}; /* no instruction is longer */
    size_t seen = size < sizeof head ? size : sizeof head, left = seen;
    const uint8_t *at = head;
    memcpy(head, bytes, seen);
    /* vbroadcasti128, the only AVX2 instruction that Capstone lacks, is like vbroadcastf128. */
    if (decoder->arch == SL_ARCH_X86_64 && seen >= 5 && head[0] == 0xc4 && (head[1] & 0x1f) == 2 &&
        head[2] == 0x7d && head[3] == 0x5a)
        head[3] = 0x1a;
    /* Capstone 4 recognizes the operand size prefix only after another prefix. */
    if (decoder->arch == SL_ARCH_X86_64 && head[0] == 0x66 && head[1] >> 1 == 0xf2 >> 1)
        head[0] = head[1], head[1] = 0x66;
    if (decoder->arch == SL_ARCH_X86_64 && sl_x86_newer(head))
        return 0;
    return cs_disasm_iter(decoder->handle, &at, &left, &pc, decoder->insn) ? seen - left : 0;
}

static void decode_aarch64(struct sl_decoder *decoder, uint64_t pc, const uint8_t *bytes,
                           size_t size, struct sl_insn_info *info)
{
    if (size != 4)
        return;
    uint32_t word = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                    (uint32_t)bytes[3] << 24;
    /* If the length differs from QEMU's, Capstone has decoded another instruction. */
    if (!sl_aarch64_word(pc, word, info) && !sl_aarch64_newer(word) &&
        disassemble(decoder, pc, bytes, size) == size)
        sl_aarch64_info(decoder->insn, cs_insn_name(decoder->handle, decoder->insn->id), info);
}

/* ---- decoding ---- */

struct sl_decoder *sl_decoder_open(enum sl_arch arch)
{
    struct sl_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder)
        return NULL;
    decoder->arch = arch;
    if (arch != SL_ARCH_X86_64 && arch != SL_ARCH_AARCH64)
        return decoder;
    if (open_handle(arch, &decoder->handle)) {
        cs_option(decoder->handle, CS_OPT_DETAIL, CS_OPT_ON);
        if ((decoder->insn = cs_malloc(decoder->handle)))
            return decoder;
        cs_close(&decoder->handle);
    }
    free(decoder);
    return NULL;
}

void sl_decode(struct sl_decoder *decoder, uint64_t pc, const uint8_t *bytes, size_t size,
               struct sl_insn_info *info)
{
    *info = (struct sl_insn_info){.size = (uint8_t)size};
    switch (decoder->arch) {
    case SL_ARCH_X86_64:
        if (size && disassemble(decoder, pc, bytes, size) == size)
            sl_x86_info(decoder->insn, cs_insn_name(decoder->handle, decoder->insn->id), info);
        break;
    case SL_ARCH_AARCH64:
        decode_aarch64(decoder, pc, bytes, size, info);
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
        decode_description(bytes, size, info);
        break;
    case SL_ARCH_NONE:
    case SL_ARCH_COUNT:
        break;
    }
}

void sl_decoder_close(struct sl_decoder *decoder)
{
    if (decoder && decoder->insn) {
        cs_free(decoder->insn, 1);
        cs_close(&decoder->handle);
    }
    free(decoder);
}

/* ---- disassembly ---- */

struct sl_disassembler {
    bool known; /* Capstone has the architecture */
    csh handle;
};

struct sl_disassembler *sl_disassembler_open(enum sl_arch arch)
{
    struct sl_disassembler *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->known = open_handle(arch, &d->handle);
    if (d->known && arch == SL_ARCH_X86_64)
        cs_option(d->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
    return d;
}

void sl_disassemble(struct sl_disassembler *d, uint64_t pc, const uint8_t *bytes, size_t size,
                    char *out, size_t capacity)
{
    cs_insn *insn = NULL;
    size_t n = d->known ? cs_disasm(d->handle, bytes, size, pc, 1, &insn) : 0;
    if (n && insn->size == size)
        snprintf(out, capacity, "%s%s%s", insn->mnemonic, *insn->op_str ? " " : "", insn->op_str);
    else {
        int used = snprintf(out, capacity, ".byte");
        for (size_t i = 0; i < size && used > 0 && (size_t)used < capacity; i++)
            used += snprintf(out + used, capacity - (size_t)used, " %02x", bytes[i]);
    }
    if (n)
        cs_free(insn, n);
}

void sl_disassembler_close(struct sl_disassembler *d)
{
    if (d && d->known)
        cs_close(&d->handle);
    free(d);
}

/* ---- names of mnemonics ---- */

static bool match(const char *pattern, const char *name)
{
    if (*pattern == '*')
        return match(pattern + 1, name) || (*name && match(pattern, name + 1));
    if (*pattern == '\0' || *pattern == ' ')
        return *name == '\0';
    return *name && (*pattern == '?' || *pattern == *name) && match(pattern + 1, name + 1);
}

bool sl_find_name(const char *patterns, const char *name)
{
    while (!match(patterns, name)) {
        patterns = strchr(patterns, ' ');
        if (!patterns)
            return false;
        patterns++;
    }
    return true;
}
