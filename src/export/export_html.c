/* The report as one page for a browser: a table for each profile, with nothing that comes
 * from elsewhere. A click on the head of a column sorts by it, once more the other way.
 *
 * Without -n each table has the first ENTRIES entries: a browser is slow with more rows than
 * anybody reads, and the database has the rest. */
#include <inttypes.h>
#include <stdlib.h>

#include "entry_view.h"
#include "exporter.h"
#include "utf8.h"
#include "wording.h"

#define ENTRIES 1000

static const char page_begin[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<style>\n"
    "body { font: 14px/1.4 system-ui, sans-serif; margin: 2em; color: #222; background: #fff }\n"
    "h1 { font-size: 1.3em } h2 { font-size: 1.1em; margin-top: 2em }\n"
    "table { border-collapse: collapse; font-family: ui-monospace, monospace; font-size: 13px }\n"
    "th { text-align: left; cursor: pointer; border-bottom: 1px solid #888 }\n"
    "th, td { padding: 1px 12px 1px 0; white-space: nowrap; vertical-align: top }\n"
    ".n { text-align: right } tr:hover td { background: #eef } .note { color: #a00 }\n"
    "</style>\n";

/* Numbers are compared by what they are, in data-v where they are shown with commas. */
static const char page_end[] =
    "<script>\n"
    "document.querySelectorAll('th').forEach(th => th.addEventListener('click', () => {\n"
    "  const body = th.closest('table').tBodies[0], at = th.cellIndex;\n"
    "  const value = row => row.cells[at].dataset.v ?? row.cells[at].textContent;\n"
    "  const up = th.dataset.up = th.dataset.up === '1' ? '0' : '1';\n"
    "  const compare = (a, b) => value(a).localeCompare(value(b), 'en', {numeric: true});\n"
    "  const rows = [...body.rows].sort((a, b) => up === '1' ? compare(a, b) : compare(b, a));\n"
    "  body.append(...rows);\n"
    "}));\n"
    "</script>\n</body>\n</html>\n";

struct writing {
    const struct sl_saved_profile *profile;
    struct sl_entry_view *view;
    FILE *out;
    struct sl_failure *f;
};

/* False when memory ran out. */
static bool print_text(const char *text, FILE *out)
{
    char *clean = sl_utf8_printable(text ? text : "");
    for (const char *c = clean; c && *c; c++)
        switch (*c) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: putc(*c, out);
        }
    free(clean);
    return clean;
}

/* A cell; frees the text, which may be NULL for an empty one. */
static bool print_own(char *text, FILE *out)
{
    fputs("<td>", out);
    bool printed = print_text(text, out);
    free(text);
    return printed;
}

/* What the entry has besides its place. */
static bool print_second(const struct writing *w, const struct sl_saved_entry *entry)
{
    char *cell[SL_ENTRY_CELLS];
    size_t n = sl_entry_cells(w->view, entry, cell);
    bool printed = true;
    for (size_t i = 0; i < n; i++)
        printed = print_own(cell[i], w->out) && printed;
    return printed;
}

static int print_entry(void *context, const struct sl_saved_entry *entry)
{
    const struct writing *w = context;
    char grouped[SL_WORDING_ROOM];
    double weight = (double)w->profile->weight;
    double share = w->profile->weight ? 100.0 * (double)entry->count / weight : 0;
    int result = sl_entry_view_look(w->view, entry, w->f);
    if (result)
        return result;
    fprintf(w->out, "<tr><td class=n data-v=%" PRIu64 ">%s<td class=n>%.2f%%", entry->count,
            sl_wording_number(entry->count, grouped), share);
    bool printed = print_own(sl_entry_symbol(w->profile, entry), w->out) &&
                   print_own(sl_saved_line(&entry->at), w->out) && print_second(w, entry);
    putc('\n', w->out);
    return printed ? 0 : sl_report_no_memory(w->f);
}

static int print_profile(struct sl_database *database, const struct sl_saved_profile *profile,
                         uint64_t n, FILE *out, struct sl_failure *f)
{
    struct sl_entry_view view;
    struct writing w = {profile, &view, out, f};
    const char *second[SL_ENTRY_CELLS];
    char heading[128], saved[SL_WORDING_ROOM], distinct[SL_WORDING_ROOM];
    sl_wording_heading(profile, heading, sizeof heading);
    fputs("<h2>", out);
    bool printed = print_text(heading, out);
    fputs("</h2>\n<p>", out);
    printed = printed && print_text(profile->spec, out);
    uint64_t shown = n < profile->saved ? n : profile->saved;
    fprintf(out, "; %s of %s %s</p>\n", sl_wording_number(shown, saved),
            sl_wording_number(profile->distinct, distinct), sl_wording_entries(profile,
                                                                               profile->distinct));
    fprintf(out, "<table>\n<thead><tr><th>%s<th>share<th>where<th>line", profile->metric->units);
    size_t n_second = sl_entry_headings(profile, second);
    for (size_t i = 0; i < n_second; i++)
        fprintf(out, "<th>%s", second[i]);
    fputs("</thead>\n<tbody>\n", out);
    int result = sl_entry_view_open(&view, database, profile, f);
    if (!result)
        result = printed ? sl_saved_entries(database, profile, n, print_entry, &w, f)
                         : sl_report_no_memory(f);
    sl_entry_view_close(&view);
    fputs("</tbody>\n</table>\n", out);
    return result;
}

/* What ran, and what is to be read before the figures. */
static bool print_head(const struct sl_database *database, const struct sl_notes *notes, FILE *out)
{
    char grouped[SL_WORDING_ROOM];
    const char *name = database->program.path ? database->program.path : "a stream without a program";
    bool printed = true;
    fputs(page_begin, out);
    fputs("<title>", out);
    printed = print_text(name, out);
    fputs("</title>\n</head>\n<body>\n<h1>", out);
    for (size_t i = 0; i < database->program.argc && printed; i++) {
        fputs(i ? " " : "", out);
        printed = print_text(database->program.argv[i], out);
    }
    if (!database->program.argc)
        printed = printed && print_text(name, out);
    fprintf(out, "</h1>\n<p>%s instructions</p>\n",
            sl_wording_number(database->program.instructions, grouped));
    for (size_t i = 0; i < notes->n && printed; i++) {
        fputs("<p class=note>", out);
        printed = print_text(notes->note[i], out);
        fputs("</p>\n", out);
    }
    return printed;
}

static int write_html(struct sl_database *database, const struct sl_report_config *config,
                      FILE *out, struct sl_failure *f)
{
    struct sl_notes notes;
    int result = sl_notes_collect(&notes, database, f);
    if (result)
        return result;
    if (!print_head(database, &notes, out))
        result = sl_report_no_memory(f);
    for (size_t i = 0; i < database->profiles.n && !result; i++)
        result = print_profile(database, &database->profiles.profile[i],
                               config->n ? config->n : ENTRIES, out, f);
    fputs(page_end, out);
    sl_notes_free(&notes);
    return result;
}

const struct sl_exporter sl_html_exporter = {
    .name = "html",
    .summary = "one page for a browser, with tables that can be sorted",
    .write = write_html,
};
