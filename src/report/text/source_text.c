/* SPDX-License-Identifier: MIT */
/* Cache of the source files of a listing (source_text.h). Files are found by linear search,
 * because a listing shows few files. Files of 64 MiB and more are not read. */
#include "source_text.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grow.h"
#include "utf8.h"

#define FILE_MAX (64 << 20)
#define TAB 8

/* Reads regular files only: opening a device or a pipe can block or have effects. */
static char *read_file(const char *path, size_t *size)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *bytes = NULL;
    *size = 0;
    if (fd >= 0 && !fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_size < FILE_MAX &&
        (bytes = malloc((size_t)status.st_size + 1))) {
        ssize_t n;
        while (*size < (size_t)status.st_size &&
               (n = read(fd, bytes + *size, (size_t)status.st_size - *size)) > 0)
            *size += (size_t)n;
        bytes[*size] = '\0';
    }
    if (fd >= 0)
        close(fd);
    return bytes;
}

static struct sl_source_text *text_of(struct sl_source_texts *texts, const char *path)
{
    for (size_t i = 0; i < texts->n; i++)
        if (!strcmp(texts->text[i].path, path))
            return &texts->text[i];
    if (!SL_GROW(texts->text, texts->capacity, texts->n + 1))
        return NULL;
    struct sl_source_text *text = &texts->text[texts->n++];
    size_t size;
    *text = (struct sl_source_text){.path = path, .bytes = read_file(path, &size)};
    for (char *at = text->bytes, *end = at + size; at && at < end;) {
        if (!SL_GROW(text->line, text->capacity, text->n + 1))
            break;
        text->line[text->n++] = at;
        char *stop = memchr(at, '\n', (size_t)(end - at));
        at = stop ? stop + 1 : NULL;
        if (stop)
            *stop = '\0';
    }
    return text;
}

static char *without_tabs(const char *line)
{
    char *out = malloc(strlen(line) * TAB + 1);
    size_t n = 0;
    for (; out && *line && *line != '\r'; line++)
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

char *sl_source_text_line(struct sl_source_texts *texts, const char *path, int line)
{
    const struct sl_source_text *text = text_of(texts, path);
    return text && line > 0 && (size_t)line <= text->n
               ? sl_own_printable(without_tabs(text->line[line - 1]))
               : NULL;
}

void sl_source_texts_free(struct sl_source_texts *texts)
{
    for (size_t i = 0; i < texts->n; i++) {
        free(texts->text[i].bytes);
        free(texts->text[i].line);
    }
    free(texts->text);
    *texts = (struct sl_source_texts){0};
}
