/* SPDX-License-Identifier: MIT */
/* Source lines and inlined calls of one ELF file, from the tables of the reader process
 * (source_units.h). Every offset and index is checked when a table is received. */
#include "source_units.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"
#include "function_table.h"
#include "grow.h"

#define PATHS_MAX (16 << 20) /* bytes of all complete paths of one file */

struct sl_source_unit {
    struct sl_elf_row *row; /* by address */
    size_t n_rows;
    struct sl_spans inlined; /* of indices of frames */
    char *names;
    size_t name_bytes;
    const char *directory; /* in which it was compiled; NULL: unknown */
};

static const char *name_at(const struct sl_source_unit *unit, uint64_t offset)
{
    return offset < unit->name_bytes ? unit->names + offset : NULL;
}

/* Returns the path of a source file (NULL: unknown): relative names are relative to the directory
 * in which the unit was compiled. Returns the name itself if that directory is unknown, if the path
 * would be too long, or if out of memory. */
static const char *path_of(struct sl_source_units *units, uint32_t number, uint32_t offset)
{
    const struct sl_source_unit *unit = &units->unit[number];
    const char *name = name_at(unit, offset);
    const char *directory = name && name[0] != '/' ? unit->directory : NULL;
    size_t length = directory ? strlen(directory) + strlen(name) + 2 : 0;
    if (!directory || directory[0] != '/' || length > PATH_MAX)
        return name;
    size_t known = units->paths.n_keys;
    uint32_t path = sl_index_add(&units->paths, offset, number);
    if (path == SL_NO_INDEX || !SL_GROW(units->path, units->paths_capacity, (size_t)path + 1))
        return name;
    if (path == known && units->path_bytes + length <= PATHS_MAX &&
        (units->path[path] = malloc(length))) {
        units->path_bytes += length;
        snprintf(units->path[path], length, "%s/%s", directory, name);
    }
    return units->path[path] ? units->path[path] : name;
}

/* ---- receiving ---- */

/* The demangled name, cached; NULL if out of memory. */
static const char *readable_name(struct sl_source_units *units, uint64_t id, const char *mangled,
                                 const char *plain)
{
    size_t n = units->named.n_keys, *capacity = units->names_capacity;
    uint32_t number = sl_index_add(&units->named, id, units->reader->process_number);
    if (number == SL_NO_INDEX || !SL_GROW(units->name, units->named_capacity, units->named.n_keys))
        return NULL;
    if (units->named.n_keys == n)
        return units->name[number];
    char *readable = mangled ? sl_demangle(mangled, capacity) : NULL;
    size_t most = *capacity < SL_SHORT_NAME ? SL_SHORT_NAME : *capacity;
    char *name = units->name[number] = readable ? readable : strndup(plain ? plain : mangled, most);
    size_t taken = name ? strlen(name) + 1 : 0;
    *capacity -= taken < *capacity ? taken : *capacity;
    return name;
}

/* Adds the frames of a unit. Returns false if out of memory. */
static bool add_frames(struct sl_source_units *units, uint32_t number,
                       const struct sl_elf_frame *from, size_t n)
{
    const struct sl_source_unit *unit = &units->unit[number];
    size_t first = units->n;
    if (n >= SL_NO_INDEX - 1 - first || !SL_GROW(units->frame, units->capacity, first + n))
        return false;
    uint8_t *depth = calloc(n + 1, 1);
    for (size_t i = 0; i < n; i++) {
        bool inner = depth && from[i].parent < i && depth[from[i].parent] < UINT8_MAX;
        const char *mangled = name_at(unit, from[i].linkage_name),
                   *plain = name_at(unit, from[i].name), *name = "(inlined)";
        if ((mangled || plain) && !(name = readable_name(units, from[i].id, mangled, plain))) {
            free(depth);
            return false;
        }
        units->frame[first + i] = (struct sl_inlined){
            .parent = inner ? (uint32_t)first + from[i].parent : SL_NO_INDEX,
            .name = name,
            .file = path_of(units, number, from[i].file),
            .line = from[i].line,
            .call_file = path_of(units, number, from[i].call_file),
            .call_line = from[i].call_line,
            .start = from[i].start};
        if (inner)
            depth[i] = (uint8_t)(depth[from[i].parent] + 1);
    }
    free(depth);
    units->n = first + n;
    return true;
}

/* Takes the arrays of the table that the unit needs. */
static void add_unit(struct sl_source_units *units, uint32_t number, struct sl_elf_table *table)
{
    struct sl_source_unit *unit = &units->unit[number];
    size_t first = units->n;
    unit->row = table->array[0].at;
    unit->n_rows = table->array[0].n;
    unit->names = table->array[3].at;
    unit->name_bytes = table->array[3].n;
    unit->directory = name_at(unit, table->value[0]);
    table->array[0].at = table->array[3].at = NULL;
    if (!add_frames(units, number, table->array[1].at, table->array[1].n))
        return;
    unit->inlined = (struct sl_spans){table->array[2].at, table->array[2].n, table->array[2].n};
    table->array[2].at = NULL;
    for (size_t i = 0; i < unit->inlined.n; i++) {
        uint32_t *what = &unit->inlined.span[i].what;
        *what = *what < units->n - first ? (uint32_t)first + *what : SL_NO_INDEX;
    }
}

void sl_source_units_read(struct sl_source_units *units)
{
    struct sl_elf_table table;
    if (units->ready)
        return;
    units->ready = true;
    if (sl_elf_reader_get(units->reader, units->file, SL_ELF_UNITS, 0, &table)) {
        units->bias = table.value[0];
        units->spans = (struct sl_spans){table.array[0].at, table.array[0].n, table.array[0].n};
    }
}

/* The unit at an address, requested at the first lookup; NULL: there is none. */
static struct sl_source_unit *unit_at(struct sl_source_units *units, uint64_t address,
                                      uint32_t *number)
{
    struct sl_elf_table table;
    sl_source_units_read(units);
    uint32_t unit = sl_spans_find(&units->spans, address - units->bias);
    if (unit == SL_NO_INDEX)
        return NULL;
    size_t known = units->known.n_keys;
    *number = sl_index_add(&units->known, unit, 0);
    if (*number == SL_NO_INDEX || !SL_GROW(units->unit, units->units_capacity, *number + 1u))
        return NULL;
    if (*number == known &&
        sl_elf_reader_get(units->reader, units->file, SL_ELF_UNIT, unit, &table)) {
        add_unit(units, *number, &table);
        sl_elf_table_free(&table);
    }
    return &units->unit[*number];
}

/* ---- lookups ---- */

const char *sl_source_line(struct sl_source_units *units, uint64_t address, int *line)
{
    uint32_t number;
    const struct sl_source_unit *unit = unit_at(units, address, &number);
    /* The last row that is not after the address. */
    uint64_t next = address - (unit ? units->bias : 0) + 1;
    size_t i = unit && next
                   ? SL_LOWER_BOUND(unit->row, unit->n_rows, struct sl_elf_row, address, next)
                   : 0;
    if (!i || unit->row[i - 1].line <= 0)
        return NULL;
    const char *file = path_of(units, number, unit->row[i - 1].file);
    *line = file ? unit->row[i - 1].line : 0;
    return file;
}

uint32_t sl_inlining_find(struct sl_source_units *units, uint64_t address)
{
    uint32_t number;
    const struct sl_source_unit *unit = unit_at(units, address, &number);
    return unit ? sl_spans_find(&unit->inlined, address - units->bias) : SL_NO_INDEX;
}

/* The number of frames around a frame, including itself. */
static size_t depth_of(const struct sl_source_units *units, uint32_t frame)
{
    size_t depth = 0;
    for (; frame != SL_NO_INDEX; frame = units->frame[frame].parent)
        depth++;
    return depth;
}

/* Of these, the depth-th from the outside, from 1 on; SL_NO_INDEX if there are fewer. */
static uint32_t frame_at_depth(const struct sl_source_units *units, uint32_t frame, size_t depth)
{
    for (size_t at = depth_of(units, frame); at > depth; at--)
        frame = units->frame[frame].parent;
    return depth_of(units, frame) == depth ? frame : SL_NO_INDEX;
}

size_t sl_inlining_starts(struct sl_source_units *units, uint64_t address, uint64_t *start,
                          size_t most)
{
    uint32_t innermost = sl_inlining_find(units, address);
    size_t n = depth_of(units, innermost);
    n = n < most ? n : most;
    for (size_t i = 0; i < n; i++) {
        uint32_t number = frame_at_depth(units, innermost, i + 1);
        uint64_t first = units->frame[number].start;
        /* Debug information in which frames overlap, or are not contained in their parents. */
        bool odd = !units->frame[number].start_checked &&
                   (first == UINT64_MAX ||
                    frame_at_depth(units, sl_inlining_find(units, first + units->bias), i + 1) !=
                        number);
        if (odd)
            units->frame[number].start = address - units->bias;
        units->frame[number].start_checked = true;
        start[i] = units->frame[number].start + units->bias;
    }
    return n;
}

void sl_source_units_free(struct sl_source_units *units)
{
    for (size_t i = 0; i < units->named.n_keys && i < units->named_capacity; i++)
        free(units->name[i]);
    for (size_t i = 0; i < units->paths.n_keys && i < units->paths_capacity; i++)
        free(units->path[i]);
    for (size_t i = 0; i < units->known.n_keys && i < units->units_capacity; i++) {
        free(units->unit[i].row);
        free(units->unit[i].names);
        sl_spans_free(&units->unit[i].inlined);
    }
    free(units->name);
    free(units->path);
    free(units->unit);
    free(units->frame);
    sl_spans_free(&units->spans);
    sl_index_free(&units->known);
    sl_index_free(&units->named);
    sl_index_free(&units->paths);
}
