/* SPDX-License-Identifier: MIT */
/* Unit tests of the reader process (elf_reader.h) with hostile ELF files that libelf and libdw
 * would decompress to gigabytes, or wait for: the limits of the process hold, the other files keep
 * their names, and a message says which file could not be read. */
#include <fcntl.h>
#include <sys/stat.h>

#include "../support/hostile_elf.h"

#define HUGE ((size_t)700 << 20)

static char directory[] = "/tmp/sluice-hostile-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[4][80];
    static unsigned n;
    char *next = path[n++ % 4];
    snprintf(next, sizeof path[0], "%s/%s", directory, name);
    return next;
}

static void write_bytes(const char *path, struct elf_bytes bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, bytes.at, bytes.size) != (ssize_t)bytes.size || close(fd))
        abort();
    free(bytes.at);
}

static void add_section(struct made_elf *e, const char *name, struct elf_bytes bytes,
                        uint64_t flags)
{
    unsigned section = made_section(e, name, SHT_PROGBITS, &bytes);
    e->section[section].sh_flags = flags;
    free(bytes.at);
}

static struct elf_bytes with_xz(struct elf_bytes plain)
{
    struct elf_bytes packed = {.capacity = plain.size + 4096};
    packed.at = malloc(packed.capacity);
    lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, NULL, plain.at, plain.size, packed.at,
                            &packed.size, packed.capacity);
    free(plain.at);
    return packed;
}

/* ---- a whole file is compressed ---- */

static void test_compressed_file(void)
{
    write_bytes(path_of("xz"), zeros(HUGE, true));
    try_path(path_of("xz"), "a file of 700 MB that xz has made small", "");
}

static void test_debug_link(bool sparse, const char *what)
{
    struct made_elf *e = with_code();
    struct elf_bytes link = {0}, linked = sparse ? made_file(with_code()) : zeros(HUGE, true);
    put_main(e);
    elf_put(&link, "link\0\0\0\0", 8);
    elf_number(&link, crc32(0, linked.at, (uInt)linked.size), 4);
    add_section(e, ".gnu_debuglink", link, 0);
    write_bytes(path_of("linking"), made_file(e));
    write_bytes(path_of("link"), linked);
    if (sparse && truncate(path_of("link"), (off_t)100 << 30))
        abort();
    try_path(path_of("linking"), what, "main");
}

/* ---- sections ---- */

static void test_nested(void)
{
    struct made_elf *inner = with_code(), *e = with_code();
    struct elf_bytes packed = zeros(HUGE, false);
    struct elf_bytes symbol = {calloc(2, sizeof(Elf64_Sym)), 2 * sizeof(Elf64_Sym), 0};
    unsigned strings = made_section(inner, ".strtab", SHT_STRTAB, &packed);
    inner->section[strings].sh_flags = SHF_COMPRESSED;
    unsigned symbols = made_section(inner, ".symtab", SHT_SYMTAB, &symbol);
    inner->section[symbols].sh_link = strings;
    inner->section[symbols].sh_entsize = sizeof(Elf64_Sym);
    free(symbol.at);
    free(packed.at);
    add_section(e, ".gnu_debugdata", with_xz(made_file(inner)), 0);
    write_bytes(path_of("nested"), made_file(e));
    try_path(path_of("nested"), "a compressed section in a compressed file in a section", "");
}

/* One unit, with lines; its name is a string of the alternate file. */
static void add_unit(struct made_elf *e, struct elf_bytes lines, uint64_t line_flags)
{
    static const uint8_t abbreviations[] = {1,    0x11, 0,    0x03, 0xa1, 0x3e, 0x10, 0x17, 0x11,
                                            0x01, 0x12, 0x07, 0x1b, 0xa1, 0x3e, 0,    0,    0};
    struct elf_bytes abbrev = {0}, info = {0};
    elf_put(&abbrev, abbreviations, sizeof abbreviations);
    elf_put(&info, "\0\0\0\0\4\0\0\0\0\0\10\1", 12);
    elf_number(&info, 0, 4);
    elf_number(&info, 0, 4);
    elf_number(&info, BASE, 8);
    elf_number(&info, CODE_BYTES, 8);
    elf_number(&info, 0, 4);
    uint32_t length = (uint32_t)info.size - 4;
    memcpy(info.at, &length, 4);
    put_main(e);
    add_section(e, ".debug_abbrev", abbrev, 0);
    add_section(e, ".debug_info", info, 0);
    add_section(e, ".debug_line", lines, line_flags);
}

static const uint8_t line_head[] = {0, 0, 0, 0, 4, 0, 27, 0, 0, 0, 1,    1, 1, 0xfb, 14,  13,
                                    0, 1, 1, 1, 1, 0, 0,  0, 1, 0, 0,    1, 0, 'a',  '.', 'c',
                                    0, 0, 0, 0, 0, 0, 9,  2, 0, 0, 0x40, 0, 0, 0,    0,   0};

static struct elf_bytes line_rows(size_t rows)
{
    struct elf_bytes lines = {0};
    elf_put(&lines, line_head, sizeof line_head);
    uint8_t *row = malloc(rows);
    memset(row, 0x20, rows);
    elf_put(&lines, row, rows);
    free(row);
    elf_put(&lines, "\2\1\0\1\1", 5);
    uint32_t length = (uint32_t)lines.size - 4;
    memcpy(lines.at, &length, 4);
    return lines;
}

static void test_rows(void)
{
    struct made_elf *e = with_code();
    struct elf_bytes plain = line_rows(16 << 20), packed = {.capacity = 1 << 20};
    Elf64_Chdr head = {.ch_type = ELFCOMPRESS_ZLIB, .ch_size = plain.size, .ch_addralign = 1};
    uLongf n = packed.capacity - sizeof head;
    packed.at = malloc(packed.capacity);
    memcpy(packed.at, &head, sizeof head);
    compress2(packed.at + sizeof head, &n, plain.at, plain.size, 9);
    packed.size = n + sizeof head;
    free(plain.at);
    add_unit(e, packed, SHF_COMPRESSED);
    write_bytes(path_of("rows"), made_file(e));
    try_path(path_of("rows"), "16 Mi rows in a compressed .debug_line", "main");
}

static void test_alternate(bool fifo, const char *what)
{
    struct made_elf *e = with_code(), *alternate = made_elf();
    struct elf_bytes link = {0};
    const char *path = path_of(fifo ? "fifo" : "alternate");
    elf_text(&link, path);
    elf_put(&link, "01234567890123456789", 20);
    add_section(e, ".gnu_debugaltlink", link, 0);
    add_unit(e, line_rows(10), 0);
    write_bytes(path_of("user"), made_file(e));
    struct elf_bytes note = {0};
    elf_put(&note, "\4\0\0\0\24\0\0\0\3\0\0\0GNU\00001234567890123456789", 36);
    unsigned section = made_section(alternate, ".note.gnu.build-id", SHT_NOTE, &note);
    alternate->section[section].sh_addralign = 4;
    free(note.at);
    add_section(alternate, ".debug_info", (struct elf_bytes){calloc(1, 16), 16, 16}, 0);
    add_section(alternate, ".debug_str", zeros(HUGE, false), SHF_COMPRESSED);
    struct elf_bytes file = made_file(alternate);
    if (!fifo)
        write_bytes(path, file);
    else if (mkfifo(path, 0600))
        abort();
    else
        free(file.at);
    try_path(path_of("user"), what, "main");
}

/* ---- several files in one process ---- */

static void test_others(void)
{
    char warning[500];
    struct sl_db_location place;
    struct made_elf *good = with_code();
    put_main(good);
    write_bytes(path_of("good"), made_file(good));
    char *path[] = {strdup(path_of("rows")), strdup(path_of("good"))};
    struct sl_object objects[] = {{BASE, BASE + CODE_BYTES, 0, path[0]},
                                  {2 * BASE, 2 * BASE + CODE_BYTES, 0, path[1]}};
    struct sl_statics statics = {.object = objects, .n_objects = 2};
    struct sl_symbols *symbols = sl_symbols_open(&statics);
    sl_symbols_ahead(symbols);
    sl_symbols_place(symbols, BASE, &place);
    ok(place.function && !strcmp(place.function, "main") && !place.file,
       "a file whose lines cannot be read keeps its functions");
    sl_symbols_place(symbols, 2 * BASE, &place);
    ok(place.function && !strcmp(place.function, "main"), "the next file has its names");
    sl_symbols_warning(symbols, warning, sizeof warning);
    if (slower() == 1) /* sanitizers have no limit on memory */
        ok(strstr(warning, path[0]) && strstr(warning, " MB") && !strstr(warning, path[1]),
           "and a message says which file could not be read: %s", warning);
    sl_symbols_close(symbols);
    free(path[0]);
    free(path[1]);
}

/* The signal that ends a run comes while a file is read that takes long. */
static void test_stopped(void)
{
    int stop = 1;
    struct sl_db_location place;
    char *path = strdup(path_of("nested"));
    struct sl_object object = {BASE, BASE + CODE_BYTES, 0, path};
    struct sl_statics statics = {.object = &object, .n_objects = 1};
    struct sl_symbols *symbols = sl_symbols_open(&statics);
    sl_symbols_stop_at(symbols, &stop);
    double begun = seconds();
    sl_symbols_place(symbols, BASE, &place);
    sl_symbols_close(symbols);
    ok(seconds() - begun < slower() * 2, "a request to stop ends the wait within 2 s: %.2f s",
       seconds() - begun);
    free(path);
}

int main(void)
{
    char command[80];
    if (!mkdtemp(directory))
        return 1;
    begin_answers();
    test_compressed_file();
    test_debug_link(false, "a debug link to a file that xz has made small");
    test_debug_link(true, "a debug link to a sparse file of 100 GB");
    test_nested();
    test_rows();
    test_alternate(false, "an alternate file with compressed strings of 700 MB");
    test_alternate(true, "an alternate file that is a FIFO");
    test_others();
    test_stopped();
    snprintf(command, sizeof command, "rm -r %s", directory);
    ok(!system(command), "nothing is left");
    return done_testing();
}
