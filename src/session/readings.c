#include "readings.h"

#include <stdlib.h>

/* The exact table of the group; NULL if it has none. */
static const struct sl_table *exact_table(const struct sl_group *g)
{
    const struct sl_table *table = g->exact.table;
    for (size_t i = 0; i < g->n_keeps && !table; i++)
        if (g->keep[i]->spec->table == &sl_table_exact)
            table = g->keep[i]->table;
    return table;
}

static bool is_read(const struct sl_group *g, const struct sl_keep *keep)
{
    return g->feed.n_members == 1 && g->feed.member[0].kind == &sl_detector_event &&
           keep->spec->table != &sl_table_exact && exact_table(g);
}

/* A run's readings while they are filled in. */
struct filling {
    struct sl_result_reading *reading;
    const struct sl_names *names;
    bool exact;
};

static bool fill(void *context, const struct sl_entry *entry)
{
    const struct filling *to = context;
    size_t i = 0;
    while (i < to->names->n && to->names->pc[i] != entry->tuple.pc)
        i++;
    if (i < to->names->n)
        *(to->exact ? &to->reading[i].exact : &to->reading[i].count) = entry->count;
    return true;
}

static const struct sl_keep *run_of(const struct sl_keep *keep, size_t run)
{
    return run ? &keep->repeat[run - 1] : keep;
}

static bool read_events(struct sl_readings *r, struct sl_group *g, const struct sl_keep *keep)
{
    struct sl_names names;
    sl_feed_names(&g->feed, &names);
    r->n = names.n * (keep->n_repeats + 1);
    if (!(r->reading = calloc(r->n + 1, sizeof *r->reading)))
        return false;
    for (size_t run = 0; run <= keep->n_repeats; run++) {
        struct filling to = {r->reading + run * names.n, &names, false};
        for (size_t i = 0; i < names.n; i++)
            to.reading[i] = (struct sl_result_reading){.run = run, .number = i,
                                                       .event = names.pc[i]};
        sl_keep_each(run_of(keep, run), &names, fill, &to);
        to.exact = true;
        sl_table_drain(exact_table(g), &names, fill, &to);
    }
    return true;
}

static bool read_errors(struct sl_readings *r, const struct sl_keep *keep)
{
    if (!(r->error = calloc((keep->n_repeats + 1) * SL_KEEP_ERRORS, sizeof *r->error)))
        return false;
    for (size_t run = 0; run <= keep->n_repeats; run++) {
        const struct sl_keep *one = run_of(keep, run);
        for (size_t i = 0; i < one->n_errors; i++)
            r->error[r->n_errors++] = (struct sl_result_run_error){run, one->error[i]};
    }
    return true;
}

bool sl_readings_collect(struct sl_readings *r, struct sl_group *g, const struct sl_keep *keep)
{
    *r = (struct sl_readings){0};
    return (!is_read(g, keep) || read_events(r, g, keep)) &&
           (!keep->n_repeats || read_errors(r, keep));
}
