/* SPDX-License-Identifier: MIT */
/* Reader of the source lines of stored code: the function, the inlined call and the line of each
 * instruction. Names are made printable. */
#ifndef SL_DB_LINES_H
#define SL_DB_LINES_H

#include "db.h"

struct sl_db_function {
    char *name; /* NULL: code without a symbol */
    uint64_t start;
    int64_t object;                 /* id in the database; -1: none */
    const char *path, *object_name; /* path and name of the object; NULL: none */
    uint64_t own_start;             /* first address in the file's own numbering */
    const char *file;               /* source file of its first instruction; NULL if unknown */
    int line;
};

/* An inlined call (symbol.h). */
struct sl_db_inlined {
    const struct sl_db_inlined *parent; /* NULL: in the function itself */
    char *name;
    const char *file, *call_file; /* of the declaration and of the call; NULL if unknown */
    int line, call_line;
    unsigned depth; /* nesting depth; 1: in the function itself */
};

struct sl_db_span {
    uint64_t start, end;
    const struct sl_db_function *function;
    const struct sl_db_inlined *inlined; /* the innermost; NULL: none */
    const char *file;                    /* NULL if unknown */
    int line;
};

struct sl_db_lines {
    struct sl_db_span *span; /* by address */
    struct sl_db_function *function;
    struct sl_db_inlined *inlined;
    char **source;
    struct sl_db_file {
        int64_t id;
        char *path, *name;
    } * object;
    struct sl_db_inlined_at { /* by address */
        uint64_t address;
        const struct sl_db_inlined *inlined; /* the innermost */
    } * at;
    size_t n_spans, n_functions, n_inlined, n_sources, n_objects, n_at;
    size_t spans_capacity, functions_capacity, inlined_capacity, sources_capacity, objects_capacity,
        at_capacity;
};

/* Reads all of it or, if `frames`, only the inlined calls at the first addresses of contexts.
 * Returns 0, SL_EFORMAT if the database is damaged, or SL_ENOMEM. Must be freed, also after an
 * error. */
int sl_db_lines_load(struct sl_db_lines *lines, struct sl_database *database, bool frames,
                     struct sl_failure *f);
void sl_db_lines_free(struct sl_db_lines *lines);

/* Returns the inlined call at an address with this nesting depth, from 1; NULL: none. */
const struct sl_db_inlined *sl_db_frame_at(const struct sl_db_lines *lines, uint64_t address,
                                           unsigned depth);

/* Returns the span that contains an address; NULL: the instruction was not stored. */
const struct sl_db_span *sl_db_span_at(const struct sl_db_lines *lines, uint64_t address);

/* Compares two chains of inlined calls by the names of the functions, outermost first. Returns 0
 * for equal names, even if the call sites differ. */
int sl_db_inlined_order(const struct sl_db_inlined *a, const struct sl_db_inlined *b);

/* ---- costs (db_costs.c) ---- */

/* Reader of costs in a database: the entries of several profiles side by side, by code address,
 * with names and source lines. */

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
