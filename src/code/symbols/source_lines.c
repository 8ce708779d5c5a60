/* SPDX-License-Identifier: MIT */
#include "source_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "elf_bounds.h"
#include "grow.h"

struct ranges {
    struct sl_address_range *interval;
    size_t n, room;
};

bool sl_source_lines_init(struct sl_source_lines *lines, Dwfl_Module *module,
                          bool (*is_code)(void *context, uint64_t address), void *context)
{
    *lines = (struct sl_source_lines){0};
    struct ranges ranges = {0};
    bool good = true;
    Dwarf *dwarf = dwfl_module_getdwarf(module, &lines->bias);
    size_t left = lines->entries = sl_elf_debug_entries(dwarf ? dwarf_getelf(dwarf) : NULL);
    lines->unpacked = sl_elf_unpacked(dwarf ? dwarf_getelf(dwarf) : NULL);
    Dwarf_CU *unit = NULL;
    Dwarf_Half version;
    uint8_t type;
    Dwarf_Die die;
    while (good && dwarf && dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, NULL) == 0) {
        if (type != DW_UT_compile && type != DW_UT_skeleton)
            continue;
        uint32_t number = (uint32_t)lines->n_units;
        good = number < SL_NO_INDEX && SL_GROW(lines->unit, lines->room_units, lines->n_units + 1);
        if (!good)
            break;
        lines->unit[lines->n_units++] = die;

        Dwarf_Addr base, start, end;
        ptrdiff_t at = 0;
        while (good && left && (at = dwarf_ranges(&die, at, &base, &start, &end)) > 0) {
            left--; /* units can share lists of ranges */
            if (!is_code(context, start + lines->bias))
                continue;
            good = SL_GROW(ranges.interval, ranges.room, ranges.n + 1);
            if (good) /* the innermost, then the first unit that claims it */
                ranges.interval[ranges.n++] = (struct sl_address_range){start, end, start, number};
        }
    }
    good = good && sl_spans_build(&lines->spans, ranges.interval, ranges.n);
    free(ranges.interval);
    return good;
}

const char *sl_source_line(const struct sl_source_lines *lines, uint64_t address, int *line)
{
    uint32_t unit = sl_spans_find(&lines->spans, address - lines->bias);
    Dwarf_Line *row = unit == SL_NO_INDEX
                          ? NULL
                          : dwarf_getsrc_die(&lines->unit[unit], address - lines->bias);
    int number = 0;
    if (!row || dwarf_lineno(row, &number) || number <= 0) /* 0: made by the compiler */
        return NULL;
    const char *file = dwarf_linesrc(row, NULL, NULL);
    *line = file ? number : 0;
    return file;
}

void sl_source_lines_free(struct sl_source_lines *lines)
{
    free(lines->unit);
    sl_spans_free(&lines->spans);
    *lines = (struct sl_source_lines){0};
}
