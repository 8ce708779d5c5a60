/* SPDX-License-Identifier: MIT */
/* Several databases as one: runs of one program, processes of a family, shards of a test suite.
 *
 *     inputs ──► objects, places, blocks, lines      once each (merge_code.c)
 *            ──► profiles, entries                   sums (merge_profiles.c)
 *            ──► program, machine                    sums (database_merge.c)
 *
 * A profile is there if all have it with the same options, and its table is one whose counts can be
 * added up (sl_table_kind.adds): then the sum of what is true of each is true of all. What an input
 * does not list it may have had all the same, if its table dropped some or not all were saved: as
 * much as that can be is added to the upper bound. */
#ifndef SL_DATABASE_MERGE_H
#define SL_DATABASE_MERGE_H

#include <sqlite3.h>

#include "merge_inputs.h"

struct sl_merging {
    struct sl_merge_inputs inputs;
    sqlite3 *out;
    const char *path; /* of that */
    void (*left_out)(void *context, const char *sentence);
    void *context;
    int result; /* an error that is not SQLite's; then `f` says it */
    struct sl_failure *f;
};

/* 0, or what SQLite says about the new database. */
int sl_merge_check(const struct sl_merging *merging, int rc, struct sl_failure *f);

int sl_merge_code(struct sl_merging *merging, struct sl_failure *f);

/* SL_EUSAGE if there is no profile that can be kept. */
int sl_merge_profiles(struct sl_merging *merging, struct sl_failure *f);

/* Says a sentence, as by printf(3), about what is left out. */
void sl_merge_say(const struct sl_merging *merging, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
