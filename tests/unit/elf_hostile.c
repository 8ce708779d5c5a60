/* SPDX-License-Identifier: MIT */
/* Unit tests of the ELF reader with hostile files that are constructed to cost much time and
 * memory: many entries refer to the same bytes, or a section decompresses to hundreds of megabytes.
 * A separate process looks up names, lines and inlined calls in each file, with fixed limits on
 * time and memory. Unless a section decompresses to too many bytes, names in the valid parts of a
 * file must still be found. */
#include "../support/hostile_elf.h"

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
    begin_answers();
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
