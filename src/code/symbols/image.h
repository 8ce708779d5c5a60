/* SPDX-License-Identifier: MIT */
/* One file that was mapped, in its own numbering: the addresses that objdump
 * shows. Functions and source lines are read when first asked for. A file that
 * cannot be opened or is no ELF file is an image without anything.
 *
 * An image is for one thread at a time, but for its functions and for reading its lines: a second
 * one may ask for these at any time (images_ahead.h). */
#ifndef SL_IMAGE_H
#define SL_IMAGE_H

#include <sys/stat.h>

#include "function_table.h"
#include "index_map.h"
#include "symbol.h"

struct sl_segment {
    uint64_t offset, vaddr, size; /* size in the file */
    bool executable;
};

struct sl_image {
    uint32_t number;    /* among those of a program */
    size_t *room_names; /* bytes that readable names may still take, of all of them */
    bool early;         /* opened before anybody asked for it */
    char *path;
    const char *name;           /* last part of the path; "(deleted)" taken off */
    char *undeleted;            /* storage of that, if so */
    struct sl_segment *segment; /* PT_LOAD */
    size_t n_segments;
    bool is_program;   /* made to be started, position-independent or not: no shared library */
    uint32_t n_voters; /* mappings of it so far */
    struct sl_index_map biases; /* distances that any of them can have */
    uint32_t *votes;            /* how many can have each */
    size_t room_votes;
    struct sl_image_debug *debug; /* NULL for what is no ELF file */
    struct stat status;           /* of the file, when it was opened */
};

/* NULL when memory ran out. */
struct sl_image *sl_image_open(const char *path);

/* Whether it would be the same if it were opened now. */
bool sl_image_is_current(const struct sl_image *image);

/* Opens it again, before it had any mapping; stays as it is when memory ran out. */
void sl_image_reopen(struct sl_image *image);

/* Can the segment have been mapped by `object`? Then this is the distance
 * between guest addresses and the file's own. */
bool sl_image_bias(const struct sl_segment *segment, const struct sl_object *object,
                   uint64_t *bias);

/* Counts the distances that one more mapping of the image can have, each once. False when
 * memory ran out. */
bool sl_image_vote(struct sl_image *image, const struct sl_object *object);

/* How many mappings can have this distance. */
uint32_t sl_image_votes(const struct sl_image *image, uint64_t bias);

/* All functions; NULL if there are none. */
struct sl_function_table *sl_image_functions(struct sl_image *image);

/* It has only the functions that it exports: no symbol table, nor in a debug file. */
bool sl_image_stripped(struct sl_image *image);

/* What sl_image_line and those below need, before somebody asks. */
void sl_image_read_lines(struct sl_image *image);

const char *sl_image_line(struct sl_image *image, uint64_t address, int *line);

/* The innermost inlined call at an address (inlining.h), SL_NO_INDEX if it is in none; and what
 * that is. */
uint32_t sl_image_inlined(struct sl_image *image, uint64_t address);
const struct sl_inlined *sl_image_frame(const struct sl_image *image, uint32_t frame);

/* See sl_inlining_starts. */
size_t sl_image_inlined_starts(struct sl_image *image, uint64_t address, uint64_t *start,
                               size_t most);

/* The datum that an address is in, as "vtable for Circle"; NULL if it is in none, or in code. */
struct sl_function *sl_image_datum(struct sl_image *image, uint64_t address);

/* Returns the number of bytes, 0 if it has none. */
size_t sl_image_build_id(const struct sl_image *image, const unsigned char **bits);

/* Memory that functions and lines take, as far as they have been read. */
size_t sl_image_bytes(struct sl_image *image);

void sl_image_close(struct sl_image *image);

#endif
