/* Data as comma-separated values, and pictures of them by gnuplot. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "failure.h"
#include "lab_page.h"

static char *file_of(const struct lab_page *page, const char *name, const char *ending)
{
    return lab_format("%s/%s-%s.%s", page->lab->directory, page->name, name, ending);
}

static void put_field(FILE *out, const char *text, size_t n)
{
    if (!memchr(text, ',', n) && !memchr(text, '"', n) && !memchr(text, '\n', n)) {
        fwrite(text, 1, n, out);
        return;
    }
    fputc('"', out);
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '"')
            fputc('"', out);
        fputc(text[i], out);
    }
    fputc('"', out);
}

/* The heading's columns, or the query's own names for them. */
static void put_names(FILE *out, sqlite3_stmt *rows, const char *heading)
{
    for (int i = 0; i < sqlite3_column_count(rows); i++) {
        const char *name = sqlite3_column_name(rows, i);
        size_t n = strlen(name);
        if (heading) {
            heading += strspn(heading, " <");
            name = heading;
            n = strcspn(heading, "|");
            heading += n + (heading[n] == '|');
            while (n && name[n - 1] == ' ')
                n--;
        }
        if (i)
            fputc(',', out);
        put_field(out, name, n);
    }
    fputc('\n', out);
}

void lab_csv(struct lab_page *page, const char *name, sqlite3_stmt *rows, const char *heading)
{
    char *path = file_of(page, name, "csv");
    struct lab_fresh file;
    FILE *out = path ? lab_fresh(path, &file) : NULL;
    if (!out) {
        page->error = sl_fail_errno(page->f, SL_EIO, "%s cannot be written", path ? path : name);
        free(path);
        return;
    }
    put_names(out, rows, heading);
    int rc;
    while ((rc = sqlite3_step(rows)) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(rows); i++) {
            const char *text = (const char *)sqlite3_column_text(rows, i);
            if (i)
                fputc(',', out);
            put_field(out, text ? text : "", text ? strlen(text) : 0);
        }
        fputc('\n', out);
    }
    if (rc != SQLITE_DONE)
        lab_page_fail(page, name);
    int error = lab_replace(&file, path, rc == SQLITE_DONE, page->f);
    page->error = page->error < 0 ? page->error : error;
    free(path);
}

/* ---- pictures ------------------------------------------------------------------------------ */

static const struct {
    const char *ending, *terminal;
} pictures[] = {
    {"svg", "svg size 840,480 dynamic background rgb 'white' font 'sans-serif,13'"},
    {"png", "pngcairo size 1260,720 background rgb 'white' font 'sans-serif,13' fontscale 1.2"},
};

/* In the quotes of gnuplot in which nothing but these has a meaning. */
static void put_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

static bool write_script(const char *path, const struct lab_page *page, const char *name,
                         const char *title, const char *commands)
{
    FILE *out = fopen(path, "we");
    if (!out)
        return false;
    /* Relative names: the picture has no word of where it was made. Each begins afresh: what
     * the commands have set is not there for the next. */
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        fprintf(out, "reset\nset datafile separator ','\nset datafile missing ''\n"
                "set key outside right top autotitle columnhead\nset grid lc rgb '#dddddd'\n"
                "set border 3\nset tics nomirror\nset title ");
        put_quoted(out, title);
        fprintf(out, "\ndata = '%s-%s.csv'\nset terminal %s\nset output '%s-%s.%s'\n%s\n"
                "unset output\n", page->name, name, pictures[i].terminal, page->name, name,
                pictures[i].ending, commands);
    }
    return !fclose(out);
}

static bool draw(struct lab_page *page, const char *name, const char *title,
                 const char *commands)
{
    const char *argv[] = {"gnuplot", NULL, NULL};
    char ending[40];
    snprintf(ending, sizeof ending, "%ld.gnuplot", (long)getpid());
    char *script = file_of(page, name, ending);
    struct lab_said said = {0};
    argv[1] = script;
    if (!script || !write_script(script, page, name, title, commands))
        page->error = sl_fail_errno(page->f, SL_EIO, "%s cannot be written", script ? script : name);
    else if (lab_spawn(argv, page->lab->directory, page->lab->config->size, &said, page->f) < 0)
        page->error = page->f->code;
    else if (said.status && said.status != 127)
        page->error = lab_said_why(argv, &said, page->f);
    bool drawn = page->error >= 0 && !said.status;
    if (script)
        remove(script);
    lab_said_free(&said);
    free(script);
    return drawn;
}

/* Of data without a number gnuplot would complain. The first column may be names. */
static bool has_numbers(sqlite3_stmt *rows)
{
    while (sqlite3_step(rows) == SQLITE_ROW)
        for (int i = 1; i < sqlite3_column_count(rows); i++)
            if (sqlite3_column_type(rows, i) == SQLITE_INTEGER ||
                sqlite3_column_type(rows, i) == SQLITE_FLOAT)
                return true;
    return false;
}

void lab_plot(struct lab_page *page, const char *name, const char *title, char *commands,
                 const char *query)
{
    sqlite3_stmt *rows = NULL;
    if (sqlite3_prepare_v2(page->store, query, -1, &rows, NULL) != SQLITE_OK) {
        lab_page_fail(page, query);
        return;
    }
    lab_csv(page, name, rows, NULL);
    sqlite3_reset(rows);
    bool empty = !has_numbers(rows);
    sqlite3_finalize(rows);
    if (page->error < 0)
        return;
    if (empty)
        fprintf(page->out, "*%s: there is nothing to draw.*\n", title);
    else if (draw(page, name, title, commands))
        fprintf(page->out, "![%s](%s-%s.svg)\n\n*%s* ([data](%s-%s.csv))\n", title, page->name,
                name, title, page->name, name);
    else if (page->error >= 0)
        fprintf(page->out, "*%s: gnuplot is not installed, so there is no picture* "
                "([data](%s-%s.csv))\n", title, page->name, name);
}
