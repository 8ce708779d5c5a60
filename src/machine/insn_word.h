/* SPDX-License-Identifier: MIT */
/* The first four bytes of an instruction as a number, in the order in which its
 * instruction set writes them: the whole of it where instructions are words. */
#ifndef SL_INSN_WORD_H
#define SL_INSN_WORD_H

#include "statics.h"

static inline uint32_t sl_insn_word(const struct sl_statics *statics, uint32_t number)
{
    const struct sl_insn *insn = &statics->insn[number];
    bool big = statics->program.arch == SL_ARCH_MIPS;
    uint32_t word = 0;
    for (unsigned i = 0; i < insn->size && i < 4; i++)
        word |= (uint32_t)statics->bytes[insn->bytes_at + i] << 8 * (big ? 3 - i : i);
    return word;
}

#endif
