/* Files and text that the lab needs here and there. */
#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"
#include "lab_inside.h"

char *lab_format(const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    return text;
}

int lab_make_directory(const char *path, struct sl_failure *f)
{
    char *copy = strdup(path);
    if (!copy)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    int failed = 0;
    for (char *slash = strchr(copy + 1, '/'); slash && !failed; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        failed = mkdir(copy, 0777) && errno != EEXIST;
        *slash = '/';
    }
    failed = failed || (mkdir(copy, 0777) && errno != EEXIST);
    free(copy);
    return failed ? sl_fail_errno(f, SL_EIO, "%s cannot be made", path) : 0;
}

FILE *lab_fresh(const char *path, struct lab_fresh *file)
{
    file->name = lab_format("%s.%ld.new", path, (long)getpid());
    file->out = file->name ? fopen(file->name, "we") : NULL;
    if (!file->out) {
        free(file->name);
        file->name = NULL;
    }
    return file->out;
}

int lab_replace(struct lab_fresh *file, const char *path, bool whole, struct sl_failure *f)
{
    int error = 0;
    bool failed = ferror(file->out);
    failed |= fclose(file->out) != 0;
    if (failed && whole)
        error = sl_fail_errno(f, SL_EIO, "%s cannot be written", path);
    else if (whole && rename(file->name, path))
        error = sl_fail_errno(f, SL_EIO, "%s cannot be replaced", path);
    if (!whole || error < 0)
        remove(file->name);
    free(file->name);
    return error;
}

static int remove_one(const char *path, const struct stat *unused, int kind, struct FTW *place)
{
    (void)unused, (void)kind, (void)place;
    return remove(path);
}

int lab_remove_tree(const char *path)
{
    return access(path, F_OK) ? 0 : nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

char *lab_read_file(const char *path, struct sl_failure *f)
{
    struct stat facts;
    FILE *file = fopen(path, "re");
    if (!file || fstat(fileno(file), &facts)) {
        sl_fail_errno(f, SL_EIO, "%s cannot be read", path);
        if (file)
            fclose(file);
        return NULL;
    }
    size_t size = (size_t)facts.st_size;
    char *text = malloc(size + 1);
    if (!text) {
        sl_fail(f, SL_ENOMEM, "out of memory");
    } else if (fread(text, 1, size, file) != size) {
        sl_fail(f, SL_EIO, "%s cannot be read to its end", path);
        free(text);
        text = NULL;
    } else {
        text[size] = '\0';
    }
    fclose(file);
    return text;
}
