/* SPDX-License-Identifier: MIT */
/* Loops, the costliest first (loop_costs.h):
 *
 *     {"units": "instructions", "total": N, "outside": N, "trips": true, "iterations": true,
 *      "rows": [["main+0x12..+0x26", "primes.c:39-40", cost, trips, iterations], ...]} */
#include "loop_costs.h"
#include "page.h"

#define LOOPS 600

static void write_rows(struct sl_page *page, const struct sl_loop_costs *loops)
{
    char a[SL_WORDING_ROOM], b[SL_WORDING_ROOM];
    size_t n = 0;
    for (; n < loops->n && n < LOOPS && sl_page_room(page); n++) {
        sl_page_put(page, n ? ",\n[" : "[");
        sl_page_text(page, loops->row[n].name);
        sl_page_put(page, ",");
        sl_page_text(page, loops->row[n].lines);
        for (int i = 0; i < SL_LOOP_FIGURES; i++) {
            sl_page_put(page, ",");
            sl_page_number(page, loops->row[n].figure[i]);
        }
        sl_page_put(page, "]");
    }
    if (n < loops->n)
        sl_page_leave(page, "Loops: the costliest %s of %s.", sl_wording_number(n, a),
                      sl_wording_number(loops->n, b));
}

void sl_page_loops(struct sl_page *page)
{
    struct sl_loop_costs loops;
    int result = sl_loop_costs_load(&loops, page->database, page->f);
    if (!result) {
        sl_page_put(page, "{\"units\":");
        sl_page_text(page, loops.profile[SL_LOOP_COST]->metric->units);
        sl_page_key(page, ",", "total");
        sl_page_number(page, loops.profile[SL_LOOP_COST]->weight);
        sl_page_key(page, ",", "outside");
        sl_page_number(page, loops.outside);
        fprintf(page->out, ",\"trips\":%s,\"iterations\":%s,\"rows\":[",
                loops.profile[SL_LOOP_TRIPS] ? "true" : "false",
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
