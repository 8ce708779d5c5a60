/* SPDX-License-Identifier: MIT */
/* HTML report: writes the data of functions and the call graph, from context profiles:
 *
 *     {"units": "instructions", "total": 36877131, "calls": true,
 *      "rows": [["is_prime", "primes.c:22", 34307562, 34307562, 299998, 0], ...],
 *      "arcs": [[1, 0, 34307562, 34307562, 299998], ...]}
 *
 * A row is name, line, self cost, inclusive cost, calls, recursive calls. An arc is caller (-1: not
 * known), callee, and the costs and number of these calls. Without contexts, rows come from a
 * profile of functions: self costs only, and no arcs. */
#include <stdlib.h>

#include "call_costs.h"
#include "entry_view.h"
#include "page.h"

#define FUNCTIONS 1500
#define ARCS 4000

static void write_head(struct sl_page *page, const char *units, uint64_t total, bool calls)
{
    sl_page_members(page, "{",
                    json_pack("{s:o,s:I,s:b}", "units", sl_page_string(units), "total",
                              (json_int_t)total, "calls", calls));
    sl_page_put(page, ",\"rows\":[");
}

static void write_row(struct sl_page *page, bool first, const char *name, const char *line,
                      const struct sl_function_costs *costs, bool inclusive, bool calls)
{
    const uint64_t figure[] = {costs->self, costs->inclusive, costs->calls, costs->recursive};
    json_t *row = json_pack("[o,o]", sl_page_string(name), sl_page_string(line));
    for (size_t i = 0; i < (!inclusive ? 1u : calls ? 4u : 2u); i++)
        sl_json_append(&row, sl_json_number(figure[i]));
    sl_page_value(page, first ? "" : ",\n", row);
}

/* ---- from contexts ---- */

/* Writes and numbers functions, taken alternately from the lists by inclusive and by self cost, so
 * that the callers of costly functions are included. Returns the number of functions written. */
static size_t write_functions(struct sl_page *page, const struct sl_call_costs *costs,
                              uint32_t *number)
{
    size_t n = costs->tree.n_functions, written = 0;
    for (size_t i = 0; i < 2 * n && written < FUNCTIONS && sl_page_has_space(page); i++) {
        uint32_t function = i % 2 ? costs->by_self[i / 2] : costs->by_inclusive[i / 2];
        if (number[function] != SL_NO_INDEX)
            continue;
        number[function] = (uint32_t)written;
        write_row(page, !written++, costs->tree.function[function].name,
                  costs->tree.function[function].line, &costs->function[function], true,
                  costs->has_calls);
    }
    return written;
}

static void write_arcs(struct sl_page *page, const struct sl_call_costs *costs,
                       const uint32_t *number)
{
    size_t written = 0;
    for (size_t i = 0; i < costs->n_arcs && written < ARCS && sl_page_has_space(page); i++) {
        const struct sl_arc_costs *arc = &costs->arc[i];
        int64_t caller = arc->caller == SL_NO_INDEX ? -1 : (int64_t)number[arc->caller];
        if (caller == SL_NO_INDEX || number[arc->callee] == SL_NO_INDEX)
            continue;
        fprintf(page->out, "%s[%lld,%u,%llu,%llu,%llu]", written++ ? ",\n" : "", (long long)caller,
                number[arc->callee], (unsigned long long)arc->self,
                (unsigned long long)arc->inclusive, (unsigned long long)arc->calls);
    }
}

static void from_contexts(struct sl_page *page)
{
    struct sl_call_costs costs;
    int result = sl_call_costs_load(&costs, page->database, false, page->f);
    if (result) {
        sl_page_fail(page, result);
        return;
    }
    size_t n = costs.tree.n_functions;
    uint32_t *number = malloc((n + 1) * sizeof *number);
    for (size_t i = 0; number && i < n; i++)
        number[i] = SL_NO_INDEX;
    write_head(page, costs.units, costs.total, costs.has_calls);
    size_t written = number ? write_functions(page, &costs, number) : 0;
    sl_page_put(page, "],\n\"arcs\":[");
    if (number)
        write_arcs(page, &costs, number);
    else
        sl_page_fail(page, sl_report_no_memory(page->f));
    sl_page_put(page, "]}");
    sl_page_left_out_rest(page, "Functions: the top", written, n);
    sl_call_costs_free(&costs);
    free(number);
}

/* ---- from functions ---- */

struct rows {
    struct sl_page *page;
    const struct sl_db_profile *profile;
    uint64_t written;
};

static int add_row(void *context, const struct sl_db_entry *entry)
{
    struct rows *rows = context;
    struct sl_function_costs costs = {.self = entry->count};
    if (rows->written == FUNCTIONS || !sl_page_has_space(rows->page))
        return 0;
    char *name = sl_entry_symbol(rows->profile, entry), *line = sl_db_line(&entry->at);
    write_row(rows->page, !rows->written++, name, line, &costs, false, false);
    free(name);
    free(line);
    return rows->page->result;
}

static const struct sl_db_profile *of_functions(const struct sl_db_profiles *profiles)
{
    for (size_t i = 0; i < profiles->n; i++) {
        const struct sl_db_profile *p = &profiles->profile[i];
        if (p->detector->first == SL_FIELD_FUNCTION && p->metric->weigh && !sl_db_overlaps(p) &&
            p->detector->second.type == SL_FIELD_NOTHING)
            return p;
    }
    return NULL;
}

void sl_page_functions(struct sl_page *page)
{
    const struct sl_db_profile *profile = of_functions(&page->database->profiles);
    struct rows rows = {page, profile, 0};
    if (sl_context_profile(&page->database->profiles, NULL, false)) {
        from_contexts(page);
    } else if (profile) {
        write_head(page, profile->metric->units, profile->weight, false);
        sl_page_fail(page, sl_db_entries(page->database, profile, 0, add_row, &rows, page->f));
        sl_page_put(page, "],\"arcs\":[]}");
        sl_page_left_out_rest(page, "Functions: the top", rows.written, profile->saved);
    } else {
        sl_page_put(page, "null");
    }
}
