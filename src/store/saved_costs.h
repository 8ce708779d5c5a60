/* SPDX-License-Identifier: MIT */
/* The entries of several profiles place by place, with all that is known of each place. */
#ifndef SL_SAVED_COSTS_H
#define SL_SAVED_COSTS_H

#include "saved_lines.h"

#define SL_COST_COLUMNS 16

/* A place in code; texts are NULL where they are not known. */
struct sl_cost_place {
    uint64_t address;               /* in the program */
    uint64_t own_address;           /* in the file's own numbering; the same if it is in none */
    int64_t object;                 /* number in the database; -1: none */
    const char *path, *object_name; /* of that */
    const char *function;
    uint64_t function_start;   /* 0 if unknown */
    const char *function_file; /* where the function begins */
    const char *file;
    int line;
    const struct sl_saved_inlined *inlined; /* the innermost call that was inlined there; NULL */
    bool is_block; /* its cost is that of the line rather than of the function */
};

/* Calls `each` for every tuple that one of the profiles has among its first n entries (0: all),
 * with its count in each of them. By file, function, source line and address. As
 * sl_saved_entries. */
int sl_saved_costs(struct sl_database *database, const int64_t *profile, size_t n_profiles,
                   uint64_t n,
                   int (*each)(void *context, const struct sl_cost_place *at, uint64_t value,
                               const uint64_t *count),
                   void *context, struct sl_failure *f);

/* The same for one profile whose second word is a place, too. */
int sl_saved_passages(struct sl_database *database, const struct sl_saved_profile *profile,
                      uint64_t n,
                      int (*each)(void *context, const struct sl_cost_place *from,
                                  const struct sl_cost_place *to, uint64_t count),
                      void *context, struct sl_failure *f);

#endif
