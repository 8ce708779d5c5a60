/* SPDX-License-Identifier: MIT */
/* Reads costs, entries and iterations of loops from up to three profiles and sorts the loops by
 * cost (loop_costs.h). */
#include "loop_costs.h"

#include <stdlib.h>
#include <string.h>

#include "entry_view.h"
#include "failure.h"
#include "grow.h"
#include "loop.h"
#include "format.h"

static void find_profiles(struct sl_loop_costs *l, const struct sl_db_profiles *profiles)
{
    for (size_t i = 0; i < profiles->n; i++) {
        const struct sl_db_profile *p = &profiles->profile[i];
        const struct sl_loop_config *config = p->config;
        if (p->detector->first != SL_FIELD_LOOP || sl_db_overlaps(p))
            continue;
        enum sl_loop_count is = p->metric->weigh  ? SL_LOOP_COST
                                : config->entries ? SL_LOOP_ENTRIES
                                                  : SL_LOOP_ITERATIONS;
        if (!l->profile[is])
            l->profile[is] = p;
    }
}

struct reading {
    struct sl_loop_costs *loops;
    struct sl_entry_view view;
};

static int add_entry(void *context, const struct sl_db_entry *entry)
{
    struct reading *r = context;
    struct sl_loop_costs *l = r->loops;
    if (!entry->value) {
        l->outside += l->reading == SL_LOOP_COST ? entry->count : 0;
        return 0;
    }
    uint32_t n = sl_index_add(&l->numbers, entry->at.address, entry->value);
    if (n == SL_NO_INDEX || !SL_GROW(l->row, l->capacity, (size_t)n + 1))
        return SL_ENOMEM;
    r->view.entry = entry;
    if (n == l->n) {
        l->n++;
        l->row[n].name = sl_entry_text(&r->view);
        l->row[n].lines = sl_own_printable(sl_db_lines(&entry->at, &entry->to));
    }
    l->row[n].count[l->reading] = entry->count;
    return l->row[n].name ? 0 : SL_ENOMEM;
}

static int costlier(const void *left, const void *right)
{
    const struct sl_loop_row *a = left, *b = right;
    for (int i = SL_LOOP_COST; i < SL_LOOP_COUNTS; i++)
        if (a->count[i] != b->count[i])
            return a->count[i] > b->count[i] ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int read_profile(struct sl_loop_costs *l, struct sl_database *database, struct sl_failure *f)
{
    struct reading r = {.loops = l};
    const struct sl_db_profile *profile = l->profile[l->reading];
    int result = sl_entry_view_open(&r.view, database, profile, f);
    if (!result)
        result = sl_db_entries(database, profile, 0, add_entry, &r, f);
    sl_entry_view_close(&r.view);
    return result;
}

int sl_loop_costs_load(struct sl_loop_costs *l, struct sl_database *database, struct sl_failure *f)
{
    int result = 0;
    *l = (struct sl_loop_costs){.n = 0};
    find_profiles(l, &database->profiles);
    if (!l->profile[SL_LOOP_COST])
        return sl_fail(f, SL_EUSAGE,
                       "this format needs loop profiles, and the database has none: run again with "
                       "the format loops");
    for (l->reading = SL_LOOP_COST; l->reading < SL_LOOP_COUNTS && !result; l->reading++)
        if (l->profile[l->reading])
            result = read_profile(l, database, f);
    if (result == SL_ENOMEM)
        return sl_report_no_memory(f);
    SL_SORT(l->row, l->n, costlier);
    return result;
}

void sl_loop_costs_free(struct sl_loop_costs *l)
{
    for (size_t i = 0; i < l->n; i++) {
        free(l->row[i].name);
        free(l->row[i].lines);
    }
    free(l->row);
    sl_index_free(&l->numbers);
}
