/* SPDX-License-Identifier: MIT */
/* HTML report: writes the load values of each load instruction, from the first value profile with
 * the metric `count`:
 *
 *     {"total": N, "loads": [["is_prime+0x17", "primes.c:25", [["0x2", 827756], ...]], ...]}
 *
 * Loads are sorted by their most frequent value, values by count. */
#include <stdlib.h>

#include "entry_view.h"
#include "grow.h"
#include "index_map.h"
#include "page.h"
#include "transfer_counts.h"

#define ENTRIES 2000

struct value {
    char *text;
    uint64_t count;
    uint32_t next; /* next value of the same load: 1 + its index; 0: none */
};

struct load {
    char *where, *line;
    uint32_t first, last;
};

struct values {
    struct sl_page *page;
    struct sl_entry_view view;
    struct sl_index_map addresses;
    struct load *load;
    struct value *value;
    size_t n_loads, n, loads_capacity, capacity;
};

static bool add_load(struct values *values, const struct sl_db_entry *entry, uint32_t *number)
{
    *number = sl_index_add(&values->addresses, entry->at.address, 0);
    if (*number == SL_NO_INDEX || !SL_GROW(values->load, values->loads_capacity, *number + 1u))
        return false;
    if (*number < values->n_loads)
        return true;
    values->n_loads = *number + 1u;
    values->load[*number] = (struct load){.where = sl_entry_where(&values->view),
                                          .line = sl_db_line(&entry->at)};
    return values->load[*number].where;
}

static int add_value(void *context, const struct sl_db_entry *entry)
{
    struct values *values = context;
    uint32_t number;
    char *cell[SL_ENTRY_CELLS];
    int result = sl_entry_view_look(&values->view, entry, values->page->f);
    if (result)
        return result;
    if (!add_load(values, entry, &number) ||
        !SL_GROW(values->value, values->capacity, values->n + 1))
        return sl_report_no_memory(values->page->f);
    size_t n = sl_entry_cells(&values->view, cell);
    struct value *value = &values->value[values->n++];
    struct load *load = &values->load[number];
    *value = (struct value){n ? cell[0] : NULL, entry->count, 0};
    for (size_t i = 1; i < n; i++)
        free(cell[i]);
    *(load->last ? &values->value[load->last - 1].next : &load->first) = (uint32_t)values->n;
    load->last = (uint32_t)values->n;
    return 0;
}

static void write_loads(struct values *values)
{
    struct sl_page *page = values->page;
    size_t written = 0;
    for (; written < values->n_loads && sl_page_has_space(page); written++) {
        const struct load *load = &values->load[written];
        sl_page_put(page, written ? ",\n[" : "[");
        sl_page_text(page, load->where);
        sl_page_next_text(page, load->line);
        sl_page_put(page, ",[");
        for (uint32_t i = load->first; i; i = values->value[i - 1].next) {
            sl_page_put(page, i == load->first ? "[" : ",[");
            sl_page_text(page, values->value[i - 1].text);
            sl_page_next_numbers(page, &values->value[i - 1].count, 1);
            sl_page_put(page, "]");
        }
        sl_page_put(page, "]]");
    }
    if (written < values->n_loads)
        sl_page_left_out(page, "Values: the page shows %zu of %zu loads.", written,
                         values->n_loads);
}

void sl_page_values(struct sl_page *page)
{
    const struct sl_db_profile *profile = sl_transfer_counts_profile(&page->database->profiles,
                                                                     SL_FIELD_VALUE);
    struct values values = {.page = page};
    if (!profile) {
        sl_page_put(page, "null");
        return;
    }
    int result = sl_entry_view_open(&values.view, page->database, profile, page->f);
    if (!result)
        result = sl_db_entries(page->database, profile, ENTRIES, add_value, &values, page->f);
    sl_page_put(page, "{\"total\":");
    sl_page_number(page, profile->weight);
    sl_page_put(page, ",\"loads\":[");
    sl_page_fail(page, result);
    write_loads(&values);
    sl_page_put(page, "]}");
    sl_page_left_out_rest(page, "Values: the first", ENTRIES, profile->saved);
    for (size_t i = 0; i < values.n; i++)
        free(values.value[i].text);
    for (size_t i = 0; i < values.n_loads; i++) {
        free(values.load[i].where);
        free(values.load[i].line);
    }
    free(values.value);
    free(values.load);
    sl_index_free(&values.addresses);
    sl_entry_view_close(&values.view);
}
