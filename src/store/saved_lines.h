/* SPDX-License-Identifier: MIT */
/* The source lines of the saved code, read back: which function an instruction is in, which of its
 * inlined calls, and its line. Names are printable. */
#ifndef SL_SAVED_LINES_H
#define SL_SAVED_LINES_H

#include "saved.h"

struct sl_saved_function {
    char *name; /* NULL: code without a symbol, of one object or of none */
    uint64_t start;
    int64_t object;                 /* number in the database; -1: none */
    const char *path, *object_name; /* of that; NULL if none */
    uint64_t own_start;             /* in the file's own numbering */
    const char *file;               /* where it begins; NULL if unknown */
    int line;
};

/* An inlined call (symbol.h). */
struct sl_saved_inlined {
    const struct sl_saved_inlined *parent; /* NULL: in the function itself */
    char *name;
    const char *file, *call_file; /* NULL if unknown */
    int line, call_line;
    unsigned depth; /* from 1 on */
};

struct sl_saved_span {
    uint64_t start, end;
    const struct sl_saved_function *function;
    const struct sl_saved_inlined *inlined; /* the innermost; NULL: none */
    const char *file;                       /* NULL if unknown */
    int line;
};

struct sl_saved_lines {
    struct sl_saved_span *span; /* by address */
    struct sl_saved_function *function;
    struct sl_saved_inlined *inlined;
    char **source;
    struct sl_saved_file {
        int64_t id;
        char *path, *name;
    } * object;
    struct sl_saved_inlined_at { /* by address */
        uint64_t address;
        const struct sl_saved_inlined *inlined; /* the innermost */
    } * at;
    size_t n_spans, n_functions, n_inlined, n_sources, n_objects, n_at;
    size_t room_spans, room_functions, room_inlined, room_sources, room_objects, room_at;
};

/* 0, SL_EFORMAT if the database is damaged, or SL_ENOMEM. To be freed all the same. */
int sl_saved_lines_load(struct sl_saved_lines *lines, struct sl_database *database,
                        struct sl_failure *f);
void sl_saved_lines_free(struct sl_saved_lines *lines);

/* What was inlined where the code of contexts begins alone, of all of this. */
int sl_saved_frames_load(struct sl_saved_lines *lines, struct sl_database *database,
                         struct sl_failure *f);

/* The frame so deep at such an address, from 1 on; NULL if there is none. */
const struct sl_saved_inlined *sl_saved_frame_at(const struct sl_saved_lines *lines,
                                                 uint64_t address, unsigned depth);

/* NULL if the instruction was not saved. */
const struct sl_saved_span *sl_saved_span_at(const struct sl_saved_lines *lines, uint64_t address);

/* By the names of functions, from the outside in; 0 if these are the same, wherever they were
 * called. */
int sl_saved_inlined_order(const struct sl_saved_inlined *a, const struct sl_saved_inlined *b);

#endif
