/* SPDX-License-Identifier: MIT */
/* A path as a reader sees it: its branches' outcomes, and the blocks and source lines
 * along it (path_walk.h), from what the database has of the code. */
#ifndef SL_PATH_VIEW_H
#define SL_PATH_VIEW_H

#include "path_descriptor.h"
#include "path_walk.h"
#include "saved.h"
#include "saved_code.h"

/* A block's names; NULL where unknown. */
struct sl_path_sight {
    bool known; /* it was looked up */
    char *symbol, *line;
    char *end_symbol, *end_line; /* of its branch */
};

struct sl_path_view {
    struct sl_database *database;
    struct sl_saved_code code;
    struct sl_path_walker walker;
    const struct sl_path_config *config; /* the profile's */
    bool walks;                          /* it is known which branches are recorded */
    struct sl_path_sight *sight;         /* by block; those of the walks so far */
    struct sl_path_walk walk;            /* of the path that was looked at last */
};

/* For the entries of a profile of paths; of any other it stays empty. SL_EFORMAT if the
 * database is damaged, or SL_ENOMEM; to be closed all the same. */
int sl_path_view_open(struct sl_path_view *view, struct sl_database *database,
                      const struct sl_saved_profile *profile, struct sl_failure *f);
void sl_path_view_close(struct sl_path_view *view);

/* Looks at a path: view->walk, and the sights of its blocks. */
int sl_path_view_look(struct sl_path_view *view, const struct sl_saved_entry *entry,
                      struct sl_failure *f);

/* The i-th block of the walk. */
const struct sl_path_sight *sl_path_view_sight(const struct sl_path_view *view, size_t i);

/* The lines of the walk's blocks and of their branches, none twice in a row; lines that are
 * not known are left out. Returns how many. */
#define SL_PATH_LINES_MAX (2 * SL_PATH_WALK_MAX)
size_t sl_path_view_lines(const struct sl_path_view *view, const char *line[SL_PATH_LINES_MAX]);

/* "TNT": taken, not, taken. */
#define SL_PATH_OUTCOMES_ROOM (SL_PATH_LENGTH_MAX + 1)
const char *sl_path_outcomes(uint64_t value, char room[SL_PATH_OUTCOMES_ROOM]);

/* "is_prime+0x14..+0x30": from its first instruction, whose symbol is given, to its last
 * branch; "is_prime+0x14.." where that is not known. */
char *sl_path_span(const struct sl_path_view *view, const char *start);

/* "primes.c:22 → 23 → 25": the lines along it; with "→ …" where the rest is not known. ""
 * if there are none. */
char *sl_path_lines(const struct sl_path_view *view);

/* "primes.c:22 → primes.c:23": the same with each of them whole. */
char *sl_path_lines_whole(const struct sl_path_view *view);

/* "is_prime+0x14 → +0x20": its blocks, in the same way. */
char *sl_path_blocks(const struct sl_path_view *view);

/* The same of any lines, of any symbols; and a span from one symbol to another. */
char *sl_join_lines(char *const *line, size_t n);
char *sl_join_symbols(char *const *symbol, size_t n);
char *sl_symbol_span(const char *start, const char *end);

#endif
