/* SPDX-License-Identifier: MIT */
/* What calls and returns alone charge to the wrong function: with function(tail=0), as for
 * hardware, a function that is jumped to (a tail call) or entered by a signal has no part in
 * what it executes; the one that was called last has it. Whoever compares such a profile with
 * one by addresses is told how much that is: the weight of the blocks whose address is in
 * another function than the one that is charged. (So much at least as half of what the two
 * profiles differ by in all; more where one function is charged too much here and too little
 * there.) Code without symbols is taken to be in its place. */
#ifndef SL_FUNCTION_MISPLACED_H
#define SL_FUNCTION_MISPLACED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sl_misplaced {
    uint64_t *start; /* by block: of the function that its address is in; 0: of none */
    size_t room;
    uint64_t weight, all;
};

/* The block's function begins there. False when memory ran out. */
bool sl_misplaced_block(struct sl_misplaced *m, size_t block, uint64_t start);

/* The block weighed so much, and the function that begins there is charged. */
static inline void sl_misplaced_add(struct sl_misplaced *m, uint32_t block, uint64_t charged,
                                    uint64_t weight)
{
    uint64_t start = m->start[block];
    m->all += weight;
    if (start && start != charged)
        m->weight += weight;
}

/* Says it in words, if there is something to say, in a text of `room` bytes. */
void sl_misplaced_note(const struct sl_misplaced *m, char *out, size_t room);

void sl_misplaced_free(struct sl_misplaced *m);

#endif
