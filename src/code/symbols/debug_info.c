/* SPDX-License-Identifier: MIT */
/* Debug information of one ELF file (debug_info.h). Its separate debug file is first searched by
 * build id in /usr/lib/debug/.build-id (by libdwfl). Then it is searched by the name in the section
 * .gnu_debuglink, or by the name FILE.debug if there is no such section. The directories of the
 * second search are those of GDB, for example for /usr/bin/ls:
 *
 *     /usr/bin/ls  ─►  /usr/bin/ls.debug
 *                      /usr/bin/.debug/ls.debug
 *                      /usr/lib/debug/usr/bin/ls.debug
 *
 * A file found by name is accepted if its build id is that of the module or, if the module has no
 * build id, if its checksum is the one in the link. After that, dwfl_standard_find_debuginfo() asks
 * the servers in $DEBUGINFOD_URLS. If the variable is not set, there is no network access. */
#include "debug_info.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "elf_bounds.h"
#include "grow.h"

#define PATHS_MAX (16 << 20) /* bytes of all complete paths of one file */

#define CHECKED_MAX ((off_t)4 << 30) /* a sparse file can have any length */

static bool crc_matches(int fd, uint32_t wanted)
{
    uLong crc = crc32(0, NULL, 0);
    uint8_t buffer[1 << 14];
    off_t at = 0;
    ssize_t n;
    while ((n = pread(fd, buffer, sizeof buffer, at)) > 0 && at < CHECKED_MAX) {
        crc = crc32(crc, buffer, (uInt)n);
        at += n;
    }
    return n == 0 && crc == wanted;
}

/* Opens the file if it is a regular file, is not `file` itself and belongs to the module. Returns
 * -1 otherwise. */
static int open_if_right(const char *path, const char *file, Dwfl_Module *module, GElf_Word crc)
{
    const unsigned char *id;
    GElf_Addr id_address;
    struct stat status, main_status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return -1;
    if (!fstat(fd, &status) && S_ISREG(status.st_mode) &&
        (stat(file, &main_status) || status.st_ino != main_status.st_ino ||
         status.st_dev != main_status.st_dev)) {
        int length = dwfl_module_build_id(module, &id, &id_address);
        const void *other;
        Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
        bool right = elf && sl_elf_unpacks(elf) &&
                     (length > 0 ? dwelf_elf_gnu_build_id(elf, &other) == length &&
                                       !memcmp(other, id, (size_t)length)
                                 : crc && crc_matches(fd, crc));
        elf_end(elf);
        if (right)
            return fd;
    }
    close(fd);
    return -1;
}

int sl_debug_file_find(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
                       const char *file, const char *link, GElf_Word crc, char **found)
{
    int fd = dwfl_build_id_find_debuginfo(module, userdata, name, base, file, link, crc, found);
    /* Found, or already opened inside the module: then `found` is set. */
    if (fd >= 0 || *found || !file || file[0] != '/')
        return fd;
    /* A name without a checksum is a supplementary file of dwz, which is not needed. */
    if (link && !crc)
        return -1;

    static const char *const places[] = {"%.*s/%s%s", "%.*s/.debug/%s%s",
                                         "/usr/lib/debug%.*s/%s%s"};
    const char *last = strrchr(file, '/');
    for (size_t i = 0; i < 3; i++) {
        char *path;
        if (asprintf(&path, places[i], (int)(last - file), file, link ? link : last + 1,
                     link ? "" : ".debug") < 0)
            return -1;
        fd = open_if_right(path, file, module, crc);
        if (fd >= 0) {
            *found = path;
            return fd;
        }
        free(path);
    }
    const char *servers = getenv("DEBUGINFOD_URLS");
    if (!servers || !*servers)
        return -1;
    return dwfl_standard_find_debuginfo(module, userdata, name, base, file, link, crc, found);
}

/* ---- source lines ---- */

bool sl_source_lines_init(struct sl_source_lines *lines, Dwfl_Module *module,
                          bool (*is_code)(void *context, uint64_t address), void *context)
{
    *lines = (struct sl_source_lines){0};
    struct sl_address_range *range = NULL;
    size_t n = 0, capacity = 0;
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
        good = number < SL_NO_INDEX &&
               SL_GROW(lines->unit, lines->units_capacity, lines->n_units + 1);
        if (!good)
            break;
        lines->unit[lines->n_units++] = die;

        Dwarf_Addr base, start, end;
        ptrdiff_t at = 0;
        while (good && left && (at = dwarf_ranges(&die, at, &base, &start, &end)) > 0) {
            left--; /* units can share range lists, so the number of units is no bound */
            if (!is_code(context, start + lines->bias))
                continue;
            good = SL_GROW(range, capacity, n + 1);
            if (good) /* priority: the innermost range, then the first unit */
                range[n++] = (struct sl_address_range){start, end, start, number};
        }
    }
    good = good && sl_spans_build(&lines->spans, range, n);
    free(range);
    return good;
}

const char *sl_source_path(struct sl_source_lines *lines, uint32_t unit, const char *name)
{
    Dwarf_Attribute attribute;
    const char *directory = name && name[0] != '/'
                                ? dwarf_formstring(dwarf_attr_integrate(&lines->unit[unit],
                                                                        DW_AT_comp_dir, &attribute))
                                : NULL;
    size_t length = directory ? strlen(directory) + strlen(name) + 2 : 0;
    if (!directory || directory[0] != '/' || length > PATH_MAX)
        return name;
    size_t known = lines->paths.n_keys;
    uint32_t number = sl_index_add(&lines->paths, (uintptr_t)name, unit);
    if (number == SL_NO_INDEX || !SL_GROW(lines->path, lines->paths_capacity, (size_t)number + 1))
        return name;
    if (number == known && lines->path_bytes + length <= PATHS_MAX &&
        (lines->path[number] = malloc(length))) {
        lines->path_bytes += length;
        snprintf(lines->path[number], length, "%s/%s", directory, name);
    }
    return lines->path[number] ? lines->path[number] : name;
}

const char *sl_source_line(struct sl_source_lines *lines, uint64_t address, int *line)
{
    uint32_t unit = sl_spans_find(&lines->spans, address - lines->bias);
    Dwarf_Line *row = unit == SL_NO_INDEX
                          ? NULL
                          : dwarf_getsrc_die(&lines->unit[unit], address - lines->bias);
    int number = 0;
    if (!row || dwarf_lineno(row, &number) || number <= 0) /* 0: code without a source line */
        return NULL;
    const char *file = sl_source_path(lines, unit, dwarf_linesrc(row, NULL, NULL));
    *line = file ? number : 0;
    return file;
}

void sl_source_lines_free(struct sl_source_lines *lines)
{
    for (size_t i = 0; i < lines->paths.n_keys && i < lines->paths_capacity; i++)
        free(lines->path[i]);
    free(lines->path);
    sl_index_free(&lines->paths);
    free(lines->unit);
    sl_spans_free(&lines->spans);
    *lines = (struct sl_source_lines){0};
}
