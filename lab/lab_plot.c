/* Pictures, by gnuplot. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "failure.h"
#include "lab_page.h"

static char *file_of(const struct lab_page *page, const char *name, const char *ending)
{
    return lab_format("%s/%s-%s.%s", page->lab->directory, page->name, name, ending);
}

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

void lab_plot(struct lab_page *page, const char *name, const char *title, const char *commands)
{
    if (draw(page, name, title, commands))
        fprintf(page->out, "![%s](%s-%s.svg)\n\n*%s*\n", title, page->name, name, title);
    else if (page->error >= 0)
        fprintf(page->out, "*%s: gnuplot is not installed, so there is no picture*\n", title);
}
