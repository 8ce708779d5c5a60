#include "emulator.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failure.h"
#include "own_place.h"

/* "qemu-x86_64 version 7.2.22 (Debian ...)": major * 100 + minor, or an error. */
static int version_of(const char *qemu, struct sl_failure *f)
{
    int ends[2], status = 0;
    char text[256] = "";
    size_t used = 0;
    if (pipe2(ends, O_CLOEXEC) < 0)
        return sl_fail_errno(f, SL_EIO, "cannot make a pipe");
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl(qemu, qemu, "--version", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    ssize_t n;
    while (pid > 0 && used < sizeof text - 1 &&
           (n = read(ends[0], text + used, sizeof text - 1 - used)) > 0)
        used += (size_t)n;
    close(ends[0]);
    if (pid < 0 || waitpid(pid, &status, 0) < 0)
        return sl_fail_errno(f, SL_EIO, "cannot run %s", qemu);
    const char *number = strstr(text, "version ");
    int major, minor;
    if (!number || sscanf(number, "version %d.%d", &major, &minor) != 2)
        return sl_fail(f, SL_EUNSUPPORTED, "%s does not say which version of QEMU it is", qemu);
    return major * 100 + minor;
}

/* Which build of the tap a QEMU takes (tap/qemu_api.h). */
static int tap_for(int version)
{
    return version >= 1101 ? 7 : version >= 900 ? 2 : 1;
}

static char *tap_at(const char *directory, int api)
{
    char *path;
    if (asprintf(&path, "%s/sluice-tap-%d.so", directory, api) < 0)
        return NULL;
    if (!access(path, R_OK))
        return path;
    free(path);
    return NULL;
}

/* Beside the program or the shared library (a build directory); from bin/ or lib/ when
 * installed. */
static char *find_tap(const char *directory, int api)
{
    static const char *const from_us[] = {"", "/../lib/sluice", "/sluice"};
    if (directory)
        return tap_at(directory, api);
    char *own = sl_own_directory(), *path = NULL;
    for (size_t i = 0; own && !path && i < sizeof from_us / sizeof *from_us; i++) {
        char *place = NULL;
        if (asprintf(&place, "%s%s", own, from_us[i]) >= 0)
            path = tap_at(place, api);
        free(place);
    }
    free(own);
    return path;
}

/* QEMU takes "a,b" for two options and "a,,b" for a comma. */
static char *plugin_argument(const char *tap, int ring_fd)
{
    char *argument = malloc(2 * strlen(tap) + 32);
    if (!argument)
        return NULL;
    char *out = stpcpy(argument, "file=");
    for (; *tap; tap++) {
        *out++ = *tap;
        if (*tap == ',')
            *out++ = ',';
    }
    sprintf(out, ",ring=%d", ring_fd);
    return argument;
}

/* Where a dynamic program's loader is, if not at its own path here: Debian's
 * cross compilers keep each architecture's libraries in a directory. */
static const char *sysroot_of(const struct sl_guest *guest, const struct sl_executable *executable)
{
    static const char *const cross[SL_ARCH_COUNT] = {
        [SL_ARCH_X86_64] = "/usr/x86_64-linux-gnu",   [SL_ARCH_AARCH64] = "/usr/aarch64-linux-gnu",
        [SL_ARCH_RISCV64] = "/usr/riscv64-linux-gnu", [SL_ARCH_RISCV32] = "/usr/riscv32-linux-gnu",
        [SL_ARCH_MIPSEL] = "/usr/mipsel-linux-gnu",   [SL_ARCH_MIPS] = "/usr/mips-linux-gnu",
    };
    if (guest->sysroot || getenv("QEMU_LD_PREFIX"))
        return guest->sysroot;
    if (!executable->interpreter || !access(executable->interpreter, R_OK))
        return NULL;
    return cross[executable->arch];
}

static char **arguments(const char *qemu, char *plugin, const char *sysroot,
                        const struct sl_executable *executable)
{
    size_t n = 0, at = 0;
    while (executable->argv[n])
        n++;
    char **argv = calloc(n + 12, sizeof *argv);
    if (!argv)
        return NULL;
    argv[at++] = (char *)qemu;
    argv[at++] = "-plugin";
    argv[at++] = plugin;
    argv[at++] = "-seed";
    argv[at++] = "1";
    if (sysroot) {
        argv[at++] = "-L";
        argv[at++] = (char *)sysroot;
    }
    argv[at++] = "-0";
    argv[at++] = executable->argv[0];
    argv[at++] = executable->path;
    memcpy(argv + at, executable->argv + 1, n * sizeof *argv);
    return argv;
}

static void become_guest(const char *qemu, char **argv, int ring_fd, int complaint_fd)
{
    int old = personality(0xffffffff);
    if (old >= 0)
        personality((unsigned long)old | ADDR_NO_RANDOMIZE);
    fcntl(ring_fd, F_SETFD, 0);
    execv(qemu, argv);
    int error = errno;
    if (write(complaint_fd, &error, sizeof error) < 0)
        _exit(126);
    _exit(127);
}

static int start(pid_t *pid, const char *qemu, char **argv, int ring_fd, struct sl_failure *f)
{
    int ends[2], error = 0;
    if (pipe2(ends, O_CLOEXEC) < 0)
        return sl_fail_errno(f, SL_EIO, "cannot make a pipe");
    *pid = fork();
    if (*pid == 0)
        become_guest(qemu, argv, ring_fd, ends[1]);
    close(ends[1]);
    ssize_t n = *pid < 0 ? 0 : read(ends[0], &error, sizeof error);
    close(ends[0]);
    if (*pid < 0)
        return sl_fail_errno(f, SL_EIO, "cannot start a process");
    if (n == sizeof error) {
        waitpid(*pid, NULL, 0);
        errno = error;
        return sl_fail_errno(f, SL_EUNSUPPORTED, "cannot run the emulator %s", qemu);
    }
    return 0;
}

int sl_emulator_start(pid_t *pid, const struct sl_guest *guest,
                      const struct sl_executable *executable, int ring_fd, struct sl_failure *f)
{
    const char *name = guest->qemu ? guest->qemu : sl_emulator_name(executable->arch);
    char *qemu = sl_path_find(name);
    if (!qemu || access(qemu, X_OK) < 0) {
        free(qemu);
        return sl_fail(f, SL_EUNSUPPORTED,
                       "%s, which runs programs for %s, is not installed: apt-get install qemu-user",
                       name, sl_arch_name(executable->arch));
    }
    int version = version_of(qemu, f);
    if (version < 0) {
        free(qemu);
        return version;
    }
    int status;
    char *tap = find_tap(guest->tap_dir, tap_for(version));
    char *plugin = tap ? plugin_argument(tap, ring_fd) : NULL;
    char **argv = plugin ? arguments(qemu, plugin, sysroot_of(guest, executable), executable) : NULL;
    if (version < 702)
        status = sl_fail(f, SL_EUNSUPPORTED, "%s is QEMU %d.%d; sluice needs 7.2 or later", qemu,
                         version / 100, version % 100);
    else if (!tap)
        status = sl_fail(f, SL_EUNSUPPORTED, "cannot find sluice-tap-%d.so, the plugin for QEMU "
                         "%d.%d, beside sluice or in ../lib/sluice: is sluice installed whole?",
                         tap_for(version), version / 100, version % 100);
    else if (!argv)
        status = sl_fail(f, SL_ENOMEM, "out of memory");
    else
        status = start(pid, qemu, argv, ring_fd, f);
    free(argv);
    free(plugin);
    free(tap);
    free(qemu);
    return status;
}
