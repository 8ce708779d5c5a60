/* SPDX-License-Identifier: MIT */
/* Unit tests of the execution counts that are exported to optimizers such as BOLT (edge_counts.h):
 * the counts of branches, calls and fall-through ranges of a small program whose executions are
 * known. */
#include "edge_counts.h"

#include "view_support.h"

static uint64_t count_of(const struct sl_transfer_counts *list, uint64_t from, uint64_t to)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->transfer[i].from == from && list->transfer[i].to == to)
            return list->transfer[i].count;
    return 0;
}

static void counts(struct sl_database *database)
{
    struct sl_report_config config = {.size = sizeof config};
    struct sl_edge_counts c;
    if (!ok(!sl_edge_counts(&c, database, &config, &f), "the program's counts can be read"))
        return;
    ok(count_of(&c.taken, w + BRANCH, w + CALL) == 970, "a branch was taken as often as its edge");
    ok(count_of(&c.taken, w + CALL, h) == 1000, "a call was executed as often as its block");
    ok(count_of(&c.passed, w + BRANCH, w + SKIPPED) == 30,
       "a branch fell through for the rest of its executions");
    uint64_t ends = 0;
    for (size_t i = 0; i < c.taken.n; i++)
        ends += c.taken.transfer[i].from == c.taken.transfer[i].to;
    ok(ends == 0, "no transfer has the address it comes from as its target");
    uint64_t through_skipped = 0;
    for (size_t i = 0; i < c.runs.n; i++) {
        const struct sl_transfer_count *run = &c.runs.transfer[i];
        if (run->from <= w + SKIPPED && run->to >= w + SKIPPED)
            through_skipped += run->count;
    }
    ok(through_skipped == 30, "fall-through ranges through a block add up to its executions");
    uint64_t offset = sl_edge_counts_file_address(&c, h) - sl_edge_counts_file_address(&c, w);
    ok(offset == h - w, "addresses in the file keep their distances");
    sl_edge_counts_free(&c);
}

static void no_object(struct sl_database *database)
{
    struct sl_report_config config = {.size = sizeof config, .object = "no-such-file"};
    struct sl_edge_counts c;
    ok(sl_edge_counts(&c, database, &config, &f) == SL_EUSAGE && strstr(f.text, "no-such-file"),
       "a file that the program did not use is refused by its name: %s", f.text);
}

int main(void)
{
    struct sl_database *database = open_database();
    counts(database);
    no_object(database);
    close_database(database);
    return done_testing();
}
