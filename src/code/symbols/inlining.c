/* SPDX-License-Identifier: MIT */
/* Reads inlined calls from DWARF, one compilation unit at a time, and finds the inlined calls whose
 * code contains an address (debug_info.h). Calls deeper than DEPTH_MAX scopes are ignored. */
#include "debug_info.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"
#include "function_table.h"
#include "grow.h"

#define DEPTH_MAX 200 /* of nested scopes; compilers do not write more */

struct reading {
    struct sl_inlining *inlining;
    struct sl_source_lines *lines;
    uint32_t unit;
    Dwarf_Files *files; /* of the unit; NULL if it has none */
    size_t n_files;
    struct sl_address_range *range;
    size_t n, capacity;
    bool out_of_memory;
};

/* The demangled name of a string of the file, cached; NULL if out of memory. */
static const char *kept_name(struct sl_inlining *inlining, const char *mangled, const char *plain)
{
    const char *from = mangled ? mangled : plain;
    size_t n = inlining->named.n_keys;
    uint32_t number = sl_index_add(&inlining->named, (uintptr_t)from, mangled != NULL);
    if (number == SL_NO_INDEX ||
        !SL_GROW(inlining->name, inlining->named_capacity, inlining->named.n_keys))
        return NULL;
    if (inlining->named.n_keys == n)
        return inlining->name[number];
    char *readable = mangled ? sl_demangle(mangled, inlining->names_capacity) : NULL;
    const char *other = plain ? plain : from;
    size_t most = *inlining->names_capacity < SL_SHORT_NAME ? SL_SHORT_NAME
                                                            : *inlining->names_capacity;
    char *name = inlining->name[number] = readable ? readable : strndup(other, most);
    size_t taken = name ? strlen(name) + 1 : 0;
    *inlining->names_capacity -= taken < *inlining->names_capacity ? taken
                                                                   : *inlining->names_capacity;
    return name;
}

static const char *name_of(struct sl_inlining *inlining, Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    Dwarf_Attribute *linkage = dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute);
    if (!linkage)
        linkage = dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute);
    const char *mangled = linkage ? dwarf_formstring(linkage) : NULL, *plain = dwarf_diename(die);
    return mangled || plain ? kept_name(inlining, mangled, plain) : "(inlined)";
}

static Dwarf_Word number_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    if (dwarf_attr(die, name, &attribute))
        dwarf_formudata(&attribute, &number);
    return number;
}

/* Returns its index, or `parent` if out of memory. */
static uint32_t add_frame(struct reading *reading, Dwarf_Die *die, uint32_t parent)
{
    struct sl_inlining *inlining = reading->inlining;
    const char *name = name_of(inlining, die);
    if (!name || inlining->n >= SL_NO_INDEX - 1 ||
        !SL_GROW(inlining->frame, inlining->capacity, inlining->n + 1)) {
        reading->out_of_memory = true;
        return parent;
    }
    struct sl_inlined *frame = &inlining->frame[inlining->n];
    Dwarf_Word file = number_of(die, DW_AT_call_file), line = number_of(die, DW_AT_call_line);
    *frame = (struct sl_inlined){
        .parent = parent,
        .name = name,
        .file = sl_source_path(reading->lines, reading->unit, dwarf_decl_file(die)),
        .start = UINT64_MAX};
    if (dwarf_decl_line(die, &frame->line))
        frame->line = 0;
    if (reading->files && file && file < reading->n_files && line <= INT32_MAX) {
        frame->call_file = sl_source_path(reading->lines, reading->unit,
                                          dwarf_filesrc(reading->files, (size_t)file, NULL, NULL));
        frame->call_line = (int)line;
    }
    return (uint32_t)inlining->n++;
}

/* Counts an entry or range; false: the bound is reached, or out of memory. */
static bool may_go_on(struct reading *reading)
{
    reading->inlining->left -= reading->inlining->left > 0;
    return reading->inlining->left && !reading->out_of_memory;
}

static void add_ranges(struct reading *reading, Dwarf_Die *die, uint32_t frame, unsigned depth)
{
    Dwarf_Addr base, start, end;
    ptrdiff_t at = 0;
    while (may_go_on(reading) && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
        struct sl_inlined *of = &reading->inlining->frame[frame];
        of->start = start < end && start < of->start ? start : of->start;
        if (!SL_GROW(reading->range, reading->capacity, reading->n + 1))
            reading->out_of_memory = true;
        else
            reading->range[reading->n++] = (struct sl_address_range){start, end, depth, frame};
    }
}

static bool is_scope(int tag)
{
    return tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
           tag == DW_TAG_inlined_subroutine || tag == DW_TAG_namespace || tag == DW_TAG_module ||
           tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

static void read_scope(struct reading *reading, Dwarf_Die *scope, uint32_t frame, unsigned depth)
{
    Dwarf_Die die;
    if (depth == DEPTH_MAX || dwarf_child(scope, &die))
        return;
    do {
        int tag = dwarf_tag(&die);
        if (!is_scope(tag))
            continue;
        uint32_t inside = frame;
        if (tag == DW_TAG_inlined_subroutine) {
            inside = add_frame(reading, &die, frame);
            add_ranges(reading, &die, inside, depth);
        }
        read_scope(reading, &die, inside, depth + 1);
    } while (may_go_on(reading) && !dwarf_siblingof(&die, &die));
}

static void read_unit(struct sl_inlining *inlining, struct sl_source_lines *lines, uint32_t unit)
{
    struct reading reading = {.inlining = inlining, .lines = lines, .unit = unit};
    if (dwarf_getsrcfiles(&lines->unit[unit], &reading.files, &reading.n_files))
        reading.files = NULL;
    read_scope(&reading, &lines->unit[unit], SL_NO_INDEX, 0);
    if (!reading.out_of_memory)
        sl_spans_build(&inlining->unit[unit].spans, reading.range, reading.n);
    free(reading.range);
}

uint32_t sl_inlining_find(struct sl_inlining *inlining, struct sl_source_lines *lines,
                          uint64_t address)
{
    uint32_t number = sl_spans_find(&lines->spans, address - lines->bias);
    if (number == SL_NO_INDEX || !SL_GROW(inlining->unit, inlining->units_capacity, lines->n_units))
        return SL_NO_INDEX;
    struct sl_inlining_unit *unit = &inlining->unit[number];
    if (!unit->read)
        read_unit(inlining, lines, number);
    unit->read = true;
    return sl_spans_find(&unit->spans, address - lines->bias);
}

/* The number of frames around a frame, including itself. */
static size_t depth_of(const struct sl_inlining *inlining, uint32_t frame)
{
    size_t depth = 0;
    for (; frame != SL_NO_INDEX; frame = inlining->frame[frame].parent)
        depth++;
    return depth;
}

/* Of these, the depth-th from the outside, from 1 on; SL_NO_INDEX if there are fewer. */
static uint32_t frame_at_depth(const struct sl_inlining *inlining, uint32_t frame, size_t depth)
{
    for (size_t at = depth_of(inlining, frame); at > depth; at--)
        frame = inlining->frame[frame].parent;
    return depth_of(inlining, frame) == depth ? frame : SL_NO_INDEX;
}

size_t sl_inlining_starts(struct sl_inlining *inlining, struct sl_source_lines *lines,
                          uint64_t address, uint64_t *start, size_t most)
{
    uint32_t innermost = sl_inlining_find(inlining, lines, address);
    size_t n = depth_of(inlining, innermost);
    n = n < most ? n : most;
    for (size_t i = 0; i < n; i++) {
        uint32_t number = frame_at_depth(inlining, innermost, i + 1);
        uint64_t first = inlining->frame[number].start;
        /* Debug information in which frames overlap, or are not contained in their parents. */
        bool odd = !inlining->frame[number].start_checked &&
                   (first == UINT64_MAX ||
                    frame_at_depth(inlining, sl_inlining_find(inlining, lines, first + lines->bias),
                                   i + 1) != number);
        if (odd)
            inlining->frame[number].start = address - lines->bias;
        inlining->frame[number].start_checked = true;
        start[i] = inlining->frame[number].start + lines->bias;
    }
    return n;
}

void sl_inlining_free(struct sl_inlining *inlining, const struct sl_source_lines *lines)
{
    for (size_t i = 0; i < inlining->named.n_keys && i < inlining->named_capacity; i++)
        free(inlining->name[i]);
    free(inlining->name);
    sl_index_free(&inlining->named);
    for (size_t i = 0; inlining->unit && i < lines->n_units; i++)
        sl_spans_free(&inlining->unit[i].spans);
    free(inlining->frame);
    free(inlining->unit);
    *inlining = (struct sl_inlining){0};
}
