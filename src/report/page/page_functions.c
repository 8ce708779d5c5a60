/* SPDX-License-Identifier: MIT */
/* HTML report: writes the data of modules, functions and calls (source_functions.h):
 *
 *     {"units": "instructions", "metric": "instructions", "total": 36877131, "n": 58,
 *      "modules": [["primes", "primes", 36001234, true], ...],
 *      "rows": [["is_prime", 0, "primes.c:22", 34307562, 34307562, false, 299998], ...],
 *      "arcs": [[1, 0, 34307562, 299998, false], ...]}
 *
 * A module is its name, file, self cost, and whether it is the user's own. A row is name, module
 * (-1: not known), line, self cost, inclusive cost, whether that is an estimate, and calls;
 * unknown numbers are null. `n` is the number of all functions. An arc is caller, callee, cost of
 * these calls, their number, and whether the callee is inlined. */
#include <stdlib.h>

#include "page_code.h"

#define FUNCTIONS 2500
#define ARCS 5000
#define CALLERS 16 /* maximum number of arcs to a function */

static void write_modules(struct sl_page *page)
{
    const struct sl_modules *all = &page->code->modules;
    for (size_t i = 0; i < all->n; i++)
        sl_page_value(page, i ? "," : "",
                      json_pack("[o,o,I,b]", sl_page_string(all->module[i].name),
                                sl_page_string(all->module[i].object),
                                (json_int_t)all->module[i].self, all->module[i].own));
}

static void write_row(struct sl_page *page, uint32_t index, bool first)
{
    const struct sl_source_functions *all = &page->code->functions;
    const struct sl_source_function *function = &all->function[index];
    sl_page_value(page, first ? "" : ",\n",
                  json_pack("[o,I,o,I,o,b,o]", sl_page_string(function->name),
                            (json_int_t)sl_page_module(page->code, function->object),
                            sl_page_string(function->line), (json_int_t)function->self,
                            sl_json_number_if(all->has_inclusive, function->inclusive),
                            function->shared, sl_json_number_if(all->has_calls, function->calls)));
}

static int costlier_inclusive(const void *left, const void *right, void *context)
{
    const struct sl_source_function *function = context;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    if (function[a].inclusive != function[b].inclusive)
        return function[a].inclusive > function[b].inclusive ? -1 : 1;
    return (a > b) - (a < b);
}

/* Writes and numbers functions, taken alternately from the lists by self and by inclusive cost, so
 * that the callers of costly functions are included. Returns how many functions there are. */
static size_t write_functions(struct sl_page *page, uint32_t *by_inclusive)
{
    struct sl_page_code *code = page->code;
    struct sl_source_functions *all = &code->functions;
    size_t written = 0, n = 0;
    for (uint32_t i = 0; i < all->n; i++) {
        by_inclusive[i] = i;
        n += all->function[i].self || all->function[i].inclusive;
    }
    qsort_r(by_inclusive, all->n, sizeof *by_inclusive, costlier_inclusive, all->function);
    for (size_t i = 0; i < 2 * all->n && written < FUNCTIONS && sl_page_has_space(page); i++) {
        uint32_t index = i % 2 ? by_inclusive[i / 2] : all->by_self[i / 2];
        const struct sl_source_function *function = &all->function[index];
        if (code->number[index] != SL_NO_INDEX || !(function->self || function->inclusive))
            continue;
        write_row(page, index, !written);
        code->number[index] = (uint32_t)written++;
    }
    sl_page_left_out_rest(page, "Functions: the top", written, n);
    return n;
}

static void write_arcs(struct sl_page *page, const uint32_t *by_inclusive)
{
    const struct sl_source_functions *all = &page->code->functions;
    size_t written = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct sl_source_function *callee = &all->function[by_inclusive[i]];
        int64_t to = sl_page_function(page->code, by_inclusive[i]);
        for (size_t k = 0; to >= 0 && k < callee->n_callers && k < CALLERS; k++) {
            const struct sl_source_caller *caller = &callee->caller[k];
            int64_t from = sl_page_function(page->code, caller->function);
            if (from < 0 || written == ARCS || !sl_page_has_space(page))
                continue;
            sl_page_value(
                page, written++ ? ",\n" : "",
                json_pack("[I,I,I,o,b]", (json_int_t)from, (json_int_t)to, (json_int_t)caller->cost,
                          sl_json_number_if(all->has_calls && !caller->inlined, caller->calls),
                          caller->inlined));
        }
    }
}

void sl_page_functions(struct sl_page *page)
{
    const struct sl_page_code *code = page->code;
    uint32_t *by_inclusive = calloc(code->functions.n + 1, sizeof *by_inclusive);
    if (!code->n_profiles) {
        sl_page_put(page, "null");
    } else if (!by_inclusive) {
        sl_page_fail(page, sl_report_no_memory(page->f));
    } else {
        const struct sl_metric *metric = code->profile[0]->metric;
        sl_page_members(page, "{",
                        json_pack("{s:o,s:o,s:I}", "units", sl_page_string(metric->units), "metric",
                                  sl_page_string(metric->name), "total",
                                  (json_int_t)code->functions.total));
        sl_page_put(page, ",\"modules\":[");
        write_modules(page);
        sl_page_put(page, "],\n\"rows\":[");
        size_t n = write_functions(page, by_inclusive);
        sl_page_put(page, "],\n\"arcs\":[");
        write_arcs(page, by_inclusive);
        fprintf(page->out, "],\"n\":%zu}", n);
    }
    free(by_inclusive);
}
