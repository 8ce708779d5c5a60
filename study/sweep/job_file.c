/* SPDX-License-Identifier: MIT */
/* Reader and writer of job files, which describe a job as lines of text. A job file appears under
 * its name only when it is complete, so that no other process reads an unfinished file. */
#include "job_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clocks.h"
#include "failure.h"
#include "file_hash.h"
#include "replacement.h"
#include "utf8.h"

#define LINE_CAPACITY (4 << 20) /* of a job file; a longer line is damage */

static const char head[] = "sluice job 1 " SL_VERSION;

/* ---- lines ---- */

void sl_job_begin(struct sl_job_text *t)
{
    *t = (struct sl_job_text){0};
    if ((t->out = open_memstream(&t->text, &t->size)))
        fprintf(t->out, "%s\n", head);
}

void sl_job_put(struct sl_job_text *t, const char *key, const char *value)
{
    if (t->out)
        fprintf(t->out, "%s ", key);
    for (; t->out && *value; value++)
        if (*value == '\n' || *value == '%')
            fputs(*value == '%' ? "%25" : "%0a", t->out);
        else
            putc(*value, t->out);
    if (t->out)
        putc('\n', t->out);
}

/* Decodes in place. */
static void decode(char *text)
{
    char *to = text;
    for (; *text; text++)
        if (*text == '%' && (!strncmp(text, "%25", 3) || !strncmp(text, "%0a", 3))) {
            *to++ = text[1] == '2' ? '%' : '\n';
            text += 2;
        } else {
            *to++ = *text;
        }
    *to = '\0';
}

static char *path_of(const char *directory, const char *kind, size_t number)
{
    return sl_asprintf("%s/%s-%zu", directory, kind, number);
}

static int no_memory(struct sl_failure *f)
{
    return sl_out_of_memory(f);
}

/* Writes a file that appears as a whole or not at all. */
static int write_whole(const char *directory, const char *kind, size_t number, const char *text,
                       size_t size, struct sl_failure *f)
{
    struct sl_replacement r;
    char *path = path_of(directory, kind, number);
    int error = path ? sl_replacement_open(&r, path, f) : no_memory(f);
    if (error >= 0) {
        while (size) {
            ssize_t n = write(r.fd, text, size);
            if (n < 0 && errno == EINTR)
                continue;
            if (n < 0)
                break;
            text += n;
            size -= (size_t)n;
        }
        if (size) {
            error = sl_fail_errno(f, SL_EIO, "cannot write %s", path);
            sl_replacement_abandon(&r);
        } else {
            error = sl_replacement_commit(&r, f);
        }
    }
    free(path);
    return error;
}

int sl_job_write(struct sl_job_text *t, const char *directory, const char *kind, size_t number,
                 struct sl_failure *f)
{
    if (t->out)
        fputs("end 1\n", t->out);
    int error = t->out && !fclose(t->out)
                    ? write_whole(directory, kind, number, t->text, t->size, f)
                    : no_memory(f);
    free(t->text);
    return error;
}

int sl_job_open(struct sl_job_lines *l, const char *directory, const char *kind, size_t number,
                struct sl_failure *f)
{
    char *path = path_of(directory, kind, number);
    *l = (struct sl_job_lines){0};
    if (!path)
        return no_memory(f);
    int error = sl_regular_file_open(&l->file, path, f);
    if (!error && !(l->line = malloc(LINE_CAPACITY)))
        error = no_memory(f);
    if (!error &&
        (!fgets(l->line, LINE_CAPACITY, l->file) || strncmp(l->line, head, strlen(head)) != 0))
        error = sl_fail(f, SL_EFORMAT, "%s is not a job file of this version of sluice", path);
    free(path);
    return error;
}

bool sl_job_next(struct sl_job_lines *l, char **key, char **value)
{
    size_t n = fgets(l->line, LINE_CAPACITY, l->file) ? strlen(l->line) : 0;
    if (!n || l->line[n - 1] != '\n')
        return false;
    l->line[n - 1] = '\0';
    *key = l->line;
    *value = l->line + strcspn(l->line, " ");
    if (**value)
        *(*value)++ = '\0';
    decode(*value);
    return true;
}

void sl_job_close(struct sl_job_lines *l)
{
    if (l->file)
        fclose(l->file);
    free(l->line);
}

/* ---- results ---- */

static void put_figures(struct sl_job_text *t, const struct sl_job_results *figures)
{
    for (size_t i = 0; i < figures->n_labels; i++)
        sl_job_put(t, "label", figures->label[i]);
    for (size_t i = 0; i < figures->n_failures; i++) {
        sl_job_put(t, "failed", figures->failure[i].why);
        fprintf(t->out, "of %u\n", figures->failure[i].of);
    }
    for (size_t i = 0; i < figures->n; i++) {
        const struct sl_job_result *figure = &figures->figure[i];
        if (figure->item)
            sl_job_put(t, "item", figure->item);
        fprintf(t->out, "%u %a %a %s\n", figure->of, figure->value, figure->x, figure->measure);
    }
    fprintf(t->out, "seconds %a\nuseful %a\nelapsed %a\nfigures %zu\n", figures->seconds,
            figures->useful, figures->elapsed, figures->n);
}

static int write_figures(const char *directory, size_t number, const struct sl_job_results *figures,
                         struct sl_failure *f)
{
    struct sl_job_text t;
    sl_job_begin(&t);
    if (t.out)
        put_figures(&t, figures);
    return sl_job_write(&t, directory, "figures", number, f);
}

int sl_job_work(const char *directory, size_t number,
                int (*work)(void *context, struct sl_job_results *out, struct sl_failure *f),
                void *context, struct sl_failure *f)
{
    struct sl_job_results figures = {0};
    struct sl_failure why;
    double begun = sl_clock_seconds();
    int error = write_whole(directory, "began", number, "", 0, f);
    if (error < 0)
        return error;
    error = work(context, &figures, &why);
    if (error >= 0 && figures.out_of_memory)
        error = no_memory(&why);
    figures.seconds = sl_process_seconds();
    figures.elapsed = sl_clock_seconds() - begun;
    if (error >= 0) {
        error = write_figures(directory, number, &figures, f);
    } else {
        char text[sizeof why.text + 16];
        int size = snprintf(text, sizeof text, "%s %s", error == SL_ENOMEM ? "memory" : "other",
                            why.text);
        if (f)
            *f = why;
        write_whole(directory, "failed", number, text, (size_t)size, NULL);
    }
    sl_job_results_free(&figures);
    return error;
}

static bool file_exists(const char *directory, const char *kind, size_t number)
{
    char *path = path_of(directory, kind, number);
    bool is = path && !access(path, R_OK);
    free(path);
    return is;
}

enum sl_job_state sl_job_state_of(const char *directory, size_t number, char *why, size_t capacity,
                                  bool *memory)
{
    static const char for_memory[] = "memory ";
    if (file_exists(directory, "figures", number))
        return SL_JOB_FOUND;
    char *path = path_of(directory, "failed", number);
    FILE *file = NULL;
    if (path)
        sl_regular_file_open(&file, path, NULL);
    free(path);
    if (!file)
        return file_exists(directory, "began", number) ? SL_JOB_BEGUN : SL_JOB_NOTHING;
    char text[1200];
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    *memory = !strncmp(text, for_memory, strlen(for_memory));
    snprintf(why, capacity, "%s", text + strcspn(text, " ") + (strchr(text, ' ') != NULL));
    return SL_JOB_FAILED;
}

/* Adds one line. The item or failure of a measurement is in the line before it. */
static void add_line(struct sl_job_results *figures, const char *key, char *value, char **before)
{
    char *end;
    if (!strcmp(key, "item") || !strcmp(key, "failed")) {
        free(*before);
        *before = strdup(value);
        figures->out_of_memory |= !*before;
    } else if (!strcmp(key, "of")) {
        sl_job_add_failure(figures, strtoull(value, NULL, 10), *before ? *before : "");
        free(*before);
        *before = NULL;
    } else if (!strcmp(key, "label")) {
        sl_job_label(figures, value);
    } else if (!strcmp(key, "seconds")) {
        figures->seconds = strtod(value, NULL);
    } else if (!strcmp(key, "useful")) {
        figures->useful = strtod(value, NULL);
    } else if (!strcmp(key, "elapsed")) {
        figures->elapsed = strtod(value, NULL);
    } else {
        double real = strtod(value, &end), x = strtod(end, &end);
        if (*end == ' ')
            sl_job_add_at(figures, strtoull(key, NULL, 10), end + 1, *before, x, real);
        free(*before);
        *before = NULL;
    }
}

int sl_job_collect(const char *directory, size_t number, struct sl_job_results *figures,
                   struct sl_failure *f)
{
    struct sl_job_lines lines;
    char *key, *value, *before = NULL;
    bool whole = false;
    int error = sl_job_open(&lines, directory, "figures", number, f);
    while (error >= 0 && !whole && sl_job_next(&lines, &key, &value))
        if (!strcmp(key, "figures"))
            whole = strtoull(value, NULL, 10) == figures->n;
        else
            add_line(figures, key, value, &before);
    free(before);
    sl_job_close(&lines);
    if (error >= 0 && figures->out_of_memory)
        error = no_memory(f);
    return error < 0 || whole
               ? error
               : sl_fail(f, SL_EFORMAT, "%s/figures-%zu is incomplete", directory, number);
}

void sl_job_log(const char *directory, size_t number, char *text, size_t capacity)
{
    char *path = path_of(directory, "log", number);
    FILE *file;
    size_t n = 0;
    if (path && !sl_regular_file_open(&file, path, NULL)) {
        if (fseek(file, -(long)(capacity - 1), SEEK_END))
            rewind(file);
        n = fread(text, 1, capacity - 1, file);
        fclose(file);
    }
    while (n && isspace((unsigned char)text[n - 1]))
        n--;
    text[n] = '\0';
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    free(path);
}
