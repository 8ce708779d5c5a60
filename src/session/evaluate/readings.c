/* SPDX-License-Identifier: MIT */
#include "readings.h"

#include <stdlib.h>

#include "grow.h"

/* A run's readings while they are filled in. */
struct filling {
    struct sl_reading *reading;
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

bool sl_readings_add(struct sl_readings *r, uint64_t run, const struct sl_measured *table,
                     const struct sl_table *exact, const struct sl_names *names)
{
    if (!SL_GROW(r->reading, r->room, r->n + names->n))
        return false;
    struct filling to = {r->reading + r->n, names, false};
    for (size_t i = 0; i < names->n; i++)
        r->reading[r->n++] = (struct sl_reading){.run = run, .number = i, .event = names->pc[i]};
    if (!sl_measured_each(table, names, fill, &to))
        return false;
    to.exact = true;
    sl_table_drain(exact, names, fill, &to);
    return true;
}

bool sl_readings_add_errors(struct sl_readings *r, uint64_t run, const struct sl_measured *table)
{
    if (!SL_GROW(r->error, r->room_errors, r->n_errors + table->n_errors))
        return false;
    for (size_t i = 0; i < table->n_errors; i++)
        r->error[r->n_errors++] = (struct sl_run_error){run, table->error[i]};
    return true;
}

void sl_readings_free(struct sl_readings *r)
{
    free(r->reading);
    free(r->error);
    *r = (struct sl_readings){0};
}
