/* SPDX-License-Identifier: MIT */
/* Fuzzer for the reader of executables (ELF files): damaged or hostile files must cause no crash
 * (usage: elf.t [SECONDS]).
 *
 * The input is an ELF file with symbols, PLT stubs, relocations, lines and inlined calls, for one
 * of four architectures. The tape changes bytes in headers, tables, names and debug information.
 * The fuzzer looks up names, lines and inlined calls of addresses inside and around the file. No
 * file may crash the reader process or sluice, hang, or use unbounded memory. elfutils, which reads
 * most of it, is not sanitized. */
#include <sys/mman.h>

#include "../support/synthetic_elf.h"
#include "fuzz.h"

#include "function_table.h"
#include "symbol.h"

const char fuzz_name[] = "elf";

#define BASE UINT64_C(0x400000)
#define CODE 0x100u
#define N_REGIONS 24u

static int file_fd;
static char file_path[40];
static struct elf_bytes seed[4]; /* of each machine */
static const uint16_t machine[] = {EM_X86_64, EM_AARCH64, EM_RISCV, EM_MIPS};
static unsigned long n_named, n_lined, n_inlined;

/* ---- a file to begin with ---- */

static void put_symbol(struct elf_bytes *to, unsigned name, unsigned info, unsigned section,
                       uint64_t at, uint64_t size)
{
    Elf64_Sym s = {.st_name = name,
                   .st_info = (uint8_t)info,
                   .st_shndx = (uint16_t)section,
                   .st_value = at,
                   .st_size = size};
    elf_put(to, &s, sizeof s);
}

static unsigned add(struct made_elf *e, const char *name, uint32_t type, struct elf_bytes *data,
                    unsigned link, uint64_t entry)
{
    unsigned n = made_section(e, name, type, data);
    e->section[n].sh_link = link;
    e->section[n].sh_entsize = entry;
    free(data->at);
    *data = (struct elf_bytes){0};
    return n;
}

static void put_stub(struct elf_bytes *to, uint16_t of)
{
    static const uint32_t words[][4] = {
        {0x00fe25ff, 0x90900000, 0x90909090, 0x90909090}, /* jmp *0xfe(%rip) */
        {0x90000010, 0xf9400211, 0x91000210, 0xd61f0220},
        {0x00000e17, 0x000e3e03, 0x000e0367, 0x00000013},
        {0x8f998010, 0x03e07825, 0x0320f809, 0x24180001}};
    for (unsigned i = 0; i < 4; i++)
        if (machine[i] == of)
            elf_put(to, words[i], sizeof words[i]);
}

static void add_tables(struct made_elf *e)
{
    struct elf_bytes b = {calloc(1, CODE), CODE, CODE};
    unsigned text = add(e, ".text", SHT_PROGBITS, &b, 0, 0);
    e->section[text].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    e->section[text].sh_addr = BASE;
    elf_put(&b, "\0main\0_Z1fIiEvT_\0f.cold\0_ZTV1A\0_RNvC1a1b", 41);
    unsigned strings = add(e, ".strtab", SHT_STRTAB, &b, 0, 0);
    put_symbol(&b, 0, 0, 0, 0, 0);
    put_symbol(&b, 1, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), text, BASE, 0x40);
    put_symbol(&b, 6, ELF64_ST_INFO(STB_WEAK, STT_FUNC), text, BASE + 0x40, 0x20);
    put_symbol(&b, 17, ELF64_ST_INFO(STB_LOCAL, STT_FUNC), text, BASE + 0x60, 0);
    put_symbol(&b, 24, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), text, BASE + 0x200, 0x20);
    put_symbol(&b, 31, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), text, BASE + 0x80, 0x10);
    struct elf_bytes again = {0};
    elf_put(&again, b.at, b.size);
    add(e, ".symtab", SHT_SYMTAB, &b, strings, sizeof(Elf64_Sym));
    unsigned dynamic = add(e, ".dynsym", SHT_DYNSYM, &again, strings, sizeof(Elf64_Sym));
    Elf64_Rela slot = {BASE + 0xa0 + 6 + 0xfe, ELF64_R_INFO(2, R_X86_64_JUMP_SLOT), (int64_t)BASE};
    elf_put(&b, &slot, sizeof slot);
    e->section[add(e, ".rela.plt", SHT_RELA, &b, dynamic, sizeof slot)].sh_flags = SHF_ALLOC;
    put_stub(&b, e->machine);
    unsigned plt = add(e, ".plt", SHT_PROGBITS, &b, 0, 16);
    e->section[plt].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    e->section[plt].sh_addr = BASE + 0xa0;
    elf_put(&b, "\4\0\0\0\4\0\0\0\3\0\0\0GNU\0abcd", 20);
    add(e, ".note.gnu.build-id", SHT_NOTE, &b, 0, 0);
    elf_put(&b, "a.debug\0abcd", 12);
    add(e, ".gnu_debuglink", SHT_PROGBITS, &b, 0, 0);
}

static void add_debug(struct made_elf *e)
{
    static const uint8_t abbreviations[] = {
        1,    0x11, 1,    0x03, 0x08, 0x10, 0x17,
        0x11, 0x01, 0x12, 0x07, 0,    0, /* unit: name, lines, low, high pc */
        2,    0x2e, 1,    0x03, 0x08, 0x11, 0x01,
        0x12, 0x07, 0x01, 0x13, 0,    0, /* function: ..., sibling */
        3,    0x1d, 1,    0x31, 0x13, 0x55, 0x17,
        0x58, 0x0b, 0x59, 0x0b, 0,    0, /* inlined: origin, ranges, file, line */
        4,    0x2e, 0,    0x03, 0x0e, 0x6e, 0x0e,
        0x3a, 0x0b, 0x3b, 0x0b, 0,    0,    0}; /* origin: name, linkage, file, line */
    static const uint8_t
        lines[] = {65, 0, 0, 0, 4,    0,    27, 0, 0, 0, 1,  1, 1,    0xfb, 14,   13,
                   0,  1, 1, 1, 1,    0,    0,  0, 1, 0, 0,  1, 0,    'a',  '.',  'c',
                   0,  0, 0, 0, 0, /* no folders; a file */
                   0,  9, 2, 0, 0,    0x40, 0,  0, 0, 0, 0,  3, 5,    1,    0x4b, 0x83,
                   5,  2, 6, 2, 0x20, 0x4c, 8,  9, 4, 0, 10, 2, 0x10, 0,    1,    1};
    _Static_assert(sizeof lines == 69, "its length is its first word, and four");
    struct elf_bytes b = {0};
    elf_put(&b, abbreviations, sizeof abbreviations);
    add(e, ".debug_abbrev", SHT_PROGBITS, &b, 0, 0);
    elf_put(&b, lines, sizeof lines);
    add(e, ".debug_line", SHT_PROGBITS, &b, 0, 0);
    elf_text(&b, "g");
    elf_text(&b, "_Z1gv");
    add(e, ".debug_str", SHT_PROGBITS, &b, 0, 0);
    for (unsigned i = 0; i < 4; i++) {
        elf_number(&b, 16 * i, 8);
        elf_number(&b, 16 * i + 8, 8);
    }
    elf_number(&b, 0, 8);
    elf_number(&b, 0, 8);
    add(e, ".debug_ranges", SHT_PROGBITS, &b, 0, 0);
    elf_put(&b, "\0\0\0\0\4\0\0\0\0\0\10", 11);
    elf_put(&b, "\1a.c\0\0\0\0", 9);
    elf_number(&b, BASE, 8);
    elf_number(&b, CODE, 8);
    unsigned origin = (unsigned)b.size;
    elf_put(&b, "\4\0\0\0\0\2\0\0\0\1\3", 11);
    elf_put(&b, "\2main", 6);
    elf_number(&b, BASE, 8);
    elf_number(&b, 0x40, 8);
    elf_number(&b, b.size + 4 + 2 * 11 + 3, 4);
    for (unsigned i = 0; i < 2; i++) {
        elf_number(&b, 3, 1);
        elf_number(&b, origin, 4);
        elf_number(&b, 32 * i, 4);
        elf_number(&b, 0x0501, 2);
    }
    elf_number(&b, 0, 4);
    uint32_t length = (uint32_t)b.size - 4;
    memcpy(b.at, &length, 4);
    add(e, ".debug_info", SHT_PROGBITS, &b, 0, 0);
}

void fuzz_begin(void)
{
    file_fd = memfd_create("elf", 0);
    snprintf(file_path, sizeof file_path, "/proc/self/fd/%d", file_fd);
    for (unsigned i = 0; i < 4; i++) {
        struct made_elf *e = made_elf();
        e->machine = machine[i];
        made_segment(e, PT_LOAD, 0, BASE, 0x1000);
        made_segment(e, PT_LOAD, 0x1000, BASE + 0x1000, 0x1000);
        made_segment(e, PT_DYNAMIC, 0x200, BASE + 0x200, 0x100);
        add_tables(e);
        add_debug(e);
        seed[i] = made_file(e);
    }
}

/* ---- one file ---- */

/* A place of the file: in its head, the head of a section or in a section. */
static size_t place(struct tape *t, const struct elf_bytes *file)
{
    Elf64_Ehdr head;
    Elf64_Shdr section;
    memcpy(&head, file->at, sizeof head);
    unsigned region = pick(t, N_REGIONS);
    if (!region)
        return pick(t, sizeof head + 3 * sizeof(Elf64_Phdr));
    size_t at = head.e_shoff + region % head.e_shnum * sizeof section;
    memcpy(&section, file->at + at, sizeof section);
    return pick(t, 4) && section.sh_size ? section.sh_offset + take(t, 2) % section.sh_size
                                         : at + pick(t, sizeof section);
}

static void spoil(struct tape *t, const struct elf_bytes *file, uint8_t *bytes, size_t *size)
{
    for (unsigned n = pick(t, 12); n; n--) {
        size_t at = place(t, file), length = 1u << pick(t, 4);
        uint64_t value = pick(t, 3) ? take(t, 1) : number(t);
        if (at >= *size)
            continue;
        memcpy(bytes + at, &value, length < *size - at ? length : *size - at);
        if (!pick(t, 64))
            *size = at + 1;
    }
}

static void ask(struct sl_symbols *symbols, uint64_t address)
{
    struct sl_db_location found;
    char text[100];
    uint64_t parent, starts[4];
    sl_symbols_place(symbols, address, &found);
    n_named += found.function && strlen(found.function);
    n_lined += found.file && strlen(found.file) && found.line > 0;
    sl_symbols_print(symbols, address, text, sizeof text);
    sl_symbols_function(symbols, address);
    sl_symbols_is_stub(symbols, address);
    if (sl_symbols_inlined_starts(symbols, address, starts, 4) > 4)
        fuzz_wrong("more inlined calls than requested");
    unsigned depth = 0;
    for (uint64_t at = sl_symbols_inlined(symbols, address); at; at = parent, depth++) {
        struct sl_inlined frame = sl_symbols_frame(symbols, at, &parent);
        n_inlined += strlen(frame.name) > 0;
        if (depth > 1000)
            fuzz_wrong("inlined calls in one another without end");
    }
}

void fuzz_one(const uint8_t *data, size_t size)
{
    struct tape t = tape_of(data, size);
    const struct elf_bytes *from = &seed[pick(&t, 4)];
    uint8_t *bytes = malloc(from->size);
    size_t n = from->size;
    memcpy(bytes, from->at, n);
    spoil(&t, from, bytes, &n);
    if (ftruncate(file_fd, 0) || pwrite(file_fd, bytes, n, 0) != (ssize_t)n)
        abort();
    free(bytes);
    uint64_t bias = pick(&t, 4) ? 0 : number(&t) & ~UINT64_C(0xfff), start, end;
    struct sl_object objects[2] = {{BASE + bias, BASE + bias + 0x1000, 0, file_path},
                                   {BASE + bias + 0x1000, BASE + bias + 0x2000, 0x1000, file_path}};
    struct sl_statics statics = {.object = objects, .n_objects = 2};
    struct sl_symbols *symbols = sl_symbols_open(&statics);
    for (unsigned i = 0; i < 12; i++)
        ask(symbols, BASE + bias + 16 * i);
    ask(symbols, BASE + bias + 0x208);
    for (unsigned i = pick(&t, 4); i; i--)
        ask(symbols, number(&t));
    sl_symbols_find(symbols, pick(&t, 2) ? "f" : "main", &start, &end);
    struct sl_function_list list;
    if (sl_symbols_program(symbols, &list))
        sl_function_list_free(&list);
    char id[100];
    sl_symbols_build_id(symbols, &objects[0], id, sizeof id);
    char warning[200];
    sl_symbols_warning(symbols, warning, sizeof warning);
    if (strstr(warning, "the process that reads them ended"))
        fuzz_wrong("the reader process crashed");
    sl_symbols_close(symbols);
}

void fuzz_figures(void)
{
    printf("# %lu names, %lu lines and %lu inlined calls were found\n", n_named, n_lined,
           n_inlined);
    for (unsigned i = 0; i < 4; i++)
        free(seed[i].at);
}
