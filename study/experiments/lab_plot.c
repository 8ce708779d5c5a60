/* SPDX-License-Identifier: MIT */
/* Pictures, by gnuplot. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab_page.h"

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
    for (; *text; text++)
        fprintf(out, "%s%c", *text == '\'' ? "'" : "", *text);
    fputc('\'', out);
}

/* Relative names: the picture has no word of where it was made. Each begins afresh: what
 * the commands have set is not there for the next. */
static void write_script(const char *path, const struct lab_page *page, const char *name,
                         const char *title, const char *commands)
{
    char *text = NULL;
    size_t size;
    FILE *out = lab_got(open_memstream(&text, &size));
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        fprintf(out, "reset\nset datafile separator ','\nset datafile missing ''\n"
                     "set key outside right top autotitle columnhead\nset grid lc rgb '#dddddd'\n"
                     "set border 3\nset tics nomirror\nset title ");
        put_quoted(out, title);
        fprintf(out,
                "\ndata = '%s-%s.csv'\nset terminal %s\nset output '%s-%s.%s'\n%s\n"
                "unset output\n",
                page->name, name, pictures[i].terminal, page->name, name, pictures[i].ending,
                commands);
    }
    fclose(out);
    lab_write_file(path, text, size);
    free(text);
}

void lab_plot(struct lab_page *page, const char *name, const char *title, const char *commands)
{
    char *script = lab_format("%s/%s-%s.%ld.gnuplot", page->lab->directory, page->name, name,
                              (long)getpid());
    const char *argv[] = {"gnuplot", script, NULL};
    struct sl_failure f;
    write_script(script, page, name, title, commands);
    struct lab_said said = lab_spawn(argv, page->lab->directory, page->lab->size);
    remove(script);
    if (said.status && said.status != 127)
        lab_said_why(argv, &said, &f), lab_page_fail(page, "%s", f.text);
    if (said.status)
        fprintf(page->out, "*%s: gnuplot is not installed, so there is no picture*\n", title);
    else
        fprintf(page->out, "![%s](%s-%s.svg)\n\n*%s*\n", title, page->name, name, title);
}
