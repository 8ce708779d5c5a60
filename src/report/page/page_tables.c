/* SPDX-License-Identifier: MIT */
/* HTML report: writes the data of all profiles. Each profile has its entries and the statistics of
 * its table.
 *
 *     [{"heading": "Edges by count", "spec": "edge:count@multihash(...)", "units": "events",
 *       "events": N, "weight": N, "distinct": N, "saved": N, "exact": false, "bounds": true,
 *       "storage": "15.8 KB", "drops": N, "errors": {"overlap": 0.98}, "note": null,
 *       "columns": ["target", "line"],
 *       "rows": [[count, low, high, "main+0x1c", "primes.c:12", "...", "..."], ...]}, ...]
 *
 * A row has low and high only if the table has bounds. */
#include <string.h>

#include "entry_view.h"
#include "page.h"

#define ENTRIES 250 /* per profile, unless config->n is set */

struct table {
    struct sl_page *page;
    const struct sl_db_profile *profile;
    struct sl_entry_view view;
    uint64_t written;
    bool begun;
};

static int add_entry(void *context, const struct sl_db_entry *entry)
{
    struct table *table = context;
    struct sl_page *page = table->page;
    char *cell[SL_ENTRY_CELLS];
    if (!sl_page_has_space(page))
        return 0;
    int result = sl_entry_view_look(&table->view, entry, page->f);
    if (result)
        return result;
    json_t *row = json_pack("[I]", (json_int_t)entry->count);
    if (table->profile->status.bounds != SL_BOUNDS_NONE) {
        sl_json_append(&row, sl_json_number(entry->low));
        sl_json_append(&row, sl_json_number(entry->high));
    }
    sl_json_append(&row, sl_page_own_string(sl_entry_where(&table->view)));
    sl_json_append(&row, sl_page_own_string(sl_entry_line(&table->view)));
    size_t n = sl_entry_cells(&table->view, cell);
    for (size_t i = 0; i < n; i++)
        sl_json_append(&row, sl_page_own_string(cell[i]));
    sl_page_value(page, table->written++ ? ",\n" : "", row);
    return page->result;
}

static int add_error(void *context, const struct sl_named_value *error)
{
    struct table *table = context;
    struct sl_page *page = table->page;
    sl_page_value(page, table->begun ? "," : "", sl_page_string(error->name));
    sl_page_put(page, ":");
    table->begun = true;
    return sl_json_dump(sl_json_real(error->value), page->out, page->f);
}

static void write_about(struct table *table)
{
    struct sl_page *page = table->page;
    const struct sl_db_profile *profile = table->profile;
    char heading[128], storage[SL_FORMAT_SIZE];
    bool exact = !strcmp(profile->table, "exact");
    sl_format_heading(profile, heading, sizeof heading);
    sl_page_members(
        page, "",
        json_pack(
            "{s:o,s:o,s:o,s:o,s:o,s:o,s:I,s:I,s:I,s:I,s:I,s:b,s:b,s:b}", "heading",
            sl_page_string(heading), "spec", sl_page_string(profile->spec), "given",
            sl_page_string(profile->given), "units", sl_page_string(profile->metric->units), "note",
            sl_page_string(profile->note), "storage",
            sl_page_string(exact ? NULL : sl_format_storage(profile->status.storage_bits, storage)),
            "events", (json_int_t)profile->events, "weight", (json_int_t)profile->weight,
            "distinct", (json_int_t)profile->distinct, "saved", (json_int_t)profile->saved, "drops",
            (json_int_t)profile->status.drops, "overlaps", sl_db_overlaps(profile), "exact", exact,
            "bounds", profile->status.bounds != SL_BOUNDS_NONE));
    sl_page_put(page, ",\n\"errors\":{");
    sl_page_fail(page, sl_db_errors(page->database, profile, add_error, table, page->f));
}

static void write_profile(struct sl_page *page, const struct sl_db_profile *profile)
{
    struct table table = {.page = page, .profile = profile};
    const char *column[SL_ENTRY_CELLS];
    char heading[128], first[160];
    uint64_t n = page->config->n ? page->config->n : ENTRIES;
    write_about(&table);
    sl_page_put(page, "},\"columns\":[");
    size_t n_columns = sl_entry_headings(profile, column);
    for (size_t i = 0; i < n_columns; i++)
        sl_page_value(page, i ? "," : "", sl_page_string(column[i]));
    sl_page_put(page, "],\n\"rows\":[");
    int result = sl_entry_view_open(&table.view, page->database, profile, page->f);
    if (!result)
        result = sl_db_entries(page->database, profile, n, add_entry, &table, page->f);
    sl_page_fail(page, result);
    sl_entry_view_close(&table.view);
    sl_page_put(page, "]}");
    sl_format_heading(profile, heading, sizeof heading);
    snprintf(first, sizeof first, "%s: the first", heading);
    sl_page_left_out_rest(page, first, table.written, profile->saved);
}

void sl_page_tables(struct sl_page *page)
{
    const struct sl_db_profiles *profiles = &page->database->profiles;
    uint64_t limit = page->limit;
    sl_page_put(page, "[");
    for (size_t i = 0; i < profiles->n && !page->result; i++) {
        sl_page_put(page, i ? ",\n{" : "{");
        fflush(page->out);
        page->limit = limit > page->written
                          ? page->written + (limit - page->written) / (profiles->n - i)
                          : limit;
        write_profile(page, &profiles->profile[i]);
    }
    sl_page_put(page, "]");
}
