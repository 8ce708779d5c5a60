/* SPDX-License-Identifier: MIT */
/* Unit tests of matching the source lines of two builds of a program, for `sluice diff`: unchanged
 * lines are matched, even if they have moved. */
#include <stdlib.h>

#include "difference_rows.h"
#include "tap.h"

static void add(struct sl_line_match *match, int side, const char *group, const int *line,
                const uint64_t *weight, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!sl_line_match_add(match, side, group, line[i], weight[i]))
            exit(1);
}

int main(void)
{
    struct sl_line_match match = {0};
    /* As the head of difference_rows.h has it. */
    add(&match, 0, "f", (int[]){10, 11, 12, 14}, (uint64_t[]){5, 800, 800, 5}, 4);
    add(&match, 1, "f", (int[]){30, 31, 32, 33, 35}, (uint64_t[]){5, 800, 64, 800, 5}, 5);
    /* The same lines, costs of all of them changed. */
    add(&match, 0, "g", (int[]){50, 51, 52}, (uint64_t[]){100, 200, 400}, 3);
    add(&match, 1, "g", (int[]){70, 71, 72}, (uint64_t[]){200, 400, 800}, 3);
    /* A line is gone; one counts in two parts. */
    add(&match, 0, "h", (int[]){5, 6, 7}, (uint64_t[]){1, 90, 3}, 3);
    add(&match, 1, "h", (int[]){5, 6, 6}, (uint64_t[]){1, 1, 2}, 3);
    /* On one side only; not a line. */
    add(&match, 1, "k", (int[]){9, 0, -5}, (uint64_t[]){1, 1, 1}, 3);
    add(&match, 0, "j", (int[]){9}, (uint64_t[]){1}, 1);
    ok(sl_line_match_align(&match), "they are matched");
    const int after[] = {30, 31, 32, 33, 35}, wanted[] = {10, 11, 0, 12, 14};
    for (size_t i = 0; i < 5; i++)
        ok(sl_line_match_find(&match, "f", after[i]) == wanted[i], "line %d was %d", after[i],
           wanted[i]);
    ok(sl_line_match_find(&match, "f", 34) == 13,
       "one that executed nothing is next to its neighbour");
    ok(sl_line_match_find(&match, "f", 29) == 9, "also before the first");
    ok(sl_line_match_find(&match, "f", 2147483647) > 0, "and as far away as can be");
    ok(sl_line_match_find(&match, "g", 71) == 51, "with the same lines, costs do not matter");
    ok(sl_line_match_find(&match, "h", 6) == 7, "a removed line matches no line");
    ok(sl_line_match_find(&match, "k", 9) == 0, "a function that is new has new lines");
    ok(sl_line_match_find(&match, "none", 9) == 9, "lines of an unknown function stay");
    sl_line_match_free(&match);
    return done_testing();
}
