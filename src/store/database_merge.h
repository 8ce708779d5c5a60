/* SPDX-License-Identifier: MIT */
/* Merges several databases into one: those of several runs of a program, of the processes of a
 * process tree, or of the programs of a test suite.
 *
 *     inputs ──► objects, locations, blocks, lines   each once (merge_code.c)
 *            ──► profiles, entries                   sums (merge_profiles.c)
 *            ──► program, CPU models                 sums (database_merge.c)
 *
 * A profile is merged if all inputs have it with the same options, and if the counts of its table
 * can be added (sl_table_kind.adds): then sums of valid bounds are valid bounds of the sums. If an
 * input does not list a tuple, the tuple may still have occurred there, because the table dropped
 * it or because not all entries were stored. Its largest possible count is added to the upper
 * bound.
 *
 * Runs of one program have the same addresses, but the programs of a process tree often overlap.
 * Therefore each mapping of a file gets one address range in the merged database. The range is that
 * of the first input with this mapping if it is unused, otherwise one above all others. Code
 * addresses move with their mapping. Addresses outside all mappings do not change. */
#ifndef SL_DATABASE_MERGE_H
#define SL_DATABASE_MERGE_H

#include "index_map.h"
#include "db_row.h"

/* A mapping of a file in one input. */
struct sl_merge_mapping {
    int64_t id; /* in the input */
    uint64_t start, end;
    size_t object; /* in sl_merge_inputs.object */
};

struct sl_merge_input {
    struct sl_database *database;
    char *name;                       /* for messages */
    struct sl_merge_mapping *mapping; /* where two overlap, the later one is valid */
    size_t n_mappings, capacity;
    bool moved; /* some addresses change */
};

struct sl_merge_inputs {
    struct sl_merge_input *input;
    size_t n, capacity;
    struct sl_db_object *object; /* mappings in the merged database */
    size_t n_objects, objects_capacity;
};

/* Opens all databases with those of their child processes, and assigns address ranges to their
 * mappings. Must be closed, also after an error. */
int sl_merge_inputs_open(struct sl_merge_inputs *inputs, const char *const *path, size_t n,
                         struct sl_failure *f);
void sl_merge_inputs_close(struct sl_merge_inputs *inputs);

/* An address of an input, in the merged database. */
uint64_t sl_merge_address(const struct sl_merge_inputs *inputs, const struct sl_merge_input *input,
                          uint64_t address);

/* The id of an input's object in the merged database; -1: none. */
int64_t sl_merge_object(const struct sl_merge_input *input, int64_t id);

struct sl_merging {
    struct sl_merge_inputs inputs;
    sqlite3 *out;
    const char *path; /* of the merged database */
    void (*left_out)(void *context, const char *message);
    void *context;
    int result; /* error that is not SQLite's; `f` has its message */
    struct sl_failure *f;
};

/* Returns 0 if rc is SQLITE_OK, otherwise the error of a write to the merged database. */
int sl_merge_check(const struct sl_merging *merging, int rc);

/* Merges the code with its names and lines; the profiles. The latter returns SL_EUSAGE if no
 * profile can be merged. */
int sl_merge_code(struct sl_merging *merging);
int sl_merge_profiles(struct sl_merging *merging);

#endif
