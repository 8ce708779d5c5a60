/* SPDX-License-Identifier: MIT */
/* HTML report: writes the load values of each load instruction, from the first value profile with
 * the metric `count`:
 *
 *     {"total": N, "loads": [["is_prime+0x17", "primes.c:25", [["0x2", 827756], ...]], ...]}
 *
 * Loads are sorted by their most frequent value, values by count. */
#include <inttypes.h>
#include <stdlib.h>

#include "entry_view.h"
#include "grow.h"
#include "index_map.h"
#include "page.h"
#include "transfer_counts.h"

#define ENTRIES 2000

struct values {
    struct sl_page *page;
    struct sl_entry_view view;
    struct sl_index_map addresses;
    json_t **load; /* by index of the address: [where, line, [[value, count], ...]] */
    size_t n_loads, capacity;
};

static int add_value(void *context, const struct sl_db_entry *entry)
{
    struct values *values = context;
    char *cell[SL_ENTRY_CELLS];
    int result = sl_entry_view_look(&values->view, entry, values->page->f);
    if (result)
        return result;
    uint32_t number = sl_index_add(&values->addresses, entry->at.address, 0);
    if (number == SL_NO_INDEX || !SL_GROW(values->load, values->capacity, number + 1u))
        return sl_report_no_memory(values->page->f);
    if (number == values->n_loads) {
        char *where = sl_entry_where(&values->view);
        values->load[values->n_loads++] = json_pack(
            "[o,o,[]]", where ? sl_page_own_string(where) : NULL,
            sl_page_own_string(sl_entry_line(&values->view)));
    }
    sl_entry_cells(&values->view, cell);
    free(cell[1]);
    json_t *value = json_pack("[o,I]", sl_page_own_string(cell[0]), (json_int_t)entry->count);
    bool added = !json_array_append_new(json_array_get(values->load[number], 2), value);
    return added ? 0 : sl_report_no_memory(values->page->f);
}

static void write_loads(struct values *values)
{
    struct sl_page *page = values->page;
    size_t written = 0;
    for (; written < values->n_loads && sl_page_has_space(page); written++)
        sl_page_value(page, written ? ",\n" : "", json_incref(values->load[written]));
    if (written < values->n_loads)
        sl_page_left_out(page, "Values: the page shows %zu of %zu loads.", written,
                         values->n_loads);
}

void sl_page_values(struct sl_page *page)
{
    const struct sl_db_profile *profile = sl_transfer_counts_profile(&page->database->profiles,
                                                                     SL_FIELD_VALUE, false);
    struct values values = {.page = page};
    if (!profile) {
        sl_page_put(page, "null");
        return;
    }
    int result = sl_entry_view_open(&values.view, page->database, profile, page->f);
    if (!result)
        result = sl_db_entries(page->database, profile, ENTRIES, add_value, &values, page->f);
    fprintf(page->out, "{\"total\":%" PRIu64 ",\"loads\":[", profile->weight);
    sl_page_fail(page, result);
    write_loads(&values);
    sl_page_put(page, "]}");
    sl_page_left_out_rest(page, "Values: the first", ENTRIES, profile->saved);
    for (size_t i = 0; i < values.n_loads; i++)
        json_decref(values.load[i]);
    free(values.load);
    sl_index_free(&values.addresses);
    sl_entry_view_close(&values.view);
}
