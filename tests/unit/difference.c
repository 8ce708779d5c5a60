/* SPDX-License-Identifier: MIT */
/* Unit tests of `sluice diff`, which compares two databases: entries whose counts changed are
 * listed with both counts, unchanged entries are omitted, and the regression of the whole run is
 * correct. */
#include "difference.h"

#include "view_support.h"

static const struct sl_difference_part *part_of(const struct sl_difference *d, const char *name)
{
    for (size_t i = 0; i < d->n; i++)
        if (!strcmp(d->part[i].name, name))
            return &d->part[i];
    return NULL;
}

static void changes(const char *before, const char *after)
{
    struct sl_difference d;
    ok(!sl_difference_make(&d, before, after, false, &f), "two databases can be compared");
    const struct sl_difference_part *functions = part_of(&d, "function:instructions@exact");
    ok(functions && functions->n == 1 && functions->n_same == 1 &&
           !strcmp(functions->row[0].at.function, "work"),
       "only the changed function is a row");
    ok(functions && functions->row[0].count[SL_BEFORE] == 5120 &&
           functions->row[0].count[SL_AFTER] == 5400,
       "with its counts before and after");
    ok(functions && functions->weight[SL_BEFORE] == 7120 && functions->weight[SL_AFTER] == 7400,
       "the part has the totals of both runs");
    const struct sl_difference_part *lines = part_of(&d, "line:instructions");
    ok(lines && lines->n >= 1 && lines->of_lines, "blocks are compared by line");
    const struct sl_difference_part *values = part_of(&d, "value:count@exact");
    ok(values && !values->n && values->n_same, "equal profiles have no rows");
    struct sl_regression regression = sl_difference_regression(&d);
    ok(!strcmp(regression.metric, "instructions") && regression.change > 0.0393 &&
           regression.change < 0.0394,
       "the regression is the growth of the instructions: 280 of 7,120");
    sl_difference_free(&d);
    sl_difference_make(&d, before, before, false, &f);
    unsigned rows = 0;
    for (size_t i = 0; i < d.n; i++)
        rows += d.part[i].n != 0;
    ok(d.n && !rows, "a database does not differ from itself");
    sl_difference_free(&d);
}

static void growth(void)
{
    ok(sl_difference_growth(100, 110) > 0.0999 && sl_difference_growth(100, 110) < 0.1001,
       "growth is relative to the count before");
    ok(sl_difference_growth(0, 5) > 1e300, "growth from 0 is infinite");
    ok(sl_difference_growth(0, 0) <= 0 && sl_difference_growth(0, 0) >= 0, "from 0 to 0 it is 0");
    struct sl_difference_part part = {.estimates = true};
    struct sl_difference_row row = {.low = {5, 9}, .high = {10, 20}};
    ok(sl_difference_doubtful(&part, &row), "overlapping bounds allow equal counts");
    row.low[SL_AFTER] = 11;
    ok(!sl_difference_doubtful(&part, &row), "disjoint bounds do not");
}

int main(void)
{
    char before[64];
    write_database("before", 970);
    memcpy(before, path, sizeof before);
    write_database("after", 900);
    changes(before, path);
    growth();
    unlink(before);
    close_database(NULL);
    return done_testing();
}
