/* SPDX-License-Identifier: MIT */
/* Reader of costs in a database: the entries of several profiles side by side, by code address,
 * with names and source lines. */
#ifndef SL_DB_COSTS_H
#define SL_DB_COSTS_H

#include "db_lines.h"

#define SL_COST_COLUMNS 16

/* A code address; texts are NULL if unknown. */
struct sl_cost_location {
    uint64_t address;               /* in the program */
    uint64_t own_address;           /* in the file's own numbering; `address` if it is in no file */
    int64_t object;                 /* id in the database; -1: none */
    const char *path, *object_name; /* path and name of the object */
    const char *function;
    uint64_t function_start;   /* 0 if unknown */
    const char *function_file; /* source file of the function's first instruction */
    const char *file;
    int line;
    const struct sl_db_inlined *inlined; /* innermost inlined call; NULL: none */
    bool is_block;                       /* its cost belongs to the line, not to the function */
};

/* Calls `each`, like sl_db_entries(), for each tuple that is among the first n entries (0: all) of
 * at least one of the profiles, with its count in each profile. Rows are ordered by object,
 * function, source line and address. */
int sl_db_costs(struct sl_database *database, const int64_t *profile, size_t n_profiles, uint64_t n,
                int (*each)(void *context, const struct sl_cost_location *at, uint64_t value,
                            const uint64_t *count),
                void *context, struct sl_failure *f);

/* The same for the transfers of one profile whose second field is a code address. */
typedef int sl_cost_transfer(void *context, const struct sl_cost_location *from,
                             const struct sl_cost_location *to, uint64_t count);
int sl_db_transfers(struct sl_database *database, const struct sl_db_profile *profile, uint64_t n,
                    sl_cost_transfer *each, void *context, struct sl_failure *f);

#endif
