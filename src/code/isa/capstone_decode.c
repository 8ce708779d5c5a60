/* SPDX-License-Identifier: MIT */
/* Interface to Capstone, the disassembler library: decodes x86-64 and AArch64 instructions
 * (capstone_decode.h), and disassembles instructions of all architectures (disassemble.h). */
#include "capstone_decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disassemble.h"

struct sl_capstone {
    enum sl_arch arch;
    csh handle;
    cs_insn *insn;
};

/* Selects the architecture and mode of Capstone. Returns false if this version has none. */
static bool select_mode(enum sl_arch arch, cs_arch *machine, unsigned *mode)
{
    switch (arch) {
    case SL_ARCH_X86_64:
        *machine = CS_ARCH_X86;
        *mode = CS_MODE_64;
        return true;
    case SL_ARCH_AARCH64:
        *machine = CS_ARCH_ARM64;
        *mode = CS_MODE_LITTLE_ENDIAN;
        return true;
    case SL_ARCH_MIPSEL:
    case SL_ARCH_MIPS:
        *machine = CS_ARCH_MIPS;
        *mode = (unsigned)CS_MODE_MIPS32 |
                (unsigned)(arch == SL_ARCH_MIPS ? CS_MODE_BIG_ENDIAN : CS_MODE_LITTLE_ENDIAN);
        return true;
    case SL_ARCH_RISCV64:
    case SL_ARCH_RISCV32:
#if CS_API_MAJOR >= 5
        *machine = CS_ARCH_RISCV;
        *mode = (unsigned)(arch == SL_ARCH_RISCV64 ? CS_MODE_RISCV64 : CS_MODE_RISCV32) |
                (unsigned)CS_MODE_RISCVC;
        return true;
#endif
    case SL_ARCH_DESCRIBED:
    case SL_ARCH_NONE:
    case SL_ARCH_COUNT:
        break;
    }
    return false;
}

static bool open_handle(enum sl_arch arch, csh *handle)
{
    cs_arch machine;
    unsigned mode;
    return select_mode(arch, &machine, &mode) &&
           cs_open(machine, (cs_mode)mode, handle) == CS_ERR_OK;
}

struct sl_capstone *sl_capstone_open(enum sl_arch arch)
{
    struct sl_capstone *capstone = calloc(1, sizeof *capstone);
    if (!capstone || !open_handle(arch, &capstone->handle)) {
        free(capstone);
        return NULL;
    }
    capstone->arch = arch;
    cs_option(capstone->handle, CS_OPT_DETAIL, CS_OPT_ON);
    capstone->insn = cs_malloc(capstone->handle);
    if (!capstone->insn) {
        sl_capstone_close(capstone);
        return NULL;
    }
    return capstone;
}

/* Decodes the first instruction into capstone->insn. Returns its size, 0 if it is unknown. */
static size_t disassemble(struct sl_capstone *capstone, uint64_t pc, const uint8_t *bytes,
                          size_t size)
{
    uint8_t head[16] = {0}; /* no instruction is longer */
    size_t seen = size < sizeof head ? size : sizeof head, left = seen;
    const uint8_t *at = head;
    memcpy(head, bytes, seen);
    /* vbroadcasti128, the only AVX2 instruction that Capstone lacks, is like vbroadcastf128. */
    if (capstone->arch == SL_ARCH_X86_64 && seen >= 5 && head[0] == 0xc4 && (head[1] & 0x1f) == 2 &&
        head[2] == 0x7d && head[3] == 0x5a)
        head[3] = 0x1a;
    /* Capstone 4 recognizes the operand size prefix only after another prefix. */
    if (capstone->arch == SL_ARCH_X86_64 && head[0] == 0x66 && head[1] >> 1 == 0xf2 >> 1)
        head[0] = head[1], head[1] = 0x66;
    if (capstone->arch == SL_ARCH_X86_64 && sl_x86_newer(head))
        return 0;
    return cs_disasm_iter(capstone->handle, &at, &left, &pc, capstone->insn) ? seen - left : 0;
}

void sl_capstone_decode(struct sl_capstone *capstone, uint64_t pc, const uint8_t *bytes,
                        size_t size, struct sl_insn_info *info)
{
    const bool x86 = capstone->arch == SL_ARCH_X86_64;
    if (!x86) {
        if (size != 4)
            return;
        uint32_t word = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                        (uint32_t)bytes[3] << 24;
        if (sl_aarch64_word(pc, word, info) || sl_aarch64_newer(word))
            return;
    }
    /* If the length differs from QEMU's, Capstone has decoded another instruction. */
    if (!size || disassemble(capstone, pc, bytes, size) != size)
        return;
    const char *name = cs_insn_name(capstone->handle, capstone->insn->id);
    if (x86)
        sl_x86_info(capstone->insn, name, info);
    else
        sl_aarch64_info(capstone->insn, name, info);
}

void sl_capstone_close(struct sl_capstone *capstone)
{
    if (!capstone)
        return;
    if (capstone->insn)
        cs_free(capstone->insn, 1);
    cs_close(&capstone->handle);
    free(capstone);
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
