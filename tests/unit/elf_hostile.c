/* SPDX-License-Identifier: MIT */
/* Unit tests of the ELF reader with hostile files that are constructed to cost much time and
 * memory: many entries refer to the same bytes, or a section decompresses to hundreds of megabytes.
 * A separate process looks up names, lines and inlined calls in each file, with fixed limits on
 * time and memory. Unless a section decompresses to too many bytes, names in the valid parts of a
 * file must still be found. */
#include <lzma.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "../support/synthetic_elf.h"
#include "function_table.h"
#include "symbol.h"
#include "tap.h"

#define BASE UINT64_C(0x400000)
#define CODE_BYTES UINT64_C(0x10000)
#define MAPPINGS 12u
#define SECONDS 8
#define MEGABYTES 400
#ifdef __SANITIZE_ADDRESS__
#define SLOWER 5 /* sanitized, and with its shadow */
#else
#define SLOWER 1
#endif

/* How many times as long as alone; `make check-valgrind` is slower still. */
static unsigned slower(void)
{
    return tap_rounds(SLOWER, 50);
}

/* ---- who asks ---- */

struct answer {
    char function[64], file[64];
    size_t inlined;
};

static struct answer *answer; /* shared with the process that asks */

static void ask(const char *path)
{
    struct sl_object objects[MAPPINGS];
    struct sl_statics statics = {.object = objects, .n_objects = MAPPINGS};
    struct sl_db_location place;
    struct sl_function_list list;
    uint64_t starts[8], start, end, parent;
    char text[200];
    for (unsigned i = 0; i < MAPPINGS; i++)
        objects[i] = (struct sl_object){BASE + i * CODE_BYTES, BASE + (i + 1) * CODE_BYTES,
                                        i * CODE_BYTES, (char *)path};
    struct sl_symbols *symbols = sl_symbols_open(&statics);
    for (uint64_t at = BASE; at < BASE + MAPPINGS * CODE_BYTES; at += 0x10) {
        sl_symbols_place(symbols, at, &place);
        sl_symbols_print(symbols, at, text, sizeof text);
        sl_symbols_function(symbols, at);
        uint64_t inlined = sl_symbols_inlined(symbols, at);
        size_t n = sl_symbols_inlined_starts(symbols, at, starts, 8);
        if (inlined)
            sl_symbols_frame(symbols, inlined, &parent);
        if (at != BASE)
            continue;
        snprintf(answer->function, sizeof answer->function, "%s",
                 place.function ? place.function : "");
        snprintf(answer->file, sizeof answer->file, "%s", place.file ? place.file : "");
        answer->inlined = n;
    }
    sl_symbols_find(symbols, "missing", &start, &end);
    if (sl_symbols_program(symbols, &list))
        sl_function_list_free(&list);
    sl_symbols_close(symbols);
}

/* Whether it ends by itself within bounds. */
static void try_file(struct made_elf *made, const char *what, const char *function)
{
    struct elf_bytes file = made_file(made);
    struct rusage usage;
    char path[40];
    int status, fd = memfd_create("elf", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (write(fd, file.at, file.size) != (ssize_t)file.size)
        abort();
    memset(answer, 0, sizeof *answer);
    pid_t pid = fork();
    if (!pid) {
        free(file.at); /* valgrind looks at what a child leaves, too */
        setrlimit(RLIMIT_CPU, &(struct rlimit){slower() * 2 * SECONDS, slower() * 2 * SECONDS});
        if (slower() == 1) /* memory of this process only */
            setrlimit(RLIMIT_AS, &(struct rlimit){UINT64_C(3) << 30, UINT64_C(3) << 30});
        ask(path);
        _exit(0);
    }
    wait4(pid, &status, 0, &usage);
    double seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                     1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    ok(WIFEXITED(status) && !WEXITSTATUS(status) && seconds < slower() * SECONDS &&
           usage.ru_maxrss < slower() * MEGABYTES * 1024,
       "%s: %.1f MB of a file, %.2f s, %ld MB (status %d)", what, (double)file.size * 1e-6, seconds,
       usage.ru_maxrss / 1024, status);
    ok(!strcmp(answer->function, function), "  and its code is in \"%s\"", answer->function);
    close(fd);
    free(file.at);
}

/* ---- what is right in all of them ---- */

static void put_symbol(struct elf_bytes *to, size_t name, uint64_t address, uint64_t size,
                       unsigned type)
{
    Elf64_Sym s = {.st_name = (uint32_t)name,
                   .st_info = (uint8_t)ELF64_ST_INFO(STB_GLOBAL, type),
                   .st_shndx = 1,
                   .st_value = address,
                   .st_size = size};
    elf_put(to, &s, sizeof s);
}

/* A file with code, mapped as a whole. */
static struct made_elf *with_code(void)
{
    struct made_elf *e = made_elf();
    struct elf_bytes code = {calloc(1, CODE_BYTES), CODE_BYTES, CODE_BYTES};
    made_segment(e, PT_LOAD, 0, BASE, MAPPINGS * CODE_BYTES);
    unsigned text = made_section(e, ".text", SHT_PROGBITS, &code);
    e->section[text].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    e->section[text].sh_addr = BASE;
    free(code.at);
    return e;
}

/* Symbols of a table, and their names; frees both. */
static void put_symbols(struct made_elf *e, struct elf_bytes *symbols, struct elf_bytes *names)
{
    unsigned strings = made_section(e, ".strtab", SHT_STRTAB, names);
    unsigned table = made_section(e, ".symtab", SHT_SYMTAB, symbols);
    e->section[table].sh_link = strings;
    e->section[table].sh_entsize = sizeof(Elf64_Sym);
    free(symbols->at);
    free(names->at);
}

static void put_main(struct made_elf *e)
{
    struct elf_bytes symbols = {0}, names = {0};
    elf_text(&names, "");
    elf_text(&names, "main");
    put_symbol(&symbols, 0, 0, 0, STT_NOTYPE);
    put_symbol(&symbols, 1, BASE, CODE_BYTES, STT_FUNC);
    put_symbols(e, &symbols, &names);
}

/* ---- tables ---- */

static void test_segments(void)
{
    struct made_elf *e = with_code();
    put_main(e);
    for (unsigned i = 0; i < 60000; i++)
        made_segment(e, PT_LOAD, 0, BASE + 16 * i, MAPPINGS * CODE_BYTES);
    try_file(e, "60,000 segments over the same bytes", "main");
    e = with_code();
    put_main(e);
    struct elf_bytes tags = {calloc(1, 1 << 20), 1 << 20, 1 << 20};
    memset(tags.at, 1, tags.size);
    made_section(e, ".dynamic", SHT_PROGBITS, &tags);
    for (unsigned i = 0; i < 60000; i++)
        made_segment(e, PT_DYNAMIC, 60001 * sizeof(Elf64_Phdr) + CODE_BYTES + 1000, BASE,
                     (1 << 20) - 8192);
    free(tags.at);
    try_file(e, "60,000 dynamic segments over the same bytes", "main");
}

/* Sections of one kind that are all the same. */
static void test_sections(uint32_t type, size_t entry, const char *what)
{
    struct made_elf *e = with_code();
    struct elf_bytes entries = {0};
    put_main(e);
    for (uint64_t i = 0; i < 20000; i++)
        if (type == SHT_DYNSYM) {
            put_symbol(&entries, 1, BASE + 1 + i % (CODE_BYTES - 2), 0, STT_FUNC);
        } else {
            Elf64_Rela r = {BASE + 8 * i, ELF64_R_INFO(1, R_X86_64_JUMP_SLOT), 0};
            elf_put(&entries, &r, sizeof r);
        }
    unsigned first = made_section(e, ".same", type, &entries);
    e->section[first].sh_entsize = entry;
    e->section[first].sh_flags = SHF_ALLOC;
    e->section[first].sh_link = 2; /* .strtab */
    for (unsigned i = 0; i < 5000; i++) {
        e->section[e->n_sections] = e->section[first];
        e->n_sections++;
    }
    free(entries.at);
    try_file(e, what, "main");
}

/* ---- names ---- */

/* Symbols that share a name which is as long as all the others together. */
static void test_long_names(void)
{
    struct made_elf *e = with_code();
    struct elf_bytes symbols = {0}, names = {0};
    size_t length = 4 << 20;
    char *name = malloc(length + 1);
    memset(name, 'x', length);
    name[length] = 0;
    elf_text(&names, "");
    elf_text(&names, "main");
    elf_put(&names, name, length + 1);
    free(name);
    put_symbol(&symbols, 0, 0, 0, STT_NOTYPE);
    put_symbol(&symbols, 1, BASE, 0x10, STT_FUNC);
    for (unsigned i = 0; i < 60000; i++)
        put_symbol(&symbols, 6 + i % 4096, BASE + 0x20 + i, 1, STT_FUNC);
    put_symbols(e, &symbols, &names);
    try_file(e, "60,000 names that end together, of 4 MB", "main");
}

/* f<pair<pair<..., ...>>>: each level is twice as long as the one inside, and five bytes of the
 * name. */
static void put_doubling(struct elf_bytes *to, unsigned levels)
{
    char name[400], *at = stpcpy(name, "_Z1fISt4pairI");
    for (unsigned i = 1; i < levels; i++)
        at = stpcpy(at, "S0_I");
    at = stpcpy(at, "iiE");
    for (unsigned i = 1; i < levels; i++)
        at += sprintf(at, "S%c_E", "0123456789ABCDEFGHIJ"[i]);
    strcpy(at, "Evv");
    elf_text(to, name);
}

static void test_readable_names(void)
{
    struct made_elf *e = with_code();
    struct elf_bytes symbols = {0}, names = {0};
    elf_text(&names, "");
    elf_text(&names, "main");
    put_doubling(&names, 12);
    put_symbol(&symbols, 0, 0, 0, STT_NOTYPE);
    put_symbol(&symbols, 1, BASE, 0x10, STT_FUNC);
    for (unsigned i = 0; i < 60000; i++)
        put_symbol(&symbols, 6, BASE + 0x10 + i, 1, STT_FUNC);
    put_symbols(e, &symbols, &names);
    try_file(e, "60,000 symbols whose name is short and its readable form long", "main");
}

/* ---- debug information ---- */

enum { UNIT = 1, UNIT_OF_RANGES, FUNCTION, INLINED_OF_RANGES, INLINED_NAMED, WITH_SIBLING };

static const uint8_t abbreviations[] = {
    UNIT,
    0x11,
    1,
    0x11,
    0x01,
    0x12,
    0x07,
    0,
    0, /* compile unit: low pc, high pc (8 bytes) */
    UNIT_OF_RANGES,
    0x11,
    0,
    0x11,
    0x01,
    0x55,
    0x17,
    0,
    0, /* low pc, ranges */
    FUNCTION,
    0x2e,
    1,
    0,
    0, /* subprogram with parts */
    INLINED_OF_RANGES,
    0x1d,
    0,
    0x55,
    0x17,
    0,
    0, /* inlined subroutine: ranges */
    INLINED_NAMED,
    0x1d,
    0,
    0x6e,
    0x0e,
    0x11,
    0x01,
    0x12,
    0x0b,
    0,
    0, /* linkage name, low pc, high pc (1 byte) */
    WITH_SIBLING,
    0x1d,
    0,
    0x01,
    0x13,
    0,
    0, /* sibling */
    0,
};

static void begin_unit(struct elf_bytes *info)
{
    elf_number(info, 0, 4); /* its length */
    elf_number(info, 4, 2);
    elf_number(info, 0, 4);
    elf_number(info, 8, 1);
}

static void end_unit(struct elf_bytes *info, size_t from)
{
    uint32_t length = (uint32_t)(info->size - from - 4);
    memcpy(info->at + from, &length, 4);
}

static void put_unit_head(struct elf_bytes *info)
{
    begin_unit(info);
    elf_number(info, UNIT, 1);
    elf_number(info, BASE, 8);
    elf_number(info, CODE_BYTES, 8);
    elf_number(info, FUNCTION, 1);
}

static void try_debug(struct elf_bytes *info, struct elf_bytes *ranges, struct elf_bytes *strings,
                      const char *what)
{
    struct made_elf *e = with_code();
    const struct elf_bytes abbrev = {(uint8_t *)abbreviations, sizeof abbreviations, 0};
    put_main(e);
    made_section(e, ".debug_abbrev", SHT_PROGBITS, &abbrev);
    made_section(e, ".debug_info", SHT_PROGBITS, info);
    made_section(e, ".debug_ranges", SHT_PROGBITS, ranges);
    made_section(e, ".debug_str", SHT_PROGBITS, strings);
    free(info->at);
    free(ranges->at);
    free(strings->at);
    try_file(e, what, "main");
}

static void put_ranges(struct elf_bytes *ranges, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        elf_number(ranges, 2 * (i % 30000), 8);
        elf_number(ranges, 2 * (i % 30000) + 1, 8);
    }
    elf_number(ranges, 0, 8);
    elf_number(ranges, 0, 8);
}

static void test_debug(void)
{
    struct elf_bytes info = {0}, ranges = {0}, strings = {0};
    put_ranges(&ranges, 10000);
    put_unit_head(&info);
    for (unsigned i = 0; i < 30000; i++) {
        elf_number(&info, INLINED_OF_RANGES, 1);
        elf_number(&info, 0, 4);
    }
    elf_number(&info, 0, 2);
    end_unit(&info, 0);
    try_debug(&info, &ranges, &strings, "30,000 inlined calls with the same 10,000 ranges");

    info = ranges = strings = (struct elf_bytes){0};
    put_ranges(&ranges, 10000);
    for (unsigned i = 0; i < 20000; i++) {
        size_t from = info.size;
        begin_unit(&info);
        elf_number(&info, UNIT_OF_RANGES, 1);
        elf_number(&info, BASE, 8);
        elf_number(&info, 0, 4);
        end_unit(&info, from);
    }
    try_debug(&info, &ranges, &strings, "20,000 units with the same 10,000 ranges");

    info = ranges = strings = (struct elf_bytes){0};
    put_doubling(&strings, 12);
    put_unit_head(&info);
    for (unsigned i = 0; i < 30000; i++) {
        elf_number(&info, INLINED_NAMED, 1);
        elf_number(&info, 0, 4);
        elf_number(&info, BASE + i, 8);
        elf_number(&info, 1, 1);
    }
    elf_number(&info, 0, 2);
    end_unit(&info, 0);
    try_debug(&info, &ranges, &strings, "30,000 inlined calls with the same long name");

    info = ranges = strings = (struct elf_bytes){0};
    put_unit_head(&info);
    for (unsigned i = 0; i < 2; i++) { /* the second leads back to the first */
        elf_number(&info, WITH_SIBLING, 1);
        elf_number(&info, i ? 29 : 34, 4);
    }
    elf_number(&info, 0, 2);
    end_unit(&info, 0);
    try_debug(&info, &ranges, &strings, "an entry whose next one is before it");
}

/* ---- what is compressed ---- */

/* Zeros, which shrink best, with zlib as section heads say, or with xz. */
static struct elf_bytes zeros(size_t size, bool xz)
{
    struct elf_bytes packed = {.capacity = 1 << 22};
    uint8_t *plain = calloc(1, size);
    size_t at = 0;
    packed.at = malloc(packed.capacity);
    if (xz) {
        lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, plain, size, packed.at, &at,
                                packed.capacity);
        packed.size = at;
    } else {
        Elf64_Chdr head = {.ch_type = ELFCOMPRESS_ZLIB, .ch_size = size, .ch_addralign = 1};
        uLongf n = packed.capacity - sizeof head;
        memcpy(packed.at, &head, sizeof head);
        compress2(packed.at + sizeof head, &n, plain, size, 1);
        packed.size = sizeof head + n;
    }
    free(plain);
    return packed;
}

static void test_compressed(bool xz, const char *what)
{
    struct made_elf *e = with_code();
    struct elf_bytes packed = zeros((size_t)700 << 20, xz);
    unsigned section = made_section(e, xz ? ".gnu_debugdata" : ".debug_info", SHT_PROGBITS,
                                    &packed);
    e->section[section].sh_flags = xz ? 0 : SHF_COMPRESSED;
    if (!xz) /* it is examined if there is no table of symbols */
        put_main(e);
    const struct elf_bytes abbrev = {(uint8_t *)abbreviations, sizeof abbreviations, 0};
    made_section(e, ".debug_abbrev", SHT_PROGBITS, &abbrev);
    free(packed.at);
    try_file(e, what, xz ? "" : "main");
}

int main(void)
{
    answer = mmap(NULL, sizeof *answer, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct made_elf *e = with_code();
    put_main(e);
    try_file(e, "an ordinary file", "main");
    test_segments();
    test_sections(SHT_DYNSYM, sizeof(Elf64_Sym), "5,000 sections of the same dynamic symbols");
    test_sections(SHT_RELA, sizeof(Elf64_Rela), "5,000 sections of the same relocations");
    test_long_names();
    test_readable_names();
    test_debug();
    test_compressed(false, "700 MB of debug information that zlib has made small");
    test_compressed(true, "700 MB of symbols that xz has made small");
    return done_testing();
}
