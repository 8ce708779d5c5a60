/* SPDX-License-Identifier: MIT */
/* One Capstone handle and one of its instructions, used again and again. */
#include "capstone_decode.h"

#include <stdlib.h>
#include <string.h>

struct sl_capstone {
    enum sl_arch arch;
    csh handle;
    cs_insn *insn;
};

struct sl_capstone *sl_capstone_open(enum sl_arch arch)
{
    struct sl_capstone *capstone = calloc(1, sizeof *capstone);
    bool x86 = arch == SL_ARCH_X86_64;
    if (!capstone)
        return NULL;
    capstone->arch = arch;
    if (cs_open(x86 ? CS_ARCH_X86 : CS_ARCH_ARM64, x86 ? CS_MODE_64 : CS_MODE_LITTLE_ENDIAN,
                &capstone->handle) != CS_ERR_OK) {
        free(capstone);
        return NULL;
    }
    cs_option(capstone->handle, CS_OPT_DETAIL, CS_OPT_ON);
    capstone->insn = cs_malloc(capstone->handle);
    if (!capstone->insn) {
        sl_capstone_close(capstone);
        return NULL;
    }
    return capstone;
}

/* Leaves the instruction that these bytes begin with in capstone->insn; returns its size,
 * 0 if Capstone knows none. */
static size_t disassemble(struct sl_capstone *capstone, uint64_t pc, const uint8_t *bytes,
                          size_t size)
{
    uint8_t head[16] = {0}; /* none is longer */
    size_t seen = size < sizeof head ? size : sizeof head, left = seen;
    const uint8_t *at = head;
    memcpy(head, bytes, seen);
    /* vbroadcasti128, the only one of AVX2 that Capstone misses, is like vbroadcastf128. */
    if (capstone->arch == SL_ARCH_X86_64 && seen >= 5 && head[0] == 0xc4 && (head[1] & 0x1f) == 2 &&
        head[2] == 0x7d && head[3] == 0x5a)
        head[3] = 0x1a;
    /* The operand size counts to Capstone 4 behind another prefix only. */
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
        if (sl_aarch64_word(pc, word, info))
            return;
    }
    /* A shorter instruction than QEMU saw is a misunderstanding. */
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

static bool match(const char *pattern, const char *name)
{
    if (*pattern == '*')
        return match(pattern + 1, name) || (*name && match(pattern, name + 1));
    if (*pattern == '\0' || *pattern == ' ')
        return *name == '\0';
    return *name && (*pattern == '?' || *pattern == *name) && match(pattern + 1, name + 1);
}

bool sl_name_among(const char *patterns, const char *name)
{
    while (!match(patterns, name)) {
        patterns = strchr(patterns, ' ');
        if (!patterns)
            return false;
        patterns++;
    }
    return true;
}
