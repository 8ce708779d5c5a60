/* SPDX-License-Identifier: MIT */
/* Aligns the executed source lines of a function in two builds (difference_rows.h) by dynamic
 * programming, like edit distance. Time and memory are proportional to the product of the numbers
 * of lines in the two builds. If this product exceeds CELLS_MAX, all lines of the function are
 * assumed to have moved by the same distance as its first line. */
#include "difference_rows.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"

#define CELLS_MAX ((size_t)1 << 24) /* in larger functions, all lines move like the first line */

typedef struct sl_line_weight line;

bool sl_line_match_add(struct sl_line_match *match, int side, const char *group, int number,
                       uint64_t weight)
{
    size_t n = match->n[side];
    if (number <= 0)
        return true; /* unknown line, or a damaged database */
    char *own = strdup(group);
    if (!own || !SL_GROW(match->line[side], match->capacity[side], n + 1)) {
        free(own);
        return false;
    }
    match->line[side][match->n[side]++] = (line){own, number, 0, weight};
    return true;
}

static int by_line(const void *a, const void *b)
{
    const line *x = a, *y = b;
    int order = strcmp(x->group, y->group);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static void add_weight(void *to, void *from)
{
    ((line *)to)->weight += ((line *)from)->weight;
    free(((line *)from)->group);
}

/* ---- one function ---- */

struct function {
    const line *before;
    line *after;
    size_t n_before, n_after;
};

/* Lines are positive, so that differences of two fit an int; sums may not. */
static int shift(const struct function *of)
{
    return of->after->line - of->before->line;
}

static int moved(int number, int64_t by)
{
    int64_t to = number + by;
    return to > 0 && to <= INT_MAX ? (int)to : number;
}

static bool same_lines(const struct function *of)
{
    bool same = of->n_before == of->n_after;
    for (size_t i = 0; same && i < of->n_before; i++)
        same = of->after[i].line - of->before[i].line == shift(of);
    return same;
}

/* Cost of an alignment; `moved` decides between equals. */
struct cost {
    uint64_t differs, moved;
};

static struct cost more(struct cost cost, uint64_t differs, uint64_t moved)
{
    return (struct cost){cost.differs + differs, cost.moved + moved};
}

static bool less(struct cost a, struct cost b)
{
    return a.differs != b.differs ? a.differs < b.differs : a.moved < b.moved;
}

enum { MATCHED, GONE, NEW };

/* Two lines with equal counts are most likely the same; a match of others is better than none. */
static uint64_t difference(uint64_t a, uint64_t b)
{
    uint64_t least = a < b ? a : b, most = a < b ? b : a;
    return a == b ? 0 : most - least + least / 2;
}

/* Fills the table of the best alignment of each pair of prefixes; its last row of costs is
 * `cost`. */
static void fill(const struct function *of, struct cost *cost, uint8_t *how)
{
    size_t width = of->n_after + 1;
    for (size_t i = 0; i <= of->n_before; i++) {
        struct cost corner = {0, 0}; /* of the previous row, one column to the left */
        for (size_t k = 0; k < width; k++) {
            struct cost above = cost[k], best = {UINT64_MAX, UINT64_MAX};
            uint8_t by = MATCHED;
            if (i && k) {
                const line *a = &of->before[i - 1], *b = &of->after[k - 1];
                best = more(corner, difference(a->weight, b->weight),
                            b->line - a->line != shift(of));
            }
            if (i) {
                struct cost gone = more(above, of->before[i - 1].weight, 1);
                if (less(gone, best))
                    best = gone, by = GONE;
            }
            if (k) {
                struct cost put_in = more(cost[k - 1], of->after[k - 1].weight, 1);
                if (less(put_in, best))
                    best = put_in, by = NEW;
            }
            if (i || k)
                cost[k] = best;
            how[i * width + k] = by;
            corner = above;
        }
    }
}

static bool match_in_order(const struct function *of)
{
    size_t width = of->n_after + 1, i = of->n_before, k = of->n_after;
    struct cost *cost = calloc(width, sizeof *cost);
    uint8_t *how = malloc((of->n_before + 1) * width);
    bool fits = cost && how;
    if (fits)
        fill(of, cost, how);
    while (fits && (i || k)) {
        uint8_t by = how[i * width + k];
        if (by == MATCHED)
            of->after[k - 1].was = of->before[i - 1].line;
        i -= by != NEW;
        k -= by != GONE;
    }
    free(cost);
    free(how);
    return fits;
}

static bool align_function(const struct function *of)
{
    bool small = of->n_before < CELLS_MAX / (of->n_after + 1) - 1;
    if (!same_lines(of) && small)
        return match_in_order(of);
    /* All lines move like the first line. */
    for (size_t i = 0; i < of->n_after; i++)
        of->after[i].was = moved(of->after[i].line, -(int64_t)shift(of));
    return true;
}

/* ---- all functions ---- */

static size_t group_end(const struct sl_line_match *match, int side, size_t from)
{
    const line *all = match->line[side];
    size_t end = from;
    while (end < match->n[side] && !strcmp(all[end].group, all[from].group))
        end++;
    return end;
}

bool sl_line_match_align(struct sl_line_match *match)
{
    bool good = true;
    for (int side = 0; side < 2; side++)
        match->n[side] = SL_SORT_AND_MERGE(match->line[side], match->n[side], by_line, add_weight);
    for (size_t i = 0, k = 0; good && i < match->n[0] && k < match->n[1];) {
        int order = strcmp(match->line[0][i].group, match->line[1][k].group);
        size_t i_end = order <= 0 ? group_end(match, 0, i) : i;
        size_t k_end = order >= 0 ? group_end(match, 1, k) : k;
        if (!order)
            good = align_function(
                &(struct function){match->line[0] + i, match->line[1] + k, i_end - i, k_end - k});
        i = i_end;
        k = k_end;
    }
    return good;
}

int sl_line_match_find(const struct sl_line_match *match, const char *group, int number)
{
    const line *all = match->line[1];
    const line wanted = {.group = (char *)group, .line = number};
    size_t low = 0, high = match->n[1];
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (by_line(&all[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < match->n[1] && !by_line(&all[low], &wanted))
        return all[low].was;
    for (size_t i = low; i > 0 && !strcmp(all[i - 1].group, group); i--)
        if (all[i - 1].was)
            return moved(number, (int64_t)all[i - 1].was - all[i - 1].line);
    for (size_t i = low; i < match->n[1] && !strcmp(all[i].group, group); i++)
        if (all[i].was)
            return moved(number, (int64_t)all[i].was - all[i].line);
    return number;
}

void sl_line_match_free(struct sl_line_match *match)
{
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < match->n[side]; i++)
            free(match->line[side][i].group);
        free(match->line[side]);
    }
    *match = (struct sl_line_match){0};
}
