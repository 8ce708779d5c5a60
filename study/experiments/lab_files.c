/* SPDX-License-Identifier: MIT */
/* How the lab ends, and files and text that it needs here and there. */
#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data_path.h"
#include "lab_inside.h"

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

void lab_die_of(const struct sl_failure *f)
{
    sl_print_line(stderr, "sluice: %s", f->text);
    exit(f->code == SL_EUSAGE ? EXIT_USAGE : f->code == SL_ENOTFOUND ? EXIT_NOT_FOUND : EXIT_LAB);
}

void *lab_got(void *memory)
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
    return lab_got(text);
}

void lab_make_directory(const char *path)
{
    char *copy = lab_format("%s/", path);
    for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy, 0777) && errno != EEXIST)
            lab_die("%s cannot be made: %s", path, strerror(errno));
        *slash = '/';
    }
    struct stat facts;
    if (stat(copy, &facts))
        lab_die("%s cannot be made: %s", path, strerror(errno));
    free(copy);
}

void lab_write_file(const char *path, const char *text, size_t size)
{
    char *fresh = lab_format("%s.%ld.new", path, (long)getpid());
    FILE *out = fopen(fresh, "we");
    bool written = out && fwrite(text, 1, size, out) == size;
    if ((out && fclose(out)) || !written || rename(fresh, path)) {
        int why = errno;
        remove(fresh);
        lab_die("%s cannot be written: %s", path, strerror(why));
    }
    free(fresh);
}

static int remove_one(const char *path, const struct stat *unused, int kind, struct FTW *place)
{
    (void)unused, (void)kind, (void)place;
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
        lab_die("%s cannot be read: %s", path, strerror(errno));
    size_t size = (size_t)facts.st_size;
    char *text = lab_got(malloc(size + 1));
    if (fread(text, 1, size, file) != size)
        lab_die("%s cannot be read to its end", path);
    text[size] = '\0';
    fclose(file);
    return text;
}

char *lab_words(const char *name)
{
    char *relative = lab_format("lab/%s", name), *path = sl_data_path(relative);
    if (!path)
        lab_die("%s is not among the files that came with sluice", relative);
    char *words = lab_read_file(path);
    free(relative);
    free(path);
    return words;
}
