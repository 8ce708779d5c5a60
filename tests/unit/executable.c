/* SPDX-License-Identifier: MIT */
/* Unit tests of the preparation of a run: which program, QEMU and environment are used for a guest
 * program (executable.c, engines.c, repeatable.c). The test creates the files that it needs. */
#include "emulator.h"

#include <elf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

static char directory[] = "/tmp/sluice-executable-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static void make(const char *name, const void *data, size_t size, mode_t mode)
{
    FILE *out = fopen(path_of(name), "w");
    fwrite(data, 1, size, out);
    fclose(out);
    chmod(path_of(name), mode);
}

static void make_text(const char *name, const char *text)
{
    make(name, text, strlen(text), 0755);
}

/* An ELF header, with a program header for the loader if there is one. */
static void make_elf(const char *name, unsigned machine, bool wide, bool big, unsigned type,
                     const char *loader)
{
    uint8_t file[512] = {0x7f, 'E', 'L', 'F'};
    file[EI_CLASS] = wide ? ELFCLASS64 : ELFCLASS32;
    file[EI_DATA] = big ? ELFDATA2MSB : ELFDATA2LSB;
    file[big ? 17 : 16] = (uint8_t)type;
    file[18] = (uint8_t)(big ? machine >> 8 : machine);
    file[19] = (uint8_t)(big ? machine : machine >> 8);
    if (loader && wide) {
        file[32] = 64; /* e_phoff */
        file[54] = 56;
        file[56] = 1;
        file[64] = PT_INTERP;
        file[64 + 8] = 200;
        file[64 + 32] = (uint8_t)(strlen(loader) + 1);
        strcpy((char *)file + 200, loader);
    }
    make(name, file, sizeof file, 0755);
}

static int find(struct sl_executable *e, const char *name, struct sl_failure *f)
{
    char *argv[] = {(char *)path_of(name), "first", "second", NULL};
    return sl_executable_find(e, NULL, argv, f);
}

static void machines(void)
{
    static const struct {
        const char *name;
        unsigned machine;
        bool wide, big;
        enum sl_arch arch;
    } cases[] = {{"x86-64", EM_X86_64, true, false, SL_ARCH_X86_64},
                 {"x32", EM_X86_64, false, false, SL_ARCH_NONE},
                 {"aarch64", EM_AARCH64, true, false, SL_ARCH_AARCH64},
                 {"aarch64-be", EM_AARCH64, true, true, SL_ARCH_NONE},
                 {"riscv64", EM_RISCV, true, false, SL_ARCH_RISCV64},
                 {"riscv32", EM_RISCV, false, false, SL_ARCH_RISCV32},
                 {"mips", EM_MIPS, false, true, SL_ARCH_MIPS},
                 {"mipsel", EM_MIPS, false, false, SL_ARCH_MIPSEL},
                 {"mips64", EM_MIPS, true, true, SL_ARCH_NONE},
                 {"s390", EM_S390, true, true, SL_ARCH_NONE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sl_executable e;
        struct sl_failure f;
        make_elf(cases[i].name, cases[i].machine, cases[i].wide, cases[i].big, ET_EXEC, NULL);
        int error = find(&e, cases[i].name, &f);
        if (cases[i].arch == SL_ARCH_NONE)
            ok(error == SL_EUNSUPPORTED, "%s is refused: %s", cases[i].name, f.text);
        else
            ok(!error && e.arch == cases[i].arch && !strcmp(e.path, path_of(cases[i].name)) &&
                   !e.interpreter && !strcmp(e.argv[1], "first") && !e.argv[3],
               "%s is recognized", cases[i].name);
        sl_executable_free(&e);
    }
}

static void refused(const char *name, int error, const char *what)
{
    struct sl_executable e;
    struct sl_failure f = {.text = ""};
    ok(find(&e, name, &f) == error, "%s is refused: %s", what, f.text);
    sl_executable_free(&e);
}

static void programs(void)
{
    struct sl_executable e;
    struct sl_failure f;
    make_elf("dynamic", EM_X86_64, true, false, ET_DYN, "/lib/ld.so");
    ok(!find(&e, "dynamic", &f) && e.interpreter && !strcmp(e.interpreter, "/lib/ld.so"),
       "a dynamic program has its loader");
    sl_executable_free(&e);
    make_elf("object", EM_X86_64, true, false, ET_REL, NULL);
    refused("object", SL_ENOEXEC, "an object file");
    make("short", ELFMAG, SELFMAG, 0755);
    refused("short", SL_ENOEXEC, "a truncated ELF file");
    make_text("text", "hello");
    refused("text", SL_ENOEXEC, "a text");
    make("closed", ELFMAG, SELFMAG, 0644);
    refused("closed", SL_ENOEXEC, "a file without permission");
    refused("absent", SL_ENOTFOUND, "a file that does not exist");
    refused(".", SL_ENOEXEC, "a directory");
}

static void scripts(void)
{
    struct sl_executable e;
    struct sl_failure f;
    char text[256], dynamic[128], script[128];
    strcpy(dynamic, path_of("dynamic"));
    snprintf(text, sizeof text, "#! %s  -x y \t\nrest", dynamic);
    make_text("script", text);
    strcpy(script, path_of("script"));
    ok(!find(&e, "script", &f) && !strcmp(e.path, dynamic) && !strcmp(e.argv[0], dynamic) &&
           !strcmp(e.argv[1], "-x y") && !strcmp(e.argv[2], script) &&
           !strcmp(e.argv[3], "first") && !strcmp(e.argv[4], "second") && !e.argv[5],
       "a script's interpreter gets one argument, the script and the arguments");
    sl_executable_free(&e);
    snprintf(text, sizeof text, "#!%s\n", script);
    make_text("nested", text);
    ok(!find(&e, "nested", &f) && !strcmp(e.path, dynamic) && !strcmp(e.argv[2], script),
       "a script may be another script's interpreter");
    sl_executable_free(&e);
    snprintf(text, sizeof text, "#!%s\n", path_of("loop"));
    make_text("loop", text);
    refused("loop", SL_ENOEXEC, "a script that is its own interpreter");
    make_text("missing", "#! \n");
    refused("missing", SL_ENOEXEC, "a script without an interpreter");
}

static void paths(void)
{
    char path[256], *found;
    snprintf(path, sizeof path, "/nonexistent::%s:/bin", directory);
    setenv("PATH", path, 1);
    found = sl_path_find("dynamic");
    ok(found && !strcmp(found, path_of("dynamic")), "PATH is searched in its order");
    free(found);
    found = sl_path_find("closed");
    ok(!found, "a file that is not executable is passed over");
    free(found);
    found = sl_path_find("./x");
    ok(found && !strcmp(found, "./x"), "a name with a slash is a path");
    free(found);
}

/* ---- engines ---- */

static int choose(struct sl_engine *engine, const char *tap, const char *qemu, struct sl_failure *f)
{
    char path[128];
    if (qemu)
        strcpy(path, path_of(qemu));
    struct sl_guest guest = {
        .size = sizeof guest, .tap = tap, .qemu = qemu ? path : NULL, .tap_dir = directory};
    return sl_engine_choose(engine, &guest, SL_ARCH_X86_64, f);
}

static void engines(void)
{
    struct sl_engine engine;
    struct sl_failure f = {.text = ""};
    setenv("PATH", "/nonexistent", 1);
    ok(choose(&engine, NULL, NULL, &f) == SL_EUNSUPPORTED, "without a QEMU: %s", f.text);
    ok(choose(&engine, "engine", NULL, &f) == SL_EUNSUPPORTED, "without an engine: %s", f.text);
    ok(choose(&engine, "wire", NULL, &f) == SL_EUSAGE, "an unknown tap: %s", f.text);
    mkdir(path_of("engine"), 0700);
    make_text("engine/qemu-x86_64", "#!/bin/sh\n");
    ok(!choose(&engine, NULL, NULL, &f) && !engine.plugin &&
           !strcmp(engine.path, path_of("engine/qemu-x86_64")),
       "the engine is the first choice");
    sl_engine_free(&engine);
    make_text("old", "#!/bin/sh\necho qemu-x86_64 version 5.2.0\n");
    ok(choose(&engine, NULL, "old", &f) == SL_EUNSUPPORTED && strstr(f.text, "5.2"), "%s", f.text);
    make_text("bare", "#!/bin/sh\necho qemu-x86_64 version 9.0.1\n");
    ok(choose(&engine, NULL, "bare", &f) == SL_EUNSUPPORTED, "no plugins: %s", f.text);
    make_text("mute", "#!/bin/sh\n");
    ok(choose(&engine, NULL, "mute", &f) == SL_EUNSUPPORTED, "no version: %s", f.text);
    make_text("with", "#!/bin/sh\necho qemu-x86_64 version 9.0.1\necho -plugin\n");
    ok(choose(&engine, NULL, "with", &f) == SL_EUNSUPPORTED, "our plugin is missing: %s", f.text);
    make_text("sluice-tap-2.so", "");
    ok(!choose(&engine, NULL, "with", &f) && engine.plugin &&
           !strcmp(engine.plugin, path_of("sluice-tap-2.so")),
       "a QEMU of 9.0 gets the plugin for its interface");
    sl_engine_free(&engine);
    ok(choose(&engine, "engine", "with", &f) == SL_EUSAGE, "it is no engine: %s", f.text);
}

/* ---- repeatable runs ---- */

/* Bytes of all strings on the program's stack. */
static size_t string_bytes(char **environment, const struct sl_executable *e)
{
    size_t n = strlen(e->path) + 1;
    for (; *environment; environment++)
        n += strlen(*environment) + 1;
    for (char **argument = e->argv; *argument; argument++)
        n += strlen(*argument) + 1;
    return n;
}

static const char *value_of(char **environment, const char *name)
{
    size_t n = strlen(name);
    for (; *environment; environment++)
        if (!strncmp(*environment, name, n) && (*environment)[n] == '=')
            return *environment + n + 1;
    return NULL;
}

static void repeatable(void)
{
    bool padded = true, fixed = true, kept = true;
    for (size_t length = 1; length < 200; length += 13) {
        char path[256], *argv[] = {path, "x", NULL};
        memset(path, 'p', length);
        path[length] = 0;
        struct sl_executable e = {.path = path, .argv = argv};
        struct sl_guest guest = {.size = sizeof guest, .repeatable = "KEPT,TZ"};
        setenv("KEPT", "value", 1);
        setenv("TZ", "Mars", 1);
        setenv("LOST", "value", 1);
        char **environment = sl_repeatable_environment(&guest, &e);
        padded &= string_bytes(environment, &e) % SL_REPEATABLE_STRINGS == 0;
        fixed &= !value_of(environment, "LOST") && !strcmp(value_of(environment, "HOME"), "/");
        kept &= !strcmp(value_of(environment, "KEPT"), "value") &&
                !strcmp(value_of(environment, "TZ"), "Mars");
        sl_repeatable_free(environment);
    }
    ok(padded, "the strings' size is the same multiple whatever the path's length");
    ok(fixed, "other variables are not passed on, or have fixed values");
    ok(kept, "variables that are to be kept have the user's values");
    char *argument[SL_REPEATABLE_ARGUMENTS];
    bool all = true;
    for (enum sl_arch arch = SL_ARCH_X86_64; arch < SL_ARCH_DESCRIBED; arch++) {
        sl_repeatable_arguments(arch, argument);
        for (int i = 0; i < SL_REPEATABLE_ARGUMENTS; i++)
            all &= argument[i] != NULL;
    }
    ok(all, "every architecture has a CPU");
}

int main(void)
{
    if (!mkdtemp(directory))
        abort();
    machines();
    programs();
    scripts();
    paths();
    engines();
    repeatable();
    setenv("PATH", "/usr/bin:/bin", 1);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    ok(!system(command), "the files are removed");
    return done_testing();
}
