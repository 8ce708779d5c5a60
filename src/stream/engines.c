/* SPDX-License-Identifier: MIT */
/* Finds a QEMU that can trace (emulator.h): sluice's engine, which is a patched QEMU installed with
 * sluice, the QEMU that the user names, or a QEMU with plugin support in PATH. The output of QEMU's
 * options --version and --help shows its version and whether it is an engine or supports plugins.
 */
#include "emulator.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failure.h"
#include "data_path.h"

/* ---- properties of a QEMU ---- */

#define OUTPUT_BYTES 8192u

/* Reads what QEMU prints when started with one argument. Interrupted reads are repeated. */
static int read_output(const char *qemu, const char *argument, char output[OUTPUT_BYTES],
                       struct sl_failure *f)
{
    int ends[2], status = 0;
    size_t used = 0;
    ssize_t n;
    if (pipe2(ends, O_CLOEXEC) < 0)
        return sl_fail_errno(f, SL_EIO, "cannot make a pipe");
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl(qemu, qemu, argument, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    while (pid > 0 && used < OUTPUT_BYTES - 1 &&
           (n = TEMP_FAILURE_RETRY(read(ends[0], output + used, OUTPUT_BYTES - 1 - used))) > 0)
        used += (size_t)n;
    output[used] = 0;
    close(ends[0]);
    if (pid < 0 || TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)) < 0)
        return sl_fail_errno(f, SL_EIO, "cannot run %s", qemu);
    return 0;
}

struct version {
    int number;     /* major * 100 + minor */
    bool is_engine; /* its version text says so */
};

/* Parses "qemu-x86_64 version 7.2.22 (Debian ...)". */
static int version_of(const char *qemu, struct version *version, struct sl_failure *f)
{
    char output[OUTPUT_BYTES];
    int major, minor, error = read_output(qemu, "--version", output, f);
    if (error < 0)
        return error;
    const char *number = strstr(output, "version ");
    if (!number || sscanf(number, "version %d.%d", &major, &minor) != 2)
        return sl_fail(f, SL_EUNSUPPORTED,
                       "%s is not QEMU: '%s --version' does not print a QEMU version", qemu, qemu);
    *version = (struct version){major * 100 + minor, strstr(output, "sluice's engine")};
    return 0;
}

static bool has_plugins(const char *qemu)
{
    struct sl_failure ignored;
    char output[OUTPUT_BYTES];
    return read_output(qemu, "--help", output, &ignored) >= 0 && strstr(output, "-plugin");
}

/* ---- installed files ---- */

/* In the directory of the program or shared library (a build directory), in lib/sluice next to bin/
 * or in lib/ (installed). */
static const char *const below[] = {"", "/../lib/sluice", "/sluice", NULL};

/* Version of the plugin interface of a QEMU (tap/qemu_api.h). */
static int plugin_for(int version)
{
    return version >= 1101 ? 7 : version >= 900 ? 2 : 1;
}

static char *find_plugin(const char *directory, int version)
{
    char name[32];
    snprintf(name, sizeof name, "sluice-tap-%d.so", plugin_for(version));
    return sl_installed_file(directory, below, name, R_OK);
}

static char *find_engine(const char *directory, enum sl_arch arch)
{
    char name[64];
    snprintf(name, sizeof name, "engine/%s", sl_targets[arch].qemu);
    return sl_installed_file(directory, below, name, X_OK);
}

/* Warns if an engine is installed in a directory that this user cannot enter, for example in the
 * cache of the user who built it: the plugin is slower, and does not follow processes. */
static void explain_plugin(struct sl_engine *engine)
{
    char *own = sl_install_directory();
    for (size_t i = 0; own && below[i]; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s%s/engine", own, below[i]);
        if (access(path, X_OK) < 0 && errno == EACCES)
            engine->warning = "sluice's engine belongs to another user and cannot be read, so that "
                              "the slower plugin is used: build an engine of your own";
    }
    free(own);
}

/* ---- choosing ---- */

/* Chooses the QEMU that the user names, or that of PATH. If it is an engine, it is used as one,
 * unless the plugin is requested: engines have plugins, too. */
static int choose_qemu(struct sl_engine *engine, const struct sl_guest *guest, enum sl_arch arch,
                       bool by_plugin, struct sl_failure *f)
{
    const char *name = guest->qemu ? guest->qemu : sl_targets[arch].qemu;
    struct version version;
    engine->path = sl_path_find(name);
    if ((!engine->path || access(engine->path, X_OK) < 0) && guest->qemu)
        return sl_fail(f, SL_EUNSUPPORTED, "cannot execute the emulator %s", name);
    if (!engine->path)
        return sl_fail(f, SL_EUNSUPPORTED,
                       "%s, the emulator for %s programs, is not installed: "
                       "run 'make engine' in sluice's source directory, or install qemu-user",
                       name, sl_arch_name(arch));
    int error = version_of(engine->path, &version, f);
    if (error < 0 || (version.is_engine && !by_plugin))
        return error;
    if (version.number < 702)
        return sl_fail(f, SL_EUNSUPPORTED, "%s is QEMU %d.%d; sluice needs 7.2 or later",
                       engine->path, version.number / 100, version.number % 100);
    if (!has_plugins(engine->path))
        return sl_fail(f, SL_EUNSUPPORTED,
                       "%s was built without plugin support, like the QEMU of Debian 13: "
                       "run 'make engine' in sluice's source directory",
                       engine->path);
    engine->plugin = find_plugin(guest->tap_dir, version.number);
    if (!engine->plugin)
        return sl_fail(f, SL_EUNSUPPORTED,
                       "cannot find sluice-tap-%d.so, the plugin for QEMU %d.%d, "
                       "next to sluice or in ../lib/sluice: install sluice again",
                       plugin_for(version.number), version.number / 100, version.number % 100);
    return 0;
}

/* The requested tap: "engine", "plugin", or NULL for any. */
static int requested_tap(const struct sl_guest *guest, const char **tap, struct sl_failure *f)
{
    const char *name = guest->tap ? guest->tap : getenv("SLUICE_TAP");
    *tap = name && *name && strcmp(name, "auto") != 0 ? name : NULL;
    if (*tap && strcmp(*tap, "engine") != 0 && strcmp(*tap, "plugin") != 0)
        return sl_fail(f, SL_EUSAGE, "unknown tap \"%s\": use auto, engine or plugin", *tap);
    return 0;
}

int sl_engine_choose(struct sl_engine *engine, const struct sl_guest *guest, enum sl_arch arch,
                     struct sl_failure *f)
{
    const char *tap;
    int error = requested_tap(guest, &tap, f);
    *engine = (struct sl_engine){0};
    if (error < 0)
        return error;
    if (!guest->qemu && (!tap || !strcmp(tap, "engine"))) {
        engine->path = find_engine(guest->tap_dir, arch);
        if (engine->path)
            return 0;
        if (tap)
            return sl_fail(f, SL_EUNSUPPORTED,
                           "sluice's engine for %s programs is not installed: run 'make engine' in "
                           "sluice's source directory",
                           sl_arch_name(arch));
    }
    error = choose_qemu(engine, guest, arch, tap && !strcmp(tap, "plugin"), f);
    if (error >= 0 && engine->plugin && tap && !strcmp(tap, "engine"))
        error = sl_fail(f, SL_EUSAGE,
                        "sluice's engine is requested, but %s is an ordinary QEMU: "
                        "use the engine as emulator, or unset SLUICE_TAP",
                        engine->path);
    if (error < 0)
        sl_engine_free(engine);
    else if (engine->plugin && !guest->qemu && !tap && !guest->tap_dir)
        explain_plugin(engine);
    return error;
}

void sl_engine_free(struct sl_engine *engine)
{
    free(engine->path);
    free(engine->plugin);
    *engine = (struct sl_engine){0};
}

/* ---- listing ---- */

static void list_one(FILE *out, enum sl_arch arch, const char *path, bool first)
{
    struct sl_failure f;
    struct version version;
    char *plugin = NULL;
    const char *state;
    if (version_of(path, &version, &f) < 0) {
        fprintf(out, "  %-8s %s: %s\n", sl_arch_name(arch), path, f.text);
        return;
    }
    if (version.is_engine)
        state = "engine";
    else if (version.number < 702)
        state = "too old";
    else if (!has_plugins(path))
        state = "without plugins";
    else
        state = (plugin = find_plugin(NULL, version.number)) ? "plugin" : "plugin is missing";
    bool usable = version.is_engine || plugin;
    fprintf(out, "  %-8s %-15s QEMU %d.%d  %s%s\n", sl_arch_name(arch), state, version.number / 100,
            version.number % 100, path, usable && first ? "  (used)" : "");
    free(plugin);
}

void sl_engines_list(FILE *out)
{
    fputs("engines: QEMU emulators; for each architecture, sluice uses the first emulator that can "
          "trace\n",
          out);
    for (enum sl_arch arch = SL_ARCH_NONE + 1; arch < SL_ARCH_DESCRIBED; arch++) {
        char *engine = find_engine(NULL, arch), *qemu = sl_path_find(sl_targets[arch].qemu);
        if (engine)
            list_one(out, arch, engine, true);
        if (qemu)
            list_one(out, arch, qemu, !engine);
        if (!engine && !qemu)
            fprintf(out, "  %-8s none: run 'make engine', or install qemu-user\n",
                    sl_arch_name(arch));
        free(engine);
        free(qemu);
    }
}
