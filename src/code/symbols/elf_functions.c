/* SPDX-License-Identifier: MIT */
/* Reads the function and data symbols of an ELF file with libdwfl and libelf (elf_functions.h).
 * Internal symbols of compilers and assemblers (for example .L1 and $x) are left out, because they
 * lie inside functions. Each border of a section is added as an entry without a name, so that a
 * label without a size ends at the border. */
#include "elf_functions.h"

#include <string.h>

#include "elf_bounds.h"

/* Symbols for internal use of compilers and assemblers, which would divide functions. */
static bool is_internal(const char *name, unsigned machine)
{
    switch (machine) {
    case EM_AARCH64:
    case EM_ARM:
    case EM_RISCV: /* mapping symbols: $x, $d, $xrv64i2p1 */
        if (name[0] == '$' && name[1] && strchr("adtx", name[1]))
            return true;
        break;
    case EM_MIPS:
        if (!strncmp(name, "$L", 2))
            return true;
        break;
    }
    return !name[0] || !strncmp(name, ".L", 2) || !strncmp(name, ".annobin", 8);
}

static unsigned rank_of(const GElf_Sym *symbol)
{
    unsigned label = GELF_ST_TYPE(symbol->st_info) == STT_NOTYPE ? SL_RANK_IS_LABEL : 0;
    switch (GELF_ST_BIND(symbol->st_info)) {
    case STB_GLOBAL:
    case STB_GNU_UNIQUE:
        return SL_RANK_GLOBAL + label;
    case STB_WEAK:
        return SL_RANK_WEAK + label;
    default:
        return SL_RANK_LOCAL + label;
    }
}

/* Whether the address is in a section with code. Linkers define symbols such as etext after the
 * last instruction, which are no functions. */
static bool in_code(Elf *elf, GElf_Word section, uint64_t value, bool is_function)
{
    GElf_Shdr header;
    Elf_Scn *scn = elf_getscn(elf, section);
    if (!scn || !gelf_getshdr(scn, &header))
        return is_function; /* a file without section headers */
    return (header.sh_flags & SHF_EXECINSTR) && value - header.sh_addr < header.sh_size;
}

struct origin {
    struct sl_function_table *table;
    Elf *elf;         /* the file that section numbers refer to */
    unsigned machine; /* EM_... */
    size_t *left;     /* entries that may still be read */
};

static bool add_symbol(const struct origin *origin, const GElf_Sym *symbol, GElf_Word section,
                       uint64_t address, const char *name)
{
    unsigned type = GELF_ST_TYPE(symbol->st_info);
    bool is_function = type == STT_FUNC || type == STT_GNU_IFUNC;
    if (!name || (!is_function && type != STT_NOTYPE) || section == SHN_UNDEF ||
        symbol->st_shndx == SHN_ABS || symbol->st_shndx == SHN_COMMON)
        return true;
    uint64_t value = symbol->st_value;
    if (origin->machine == EM_MIPS) { /* bit 0 marks MIPS16 and microMIPS */
        address &= ~UINT64_C(1);
        value &= ~UINT64_C(1);
    }
    if (is_internal(name, origin->machine) || !in_code(origin->elf, section, value, is_function))
        return true;
    return sl_function_add(origin->table, address, symbol->st_size, name, rank_of(symbol));
}

/* libdwfl chooses .symtab of the file or its debug file, or .dynsym, and .gnu_debugdata. */
static bool add_symtab(struct origin origin, Dwfl_Module *module,
                       bool (*add)(const struct origin *, const GElf_Sym *, GElf_Word, uint64_t,
                                   const char *))
{
    int n = dwfl_module_getsymtab(module);
    for (int i = 1; i < n; i++) {
        GElf_Sym symbol = {0};
        GElf_Addr address = 0;
        GElf_Word section = 0;
        const char *name = dwfl_module_getsym_info(module, i, &symbol, &address, &section,
                                                   &origin.elf, NULL);
        if (!add(&origin, &symbol, section, address, name))
            return false;
    }
    return true;
}

/* Also if there is a .symtab, which may be incomplete. */
static bool add_dynsym(const struct origin *origin, Elf_Scn *scn, const GElf_Shdr *header)
{
    Elf_Data *data = *origin->left ? elf_getdata(scn, NULL) : NULL; /* which may copy it */
    size_t n = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    for (size_t i = 1; i < n && i < INT32_MAX && *origin->left; i++, --*origin->left) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol))
            break;
        const char *name = elf_strptr(origin->elf, header->sh_link, symbol.st_name);
        if (!add_symbol(origin, &symbol, symbol.st_shndx, symbol.st_value, name))
            return false;
    }
    return true;
}

static bool add_sections(const struct origin *origin)
{
    Elf_Scn *scn = NULL;
    while ((scn = elf_nextscn(origin->elf, scn))) {
        GElf_Shdr header;
        if (!gelf_getshdr(scn, &header))
            continue;
        if (header.sh_type == SHT_DYNSYM && !add_dynsym(origin, scn, &header))
            return false;
        /* Labels do not extend across the borders of a section. */
        if ((header.sh_flags & SHF_ALLOC) && header.sh_addr &&
            (!sl_function_add(origin->table, header.sh_addr, 0, NULL, 0) ||
             !sl_function_add(origin->table, header.sh_addr + header.sh_size, 0, NULL, 0)))
            return false;
    }
    return true;
}

bool sl_elf_functions(struct sl_function_table *table, Dwfl_Module *module)
{
    GElf_Addr bias;
    GElf_Ehdr header;
    Elf *elf = dwfl_module_getelf(module, &bias);
    size_t left = sl_elf_entries(elf);
    struct origin origin = {.table = table, .elf = elf, .left = &left};
    if (!elf || !gelf_getehdr(elf, &header))
        return true;
    origin.machine = header.e_machine;
    return add_symtab(origin, module, add_symbol) && add_sections(&origin) &&
           sl_functions_finish(table) && sl_plt_stubs(table, elf, &left) &&
           sl_functions_finish(table);
}

static bool add_datum(const struct origin *origin, const GElf_Sym *symbol, GElf_Word section,
                      uint64_t address, const char *name)
{
    if (!name || !name[0] || !symbol->st_size || GELF_ST_TYPE(symbol->st_info) != STT_OBJECT ||
        section == SHN_UNDEF)
        return true;
    return sl_function_add(origin->table, address, symbol->st_size, name, rank_of(symbol));
}

bool sl_elf_data(struct sl_function_table *table, Dwfl_Module *module)
{
    return add_symtab((struct origin){.table = table}, module, add_datum) &&
           sl_functions_finish(table);
}
