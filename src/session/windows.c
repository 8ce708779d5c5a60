#include "windows.h"

#include <stdlib.h>

#include "failure.h"
#include "grow.h"

bool sl_windows_join(struct sl_windows *w, struct sl_keep *profile)
{
    const struct sl_table_kind *table = profile->spec->table;
    if (table->cut || !table->storage_bits)
        return true;
    if (!SL_GROW(w->table, w->room, w->n + 1))
        return false;
    w->table[w->n++] = (struct sl_windowed){.profile = profile};
    profile->windowed = true;
    return true;
}

void sl_windows_free(struct sl_windows *w)
{
    for (size_t i = 0; i < w->n; i++)
        sl_keep_close(&w->table[i].beside);
    sl_interval_exact_free(&w->exact);
    free(w->table);
}

void sl_windows_observe(struct sl_windows *w, const struct sl_batch *batch)
{
    if (!w->begun)
        return;
    if (!sl_interval_exact_observe(&w->exact, batch))
        w->out_of_memory = true;
    for (size_t i = 0; i < w->n; i++)
        sl_table_observe(w->table[i].beside.table, batch);
}

static bool judge(struct sl_windows *w, struct sl_profile_list *exact,
                  const struct sl_names *names, bool partial)
{
    struct sl_profile_list found = {0};
    bool done = !exact->out_of_memory && !w->out_of_memory;
    for (size_t i = 0; i < w->n && done; i++) {
        struct sl_keep *profile = w->table[i].profile;
        sl_profile_list_clear(&found);
        sl_table_drain(w->begun ? w->table[i].beside.table : profile->table, names,
                       sl_profile_list_add, &found);
        done = sl_overlaps_add(&profile->overlaps, exact, &found, partial);
    }
    sl_profile_list_free(&found);
    return done;
}

/* Empty ones: whatever a table keeps besides what it counts begins anew as well. */
static int make_tables(struct sl_windows *w, struct sl_failure *f)
{
    int error = 0;
    sl_interval_exact_clear(&w->exact);
    for (size_t i = 0; i < w->n && error >= 0; i++) {
        struct sl_keep *beside = &w->table[i].beside;
        const struct sl_profile_spec *spec = w->table[i].profile->spec;
        sl_keep_close(beside);
        *beside = (struct sl_keep){.spec = spec};
        error = sl_keep_open(beside, spec->table, spec->table_config, &w->host, f);
    }
    w->begun = error >= 0;
    return error;
}

int sl_windows_end(struct sl_windows *w, const struct sl_table *exact,
                   const struct sl_names *names, bool partial, struct sl_failure *f)
{
    struct sl_profile_list first = {0}, *list = &first;
    if (!w->n)
        return 0;
    if (w->begun)
        list = sl_interval_exact_list(&w->exact, names);
    else
        sl_table_drain(exact, names, sl_profile_list_add, &first);
    bool done = judge(w, list, names, partial);
    sl_profile_list_free(&first);
    if (!done)
        return sl_fail(f, SL_ENOMEM, "out of memory while measuring errors");
    return partial ? 0 : make_tables(w, f);
}
