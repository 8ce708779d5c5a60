/* SPDX-License-Identifier: MIT */
/* Test program that decodes each instruction of its input with sluice's decoder and prints the
 * result (usage: isa_dump ARCH).
 *
 * Reads lines of `pc hex`, the hex as the architecture's objdump prints it (words in the
 * architecture's byte order), and prints for each
 *
 *   pc branch target flags width class reads writes
 *
 * where flags are l(oads) s(tores) d(elay slot) r(epeats) e(nds), `-` if none, and register sets
 * general:vector in hex. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa.h"

static enum sl_arch arch_by_name(const char *name)
{
    for (int arch = SL_ARCH_NONE; arch < SL_ARCH_COUNT; arch++)
        if (strcmp(sl_arch_name((enum sl_arch)arch), name) == 0)
            return (enum sl_arch)arch;
    fprintf(stderr, "isa_dump: what is %s?\n", name);
    exit(2);
}

static size_t bytes_of(const char *hex, bool reversed, uint8_t *bytes, size_t capacity)
{
    size_t n = strlen(hex) / 2;
    if (n > capacity)
        n = capacity;
    for (size_t i = 0; i < n; i++) {
        char pair[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
        bytes[reversed ? n - 1 - i : i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return n;
}

int main(int argc, char **argv)
{
    enum sl_arch arch = arch_by_name(argc > 1 ? argv[1] : "none");
    bool reversed = arch != SL_ARCH_X86_64 && arch != SL_ARCH_MIPS;
    struct sl_decoder *decoder = sl_decoder_open(arch);
    char line[256], hex[64];
    unsigned long pc;
    while (decoder && fgets(line, sizeof line, stdin)) {
        uint8_t bytes[32];
        struct sl_insn_info info;
        if (sscanf(line, "%lx %63s", &pc, hex) != 2)
            continue;
        sl_decode(decoder, pc, bytes, bytes_of(hex, reversed, bytes, sizeof bytes), &info);
        char flags[6] = "", *end = flags;
        for (unsigned i = 0; i < 5; i++)
            if (info.flags >> i & 1)
                *end++ = "lsdre"[i];
        printf("%lx %s %lx %s %u %s %lx:%lx %lx:%lx\n", pc,
               sl_branch_name((enum sl_branch)info.branch), (unsigned long)info.target,
               flags[0] ? flags : "-", info.width, sl_class_name((enum sl_class)info.class),
               (unsigned long)info.reads.general, (unsigned long)info.reads.vector,
               (unsigned long)info.writes.general, (unsigned long)info.writes.vector);
    }
    sl_decoder_close(decoder);
    return decoder ? 0 : 1;
}
