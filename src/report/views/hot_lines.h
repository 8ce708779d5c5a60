/* SPDX-License-Identifier: MIT */
/* Hot source lines: the cost of each line of each function as written in the source, added up over
 * all places where the line was inlined, or separately for each function that it was inlined in. */
#ifndef SL_HOT_LINES_H
#define SL_HOT_LINES_H

#include "costs.h"

struct sl_hot_line {
    char *path; /* of the source file, as the debug information has it */
    int line;
    char *where;    /* "primes.c:25" */
    char *function; /* printable: the function that the line was written in */
    char *host;     /* the function that it was inlined in, if that is only one; NULL */
    uint64_t cost;
    bool own; /* in the user's own code (modules.h) */
};

struct sl_hot_lines {
    struct sl_hot_line *line; /* the costliest first */
    size_t n, capacity;
};

/* Reads the lines with a cost in the column of blocks that is called `metric`; none if there is no
 * such column, or no profile of blocks. `by_host`: one element for each function that a line was
 * inlined in, `function` is "mix, inlined in main", code without a line has a `where` of NULL, and
 * `path`, `line` and `host` are not set. Returns 0, SL_EFORMAT if the database is damaged, or
 * SL_ENOMEM. Call sl_hot_lines_free() in either case. */
int sl_hot_lines_load(struct sl_hot_lines *lines, struct sl_database *database, const char *metric,
                      bool by_host, struct sl_failure *f);

/* Keeps the n costliest lines with at least 0.1 % of `total`, of the user's own code. If no line of
 * the user's own code is known, keeps those of libraries with at least 1 %. */
void sl_hot_lines_select(struct sl_hot_lines *lines, uint64_t total, size_t n);

/* Adds the lines of another process (not by_host), and frees `from`. Returns false if out of
 * memory. */
bool sl_hot_lines_add(struct sl_hot_lines *lines, struct sl_hot_lines *from);

void sl_hot_lines_free(struct sl_hot_lines *lines);

#endif
