/* SPDX-License-Identifier: MIT */
/* Published tables in the experiment `functions` of `sluice lab`: recomputes two tables of the LEAP
 * paper without running a program. The first table gives the storage of the profilers LEAP and
 * SnoopP for 32 to 256 functions; the second gives the factor by which stall cycles change the
 * energy, for each percentage of stall cycles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment_functions.h"
#include "failure.h"
#include "power.h"

/* Makes a list of n consecutive functions of 64 bytes. */
static bool make_list(struct sl_function_list *list, size_t n)
{
    uint64_t *start = calloc(n, sizeof *start);
    struct sl_function_piece *piece = calloc(n, sizeof *piece);
    for (size_t i = 0; start && piece && i < n; i++) {
        start[i] = 0x10000 + 64 * i;
        piece[i] = (struct sl_function_piece){start[i], start[i] + 64, i};
    }
    *list = (struct sl_function_list){.start = start, .n = n, .piece = piece, .n_pieces = n};
    return start && piece;
}

static void free_list(struct sl_function_list *list)
{
    free((void *)(uintptr_t)list->start);
    free((void *)(uintptr_t)list->piece);
}

static int storage_of(const char *spec, const struct sl_function_list *list, uint64_t *bits,
                      struct sl_failure *f)
{
    struct sl_table_host host = {.functions = list};
    struct sl_table *table;
    struct sl_table_status status;
    size_t bytes = (sl_table_bytes(spec, &host, f) + 63) / 64 * 64;
    void *memory = bytes ? aligned_alloc(64, bytes) : NULL;
    if (!memory)
        return sl_out_of_memory(f);
    memset(memory, 0, bytes);
    int error = sl_table_place(&table, spec, &host, memory, f);
    if (error >= 0) {
        sl_table_status(table, &status);
        *bits = status.storage_bits;
        sl_table_close(table);
    }
    free(memory);
    return error;
}

static int add_storage(size_t functions, unsigned width, struct sl_job_results *results,
                       struct sl_failure *f)
{
    static const char *const tables[] = {"leap", "snoopp"};
    struct sl_function_list list;
    int error = make_list(&list, functions) ? 0 : sl_out_of_memory(f);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && error >= 0; i++) {
        char spec[40], label[40];
        uint64_t bits = 0;
        snprintf(spec, sizeof spec, "%s(bits=%u)", tables[i], width);
        snprintf(label, sizeof label, "%s %u", tables[i], width);
        error = storage_of(spec, &list, &bits, f);
        if (error >= 0)
            lab_add_figure(results, label, "storage", (double)functions, (double)bits);
    }
    free_list(&list);
    return error;
}

int lab_functions_published(const struct lab_step *step, struct sl_job_results *results,
                            struct sl_failure *f)
{
    struct sl_power_table table;
    int error = sl_power_read_table(&table, "tiger", f);
    (void)step;
    for (unsigned width = 32; width <= 64 && error >= 0; width *= 2)
        for (size_t functions = 32; functions <= 256 && error >= 0; functions *= 2)
            error = add_storage(functions, width, results, f);
    /* The percentages of the paper have one decimal. */
    for (unsigned tenths = 10; tenths <= 700 && error >= 0; tenths++)
        lab_add_figure(results, "correction", "factor", tenths / 10.0,
                       sl_power_factor(&table.correction, tenths / 10.0));
    return error;
}
