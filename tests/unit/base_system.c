/* SPDX-License-Identifier: MIT */
/* Unit tests of the functions in src/base that call the operating system: they find installed
 * files, create temporary files, measure time and memory, and report errors. */
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "data_path.h"
#include "failure.h"
#include "unnamed_file.h"
#include "random.h"
#include "resources.h"
#include "tap.h"

static void data_paths(const char *program)
{
    char directory[] = "/tmp/sluice-data-XXXXXX", file[64];
    char *own = sl_install_directory(), *resolved = realpath(program, NULL);
    char *slash = resolved ? strrchr(resolved, '/') : NULL;
    if (slash)
        *slash = 0;
    ok(own && resolved && !strcmp(own, resolved), "the code's directory is that of the program");
    free(own);
    free(resolved);
    if (!mkdtemp(directory))
        abort();
    snprintf(file, sizeof file, "%s/present", directory);
    fclose(fopen(file, "w"));
    setenv("SLUICE_DATA", directory, 1);
    char *path = sl_data_path("present"), *none = sl_data_path("absent");
    ok(path && !strcmp(path, file), "SLUICE_DATA has the file: %s", path ? path : "NULL");
    ok(!none, "a file that is not there has no path");
    free(path);
    unsetenv("SLUICE_DATA");
    ok(!sl_data_path("no/such/file"), "nor has one that is in no data directory");
    unlink(file);
    rmdir(directory);
}

static unsigned entries(const char *directory)
{
    unsigned n = 0;
    DIR *d = opendir(directory);
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

static void temporary_files(void)
{
    char directory[] = "/tmp/sluice-files-XXXXXX";
    enum { SIZE = 100000 };
    static uint8_t plain[SIZE], read[SIZE];
    uint64_t random = 5;
    if (!mkdtemp(directory))
        abort();
    unsigned before = entries(directory);
    int file = sl_nameless_file(directory);
    struct stat info;
    bool same = file >= 0;
    ok(same && entries(directory) == before, "a temporary file has no name");
    ok(!fstat(file, &info) && (info.st_mode & 0777) == 0600, "and is for its owner alone");
    for (unsigned i = 0; i < 200; i++) { /* any pieces, anywhere, as in memory */
        size_t at = sl_random_below(&random, SIZE), n = sl_random_below(&random, SIZE - at);
        memset(plain + at, (int)i, n);
        same &= sl_file_write(file, at, plain + at, n);
    }
    same &= sl_file_write(file, SIZE - 1, plain + SIZE - 1, 1) && sl_file_read(file, 0, read, SIZE);
    ok(same && !memcmp(plain, read, SIZE), "what was written at any offset is read again");
    ok(!sl_file_read(file, SIZE - 5, read, 6), "reading beyond the end fails");
    close(file);
    ok(!sl_file_write(file, 0, plain, 1), "so does writing to a closed file");
    rmdir(directory);
    ok(sl_nameless_file(directory) < 0, "a directory that is not there has no files");
}

static void resources(void)
{
    double thread = sl_thread_seconds();
    struct timespec pause = {.tv_nsec = 20000000};
    nanosleep(&pause, NULL);
    ok(sl_thread_seconds() - thread < 0.02, "a thread that sleeps uses no CPU time");
    volatile unsigned work = 0;
    while (sl_thread_seconds() - thread < 0.02)
        work++;
    uint64_t memory = sl_free_memory(), pages = (uint64_t)sysconf(_SC_PHYS_PAGES);
    ok(memory > 0 && memory <= pages * (uint64_t)sysconf(_SC_PAGESIZE),
       "available memory is not more than there is");
    ok(sl_random_key() != sl_random_key(), "two random keys differ");
}

static void failures(void)
{
    struct sl_failure f;
    ok(sl_fail(&f, SL_EFORMAT, "%s %d", "byte", 7) == SL_EFORMAT && f.code == SL_EFORMAT &&
           !strcmp(f.text, "byte 7") && !f.setting,
       "a failure has its code and its message");
    ok(sl_fail_setting(&f, "level", "no") == SL_EUSAGE && !strcmp(f.setting, "level"),
       "a setting's failure names the setting");
    errno = ENOENT;
    ok(sl_fail_errno(&f, SL_EIO, "cannot open %s", "x") == SL_EIO &&
           !strcmp(f.text, "cannot open x: No such file or directory"),
       "a system's failure ends with the system's message: %s", f.text);
    ok(sl_out_of_memory(&f) == SL_ENOMEM && !strcmp(f.text, "out of memory"), "out of memory");
    ok(sl_fail(NULL, SL_EIO, "x") == SL_EIO && sl_out_of_memory(NULL) == SL_ENOMEM,
       "a failure may have no place for its message");
    char text[2 * sizeof f.text];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = 0;
    sl_fail(&f, SL_EIO, "%s", text);
    ok(strlen(f.text) == sizeof f.text - 1, "a message that is too long is cut");
}

int main(int argc, char **argv)
{
    (void)argc;
    data_paths(argv[0]);
    temporary_files();
    resources();
    failures();
    return done_testing();
}
