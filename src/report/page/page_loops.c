/* SPDX-License-Identifier: MIT */
/* HTML report: writes the data of loops, the costliest first (loop_costs.h):
 *
 *     {"units": "instructions", "total": N, "outside": N, "entries": true, "iterations": true,
 *      "rows": [["main+0x12..+0x26", "primes.c:39-40", cost, entries, iterations], ...]} */
#include "loop_costs.h"
#include "page.h"

#define LOOPS 600

static void write_rows(struct sl_page *page, const struct sl_loop_costs *loops)
{
    size_t n = 0;
    for (; n < loops->n && n < LOOPS && sl_page_has_space(page); n++) {
        const struct sl_loop_row *row = &loops->row[n];
        sl_page_value(page, n ? ",\n" : "",
                      json_pack("[o,o,I,I,I]", sl_page_string(row->name),
                                sl_page_string(row->lines), (json_int_t)row->count[SL_LOOP_COST],
                                (json_int_t)row->count[SL_LOOP_ENTRIES],
                                (json_int_t)row->count[SL_LOOP_ITERATIONS]));
    }
    sl_page_left_out_rest(page, "Loops: the costliest", n, loops->n);
}

void sl_page_loops(struct sl_page *page)
{
    struct sl_loop_costs loops;
    int result = sl_loop_costs_load(&loops, page->database, page->f);
    if (!result) {
        const struct sl_db_profile *cost = loops.profile[SL_LOOP_COST];
        sl_page_members(page, "{",
                        json_pack("{s:o,s:I,s:I,s:b,s:b}", "units",
                                  sl_page_string(cost->metric->units), "total",
                                  (json_int_t)cost->weight, "outside", (json_int_t)loops.outside,
                                  "entries", loops.profile[SL_LOOP_ENTRIES] != NULL, "iterations",
                                  loops.profile[SL_LOOP_ITERATIONS] != NULL));
        sl_page_put(page, ",\"rows\":[");
        write_rows(page, &loops);
        sl_page_put(page, "]}");
    } else {
        sl_page_nothing(page, result);
    }
    sl_loop_costs_free(&loops);
}
