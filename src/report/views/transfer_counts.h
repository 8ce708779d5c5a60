/* SPDX-License-Identifier: MIT */
/* Lists of control transfers with counts: how often control passed from one address to another.
 * The same type also holds <address, loaded value> pairs with their counts. */
#ifndef SL_TRANSFER_COUNTS_H
#define SL_TRANSFER_COUNTS_H

#include "db.h"

struct sl_transfer_count {
    uint64_t from, to, count;
};

struct sl_transfer_counts {
    struct sl_transfer_count *transfer;
    size_t n, capacity;
};

/* Returns false if out of memory. */
bool sl_transfer_counts_add(struct sl_transfer_counts *list, uint64_t from, uint64_t to,
                            uint64_t count);

/* The first profile by count whose second field has this type (`exact`: and whose counts are
 * exact); NULL if there is none. */
const struct sl_db_profile *sl_transfer_counts_profile(const struct sl_db_profiles *profiles,
                                                       enum sl_field_type second, bool exact);

/* Adds the first n entries (0: all) of a profile as (first field, second field, count). Returns 0
 * or an error of reading. */
int sl_transfer_counts_load(struct sl_transfer_counts *list, struct sl_database *database,
                            const struct sl_db_profile *profile, uint64_t n, struct sl_failure *f);

/* Adds the first n entries (0: all) of the profile that sl_transfer_counts_profile() finds, and
 * sorts the list; adds none if there is no such profile. Returns 0 or an error of reading. */
int sl_transfer_counts_load_first(struct sl_transfer_counts *list, struct sl_database *database,
                                  enum sl_field_type second, bool exact, uint64_t n,
                                  struct sl_failure *f);

/* Sorts a list by `from`, then by `to`, and merges equal pairs. */
void sl_transfer_counts_sort(struct sl_transfer_counts *list);

/* In a sorted list: index of the first element whose `from` is not less than this. */
size_t sl_transfer_counts_from(const struct sl_transfer_counts *list, uint64_t from);

/* In a sorted list: true if there is a transfer from this address. */
bool sl_transfer_counts_leave(const struct sl_transfer_counts *list, uint64_t from);

/* In a sorted list: sum of the counts from this address. */
uint64_t sl_transfer_counts_sum(const struct sl_transfer_counts *list, uint64_t from);

/* Copies the `most` most frequent transfers of a sorted list from an address to `out`, the most
 * frequent first. Returns how many there are in the list, which may be more than `most`. */
size_t sl_transfer_counts_most(const struct sl_transfer_counts *list, uint64_t address, size_t most,
                               struct sl_transfer_count *out);

void sl_transfer_counts_free(struct sl_transfer_counts *list);

#endif
