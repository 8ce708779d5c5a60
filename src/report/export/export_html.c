/* SPDX-License-Identifier: MIT */
/* Report format `html`: one self-contained page for a browser. When sluice is built, mk/page.sh
 * combines page.html with the style sheet and the scripts of page/assets. A report inserts its data
 * into this page:
 *
 *     <!DOCTYPE html> ... <style> ... <script type="application/json" id="data">
 *     {"program": {...}, "functions": {...}, "flame": {...}, ...}
 *     </script><script> ... </script></body></html>
 *
 * Names of functions and files can contain anything. They occur only in the data (page_stream.c),
 * and the scripts insert them as text, never as markup. The page's security policy allows only the
 * built-in scripts, and no requests. */
#include <inttypes.h>

#include "exporter.h"
#include "page.h"

/* The views, with a limit of bytes for each: 2 MB for a page, less the page itself and parts
 * without a limit. */
static const struct {
    const char *name;
    uint64_t limit;
    void (*write)(struct sl_page *page);
} parts[] = {
    /* clang-format off */
    {"functions", 330000, sl_page_functions},
    {"flame", 0, sl_page_flame},
    {"source", 500000, sl_page_source},
    {"loops", 80000, sl_page_loops},
    {"paths", 80000, sl_page_paths},
    {"values", 100000, sl_page_values},
    {"phases", 100000, sl_page_phases},
    {"tables", 250000, sl_page_tables},
    /* clang-format on */
};

/* Writes the descriptions of machine events, by name. */
static void write_words(struct sl_page *page)
{
    json_t *words = json_object();
    for (size_t i = 0; i < SL_MACHINE_EVENTS && page->database->machine.name; i++)
        sl_json_set(&words, sl_machine_event_names[i].name,
                    sl_page_string(sl_machine_event_names[i].summary));
    sl_page_value(page, ",\n\"words\":", words);
}

static void write_head(struct sl_page *page, const struct sl_warnings *warnings)
{
    struct sl_database *database = page->database;
    const struct sl_output o = {database, page->config, 0, page->out, page->f};
    sl_page_put(page, "{\"program\":");
    sl_page_fail(page, sl_json_program(&database->program, page->out, page->f));
    fprintf(page->out,
            ",\n\"version\":\"" SL_VERSION "\",\"instructions\":%" PRIu64 ",\"blocks\":%" PRIu64
            ",\"loads\":%" PRIu64 ",\n\"machine\":",
            database->program.instructions, database->program.blocks, database->program.loads);
    sl_page_fail(page, sl_json_machine(&database->machine, page->out, page->f));
    sl_page_fail(page, sl_json_other_machines(&o));
    write_words(page);
    sl_page_put(page, ",\n\"warnings\":");
    sl_page_fail(page, sl_json_dump(sl_json_warnings(warnings), page->out, page->f));
    sl_page_fail(page, sl_json_processes(&o));
}

static void write_data(struct sl_page *page, const void *warnings)
{
    write_head(page, warnings);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !page->result; i++) {
        fprintf(page->out, ",\n\"%s\":", parts[i].name);
        fflush(page->out);
        page->limit = page->written + parts[i].limit;
        parts[i].write(page);
    }
    sl_page_put(page, ",\n\"left_out\":");
    sl_page_fail(page, sl_json_dump(sl_json_warnings(&page->left_out), page->out, page->f));
    sl_page_put(page, "}\n");
}

static int write_html(const struct sl_output *o)
{
    struct sl_warnings warnings;
    struct sl_page page = {.database = o->database, .config = o->config, .f = o->f};
    int result = sl_warnings_collect(&warnings, o->database, o->f);
    if (result)
        return result;
    result = sl_page_write(&page, o->out, write_data, &warnings);
    sl_warnings_free(&warnings);
    return result;
}

#define PLAIN "edge@multihash", "value@multihash", "path@multihash"
#define LOOPS "loop:count", "loop(entries=1):count"
#define CONTEXTS "context(nested=1,inlined=1)"
#define CALLS CONTEXTS ":count"
const struct sl_exporter sl_html_exporter = {
    .name = "html",
    .summary = "one page for a browser: flame graph, source, calls, loops, paths, values, tables",
    .default_specs = {SL_SPECS("function", "block:instructions", PLAIN, CONTEXTS, CALLS, "loop",
                               LOOPS),
                      SL_SPECS("function:cycles", "block:cycles", "block:instructions", PLAIN,
                               CONTEXTS ":cycles", CONTEXTS ":instructions", CALLS, "loop:cycles",
                               LOOPS)},
    .write = write_html,
};

/* ---- `sluice diff`: the same page, with the differences between two databases as its data ---- */

#define ROWS 300

struct selection {
    const struct sl_difference *difference;
    size_t n;
};

static void write_difference(struct sl_page *page, const void *data)
{
    const struct selection *selected = data;
    sl_page_put(page, "{\"version\":\"" SL_VERSION "\",\"difference\":");
    sl_page_fail(page, sl_json_difference(selected->difference, selected->n, page->out, page->f));
    for (size_t i = 0; i < selected->difference->n; i++) {
        const struct sl_difference_part *part = &selected->difference->part[i];
        if (part->n > selected->n)
            sl_page_left_out(page, "%s: %zu of %zu changes.", part->heading, selected->n, part->n);
    }
    sl_page_put(page, ",\"left_out\":");
    sl_page_fail(page, sl_json_dump(sl_json_warnings(&page->left_out), page->out, page->f));
    sl_page_put(page, "}\n");
}

int sl_page_difference(const struct sl_difference *difference, size_t n, FILE *out,
                       struct sl_failure *f)
{
    struct selection selected = {difference, n ? n : ROWS};
    struct sl_page page = {.f = f};
    return sl_page_write(&page, out, write_difference, &selected);
}
