/* SPDX-License-Identifier: MIT */
#include "saved_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "saved_row.h"
#include "table.h"

/* Rows come sample by sample, run by run. */
static bool add_value(struct sl_saved_runs *runs, struct sl_saved_samples *all, uint64_t run,
                      const char *name, double value)
{
    struct sl_saved_sample *last = all->n ? &all->sample[all->n - 1] : NULL;
    if (!last || strcmp(last->name, name)) {
        if (!SL_GROW(all->sample, all->room, all->n + 1))
            return false;
        last = &all->sample[all->n];
        if (!(last->name = strdup(name)))
            return false;
        all->n++;
    }
    if (!SL_GROW(last->value, last->room, last->n + 1))
        return false;
    last->value[last->n++] = value;
    runs->n = run + 1 > runs->n ? run + 1 : runs->n;
    return true;
}

static int read_event(void *context, sqlite3_stmt *row)
{
    struct sl_saved_runs *runs = context;
    const char *name = sl_text_at(row, 0);
    uint64_t run = sl_number_at(row, 1), count = sl_number_at(row, 2), exact = sl_number_at(row, 3);
    double off = exact ? ((double)count - (double)exact) / (double)exact : NAN;
    if (!add_value(runs, &runs->events, run, name ? name : "", off))
        return SL_ENOMEM;
    struct sl_saved_sample *event = &runs->events.sample[runs->events.n - 1];
    event->exact = exact;
    event->count = run ? event->count : count;
    return 0;
}

static int read_measure(void *context, sqlite3_stmt *row)
{
    struct sl_saved_runs *runs = context;
    const char *name = sl_text_at(row, 0);
    return add_value(runs, &runs->measures, sl_number_at(row, 1), name ? name : "",
                     sl_real_at(row, 2))
               ? 0
               : SL_ENOMEM;
}

/* The option of a table that says how many events its storage is for. */
struct room {
    const struct sl_table_kind *table;
    uint64_t n;
};

static int read_room(void *context, sqlite3_stmt *row)
{
    struct room *room = context;
    const char *of = sl_text_at(row, 0), *name = sl_text_at(row, 1);
    if (of && name && !strcmp(of, room->table->name) && !strcmp(name, room->table->input.holds))
        room->n = sl_number_at(row, 2);
    return 0;
}

static int find_room(struct sl_database *database, const struct sl_saved_profile *profile,
                     uint64_t *n, struct sl_failure *f)
{
    struct room room = {NULL, 0};
    for (size_t i = 0; sl_tables[i]; i++)
        if (sl_tables[i]->input.holds && !strcmp(sl_tables[i]->name, profile->table))
            room.table = sl_tables[i];
    int result = !room.table ? 0
                             : sl_saved_rows(database,
                                             "SELECT of, name, value FROM option WHERE profile = ?",
                                             &profile->id, 1, read_room, &room, f);
    *n = room.n;
    return result;
}

int sl_saved_runs(struct sl_database *database, const struct sl_saved_profile *profile,
                  struct sl_saved_runs *runs, struct sl_failure *f)
{
    *runs = (struct sl_saved_runs){0};
    int result = sl_saved_rows(
        database,
        "SELECT event, run, count, exact FROM reading WHERE profile = ? ORDER BY number, run",
        &profile->id, 1, read_event, runs, f);
    if (!result)
        result = sl_saved_rows(
            database, "SELECT name, run, value FROM run_error WHERE profile = ? ORDER BY name, run",
            &profile->id, 1, read_measure, runs, f);
    if (!result)
        result = find_room(database, profile, &runs->room, f);
    if (result)
        sl_saved_runs_free(runs);
    return result == SL_ENOMEM ? sl_saved_fail_memory(f) : result;
}

static void free_samples(struct sl_saved_samples *all)
{
    for (size_t i = 0; i < all->n; i++) {
        free(all->sample[i].name);
        free(all->sample[i].value);
    }
    free(all->sample);
}

void sl_saved_runs_free(struct sl_saved_runs *runs)
{
    free_samples(&runs->events);
    free_samples(&runs->measures);
    *runs = (struct sl_saved_runs){0};
}

bool sl_saved_spread(const struct sl_saved_samples *all, const struct sl_saved_sample *one,
                     struct sl_spread *spread)
{
    const struct sl_saved_sample *first = one ? one : all->sample;
    size_t n_samples = one ? 1 : all->n, n = 0, room = 0;
    for (size_t i = 0; i < n_samples; i++)
        room += first[i].n;
    double *value = malloc((room + 1) * sizeof *value);
    if (!value)
        return false;
    for (size_t i = 0; i < n_samples; i++)
        for (size_t k = 0; k < first[i].n; k++)
            value[n++] = fabs(first[i].value[k]);
    *spread = sl_spread_of(value, n);
    free(value);
    return true;
}

double sl_saved_event_bits(const struct sl_saved_profile *profile, const struct sl_saved_runs *runs)
{
    uint64_t n = runs->room > runs->events.n ? runs->room : runs->events.n;
    return (double)profile->status.storage_bits / (double)n;
}
