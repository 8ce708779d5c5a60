/* SPDX-License-Identifier: MIT */
/* Merges several databases into one: runs of one program, the processes of a process tree, or the
 * shards of a test suite.
 *
 *     inputs ──► objects, places, blocks, lines      each once (merge_code.c)
 *            ──► profiles, entries                   sums (merge_profiles.c)
 *            ──► program, CPU models                 sums (database_merge.c)
 *
 * A profile is kept if all inputs have it with the same options, and the counts of its table can be
 * added (sl_table_kind.adds): then the sum of valid counts is valid for the sum of the runs. A
 * tuple that an input does not list may still have occurred there, if the table dropped tuples or
 * not all were stored; the largest possible count is added to the upper bound.
 *
 * A program has the same addresses in every run, but different programs of a process tree often
 * overlap. Every mapping of a file therefore gets one address range in the merged database: that of
 * the first input which has it, or a range above all others if that is in use. Code addresses move
 * with their mapping; addresses outside all mappings stay. */
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
    void (*left_out)(void *context, const char *sentence);
    void *context;
    int result; /* error that is not SQLite's; `f` has its message */
    struct sl_failure *f;
};

/* 0, or the error of a write to the merged database. */
int sl_merge_check(const struct sl_merging *merging, int rc, struct sl_failure *f);

/* Merges code and names; profiles. The latter returns SL_EUSAGE if no profile can be kept. */
int sl_merge_code(struct sl_merging *merging, struct sl_failure *f);
int sl_merge_profiles(struct sl_merging *merging, struct sl_failure *f);

/* Reports, as by printf(3), what is left out. */
void sl_merge_say(const struct sl_merging *merging, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
