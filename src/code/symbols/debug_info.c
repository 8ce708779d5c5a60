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
#include "elf_reader.h"
#include "function_table.h"
#include "grow.h"

#define SPARSE_TIMES 64 /* a file system compresses less */
#define SPARSE_BYTES ((size_t)1 << 20)

#define UNIT_NAMES_MAX ((size_t)32 << 20) /* then names are cut to SL_SHORT_NAME */

__attribute__((noreturn)) static void on_out_of_memory(void)
{
    sl_elf_sandbox_fail(SL_ELF_MEMORY);
}

static bool crc_matches(int fd, uint32_t wanted)
{
    uLong crc = crc32(0, NULL, 0);
    uint8_t buffer[1 << 14];
    off_t at = 0;
    ssize_t n;
    while ((n = pread(fd, buffer, sizeof buffer, at)) > 0) {
        crc = crc32(crc, buffer, (uInt)n);
        at += n;
    }
    return n == 0 && crc == wanted;
}

/* Whether the file is a regular file that begins like an ELF file, so that libdwfl does not
 * decompress it, and has about as many bytes on disk as it says. */
static bool is_plain_elf(int fd, const struct stat *status)
{
    char magic[SELFMAG] = "";
    return S_ISREG(status->st_mode) && pread(fd, magic, SELFMAG, 0) == SELFMAG &&
           !memcmp(magic, ELFMAG, SELFMAG) &&
           (size_t)status->st_size / SPARSE_TIMES <= sl_elf_allocated(status) + SPARSE_BYTES;
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
    if (!fstat(fd, &status) && is_plain_elf(fd, &status) &&
        (stat(file, &main_status) || status.st_ino != main_status.st_ino ||
         status.st_dev != main_status.st_dev)) {
        int length = dwfl_module_build_id(module, &id, &id_address);
        const void *other;
        Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
        bool right = elf && (length > 0 ? dwelf_elf_gnu_build_id(elf, &other) == length &&
                                              !memcmp(other, id, (size_t)length)
                                        : crc && crc_matches(fd, crc));
        elf_end(elf);
        if (right)
            return fd;
    }
    close(fd);
    return -1;
}

static int find_file(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
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

/* The limits of the reader process allow for the debug file, too. */
int sl_debug_file_find(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
                       const char *file, const char *link, GElf_Word crc, char **found)
{
    int fd = find_file(module, userdata, name, base, file, link, crc, found);
    if (fd >= 0)
        sl_elf_sandbox_allow(fd);
    return fd;
}

/* ---- units ---- */

bool sl_debug_units_read(struct sl_debug_units *units, Dwfl_Module *module,
                         bool (*is_code)(void *context, uint64_t address), void *context)
{
    *units = (struct sl_debug_units){0};
    struct sl_address_range *range = NULL;
    size_t n = 0, capacity = 0;
    bool good = true;
    Dwarf *dwarf = dwfl_module_getdwarf(module, &units->bias);
    size_t left = units->left = sl_elf_debug_entries(dwarf ? dwarf_getelf(dwarf) : NULL);
    Dwarf_CU *unit = NULL;
    Dwarf_Half version;
    uint8_t type;
    Dwarf_Die die;
    if (dwarf)
        dwarf_new_oom_handler(dwarf, on_out_of_memory);
    while (good && dwarf && dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, NULL) == 0) {
        if (type != DW_UT_compile && type != DW_UT_skeleton)
            continue;
        uint32_t number = (uint32_t)units->n;
        good = number < SL_NO_INDEX && SL_GROW(units->unit, units->capacity, units->n + 1);
        if (!good)
            break;
        units->unit[units->n++] = die;

        Dwarf_Addr base, start, end;
        ptrdiff_t at = 0;
        while (good && left && (at = dwarf_ranges(&die, at, &base, &start, &end)) > 0) {
            left--; /* units can share range lists, so the number of units is no bound */
            if (!is_code(context, start + units->bias))
                continue;
            good = SL_GROW(range, capacity, n + 1);
            if (good) /* priority: the innermost range, then the first unit */
                range[n++] = (struct sl_address_range){start, end, start, number};
        }
    }
    good = good && sl_spans_build(&units->spans, range, n);
    free(range);
    return good;
}

/* ---- one unit ---- */

uint32_t sl_unit_name(struct sl_unit_names *names, const char *name)
{
    size_t known = names->known.n_keys;
    if (!name || names->out_of_memory)
        return SL_NO_INDEX;
    uint32_t number = sl_index_add(&names->known, (uintptr_t)name, 0);
    if (number < known)
        return names->offset[number];
    size_t length = strnlen(name, names->n < UNIT_NAMES_MAX ? SL_NAME_MAX : SL_SHORT_NAME);
    names->out_of_memory = number == SL_NO_INDEX || names->n >= SL_NO_INDEX - SL_NAME_MAX ||
                           !SL_GROW(names->offset, names->offsets_capacity, number + 1) ||
                           !SL_GROW(names->at, names->capacity, names->n + length + 1);
    if (names->out_of_memory)
        return SL_NO_INDEX;
    memcpy(names->at + names->n, name, length);
    names->at[names->n + length] = '\0';
    names->offset[number] = (uint32_t)names->n;
    names->n += length + 1;
    return names->offset[number];
}

/* The line of a row and its file. */
static struct sl_elf_row row_of(struct sl_unit_names *names, Dwarf_Line *line, Dwarf_Addr address)
{
    struct sl_elf_row row = {.address = address, .file = SL_NO_INDEX};
    bool is_end = false;
    int number = 0;
    dwarf_lineendsequence(line, &is_end);
    if (is_end || dwarf_lineno(line, &number) || number <= 0) /* 0: code without a source line */
        return row;
    row.file = sl_unit_name(names, dwarf_linesrc(line, NULL, NULL));
    row.line = row.file == SL_NO_INDEX ? 0 : number;
    return row;
}

/* libdw sorts the lines by address. The last one of an address counts, as in dwarf_getsrc_die().
 * Lines that are equal to the one before are left out. */
static bool read_rows(struct sl_debug_units *units, uint32_t unit, struct sl_unit_names *names,
                      struct sl_elf_table *table)
{
    Dwarf_Lines *lines;
    struct sl_elf_row *row = NULL;
    size_t n_lines, n = 0, capacity = 0;
    if (dwarf_getsrclines(&units->unit[unit], &lines, &n_lines))
        return !sl_elf_out_of_memory();
    for (size_t i = 0; i < n_lines; i++) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i), *after = dwarf_onesrcline(lines, i + 1);
        Dwarf_Addr address = 0, next = 0;
        if (dwarf_lineaddr(line, &address) ||
            (after && !dwarf_lineaddr(after, &next) && next == address))
            continue;
        struct sl_elf_row now = row_of(names, line, address);
        if (n ? row[n - 1].file == now.file && row[n - 1].line == now.line : !now.line)
            continue;
        if (!SL_GROW(row, capacity, n + 1)) {
            free(row);
            return false;
        }
        row[n++] = now;
    }
    table->array[0] = (struct sl_elf_array){row, n};
    return true;
}

bool sl_debug_unit_read(struct sl_debug_units *units, uint32_t unit, struct sl_elf_table *table)
{
    struct sl_unit_names names = {0};
    Dwarf_Attribute attribute;
    *table = (struct sl_elf_table){.value = {SL_NO_INDEX}};
    if (unit >= units->n)
        return true;
    const char *directory = dwarf_formstring(
        dwarf_attr_integrate(&units->unit[unit], DW_AT_comp_dir, &attribute));
    table->value[0] = sl_unit_name(&names, directory);
    bool good = read_rows(units, unit, &names, table) &&
                sl_inlining_read(units, unit, &names, table) && !names.out_of_memory;
    table->array[3] = (struct sl_elf_array){names.at, names.n};
    sl_index_free(&names.known);
    free(names.offset);
    return good;
}
