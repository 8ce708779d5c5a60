/* SPDX-License-Identifier: MIT */
/* A mapped ELF file: requests its tables from the reader process at their first use, and checks
 * them (image.h). The load bias (guest address minus file address) is the value with which most
 * mappings of the file are consistent. */
#include "image.h"

#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "source_units.h"

struct sl_image_debug {
    uint32_t file;                          /* in the reader process */
    bool has_head, has_functions, has_data; /* requested */
    bool has_symbol_table;
    unsigned char *build_id;
    size_t build_id_bytes;
    struct sl_function_table functions, data;
    char *function_names, *data_names;
    struct sl_source_units units;
};

static void close_debug(struct sl_image *image)
{
    struct sl_image_debug *debug = image->debug;
    sl_functions_free(&debug->functions);
    sl_functions_free(&debug->data);
    sl_source_units_free(&debug->units);
    free(debug->function_names);
    free(debug->data_names);
    free(debug->build_id);
    free(debug);
    image->debug = NULL;
}

/* The file of a mapping "FILE (deleted)" was removed or replaced. */
static void remove_suffix(struct sl_image *image)
{
    static const char gone[] = " (deleted)";
    size_t length = strlen(image->name), suffix = sizeof gone - 1;
    if (length > suffix && !strcmp(image->name + length - suffix, gone))
        image->undeleted = strndup(image->name, length - suffix);
    if (image->undeleted)
        image->name = image->undeleted;
}

struct sl_image *sl_image_open(struct sl_elf_reader *reader, const char *path)
{
    struct sl_image *image = calloc(1, sizeof *image);
    if (!image || !(image->path = strdup(path))) {
        free(image);
        return NULL;
    }
    const char *slash = strrchr(image->path, '/');
    image->name = slash && slash[1] ? slash + 1 : image->path;
    image->reader = reader;
    uint32_t file = sl_elf_reader_open(reader, path);
    if (file == SL_NO_INDEX)
        remove_suffix(image);
    else if ((image->debug = calloc(1, sizeof *image->debug)))
        image->debug->units = (struct sl_source_units){.reader = reader,
                                                       .file = image->debug->file = file};
    return image;
}

void sl_image_ahead(struct sl_image *image)
{
    if (image->debug)
        sl_elf_reader_ahead(image->reader, image->debug->file);
}

void sl_image_read_head(struct sl_image *image)
{
    struct sl_image_debug *debug = image->debug;
    struct sl_elf_table table;
    if (!debug || debug->has_head)
        return;
    debug->has_head = true;
    if (sl_elf_reader_get(image->reader, debug->file, SL_ELF_HEAD, 0, &table)) {
        image->segment = table.array[0].at;
        image->n_segments = table.array[0].n < SL_SEGMENTS_MAX ? table.array[0].n : SL_SEGMENTS_MAX;
        image->is_program = table.value[0];
        debug->has_symbol_table = table.value[1];
        debug->build_id = table.array[1].at;
        debug->build_id_bytes = table.array[1].n;
    }
    for (size_t i = 0; i < image->n_segments; i++)
        image->segment[i].executable = image->segment[i].executable != 0;
    if (!image->n_segments) {
        close_debug(image);
        remove_suffix(image);
    }
}

bool sl_image_is_current(const struct sl_image *image)
{
    return image->debug && sl_elf_reader_is_current(image->reader, image->debug->file);
}

void sl_image_reopen(struct sl_image *image)
{
    struct sl_image *other = sl_image_open(image->reader, image->path), before = *image;
    if (!other)
        return;
    *image = *other;
    image->number = before.number;
    image->names_capacity = before.names_capacity;
    *other = before;
    sl_image_close(other);
}

bool sl_image_bias(const struct sl_segment *segment, const struct sl_object *object, uint64_t *bias)
{
    uint64_t length = object->end - object->start;
    bool meets = object->offset < segment->offset
                     ? segment->offset - object->offset < length
                     : object->offset - segment->offset < segment->size;
    *bias = object->start - object->offset + segment->offset - segment->vaddr;
    return meets && segment->size;
}

/* Returns whether an earlier segment has the same bias. */
static bool is_repeated(const struct sl_image *image, const struct sl_object *object,
                        size_t segment, uint64_t bias)
{
    uint64_t other;
    for (size_t s = 0; s < segment; s++)
        if (sl_image_bias(&image->segment[s], object, &other) && other == bias)
            return true;
    return false;
}

bool sl_image_vote(struct sl_image *image, const struct sl_object *object)
{
    image->n_voters++;
    for (size_t s = 0; s < image->n_segments; s++) {
        uint64_t bias;
        if (!sl_image_bias(&image->segment[s], object, &bias) ||
            is_repeated(image, object, s, bias))
            continue;
        uint32_t number = sl_index_add(&image->biases, bias, 0);
        if (number == SL_NO_INDEX ||
            !SL_GROW(image->votes, image->votes_capacity, image->biases.n_keys))
            return false;
        image->votes[number]++;
    }
    return true;
}

uint32_t sl_image_votes(const struct sl_image *image, uint64_t bias)
{
    uint32_t number = sl_index_find(&image->biases, bias, 0);
    return number == SL_NO_INDEX ? 0 : image->votes[number];
}

/* ---- functions and data ---- */

/* Copies the functions of a table. Returns false if an index is wrong or if out of memory. */
static bool copy_functions(struct sl_function_table *to, const struct sl_elf_table *table,
                           const char *names)
{
    const struct sl_elf_function *from = table->array[0].at;
    for (size_t i = 0; i < table->array[0].n; i++) {
        bool named = from[i].name != SL_NO_INDEX;
        if ((named && from[i].name >= table->array[2].n) ||
            (i && from[i].start < from[i - 1].start) || from[i].end < from[i].start ||
            !SL_GROW(to->function, to->capacity, table->array[0].n))
            return false;
        to->function[to->n++] = (struct sl_function){.start = from[i].start,
                                                     .end = from[i].end,
                                                     .whole = from[i].whole,
                                                     .name = named ? names + from[i].name : NULL,
                                                     .rank = (uint8_t)from[i].rank};
    }
    for (size_t i = 0; i < to->spans.n; i++) {
        const struct sl_span *span = &to->spans.span[i];
        if ((i && span->start < span[-1].start) ||
            (span->what != SL_NO_INDEX && (span->what >= to->n || !to->function[span->what].name)))
            return false;
    }
    return true;
}

/* Requests functions or data; sets *names to the storage of their names. */
static void read_functions(struct sl_image *image, enum sl_elf_part part,
                           struct sl_function_table *to, char **names)
{
    struct sl_elf_table table;
    if (!sl_elf_reader_get(image->reader, image->debug->file, part, 0, &table))
        return;
    to->spans = (struct sl_spans){table.array[1].at, table.array[1].n, table.array[1].n};
    *names = table.array[2].at;
    if (!copy_functions(to, &table, *names))
        sl_functions_free(to);
    free(table.array[0].at);
}

struct sl_function_table *sl_image_functions(struct sl_image *image)
{
    sl_image_read_head(image);
    struct sl_image_debug *debug = image->debug;
    if (debug && !debug->has_functions)
        read_functions(image, SL_ELF_FUNCTIONS, &debug->functions, &debug->function_names);
    if (debug)
        debug->has_functions = true;
    return debug ? &debug->functions : NULL;
}

bool sl_image_stripped(struct sl_image *image)
{
    const struct sl_function_table *functions = sl_image_functions(image);
    if (functions && image->debug->has_symbol_table)
        return false;
    /* Local symbols can be from a debug file or from .gnu_debugdata. */
    for (size_t i = 0; functions && i < functions->n; i++)
        if (functions->function[i].name && functions->function[i].rank >= SL_RANK_LOCAL)
            return false;
    return true;
}

struct sl_function *sl_image_datum(struct sl_image *image, uint64_t address)
{
    bool is_data = false;
    struct sl_image_debug *debug = image->debug;
    for (size_t i = 0; i < image->n_segments && debug; i++)
        is_data |= !image->segment[i].executable &&
                   address - image->segment[i].vaddr < image->segment[i].size;
    if (!is_data)
        return NULL;
    if (!debug->has_data)
        read_functions(image, SL_ELF_DATA, &debug->data, &debug->data_names);
    debug->has_data = true;
    return sl_function_at(&debug->data, address);
}

/* ---- lines and inlined calls ---- */

/* NULL: it is no ELF file. */
static struct sl_source_units *units_of(struct sl_image *image)
{
    sl_image_read_head(image);
    if (image->debug)
        image->debug->units.names_capacity = image->names_capacity;
    return image->debug ? &image->debug->units : NULL;
}

const char *sl_image_line(struct sl_image *image, uint64_t address, int *line)
{
    struct sl_source_units *units = units_of(image);
    return units ? sl_source_line(units, address, line) : NULL;
}

uint32_t sl_image_inlined(struct sl_image *image, uint64_t address)
{
    struct sl_source_units *units = units_of(image);
    return units ? sl_inlining_find(units, address) : SL_NO_INDEX;
}

size_t sl_image_inlined_starts(struct sl_image *image, uint64_t address, uint64_t *start,
                               size_t most)
{
    struct sl_source_units *units = units_of(image);
    return units ? sl_inlining_starts(units, address, start, most) : 0;
}

const struct sl_inlined *sl_image_frame(const struct sl_image *image, uint32_t frame)
{
    return &image->debug->units.frame[frame];
}

size_t sl_image_build_id(const struct sl_image *image, const unsigned char **bits)
{
    *bits = image->debug ? image->debug->build_id : NULL;
    return image->debug ? image->debug->build_id_bytes : 0;
}

void sl_image_close(struct sl_image *image)
{
    if (!image)
        return;
    if (image->debug)
        close_debug(image);
    sl_index_free(&image->biases);
    free(image->votes);
    free(image->segment);
    free(image->undeleted);
    free(image->path);
    free(image);
}
