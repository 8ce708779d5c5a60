/* SPDX-License-Identifier: MIT */
/* How often control passed from one address to another, as a list. */
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

/* False when memory ran out. */
bool sl_passages_add(struct sl_passages *list, uint64_t from, uint64_t to, uint64_t count);

/* The first profile by count whose second field is of this type; NULL if there is none. */
const struct sl_saved_profile *sl_passages_profile(const struct sl_saved_profiles *profiles,
                                                   enum sl_reads second);

/* Adds the first n entries (0: all) of a profile whose second word is an address. */
int sl_passages_load(struct sl_passages *list, struct sl_database *database,
                     const struct sl_saved_profile *profile, uint64_t n, struct sl_failure *f);

/* Orders them by `from`, then by `to`, and adds up those that are the same. */
void sl_passages_settle(struct sl_passages *list);

/* Of a settled list: the number of the first one whose `from` is not below this. */
size_t sl_passages_from(const struct sl_passages *list, uint64_t from);

/* Of a settled list: whether there is one from there. */
bool sl_passages_leave(const struct sl_passages *list, uint64_t from);

void sl_passages_free(struct sl_passages *list);

#endif
