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
        sl_page_put(page, n ? ",\n[" : "[");
        sl_page_text(page, loops->row[n].name);
        sl_page_next_text(page, loops->row[n].lines);
        sl_page_next_numbers(page, loops->row[n].count, SL_LOOP_COUNTS);
        sl_page_put(page, "]");
    }
    sl_page_left_out_rest(page, "Loops: the costliest", n, loops->n);
}

void sl_page_loops(struct sl_page *page)
{
    struct sl_loop_costs loops;
    int result = sl_loop_costs_load(&loops, page->database, page->f);
    if (!result) {
        sl_page_put(page, "{\"units\":");
        sl_page_text(page, loops.profile[SL_LOOP_COST]->metric->units);
        sl_page_key_number(page, "total", loops.profile[SL_LOOP_COST]->weight);
        sl_page_key_number(page, "outside", loops.outside);
        fprintf(page->out, ",\"entries\":%s,\"iterations\":%s,\"rows\":[",
                loops.profile[SL_LOOP_ENTRIES] ? "true" : "false",
                loops.profile[SL_LOOP_ITERATIONS] ? "true" : "false");
        write_rows(page, &loops);
        sl_page_put(page, "]}");
    } else if (result == SL_EUSAGE) {
        sl_page_put(page, "null");
    } else {
        sl_page_fail(page, result);
    }
    sl_loop_costs_free(&loops);
}
