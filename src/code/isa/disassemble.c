/* SPDX-License-Identifier: MIT */
#include "disassemble.h"

#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>

struct sl_disassembler {
    bool known; /* to this Capstone */
    csh handle;
};

static bool choose(enum sl_arch arch, cs_arch *machine, unsigned *mode)
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

struct sl_disassembler *sl_disassembler_open(enum sl_arch arch)
{
    struct sl_disassembler *d = calloc(1, sizeof *d);
    cs_arch machine;
    unsigned mode;
    if (!d || !choose(arch, &machine, &mode))
        return d;
    d->known = cs_open(machine, (cs_mode)mode, &d->handle) == CS_ERR_OK;
    if (d->known && arch == SL_ARCH_X86_64)
        cs_option(d->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
    return d;
}

void sl_disassemble(struct sl_disassembler *d, uint64_t pc, const uint8_t *bytes, size_t size,
                    char *out, size_t room)
{
    cs_insn *insn = NULL;
    size_t n = d->known ? cs_disasm(d->handle, bytes, size, pc, 1, &insn) : 0;
    if (n && insn->size == size)
        snprintf(out, room, "%s%s%s", insn->mnemonic, *insn->op_str ? " " : "", insn->op_str);
    else {
        int used = snprintf(out, room, ".byte");
        for (size_t i = 0; i < size && used > 0 && (size_t)used < room; i++)
            used += snprintf(out + used, room - (size_t)used, " %02x", bytes[i]);
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
