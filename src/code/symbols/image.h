/* SPDX-License-Identifier: MIT */
/* Image: an ELF file that the profiled program has mapped, with its functions and source lines.
 * Addresses are those in the file, as objdump prints them. The reader process (elf_reader.h) reads
 * functions and source lines at first use. If the file cannot be opened or is not an ELF file, the
 * image is empty. */
#ifndef SL_IMAGE_H
#define SL_IMAGE_H

#include "elf_reader.h"
#include "function_table.h"
#include "index_map.h"
#include "symbol.h"

struct sl_image {
    uint32_t number;        /* index in its sl_symbols */
    size_t *names_capacity; /* budget of demangled names, shared by all images */
    bool early;             /* opened in advance, by sl_symbols_ahead() */
    char *path;
    const char *name; /* last part of the path, without " (deleted)" */
    char *undeleted;  /* storage of `name` if " (deleted)" was removed */
    struct sl_elf_reader *reader;
    struct sl_segment *segment; /* PT_LOAD; set by sl_image_read_head() */
    size_t n_segments;
    bool is_program;   /* an executable, position-independent or not; not a shared library */
    uint32_t n_voters; /* mappings so far */
    struct sl_index_map biases; /* biases that some mapping is consistent with */
    uint32_t *votes;            /* by index in `biases`: number of consistent mappings */
    size_t votes_capacity;
    struct sl_image_debug *debug; /* NULL if it is no ELF file */
};

/* Returns NULL if out of memory. `reader` must outlive the image. */
struct sl_image *sl_image_open(struct sl_elf_reader *reader, const char *path);

/* The reader process reads functions and units before they are requested. */
void sl_image_ahead(struct sl_image *image);

/* Reads the segments and the build id. Required before the next four functions and
 * sl_image_build_id(); the others do it themselves. */
void sl_image_read_head(struct sl_image *image);

/* Returns whether the file is still the one that was opened. */
bool sl_image_is_current(const struct sl_image *image);

/* Opens the file again. Only before the first mapping; no effect if out of memory. */
void sl_image_reopen(struct sl_image *image);

/* Returns whether `object` can be a mapping of the segment; then sets *bias to guest address - file
 * address. */
bool sl_image_bias(const struct sl_segment *segment, const struct sl_object *object,
                   uint64_t *bias);

/* Counts each bias that one more mapping is consistent with. Returns false if out of memory. */
bool sl_image_vote(struct sl_image *image, const struct sl_object *object);

/* Number of mappings that are consistent with this bias. */
uint32_t sl_image_votes(const struct sl_image *image, uint64_t bias);

/* Returns the functions, reading them at the first call; NULL if it is no ELF file. */
struct sl_function_table *sl_image_functions(struct sl_image *image);

/* Returns whether only exported functions are known: there is no symbol table, not even in a debug
 * file. */
bool sl_image_stripped(struct sl_image *image);

/* See sl_source_line() in source_units.h. */
const char *sl_image_line(struct sl_image *image, uint64_t address, int *line);

/* The index of the innermost inlined call at an address, SL_NO_INDEX if there is
 * none; and the call with an index. The pointer is valid until the next lookup. */
uint32_t sl_image_inlined(struct sl_image *image, uint64_t address);
const struct sl_inlined *sl_image_frame(const struct sl_image *image, uint32_t frame);

/* See sl_inlining_starts(). */
size_t sl_image_inlined_starts(struct sl_image *image, uint64_t address, uint64_t *start,
                               size_t most);

/* The data symbol at an address, for example "vtable for Circle"; NULL if there is none, or for
 * code. */
struct sl_function *sl_image_datum(struct sl_image *image, uint64_t address);

/* Returns the number of bytes, 0 if it has none. */
size_t sl_image_build_id(const struct sl_image *image, const unsigned char **bits);

void sl_image_close(struct sl_image *image);

#endif
