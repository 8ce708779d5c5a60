/* SPDX-License-Identifier: MIT */
/* Databases that are to become one, and where what each of them has gets in it.
 *
 * The same program is at the same addresses in every run, but two programs of a family often are at
 * the same addresses, too. So every mapping of a file has one place in the new database, that of
 * the first who has it, or one behind all others if somebody is there already; and addresses move
 * along with their mapping. What is in no file stays where it is. */
#ifndef SL_MERGE_INPUTS_H
#define SL_MERGE_INPUTS_H

#include "index_map.h"
#include "saved.h"

/* A mapping of a file in the new database. */
struct sl_merge_object {
    uint64_t start, end, offset;
    char *path, *name, *build_id; /* the last may be NULL */
};

/* The same in one of the old ones. */
struct sl_merge_mapping {
    int64_t id; /* there */
    uint64_t start, end;
    size_t object;
};

struct sl_merge_input {
    struct sl_database *database;
    char *name;                       /* for sentences */
    struct sl_merge_mapping *mapping; /* of those that overlap, the last counts */
    size_t n_mappings, room;
    bool moved; /* some address does */
};

struct sl_merge_inputs {
    struct sl_merge_input *input;
    size_t n, room;
    struct sl_merge_object *object;
    size_t n_objects, room_objects;
};

/* Opens all of them, with the programs that each has started, and finds places for their mappings.
 * To be closed all the same. */
int sl_merge_inputs_open(struct sl_merge_inputs *inputs, const char *const *path, size_t n,
                         struct sl_failure *f);
void sl_merge_inputs_close(struct sl_merge_inputs *inputs);

/* Where an address of an input is in the new database. */
uint64_t sl_merge_address(const struct sl_merge_inputs *inputs, const struct sl_merge_input *input,
                          uint64_t address);

/* The number of an input's object there; -1: none. */
int64_t sl_merge_object(const struct sl_merge_input *input, int64_t id);

#endif
