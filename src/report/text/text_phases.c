/* SPDX-License-Identifier: MIT */
/* Text report of the phases of a run. The row of a phase has its kind, its percentage of the run,
 * its turnover (the fraction of executed paths that differs from the previous phase), and its
 * hottest path with the path's percentage of the phase:
 *
 *     Phases by turnover
 *       1  kind 1  12.31%  turnover  3.1%  45.12%  main+0x1c..+0x30  turns.c:3  NT
 *       2  kind 2  70.02%  turnover 11.9%  30.00%  turn..+0x12       turns.c:9  TT
 *       4 more phases */
#include "text.h"

#include <stdlib.h>

#include "entry_view.h"

enum column { NUMBER, KIND, SHARE, TURNOVER, HOTTEST, WHERE, LINE, SECOND };

struct listing {
    const struct sl_text *t;
    const struct sl_db_profile *profile;
    struct sl_entry_views views;
    struct sl_text_table table;
    uint64_t n, more;
    const struct sl_db_phase *phase;
};

/* Only the first path of a phase is printed. */
static int add_path(void *context, int64_t of, const struct sl_db_entry *entry)
{
    struct listing *l = context;
    struct sl_entry_strings strings;
    const struct sl_entry_view *view;
    if (entry->rank != 1)
        return 0;
    int result = sl_entry_views_look(&l->views, of, l->profile, entry, &view, l->t->f);
    if (result)
        return result;
    bool good = sl_entry_format(view, &strings);
    if (good) {
        sl_text_put_percentage(&l->table, HOTTEST, entry->count, l->phase->weight);
        sl_text_put(&l->table, WHERE, strings.where);
        sl_text_put(&l->table, LINE, strings.line);
        sl_text_put(&l->table, SECOND, strings.second);
    }
    sl_entry_strings_free(&strings);
    return good ? 0 : SL_ENOMEM;
}

static int add_phase(void *context, const struct sl_db_phase *phase)
{
    struct listing *l = context;
    if (l->n && sl_text_n_rows(&l->table) == l->n) {
        l->more++;
        return 0;
    }
    l->phase = phase;
    sl_text_row(&l->table);
    sl_text_put_number(&l->table, NUMBER, phase->number);
    sl_text_put_format(&l->table, KIND, "kind %llu", (unsigned long long)phase->kind);
    sl_text_put_percentage(&l->table, SHARE, phase->weight, l->profile->weight);
    sl_text_put_format(&l->table, TURNOVER, "turnover %.1f%%", 100 * phase->turnover);
    return sl_db_phase_entries(l->t->database, l->profile, phase->number, add_path, l, l->t->f);
}

int sl_text_phases(const struct sl_text *t, const struct sl_db_profile *profile, uint64_t n)
{
    struct listing l = {.t = t,
                        .profile = profile,
                        .views = {t->database, NULL},
                        .n = n,
                        .table = {.columns = "rorrrsbb"}};
    int result = sl_db_phases(t->database, profile, add_phase, &l, t->f);
    if (result == SL_ENOMEM)
        sl_report_no_memory(t->f);
    if (!result && l.table.n_cells) {
        fprintf(t->out, "\nPhases by turnover\n");
        sl_text_fit(&l.table, t->width);
        sl_text_print(&l.table, t->width, t->out);
        if (l.more)
            fprintf(t->out, "  %llu more phase%s\n", (unsigned long long)l.more,
                    l.more == 1 ? "" : "s");
    }
    sl_entry_views_close(&l.views);
    sl_text_free(&l.table);
    return result;
}
