/* SPDX-License-Identifier: MIT */
/* Test program that looks up addresses with sluice's symbol tables (symbol.h) and prints their
 * function, object and source line, for comparison with nm and addr2line.
 *
 *     symbols FILE[=BASE]...       addresses come from standard input
 *
 * Maps each FILE like a loader, segment by segment, at BASE (hex). Input lines:
 *
 *   NUMBER       an address of the first file (decimal). The answer is
 *                address|symbol|function|start|object|file|line
 *                (addresses again decimal and relative to the file)
 *   find NAME    the answer is the number of functions with this name, and the
 *                start and end of the first one
 *   guest HEX    an address in the guest, answered like a NUMBER */
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbol.h"

#define PAGE UINT64_C(0x1000)

static struct sl_object objects[256];
static struct sl_statics statics = {.object = objects};
static uint64_t first_base;

static void map_file(char *argument)
{
    char *equals = strchr(argument, '=');
    uint64_t base = equals ? strtoull(equals + 1, NULL, 16) : 0;
    size_t n = 0;
    GElf_Phdr segment;
    if (!statics.n_objects)
        first_base = base;
    if (equals)
        *equals = '\0';
    elf_version(EV_CURRENT);
    int fd = open(argument, O_RDONLY);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    if (!elf || elf_getphdrnum(elf, &n)) {
        fprintf(stderr, "symbols: %s: no ELF file\n", argument);
        exit(1);
    }
    for (size_t i = 0; i < n && statics.n_objects < 256; i++)
        if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_LOAD && segment.p_filesz)
            objects[statics.n_objects++] = (struct sl_object){
                .start = (base + segment.p_vaddr) & ~(PAGE - 1),
                .end = (base + segment.p_vaddr + segment.p_filesz + PAGE - 1) & ~(PAGE - 1),
                .offset = segment.p_offset & ~(PAGE - 1),
                .path = realpath(argument, NULL),
            };
    elf_end(elf);
    close(fd);
}

static void find(struct sl_symbols *symbols, const char *name)
{
    uint64_t start = 0, end = 0;
    size_t n = sl_symbols_find(symbols, name, &start, &end);
    printf("%zu %" PRIu64 " %" PRIu64 "\n", n, start - first_base, end - first_base);
}

static void say(struct sl_symbols *symbols, uint64_t address)
{
    char printed[4096];
    struct sl_db_location place;
    sl_symbols_place(symbols, address, &place);
    sl_symbols_print(symbols, address, printed, sizeof printed);
    if (sl_symbols_function(symbols, address) != place.function_start &&
        !(place.function && strstr(place.function, ".cold")))
        printf("sl_symbols_function differs ");
    printf("%" PRIu64 "|%s|%s|%" PRIu64 "|%s|%s|%d\n", address - first_base, printed,
           place.function ? place.function : "?",
           place.function ? place.function_start - first_base : 0,
           place.object ? place.object : "?", place.file ? place.file : "??", place.line);
}

int main(int argc, char **argv)
{
    char line[4096];
    for (int i = 1; i < argc; i++)
        map_file(argv[i]);
    struct sl_symbols *symbols = sl_symbols_open(&statics);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (!strncmp(line, "find ", 5))
            find(symbols, line + 5);
        else if (!strncmp(line, "guest ", 6))
            say(symbols, strtoull(line + 6, NULL, 16));
        else
            say(symbols, first_base + strtoull(line, NULL, 10));
    }
    sl_symbols_close(symbols);
    for (size_t i = 0; i < statics.n_objects; i++)
        free(objects[i].path);
    return 0;
}
