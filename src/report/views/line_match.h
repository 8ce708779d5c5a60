/* SPDX-License-Identifier: MIT */
/* Which source line of one build is which of another.
 *
 * A line that was put in moves all lines below it. But the lines of a function stay in their order,
 * and most of them execute what they did. So the lines of each function that executed something are
 * matched in order, such that as many as possible execute what they did, and the others differ by
 * little; of several ways, the one that moves fewest lines against the function's first. Where a
 * function has the same lines, none moves.
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
        char *group;   /* a function's lines in one file */
        int line, was; /* after settling, of the second side; 0: it is new */
        uint64_t weight;
    } * line[2];
    size_t n[2], room[2];
};

/* A line of `group` that executed so much, before (0) or after (1). False when memory ran out. */
bool sl_line_match_add(struct sl_line_match *match, int side, const char *group, int line,
                       uint64_t weight);

/* Matches them; likewise. */
bool sl_line_match_settle(struct sl_line_match *match);

/* The line before of a line after; 0 if it is new. Of one that was not added, what its neighbour
 * says. */
int sl_line_match_find(const struct sl_line_match *match, const char *group, int line);

void sl_line_match_free(struct sl_line_match *match);

#endif
