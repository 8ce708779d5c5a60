/* SPDX-License-Identifier: MIT */
/* Formatter of paths for reports: outcomes of branches, and the blocks and source lines along the
 * path (path_walk.h), from the code in the database. */
#ifndef SL_PATH_VIEW_H
#define SL_PATH_VIEW_H

#include "path_descriptor.h"
#include "path_walk.h"
#include "db.h"
#include "db_code.h"

/* Names of a block; NULL where unknown. */
struct sl_path_block_names {
    bool known; /* was looked up */
    char *symbol, *line;
    char *end_symbol, *end_line; /* of its branch */
};

struct sl_path_view {
    struct sl_database *database;
    struct sl_db_code code;
    struct sl_path_walker walker;
    const struct sl_path_config *config; /* of the profile */
    bool walks;                          /* the code is loaded: paths can be walked */
    struct sl_path_block_names *names;   /* by block; filled for blocks of the walks so far */
    struct sl_path_walk walk;            /* of the last path that was looked at */
};

/* Opens a view for the entries of a profile of paths; for other profiles it stays empty. Returns 0,
 * SL_EFORMAT if the database is damaged, or SL_ENOMEM. Call sl_path_view_close() in either case. */
int sl_path_view_open(struct sl_path_view *view, struct sl_database *database,
                      const struct sl_db_profile *profile, struct sl_failure *f);
void sl_path_view_close(struct sl_path_view *view);

/* Walks a path: sets view->walk, and the names of its blocks. Returns 0 or an error of reading. */
int sl_path_view_look(struct sl_path_view *view, const struct sl_db_entry *entry,
                      struct sl_failure *f);

/* Names of the i-th block of the walk. */
const struct sl_path_block_names *sl_path_view_block(const struct sl_path_view *view, size_t i);

/* The lines of the walk's blocks and of their branches, without consecutive repetitions; unknown
 * lines are left out. Returns their number. */
#define SL_PATH_LINES_MAX (2 * SL_PATH_WALK_MAX)
size_t sl_path_view_lines(const struct sl_path_view *view, const char *line[SL_PATH_LINES_MAX]);

/* "TNT": taken, not taken, taken; "" if the value is invalid. */
#define SL_PATH_OUTCOMES_SIZE (SL_PATH_LENGTH_MAX + 1)
const char *sl_path_outcomes(uint64_t value, char buffer[SL_PATH_OUTCOMES_SIZE]);

/* Texts of paths. Each is printable and freed by the caller; NULL if out of memory.
 *
 * "is_prime+0x14..+0x30": from the path's first instruction, whose symbol is `start`, to its last
 * branch; "is_prime+0x14.." if that is not known. */
char *sl_path_span(const struct sl_path_view *view, const char *start);

/* "primes.c:22 → 23 → 25": the lines along the path, with "→ …" if the rest is not known.
 * "" if there are none. */
char *sl_path_lines(const struct sl_path_view *view);

/* "primes.c:22 → primes.c:23": the same with full names. */
char *sl_path_lines_whole(const struct sl_path_view *view);

/* "is_prime+0x14 → +0x20": the blocks in the same way. */
char *sl_path_blocks(const struct sl_path_view *view);

/* Join any lines, or any symbols, in the same way; make a span from one symbol to another. */
char *sl_join_lines(char *const *line, size_t n);
char *sl_join_symbols(char *const *symbol, size_t n);
char *sl_symbol_span(const char *start, const char *end);

#endif
