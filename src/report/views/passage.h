/* SPDX-License-Identifier: MIT */
/* Lists of transfers: how often control passed from one address to another. Also used for pairs of
 * an address and a value. */
#ifndef SL_PASSAGE_H
#define SL_PASSAGE_H

#include "saved.h"

struct sl_passage {
    uint64_t from, to, count;
};

struct sl_passages {
    struct sl_passage *passage;
    size_t n, room;
};

/* Returns false if out of memory. */
bool sl_passages_add(struct sl_passages *list, uint64_t from, uint64_t to, uint64_t count);

/* The first profile by count whose second field is of this type; NULL if there is none. */
const struct sl_saved_profile *sl_passages_profile(const struct sl_saved_profiles *profiles,
                                                   enum sl_reads second);

/* Adds the first n entries (0: all) of a profile as (first field, second field, count). Returns 0
 * or an error of reading. */
int sl_passages_load(struct sl_passages *list, struct sl_database *database,
                     const struct sl_saved_profile *profile, uint64_t n, struct sl_failure *f);

/* Adds the first n entries (0: all) of the first profile by count whose second field is of this
 * type, and settles the list; adds none if there is no such profile. Returns 0 or an error of
 * reading. */
int sl_passages_load_first(struct sl_passages *list, struct sl_database *database,
                           enum sl_reads second, uint64_t n, struct sl_failure *f);

/* Settles a list: sorts it by `from`, then by `to`, and merges equal pairs. */
void sl_passages_settle(struct sl_passages *list);

/* In a settled list: index of the first element whose `from` is not less than this. */
size_t sl_passages_from(const struct sl_passages *list, uint64_t from);

/* In a settled list: true if there is a transfer from this address. */
bool sl_passages_leave(const struct sl_passages *list, uint64_t from);

void sl_passages_free(struct sl_passages *list);

#endif
