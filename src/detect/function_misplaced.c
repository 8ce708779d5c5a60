/* SPDX-License-Identifier: MIT */
#include "function_misplaced.h"

#include <stdio.h>
#include <stdlib.h>

#include "grow.h"

bool sl_misplaced_block(struct sl_misplaced *m, size_t block, uint64_t start)
{
    if (!SL_GROW(m->start, m->room, block + 1))
        return false;
    m->start[block] = start;
    return true;
}

void sl_misplaced_note(const struct sl_misplaced *m, char *out, size_t room)
{
    if (m->weight)
        snprintf(out, room,
                 "%llu of the weight (%.2f%%) was executed by other functions than are "
                 "charged with it: without symbols, tail calls and signals are not seen",
                 (unsigned long long)m->weight, 100.0 * (double)m->weight / (double)m->all);
}

void sl_misplaced_free(struct sl_misplaced *m)
{
    free(m->start);
}
