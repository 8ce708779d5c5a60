/* SPDX-License-Identifier: MIT */
/* Plots of a result page of `sluice lab`: writes a gnuplot script that plots the rows of a query,
 * and runs the script to create an SVG file and a PNG file. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab_page.h"

static const struct {
    const char *ending, *terminal;
} plots[] = {
    {"svg", "svg size 840,480 dynamic background rgb 'white' font 'sans-serif,13'"},
    {"png", "pngcairo size 1260,720 background rgb 'white' font 'sans-serif,13' fontscale 1.2"},
};

/* Writes a string for gnuplot in single quotes, in which only the quote itself is special. */
static void put_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++)
        fprintf(out, "%s%c", *text == '\'' ? "'" : "", *text);
    fputc('\'', out);
}

/* File names are relative, so that a plot does not contain the directory. `reset` clears the
 * settings that the commands made for the previous format. */
static void write_script(const char *path, const struct lab_page *page, const char *name,
                         const char *title, const char *commands)
{
    char *text = NULL;
    size_t size;
    FILE *out = lab_check_alloc(open_memstream(&text, &size));
    for (size_t i = 0; i < sizeof plots / sizeof *plots; i++) {
        fprintf(out, "reset\nset datafile separator ','\nset datafile missing ''\n"
                     "set key outside right top autotitle columnhead\nset grid lc rgb '#dddddd'\n"
                     "set border 3\nset tics nomirror\nset title ");
        put_quoted(out, title);
        fprintf(out,
                "\ndata = '%s-%s.csv'\nset terminal %s\nset output '%s-%s.%s'\n%s\n"
                "unset output\n",
                page->name, name, plots[i].terminal, page->name, name, plots[i].ending, commands);
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
    struct lab_output output = lab_spawn(argv, page->lab->directory, page->lab->size);
    remove(script);
    if (output.status && output.status != 127)
        lab_output_failure(argv, &output, &f), lab_page_fail(page, "%s", f.text);
    if (output.status)
        fprintf(page->out, "*%s: no plot, because gnuplot is not installed*\n", title);
    else
        fprintf(page->out, "![%s](%s-%s.svg)\n\n*%s*\n", title, page->name, name, title);
}
