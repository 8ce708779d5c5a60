#include "share_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "failure.h"
#include "grow.h"
#include "replacement.h"
#include "utf8.h"

static const char head[] = "sluice share 1 " SL_VERSION;

/* ---- lines --------------------------------------------------------------- */

static void put_value(FILE *out, const char *value)
{
    for (; *value; value++)
        if (*value == '\n' || *value == '%')
            fputs(*value == '%' ? "%25" : "%0a", out);
        else
            putc(*value, out);
    putc('\n', out);
}

static void put(FILE *out, const char *key, const char *value)
{
    fprintf(out, "%s ", key);
    put_value(out, value);
}

/* In place. */
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
    return sl_own_format("%s/%s-%zu", directory, kind, number);
}

static int no_memory(struct sl_failure *f)
{
    return sl_fail(f, SL_ENOMEM, "out of memory");
}

/* Writes a file that is there as a whole or not at all. */
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

struct lines {
    FILE *file;
    char *line;
    size_t room;
};

/* Opens a file of ours, whose first line is the head. */
static int open_lines(struct lines *l, const char *directory, const char *kind, size_t number,
                      struct sl_failure *f)
{
    char *path = path_of(directory, kind, number);
    *l = (struct lines){0};
    if (!path)
        return no_memory(f);
    int error = 0;
    if (!(l->file = fopen(path, "re")))
        error = sl_fail_errno(f, SL_EIO, "cannot read %s", path);
    else if (getline(&l->line, &l->room, l->file) < 0 || strncmp(l->line, head, strlen(head)))
        error = sl_fail(f, SL_EFORMAT, "%s is not a share of this version's sweeps", path);
    free(path);
    return error;
}

/* The next line: its key, and its value behind a blank. False at the end. */
static bool next_line(struct lines *l, char **key, char **value)
{
    ssize_t n = getline(&l->line, &l->room, l->file);
    if (n <= 0 || l->line[n - 1] != '\n')
        return false;
    l->line[n - 1] = '\0';
    *key = l->line;
    *value = l->line + strcspn(l->line, " ");
    if (**value)
        *(*value)++ = '\0';
    return true;
}

static void close_lines(struct lines *l)
{
    if (l->file)
        fclose(l->file);
    free(l->line);
}

/* ---- what to do ---------------------------------------------------------- */

int sl_share_write(const char *directory, size_t number, const struct sl_share_task *task,
                   struct sl_failure *f)
{
    const struct sl_share *s = &task->share;
    const struct sl_sweep_how *how = s->how;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return no_memory(f);
    fprintf(out, "%s\n", head);
    put(out, "stream", s->stream);
    put(out, "what", task->what);
    put(out, "described", task->described);
    if (s->machine)
        put(out, "machine", s->machine);
    if (how->range)
        put(out, "range", how->range);
    if (how->only)
        put(out, "only", how->only);
    if (how->marked)
        fputs("marked 1\n", out);
    fprintf(out, "skip %llu\nlimit %llu\nexecutions %llu\nshare %a\ncovered %a\n",
            (unsigned long long)how->skip, (unsigned long long)how->limit,
            (unsigned long long)how->error_executions, how->error_share, how->error_covered);
    for (size_t i = 0; i < s->n; i++)
        put(out, "spec", s->spec[i]);
    fputs("end 1\n", out);
    int error = fclose(out) ? no_memory(f) : write_whole(directory, "share", number, text, size, f);
    free(text);
    return error;
}

/* A copy that lives as long as the task; NULL without memory. */
static const char *keep(struct sl_share_task *t, char *value)
{
    decode(value);
    char *copy = SL_GROW(t->text, t->room_texts, t->n_texts + 1) ? strdup(value) : NULL;
    if (copy)
        t->text[t->n_texts++] = copy;
    return copy;
}

/* False without memory. */
static bool take(struct sl_share_task *t, const char *key, char *value)
{
    struct sl_share *s = &t->share;
    const char **spec = (const char **)s->spec;
    uint64_t number = strtoull(value, NULL, 10);
    if (!strcmp(key, "stream"))
        return (s->stream = keep(t, value));
    if (!strcmp(key, "what"))
        return (t->what = keep(t, value));
    if (!strcmp(key, "described"))
        return (t->described = keep(t, value));
    if (!strcmp(key, "machine"))
        return (s->machine = keep(t, value));
    if (!strcmp(key, "range"))
        return (t->how.range = keep(t, value));
    if (!strcmp(key, "only"))
        return (t->how.only = keep(t, value));
    if (!strcmp(key, "spec")) {
        if (!SL_GROW(spec, t->room_specs, s->n + 1))
            return false;
        s->spec = spec;
        return (spec[s->n++] = keep(t, value));
    }
    if (!strcmp(key, "marked"))
        t->how.marked = true;
    else if (!strcmp(key, "skip"))
        t->how.skip = number;
    else if (!strcmp(key, "limit"))
        t->how.limit = number;
    else if (!strcmp(key, "executions"))
        t->how.error_executions = number;
    else if (!strcmp(key, "share"))
        t->how.error_share = strtod(value, NULL);
    else if (!strcmp(key, "covered"))
        t->how.error_covered = strtod(value, NULL);
    return true;
}

int sl_share_read(const char *directory, size_t number, struct sl_share_task *t, struct sl_failure *f)
{
    struct lines lines;
    char *key, *value;
    bool ended = false, room = true;
    *t = (struct sl_share_task){0};
    int error = open_lines(&lines, directory, "share", number, f);
    while (error >= 0 && room && !ended && next_line(&lines, &key, &value)) {
        ended = !strcmp(key, "end");
        room = take(t, key, value);
    }
    close_lines(&lines);
    if (error < 0)
        return error;
    t->share.how = &t->how;
    if (!room)
        return no_memory(f);
    return ended && t->share.n && t->share.stream && t->what && t->described
               ? 0
               : sl_fail(f, SL_EFORMAT, "%s/share-%zu is not whole", directory, number);
}

void sl_share_task_free(struct sl_share_task *t)
{
    for (size_t i = 0; i < t->n_texts; i++)
        free(t->text[i]);
    free(t->text);
    free((void *)t->share.spec);
}

/* ---- what came of it ----------------------------------------------------- */

static int write_figures(const char *directory, size_t number, const struct sl_share_figures *figures,
                         struct sl_failure *f)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return no_memory(f);
    fprintf(out, "%s\n", head);
    for (size_t i = 0; i < figures->n; i++) {
        const struct sl_share_figure *figure = &figures->figure[i];
        fprintf(out, "%u %a %s\n", figure->spec, figure->value, figure->measure);
    }
    for (size_t i = 0; i < figures->n_failures; i++) {
        fprintf(out, "failed %u ", figures->failure[i].spec);
        put_value(out, figures->failure[i].why);
    }
    fprintf(out, "end %zu\n", figures->n);
    int error = fclose(out) ? no_memory(f) : write_whole(directory, "figures", number, text, size, f);
    free(text);
    return error;
}

int sl_share_work(const char *directory, size_t number, struct sl_failure *f)
{
    struct sl_share_task task;
    struct sl_share_figures figures = {0};
    struct sl_failure why;
    int error = sl_share_read(directory, number, &task, f);
    if (error >= 0)
        error = write_whole(directory, "began", number, "", 0, f);
    if (error >= 0) {
        error = sl_share_run(&task.share, &figures, &why);
        if (error >= 0) {
            error = write_figures(directory, number, &figures, f);
        } else {
            char text[sizeof why.text + 16];
            int size = snprintf(text, sizeof text, "%s %s", error == SL_ENOMEM ? "memory" : "other", why.text);
            if (f)
                *f = why;
            write_whole(directory, "failed", number, text, (size_t)size, NULL);
        }
    }
    sl_share_figures_free(&figures);
    sl_share_task_free(&task);
    return error;
}

static bool is_there(const char *directory, const char *kind, size_t number)
{
    char *path = path_of(directory, kind, number);
    bool is = path && !access(path, R_OK);
    free(path);
    return is;
}

enum sl_share_state sl_share_look(const char *directory, size_t number, char *why, size_t room,
                                  bool *memory)
{
    static const char for_memory[] = "memory ";
    if (is_there(directory, "figures", number))
        return SL_SHARE_FOUND;
    char *path = path_of(directory, "failed", number);
    FILE *file = path ? fopen(path, "re") : NULL;
    free(path);
    if (!file)
        return is_there(directory, "began", number) ? SL_SHARE_BEGUN : SL_SHARE_NOTHING;
    char text[1200];
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    *memory = !strncmp(text, for_memory, strlen(for_memory));
    snprintf(why, room, "%s", text + strcspn(text, " ") + (strchr(text, ' ') != NULL));
    return SL_SHARE_FAILED;
}

int sl_share_collect(const char *directory, size_t number, struct sl_share_figures *figures,
                     struct sl_failure *f)
{
    struct lines lines;
    char *key, *value, *end;
    bool whole = false;
    int error = open_lines(&lines, directory, "figures", number, f);
    while (error >= 0 && !whole && next_line(&lines, &key, &value)) {
        if (!strcmp(key, "end")) {
            whole = strtoull(value, NULL, 10) == figures->n;
            break;
        }
        if (!strcmp(key, "failed")) {
            size_t spec = strtoull(value, &end, 10);
            decode(end);
            sl_share_add_failure(figures, spec, *end ? end + 1 : end);
            continue;
        }
        double real = strtod(value, &end);
        if (*end == ' ')
            sl_share_add(figures, strtoull(key, NULL, 10), end + 1, real);
    }
    close_lines(&lines);
    if (error >= 0 && figures->out_of_memory)
        error = no_memory(f);
    return error < 0 || whole ? error
                              : sl_fail(f, SL_EFORMAT, "%s/figures-%zu is not whole", directory, number);
}
