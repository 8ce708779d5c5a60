/* SPDX-License-Identifier: MIT */
/* Reads inlined calls from DWARF, one compilation unit at a time, into plain tables (debug_info.h).
 * Calls nested deeper than DEPTH_MAX scopes are ignored. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "debug_info.h"
#include "grow.h"

#define DEPTH_MAX 200 /* of nested scopes; compilers do not write more */

struct reading {
    struct sl_debug_units *units;
    struct sl_unit_names *names;
    Dwarf_Files *files; /* of the unit; NULL if it has none */
    size_t n_files;
    struct sl_elf_frame *frame;
    size_t n_frames, frames_capacity;
    struct sl_address_range *range;
    size_t n, capacity;
    bool out_of_memory;
};

static void set_name(struct reading *reading, Dwarf_Die *die, struct sl_elf_frame *frame)
{
    Dwarf_Attribute attribute;
    Dwarf_Attribute *linkage = dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute);
    if (!linkage)
        linkage = dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute);
    const char *mangled = linkage ? dwarf_formstring(linkage) : NULL, *plain = dwarf_diename(die);
    frame->linkage_name = sl_unit_name(reading->names, mangled);
    frame->name = sl_unit_name(reading->names, plain);
    uint32_t id = sl_index_add(&reading->units->names, (uintptr_t)(mangled ? mangled : plain),
                               mangled != NULL);
    frame->id = id;
    reading->out_of_memory |= id == SL_NO_INDEX;
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
    if (reading->n_frames >= SL_NO_INDEX - 1 ||
        !SL_GROW(reading->frame, reading->frames_capacity, reading->n_frames + 1)) {
        reading->out_of_memory = true;
        return parent;
    }
    struct sl_elf_frame *frame = &reading->frame[reading->n_frames];
    Dwarf_Word file = number_of(die, DW_AT_call_file), line = number_of(die, DW_AT_call_line);
    *frame = (struct sl_elf_frame){.start = UINT64_MAX, .parent = parent, .call_file = SL_NO_INDEX};
    set_name(reading, die, frame);
    frame->file = sl_unit_name(reading->names, dwarf_decl_file(die));
    if (dwarf_decl_line(die, &frame->line))
        frame->line = 0;
    if (reading->files && file && file < reading->n_files && line <= INT32_MAX) {
        frame->call_file = sl_unit_name(reading->names,
                                        dwarf_filesrc(reading->files, (size_t)file, NULL, NULL));
        frame->call_line = (int)line;
    }
    return (uint32_t)reading->n_frames++;
}

/* Counts an entry or range; false: the bound is reached, or out of memory. */
static bool may_go_on(struct reading *reading)
{
    reading->units->left -= reading->units->left > 0;
    return reading->units->left && !reading->out_of_memory;
}

static void add_ranges(struct reading *reading, Dwarf_Die *die, uint32_t frame, unsigned depth)
{
    Dwarf_Addr base, start, end;
    ptrdiff_t at = 0;
    while (may_go_on(reading) && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
        struct sl_elf_frame *of = &reading->frame[frame];
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

bool sl_inlining_read(struct sl_debug_units *units, uint32_t unit, struct sl_unit_names *names,
                      struct sl_elf_table *table)
{
    struct reading reading = {.units = units, .names = names};
    struct sl_spans spans = {0};
    if (dwarf_getsrcfiles(&units->unit[unit], &reading.files, &reading.n_files))
        reading.files = NULL;
    read_scope(&reading, &units->unit[unit], SL_NO_INDEX, 0);
    bool good = !reading.out_of_memory && sl_spans_build(&spans, reading.range, reading.n);
    free(reading.range);
    table->array[1] = (struct sl_elf_array){reading.frame, reading.n_frames};
    table->array[2] = (struct sl_elf_array){spans.span, spans.n};
    return good;
}
