/* SPDX-License-Identifier: MIT */
/* Cache of the source files of a listing (source_text.h). Files are found by linear search,
 * because a listing shows few files. A file is checked through a descriptor that cannot read
 * (O_PATH), and then opened by that descriptor, so that it cannot be exchanged in between. */
#include "source_text.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grow.h"
#include "utf8.h"

#define BYTES_MAX (64u << 20)
#define LINE_MAX_BYTES 4096u
#define TAB 8
#define INDEXED 64u /* lines */

struct sl_source_texts sl_source_texts_of(const struct sl_report_config *config)
{
    return (struct sl_source_texts){
        .directory = config->source, .n_directories = config->n_sources, .none = config->no_source};
}

/* The part of the path below the directory, from its first '/'; NULL: it is not below. */
static const char *below(const char *path, const char *directory)
{
    size_t n = directory[1] ? strlen(directory) : 0;
    return !strncmp(path, directory, n) && path[n] == '/' ? path + n : NULL;
}

static bool may_be_above(const char *directory)
{
    const char *home = getenv("HOME");
    struct stat status;
    return *directory && (!home || strcmp(directory, home) != 0) && !stat(directory, &status) &&
           status.st_uid == geteuid() && !(status.st_mode & S_IWOTH);
}

/* The highest directory of the current project; "/" is none. */
static char *find_project(void)
{
    const char *home = getenv("HOME");
    char *project = realpath(".", NULL), *slash = NULL;
    while (project && (!home || strcmp(project, home) != 0)) {
        *(slash = strrchr(project, '/')) = '\0';
        if (!may_be_above(project)) {
            *slash = '/';
            break;
        }
    }
    return project;
}

static bool is_allowed(struct sl_source_texts *texts, const char *path, const struct stat *status)
{
    for (size_t i = 0; i < texts->n_directories; i++) {
        char *directory = realpath(texts->directory[i], NULL);
        bool is = directory && below(path, directory);
        free(directory);
        if (is)
            return true;
    }
    if (below(path, "/usr") && status->st_mode & S_IROTH)
        return true;
    texts->project = texts->project ? texts->project : find_project();
    const char *rest = texts->project && texts->project[1] ? below(path, texts->project) : NULL;
    return rest && !strstr(rest, "/.");
}

/* Returns a descriptor that reads the file, or -1 and sets *why. */
static int open_source(struct sl_source_texts *texts, const char *path, struct stat *status,
                       const char **why)
{
    char link[64], real[PATH_MAX];
    int fd = -1, found = open(path, O_PATH | O_CLOEXEC);
    snprintf(link, sizeof link, "/proc/self/fd/%d", found);
    ssize_t n = found >= 0 ? readlink(link, real, sizeof real - 1) : -1;
    if (n > 0 && !fstat(found, status) && S_ISREG(status->st_mode)) {
        real[n] = '\0';
        if (is_allowed(texts, real, status))
            fd = open(link, O_RDONLY | O_CLOEXEC);
        else
            *why = "not read: it is outside of the current project and of the source directories";
    }
    close(found);
    return fd;
}

static void read_file(struct sl_source_text *text, int fd, size_t size)
{
    ssize_t n;
    text->bytes = malloc(size + 1);
    while (text->bytes && text->size < size &&
           (n = read(fd, text->bytes + text->size, size - text->size)) > 0)
        text->size += (size_t)n;
    for (size_t at = 0; text->bytes && at < text->size; text->n_lines++) {
        if (text->n_lines % INDEXED == 0) {
            if (!SL_GROW(text->line, text->capacity, text->n + 1))
                return;
            text->line[text->n++] = at;
        }
        const char *stop = memchr(text->bytes + at, '\n', text->size - at);
        at = stop ? (size_t)(stop - text->bytes) + 1 : text->size;
    }
}

/* Index + 1 of the text of an opened file, which is read if it is new; 0: it cannot be read. */
static size_t add_text(struct sl_source_texts *texts, int fd, const struct stat *status,
                       const char **why)
{
    size_t i = 0, size = (size_t)status->st_size;
    while (i < texts->n_texts &&
           (texts->text[i].device != status->st_dev || texts->text[i].inode != status->st_ino))
        i++;
    if (i < texts->n_texts)
        return i + 1;
    if (status->st_size > BYTES_MAX || texts->bytes + size > BYTES_MAX) {
        *why = "not read: the source files have more than 64 MiB";
        return 0;
    }
    if (!SL_GROW(texts->text, texts->texts_capacity, texts->n_texts + 1))
        return 0;
    texts->text[i] = (struct sl_source_text){.device = status->st_dev, .inode = status->st_ino};
    read_file(&texts->text[texts->n_texts++], fd, size);
    texts->bytes += size;
    return i + 1;
}

static const struct sl_source_path *find(struct sl_source_texts *texts, const char *name)
{
    for (size_t i = 0; i < texts->n; i++)
        if (!strcmp(texts->path[i].path, name))
            return &texts->path[i];
    if (!SL_GROW(texts->path, texts->capacity, texts->n + 1))
        return NULL;
    struct sl_source_path *path = &texts->path[texts->n++];
    struct stat status;
    *path = (struct sl_source_path){.path = name, .why = texts->none ? "not read" : NULL};
    int fd = texts->none ? -1 : open_source(texts, name, &status, &path->why);
    if (fd >= 0) {
        path->file = add_text(texts, fd, &status, &path->why);
        close(fd);
    }
    return path;
}

static char *without_tabs(const char *line, size_t size)
{
    char *out = malloc(size * TAB + 1);
    size_t n = 0;
    for (const char *end = line + size; out && line < end && *line && *line != '\r'; line++)
        if (*line != '\t')
            out[n++] = *line;
        else
            do
                out[n++] = ' ';
            while (n % TAB);
    if (out)
        out[n] = '\0';
    return out;
}

char *sl_source_text_line(struct sl_source_texts *texts, const char *name, int line)
{
    const struct sl_source_path *path = find(texts, name);
    const struct sl_source_text *text = path && path->file ? &texts->text[path->file - 1] : NULL;
    if (!text || line < 1 || (size_t)line > text->n_lines)
        return NULL;
    const char *at = text->bytes + text->line[((unsigned)line - 1) / INDEXED];
    const char *end = text->bytes + text->size;
    for (unsigned i = ((unsigned)line - 1) % INDEXED; i; i--)
        at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    size_t size = (size_t)((stop ? stop : end) - at);
    return sl_own_printable(without_tabs(at, size < LINE_MAX_BYTES ? size : LINE_MAX_BYTES));
}

const char *sl_source_text_missing(struct sl_source_texts *texts, const char *name)
{
    const struct sl_source_path *path = find(texts, name);
    return path && path->file ? NULL : path && path->why ? path->why : "not found";
}

void sl_source_texts_free(struct sl_source_texts *texts)
{
    for (size_t i = 0; i < texts->n_texts; i++) {
        free(texts->text[i].bytes);
        free(texts->text[i].line);
    }
    free(texts->text);
    free(texts->path);
    free(texts->project);
    *texts = (struct sl_source_texts){0};
}
