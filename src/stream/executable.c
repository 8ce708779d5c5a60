/* SPDX-License-Identifier: MIT */
/* Finds the ELF file of a command, following #! lines as the kernel does, and reads the file's
 * architecture and dynamic loader (emulator.h). Only the first 4 KiB of a file are read. */
#include "emulator.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"

#define SCRIPT_LEVELS 5 /* as in the kernel */
#define HEAD_BYTES 4096u

/* clang-format off */
const struct sl_target sl_targets[SL_ARCH_COUNT] = {
    [SL_ARCH_X86_64] = {"qemu-x86_64", "/usr/x86_64-linux-gnu", "qemu64", EM_X86_64, true, false},
    [SL_ARCH_AARCH64] = {"qemu-aarch64", "/usr/aarch64-linux-gnu", "cortex-a57", EM_AARCH64, true, false},
    [SL_ARCH_RISCV64] = {"qemu-riscv64", "/usr/riscv64-linux-gnu", "rv64", EM_RISCV, true, false},
    [SL_ARCH_RISCV32] = {"qemu-riscv32", "/usr/riscv32-linux-gnu", "rv32", EM_RISCV, false, false},
    [SL_ARCH_MIPSEL] = {"qemu-mipsel", "/usr/mipsel-linux-gnu", "24Kf", EM_MIPS, false, false},
    [SL_ARCH_MIPS] = {"qemu-mips", "/usr/mips-linux-gnu", "24Kf", EM_MIPS, false, true},
};
/* clang-format on */

char *sl_path_find(const char *name)
{
    struct stat info;
    const char *path = getenv("PATH");
    if (strchr(name, '/'))
        return strdup(name);
    if (!path)
        path = "/usr/local/bin:/usr/bin:/bin";
    while (*path) {
        size_t length = strcspn(path, ":");
        char *candidate;
        const char *folder = length ? path : ".";
        if (asprintf(&candidate, "%.*s/%s", length ? (int)length : 1, folder, name) < 0)
            return NULL;
        if (!stat(candidate, &info) && S_ISREG(info.st_mode) && !access(candidate, X_OK))
            return candidate;
        free(candidate);
        path += length + (path[length] == ':');
    }
    return NULL;
}

static int read_head(const char *path, uint8_t *head, size_t *size, struct sl_failure *f)
{
    struct stat info;
    if (stat(path, &info) < 0)
        return sl_fail_errno(f, errno == ENOENT || errno == ENOTDIR ? SL_ENOTFOUND : SL_ENOEXEC,
                             "cannot run %s", path);
    if (S_ISDIR(info.st_mode))
        return sl_fail(f, SL_ENOEXEC, "cannot run %s: it is a directory", path);
    if (access(path, X_OK) < 0)
        return sl_fail(f, SL_ENOEXEC, "cannot run %s: it is not executable (chmod +x?)", path);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return sl_fail_errno(f, SL_ENOEXEC, "cannot read the program %s, which QEMU has to read",
                             path);
    ssize_t n = read(fd, head, HEAD_BYTES);
    close(fd);
    *size = n > 0 ? (size_t)n : 0;
    return 0;
}

static uint64_t number_at(const uint8_t *bytes, unsigned size, bool big_endian)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << 8 * (big_endian ? size - 1 - i : i);
    return value;
}

static enum sl_arch arch_of(unsigned machine, bool wide, bool big_endian)
{
    for (enum sl_arch arch = SL_ARCH_NONE + 1; arch < SL_ARCH_DESCRIBED; arch++)
        if (sl_targets[arch].machine == machine && sl_targets[arch].wide == wide &&
            sl_targets[arch].big_endian == big_endian)
            return arch;
    return SL_ARCH_NONE;
}

/* The PT_INTERP string; NULL if there is none in the first HEAD_BYTES, where linkers put it. */
static char *interpreter_of(const uint8_t *head, size_t size, bool wide, bool big_endian)
{
    size_t at = (size_t)number_at(head + (wide ? 32 : 28), wide ? 8 : 4, big_endian);
    size_t step = (size_t)number_at(head + (wide ? 54 : 42), 2, big_endian);
    size_t n = (size_t)number_at(head + (wide ? 56 : 44), 2, big_endian);
    size_t needed = wide ? 56 : 32;
    for (size_t i = 0; i < n && step >= needed; i++, at += step) {
        if (at > size || size - at < needed)
            break;
        if (number_at(head + at, 4, big_endian) != PT_INTERP)
            continue;
        size_t offset = (size_t)number_at(head + at + (wide ? 8 : 4), wide ? 8 : 4, big_endian);
        size_t length = (size_t)number_at(head + at + (wide ? 32 : 16), wide ? 8 : 4, big_endian);
        if (offset < size && length <= size - offset)
            return strndup((const char *)head + offset, length);
    }
    return NULL;
}

static int inspect_elf(struct sl_executable *e, const uint8_t *head, size_t size,
                       struct sl_failure *f)
{
    if (size < 64)
        return sl_fail(f, SL_ENOEXEC, "cannot run %s: the file is truncated", e->path);
    bool wide = head[EI_CLASS] == ELFCLASS64;
    bool big_endian = head[EI_DATA] == ELFDATA2MSB;
    unsigned machine = (unsigned)number_at(head + 18, 2, big_endian);
    unsigned type = (unsigned)number_at(head + 16, 2, big_endian);
    if (type != ET_EXEC && type != ET_DYN)
        return sl_fail(f, SL_ENOEXEC, "cannot run %s: it is an object file, not a program",
                       e->path);
    e->arch = arch_of(machine, wide, big_endian);
    if (e->arch == SL_ARCH_NONE)
        return sl_fail(f, SL_EUNSUPPORTED,
                       "%s is for an unsupported architecture (ELF machine %u, %s-bit, %s endian); "
                       "supported are x86-64, aarch64, riscv64, riscv32, mipsel and mips",
                       e->path, machine, wide ? "64" : "32", big_endian ? "big" : "little");
    e->interpreter = interpreter_of(head, size, wide, big_endian);
    return 0;
}

/* Replaces argv[0] by `first`, `second` unless that is NULL, and the script's path. Returns NULL if
 * out of memory. */
static char **argv_for_script(char **argv, char *script, char *first, char *second)
{
    size_t n = 0, at = 0;
    while (argv[n])
        n++;
    char **longer = calloc(n + 3, sizeof *longer);
    if (!longer)
        return NULL;
    longer[at++] = first;
    if (second)
        longer[at++] = second;
    longer[at++] = script;
    memcpy(longer + at, argv + 1, n * sizeof *longer);
    free(argv[0]);
    free(argv);
    return longer;
}

/* Parses "#!INTERPRETER [ONE ARGUMENT]" as the kernel does, and makes that the program. */
static int follow_script(struct sl_executable *e, uint8_t *head, size_t size, struct sl_failure *f)
{
    char line[HEAD_BYTES];
    memcpy(line, head + 2, size - 2);
    line[size - 2] = 0;
    line[strcspn(line, "\n")] = 0;
    char *name = line + strspn(line, " \t");
    char *argument = name + strcspn(name, " \t");
    if (*argument)
        *argument++ = 0;
    argument += strspn(argument, " \t");
    size_t length = strlen(argument);
    while (length && (argument[length - 1] == ' ' || argument[length - 1] == '\t'))
        argument[--length] = 0;
    if (!*name)
        return sl_fail(f, SL_ENOEXEC, "cannot run %s: its #! line has no interpreter", e->path);
    char *script = e->path;
    char **argv = argv_for_script(e->argv, script, strdup(name), length ? strdup(argument) : NULL);
    if (!argv)
        return sl_out_of_memory(f);
    e->argv = argv;
    e->path = strdup(name);
    return 0;
}

int sl_executable_find(struct sl_executable *e, const char *path, char *const *argv,
                       struct sl_failure *f)
{
    size_t n = 0;
    while (argv[n])
        n++;
    *e = (struct sl_executable){.path = path ? strdup(path) : sl_path_find(argv[0]),
                                .argv = calloc(n + 1, sizeof *e->argv)};
    if (!e->argv)
        return sl_out_of_memory(f);
    for (size_t i = 0; i < n; i++)
        e->argv[i] = strdup(argv[i]);
    if (!e->path)
        return sl_fail(f, SL_ENOTFOUND, "cannot run %s: not found in PATH", argv[0]);

    for (int level = 0; level < SCRIPT_LEVELS; level++) {
        uint8_t head[HEAD_BYTES];
        size_t size = 0;
        int error = read_head(e->path, head, &size, f);
        if (error < 0)
            return error;
        if (size >= SELFMAG && !memcmp(head, ELFMAG, SELFMAG))
            return inspect_elf(e, head, size, f);
        if (size < 2 || memcmp(head, "#!", 2))
            return sl_fail(f, SL_ENOEXEC,
                           "cannot run %s: it is neither an ELF program nor a script "
                           "with a #! line",
                           e->path);
        error = follow_script(e, head, size, f);
        if (error < 0)
            return error;
    }
    return sl_fail(f, SL_ENOEXEC, "cannot run %s: more than %d levels of script interpreters",
                   argv[0], SCRIPT_LEVELS);
}

void sl_executable_free(struct sl_executable *e)
{
    for (size_t i = 0; e->argv && e->argv[i]; i++)
        free(e->argv[i]);
    free(e->argv);
    free(e->path);
    free(e->interpreter);
    *e = (struct sl_executable){0};
}
