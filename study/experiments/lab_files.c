/* SPDX-License-Identifier: MIT */
/* Helper functions of `sluice lab`: they report fatal errors, format text, and read and write whole
 * files. */
#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data_path.h"
#include "lab_internal.h"

static _Noreturn void die(int status, const char *format, va_list arguments)
{
    char *text;
    sl_print_line(stderr, "sluice: %s", vasprintf(&text, format, arguments) < 0 ? format : text);
    exit(status);
}

void lab_die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    die(EXIT_LAB, format, arguments);
}

void lab_die_usage(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    die(EXIT_USAGE, format, arguments);
}

void lab_die_failure(const struct sl_failure *f)
{
    sl_print_line(stderr, "sluice: %s", f->text);
    exit(f->code == SL_EUSAGE ? EXIT_USAGE : f->code == SL_ENOTFOUND ? EXIT_NOT_FOUND : EXIT_LAB);
}

void *lab_check_alloc(void *memory)
{
    if (!memory)
        lab_die("out of memory");
    return memory;
}

char *lab_format(const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    return lab_check_alloc(text);
}

void lab_make_directory(const char *path)
{
    char *copy = lab_format("%s/", path);
    for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy, 0777) && errno != EEXIST)
            lab_die("cannot create directory %s: %s", path, strerror(errno));
        *slash = '/';
    }
    struct stat facts;
    if (stat(copy, &facts))
        lab_die("cannot create directory %s: %s", path, strerror(errno));
    free(copy);
}

void lab_write_file(const char *path, const char *text, size_t size)
{
    char *temporary = lab_format("%s.%ld.new", path, (long)getpid());
    FILE *out = fopen(temporary, "we");
    bool written = out && fwrite(text, 1, size, out) == size;
    if ((out && fclose(out)) || !written || rename(temporary, path)) {
        int why = errno;
        remove(temporary);
        lab_die("cannot write %s: %s", path, strerror(why));
    }
    free(temporary);
}

static int remove_one(const char *path, const struct stat *unused, int kind, struct FTW *position)
{
    (void)unused, (void)kind, (void)position;
    return remove(path);
}

void lab_remove_tree(const char *path)
{
    if (!access(path, F_OK))
        nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

char *lab_read_file(const char *path)
{
    struct stat facts;
    FILE *file = fopen(path, "re");
    if (!file || fstat(fileno(file), &facts))
        lab_die("cannot read %s: %s", path, strerror(errno));
    size_t size = (size_t)facts.st_size;
    char *text = lab_check_alloc(malloc(size + 1));
    if (fread(text, 1, size, file) != size)
        lab_die("cannot read all of %s", path);
    text[size] = '\0';
    fclose(file);
    return text;
}

char *lab_read_data_file(const char *name)
{
    char *relative = lab_format("lab/%s", name), *path = sl_data_path(relative);
    if (!path)
        lab_die("sluice's data file %s is missing: install sluice again", relative);
    char *text = lab_read_file(path);
    free(relative);
    free(path);
    return text;
}
