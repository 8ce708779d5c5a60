/* SPDX-License-Identifier: MIT */
/* Checks before a run that the function of --range or --start-at is in the program, so that a
 * misspelled name does not cost a whole run.
 *
 * The check searches the bytes of the program's file for the function's name: the names of symbols
 * and, in the debug information, of inlined functions are texts in the file. A mangled name
 * contains the last part of the name, "next" for parser::next. A program without symbols, with
 * compressed debug information, or of 32 bits is not checked. The libraries of a dynamically linked
 * program are not checked either, so that a missing name is then only a warning. */
#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

struct contents {
    bool dynamic, symbols, compressed;
};

/* Reads the kinds of the sections. Returns false if it is no ELF file of 64 bits and this byte
 * order.
 */
static bool read_sections(const unsigned char *file, size_t size, struct contents *c)
{
    const Elf64_Ehdr *head = (const void *)file;
    if (size < sizeof *head || memcmp(file, ELFMAG, SELFMAG) ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_ident[EI_DATA] != ELFDATA2LSB ||
        head->e_shoff > size || head->e_shoff % sizeof(uint64_t) ||
        (size - head->e_shoff) / sizeof(Elf64_Shdr) < head->e_shnum)
        return false;
    const Elf64_Shdr *section = (const void *)(file + head->e_shoff);
    for (size_t i = 0; i < head->e_shnum; i++) {
        c->dynamic |= section[i].sh_type == SHT_DYNAMIC;
        c->symbols |= section[i].sh_type == SHT_SYMTAB;
        c->compressed |= (section[i].sh_flags & SHF_COMPRESSED) != 0;
    }
    return true;
}

/* The last part of a function's name, at most `capacity` bytes. */
static void last_part(const char *name, char *part, size_t capacity)
{
    size_t end = strcspn(name, "(<"), start = end;
    while (start && (isalnum((unsigned char)name[start - 1]) || name[start - 1] == '_'))
        start--;
    snprintf(part, capacity, "%.*s", (int)(end - start), name + start);
}

/* Opens the file that execvp(3) would execute. */
static int open_program(const char *program)
{
    const char *path = getenv("PATH");
    char file[PATH_MAX];
    if (strchr(program, '/'))
        return open(program, O_RDONLY | O_CLOEXEC);
    for (const char *at = path; at && *at; at += strcspn(at, ":"), at += *at == ':') {
        snprintf(file, sizeof file, "%.*s/%s", (int)strcspn(at, ":"), at, program);
        if (!access(file, X_OK))
            return open(file, O_RDONLY | O_CLOEXEC);
    }
    return -1;
}

int cli_check_function(const char *option, const char *function, const char *program)
{
    struct stat status;
    struct contents contents = {0};
    char part[256];
    if (!function || !(isalpha((unsigned char)*function) || *function == '_') ||
        strpbrk(function, "-,"))
        return 0;
    int fd = open_program(program);
    bool is_file = fd >= 0 && !fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_size;
    size_t size = is_file ? (size_t)status.st_size : 0;
    void *file = is_file ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (fd >= 0)
        close(fd);
    if (file == MAP_FAILED)
        return 0;
    last_part(function, part, sizeof part);
    bool missing = read_sections(file, size, &contents) && contents.symbols &&
                   !contents.compressed && !memmem(file, size, part, strlen(part));
    munmap(file, size);
    if (!missing)
        return 0;
    sl_print_line(stderr, "sluice: --%s: %sfunction %s not found in %s%s", option,
                  contents.dynamic ? "warning: " : "", function, program,
                  contents.dynamic ? "; it is counted if a library contains it" : "");
    return contents.dynamic ? 0 : EXIT_USAGE;
}
