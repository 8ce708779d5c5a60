/* SPDX-License-Identifier: MIT */
/* Test helpers for hostile ELF files. A child process of the test looks up names, lines and inlined
 * calls in the file. sluice's code in that child starts a reader process, which parses the file.
 * The helpers check that the child ends by itself, within bounds of time and memory. */
#ifndef SL_TESTS_HOSTILE_ELF_H
#define SL_TESTS_HOSTILE_ELF_H

#include <lzma.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "function_table.h"
#include "symbol.h"
#include "synthetic_elf.h"
#include "tap.h"

#define BASE UINT64_C(0x400000)
#define CODE_BYTES UINT64_C(0x10000)
#define MAPPINGS 12u
#define SECONDS 9
#define MEGABYTES 300
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

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct answer {
    char function[64], file[64];
    size_t inlined;
};

static struct answer *answer; /* shared with the process that asks */

static void begin_answers(void)
{
    answer = mmap(NULL, sizeof *answer, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

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

/* Whether the process that asks, and the one that reads, end by themselves within bounds. */
static void try_path(const char *path, const char *what, const char *function)
{
    struct rusage usage;
    int status;
    memset(answer, 0, sizeof *answer);
    double begun = seconds();
    pid_t pid = fork();
    if (!pid) {
        setrlimit(RLIMIT_CPU, &(struct rlimit){slower() * 2 * SECONDS, slower() * 2 * SECONDS});
        ask(path);
        _exit(0);
    }
    wait4(pid, &status, 0, &usage);
    double took = seconds() - begun;
    ok(WIFEXITED(status) && !WEXITSTATUS(status) && took < slower() * SECONDS &&
           (slower() > 1 || usage.ru_maxrss < MEGABYTES * 1024), /* sanitizers need more */
       "%s: %.2f s, at most %ld MB in a process (status %d)", what, took, usage.ru_maxrss / 1024,
       status);
    ok(!strcmp(answer->function, function), "  and its code is in \"%s\"", answer->function);
}

__attribute__((unused)) static void try_file(struct made_elf *made, const char *what,
                                             const char *function)
{
    struct elf_bytes file = made_file(made);
    char path[40];
    int fd = memfd_create("elf", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (write(fd, file.at, file.size) != (ssize_t)file.size)
        abort();
    free(file.at);
    try_path(path, what, function);
    close(fd);
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

/* Zeros, which shrink best, with zlib as section heads say, or with xz. */
__attribute__((unused)) static struct elf_bytes zeros(size_t size, bool xz)
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

#endif
