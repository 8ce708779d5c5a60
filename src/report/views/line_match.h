/* SPDX-License-Identifier: MIT */
/* Matching of the source lines of two builds of a program, for `diff`.
 *
 * An inserted line moves all lines below it. But the lines of a function keep their order, and most
 * lines keep their execution counts. So the executed lines of each function are aligned in order,
 * so that many counts are equal and the others differ by little. Among equally good alignments, the
 * one that moves the fewest lines relative to the first line of the function is chosen. If a
 * function has the same lines in both builds, no line moves.
 *
 *     before   10: 5   11: 800   12: 800   14: 5
 *     after    30: 5   31: 800   32: 64    33: 800   35: 5      32 is new, 33 was 12 */
#ifndef SL_LINE_MATCH_H
#define SL_LINE_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sl_line_match {
    struct sl_line_weight {
        char *group;   /* identifies a function's lines in one file */
        int line, was; /* `was`: on side 1, after sl_line_match_align(): the line before; 0: new */
        uint64_t weight;
    } * line[2];
    size_t n[2], capacity[2];
};

/* Adds a line of `group` with its execution count, before (side 0) or after (side 1). Returns false
 * if out of memory. */
bool sl_line_match_add(struct sl_line_match *match, int side, const char *group, int line,
                       uint64_t weight);

/* Computes the alignment. Call once, after all lines were added. Returns false if out of memory. */
bool sl_line_match_align(struct sl_line_match *match);

/* Returns the line before for a line after; 0 if it is new. A line that was not added moves like
 * its neighbour. */
int sl_line_match_find(const struct sl_line_match *match, const char *group, int line);

void sl_line_match_free(struct sl_line_match *match);

#endif
