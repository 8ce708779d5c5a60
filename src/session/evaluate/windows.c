/* SPDX-License-Identifier: MIT */
/* Computes the dynamic overlap of a table: divides the run into windows, and compares the table's
 * profile of each window with the exact profile of the window (evaluator.h). */
#include "evaluator.h"

#include <stdlib.h>

#include "failure.h"
#include "grow.h"

bool sl_windows_add(struct sl_windows *w, struct sl_evaluated_table *table)
{
    if (table->kind->intervals || !table->kind->storage_bits)
        return true;
    if (!SL_GROW(w->windowed, w->capacity, w->n + 1))
        return false;
    w->windowed[w->n++] = (struct sl_windowed){.table = table};
    table->windowed = true;
    return true;
}

void sl_windows_free(struct sl_windows *w)
{
    for (size_t i = 0; i < w->n; i++)
        sl_table_close(w->windowed[i].second);
    sl_interval_exact_free(&w->exact);
    free(w->windowed);
}

void sl_windows_observe(struct sl_windows *w, const struct sl_batch *batch)
{
    if (!w->begun)
        return;
    if (!sl_interval_exact_observe(&w->exact, batch))
        w->out_of_memory = true;
    for (size_t i = 0; i < w->n; i++)
        sl_table_observe(w->windowed[i].second, batch);
}

static bool compare(struct sl_windows *w, struct sl_profile_list *exact,
                    const struct sl_tuple_names *names, bool partial)
{
    struct sl_profile_list found = {0};
    bool done = !exact->out_of_memory && !w->out_of_memory;
    for (size_t i = 0; i < w->n && done; i++) {
        struct sl_evaluated_table *table = w->windowed[i].table;
        sl_profile_list_clear(&found);
        sl_table_drain(w->begun ? w->windowed[i].second : table->table, names, sl_profile_list_add,
                       &found);
        done = sl_overlaps_add(&table->overlaps, exact, &found, partial);
    }
    sl_profile_list_free(&found);
    return done;
}

/* Opens new tables rather than clearing the old ones, so that all of their state is initial. */
static int open_tables(struct sl_windows *w, struct sl_failure *f)
{
    int error = 0;
    sl_interval_exact_clear(&w->exact);
    for (size_t i = 0; i < w->n && error >= 0; i++) {
        const struct sl_evaluated_table *table = w->windowed[i].table;
        sl_table_close(w->windowed[i].second);
        error = sl_table_create(&w->windowed[i].second, table->kind, table->config, &w->host, f);
    }
    w->begun = error >= 0;
    return error;
}

int sl_windows_end(struct sl_windows *w, const struct sl_table *exact,
                   const struct sl_tuple_names *names, bool partial, struct sl_failure *f)
{
    struct sl_profile_list first = {0}, *list = &first;
    if (!w->n)
        return 0;
    if (w->begun)
        list = sl_interval_exact_list(&w->exact, names);
    else
        sl_table_drain(exact, names, sl_profile_list_add, &first);
    bool done = compare(w, list, names, partial);
    sl_profile_list_free(&first);
    if (!done)
        return sl_fail(f, SL_ENOMEM, "out of memory while measuring errors");
    return partial ? 0 : open_tables(w, f);
}
