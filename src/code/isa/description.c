/* SPDX-License-Identifier: MIT */
/* A description as a decoder's finding. It may come from a hostile file: what there is not becomes
 * none. */
#include "description.h"

#include "isa.h"

static void add(struct sl_regs *to, uint8_t reg)
{
    if (reg >= 1 && reg <= 64)
        to->general |= UINT64_C(1) << (reg - 1);
    else if (reg >= 65 && reg <= 128)
        to->vector |= UINT64_C(1) << (reg - 65);
}

void sl_description_decode(const uint8_t *bytes, size_t size, struct sl_insn_info *info)
{
    if (size < SL_DESCRIPTION_SIZE)
        return;
    info->class = bytes[0] < SL_CLASS_COUNT ? bytes[0] : SL_CLASS_OTHER;
    info->branch = bytes[1] < SL_BRANCH_COUNT ? bytes[1] : SL_BRANCH_NONE;
    info->flags = bytes[2] & (SL_INSN_LOADS | SL_INSN_STORES | SL_INSN_REPEATS | SL_INSN_ENDS);
    info->width = bytes[3];
    for (unsigned i = 0; i < 2; i++)
        add(&info->writes, bytes[4 + i]);
    for (unsigned i = 0; i < 4; i++)
        add(&info->reads, bytes[6 + i]);
    for (unsigned i = 0; i < 8; i++)
        info->target |= (uint64_t)bytes[16 + i] << 8 * i;
}
