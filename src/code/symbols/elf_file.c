/* SPDX-License-Identifier: MIT */
/* Reads the parts of one ELF file with libdwfl (elf_file.h). */
#include "elf_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf_functions.h"
#include "grow.h"

static const Dwfl_Callbacks callbacks = {.find_debuginfo = sl_debug_file_find};

/* Linkers set DF_1_PIE in position-independent executables, not in loaders and libraries. */
static bool has_program_flag(Elf *elf, const GElf_Phdr *segment)
{
    Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)segment->p_offset, segment->p_filesz,
                                          ELF_T_DYN);
    GElf_Dyn entry;
    for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++)
        if (entry.d_tag == DT_FLAGS_1)
            return entry.d_un.d_val & DF_1_PIE;
    return false;
}

static bool read_segments(struct sl_elf_file *file, Elf *elf)
{
    GElf_Ehdr header;
    size_t n;
    if (!elf || !gelf_getehdr(elf, &header) || elf_getphdrnum(elf, &n) || !n ||
        (header.e_type != ET_EXEC && header.e_type != ET_DYN))
        return false;
    file->is_program = header.e_type == ET_EXEC;
    bool dynamic = false; /* only the first PT_DYNAMIC counts */
    file->segment = calloc(n < SL_SEGMENTS_MAX ? n : SL_SEGMENTS_MAX, sizeof *file->segment);
    for (size_t i = 0; file->segment && i < n; i++) {
        GElf_Phdr segment;
        if (i >= INT32_MAX || !gelf_getphdr(elf, (int)i, &segment))
            continue;
        if (segment.p_type == PT_DYNAMIC && !dynamic) {
            dynamic = true;
            file->is_program |= has_program_flag(elf, &segment);
        }
        if (segment.p_type == PT_LOAD && file->n_segments < SL_SEGMENTS_MAX)
            file->segment[file->n_segments++] = (struct sl_segment){
                segment.p_offset, segment.p_vaddr, segment.p_filesz, (segment.p_flags & PF_X) != 0};
    }
    return file->n_segments;
}

/* Only files that begin like an ELF file: libdwfl would decompress others. */
static void open_file(struct sl_elf_file *file)
{
    char magic[SELFMAG] = "";
    GElf_Addr bias;
    if (file->opened)
        return;
    file->opened = true;
    const char *slash = strrchr(file->path, '/');
    if (pread(file->fd, magic, SELFMAG, 0) != SELFMAG || memcmp(magic, ELFMAG, SELFMAG) ||
        !(file->dwfl = dwfl_begin(&callbacks)))
        return;
    Dwfl_Module *module = dwfl_report_elf(file->dwfl, slash ? slash + 1 : file->path, file->path,
                                          file->fd, 0, true);
    dwfl_report_end(file->dwfl, NULL, NULL);
    Elf *elf = module ? dwfl_module_getelf(module, &bias) : NULL;
    if (module)
        file->fd = -1;
    if (elf && !bias && read_segments(file, elf))
        file->module = module;
}

bool sl_elf_out_of_memory(void)
{
    const char *message[] = {dwarf_errmsg(dwarf_errno()), elf_errmsg(elf_errno()),
                             dwfl_errmsg(dwfl_errno())};
    bool found = false; /* numbers are not in the libraries' headers; NULL: no error, or unknown */
    for (size_t i = 0; i < 3; i++)
        found |= message[i] && strstr(message[i], "memory");
    return found;
}

/* ---- parts ---- */

static bool has_symbol_table(struct sl_elf_file *file)
{
    GElf_Addr bias;
    GElf_Shdr header;
    Elf_Scn *scn = NULL;
    Elf *elf = dwfl_module_getelf(file->module, &bias);
    while (elf && (scn = elf_nextscn(elf, scn)))
        if (gelf_getshdr(scn, &header) && header.sh_type == SHT_SYMTAB)
            return true;
    return false;
}

static void *copy_of(const void *from, size_t size)
{
    void *to = malloc(size + 1);
    return to && size ? memcpy(to, from, size) : to;
}

static bool read_head(struct sl_elf_file *file, uint32_t unit, struct sl_elf_table *table)
{
    const unsigned char *id;
    GElf_Addr address;
    int bytes = dwfl_module_build_id(file->module, &id, &address);
    size_t n = bytes > 0 ? (size_t)bytes : 0;
    (void)unit;
    table->value[0] = file->is_program;
    table->value[1] = has_symbol_table(file);
    table->array[0].at = copy_of(file->segment, file->n_segments * sizeof *file->segment);
    table->array[1].at = copy_of(id, n);
    if (!table->array[0].at || !table->array[1].at)
        return false;
    table->array[0].n = file->n_segments;
    table->array[1].n = n;
    return true;
}

/* Copies a function table into a plain one. */
static bool copy_functions(const struct sl_function_table *from, struct sl_elf_table *table)
{
    size_t bytes = 0, n_spans = from->spans.n;
    for (size_t i = 0; i < from->n; i++)
        bytes += from->function[i].name ? strlen(from->function[i].name) + 1 : 0;
    struct sl_elf_function *function = malloc((from->n + 1) * sizeof *function);
    char *names = malloc(bytes + 1);
    table->array[0].at = function;
    table->array[1].at = copy_of(from->spans.span, n_spans * sizeof *from->spans.span);
    table->array[2].at = names;
    if (!function || !names || !table->array[1].at || bytes >= SL_NO_INDEX)
        return false;
    table->array[0].n = from->n;
    table->array[1].n = n_spans;
    table->array[2].n = bytes;
    for (size_t i = 0, at = 0; i < from->n; i++) {
        const struct sl_function *f = &from->function[i];
        function[i] = (struct sl_elf_function){f->start, f->end, f->whole, SL_NO_INDEX, f->rank};
        if (!f->name)
            continue;
        function[i].name = (uint32_t)at;
        at = (size_t)(stpcpy(names + at, f->name) - names) + 1;
    }
    return true;
}

static bool read_functions(struct sl_elf_file *file, uint32_t unit, struct sl_elf_table *table)
{
    struct sl_function_table functions = {0};
    (void)unit;
    bool good = sl_elf_functions(&functions, file->module) && copy_functions(&functions, table);
    sl_functions_free(&functions);
    return good;
}

static bool read_data(struct sl_elf_file *file, uint32_t unit, struct sl_elf_table *table)
{
    struct sl_function_table data = {0};
    (void)unit;
    bool good = sl_elf_data(&data, file->module) && copy_functions(&data, table);
    sl_functions_free(&data);
    return good;
}

static bool is_code(void *context, uint64_t address)
{
    const struct sl_elf_file *file = context;
    for (size_t i = 0; i < file->n_segments; i++)
        if (file->segment[i].executable && address - file->segment[i].vaddr < file->segment[i].size)
            return true;
    return false;
}

static bool find_units(struct sl_elf_file *file)
{
    bool good = file->has_units || sl_debug_units_read(&file->units, file->module, is_code, file);
    file->has_units = true;
    return good;
}

static bool read_units(struct sl_elf_file *file, uint32_t unit, struct sl_elf_table *table)
{
    (void)unit;
    if (!find_units(file))
        return false;
    const struct sl_spans *spans = &file->units.spans;
    table->value[0] = file->units.bias;
    table->array[0].at = copy_of(spans->span, spans->n * sizeof *spans->span);
    table->array[0].n = table->array[0].at ? spans->n : 0;
    return table->array[0].at;
}

static bool read_unit(struct sl_elf_file *file, uint32_t unit, struct sl_elf_table *table)
{
    return find_units(file) && sl_debug_unit_read(&file->units, unit, table);
}

bool sl_elf_file_read(struct sl_elf_file *file, enum sl_elf_part part, uint32_t unit,
                      struct sl_elf_table *table)
{
    static bool (*const read[SL_ELF_PARTS])(struct sl_elf_file *, uint32_t,
                                            struct sl_elf_table *) = {
        [SL_ELF_HEAD] = read_head,   [SL_ELF_FUNCTIONS] = read_functions, [SL_ELF_DATA] = read_data,
        [SL_ELF_UNITS] = read_units, [SL_ELF_UNIT] = read_unit,
    };
    *table = (struct sl_elf_table){0};
    sl_elf_out_of_memory(); /* clears earlier errors */
    open_file(file);
    return (!file->module || read[part](file, unit, table)) && !sl_elf_out_of_memory();
}
