/* SPDX-License-Identifier: MIT */
/* Writes two keys of a profile in JSON reports. "readings" has the estimate and the exact count of
 * each event; "runs" has the spread of errors over runs with different seeds. */
#include "json.h"

#include "db.h"

/* Returns the quartiles of a sample as an object. NULL: out of memory. */
static json_t *spread_object(const struct sl_db_samples *all, const struct sl_db_sample *one)
{
    struct sl_spread s;
    if (!sl_db_spread(all, one, &s))
        return NULL;
    return sl_json_object("min", sl_json_real(s.min), "lower_quartile",
                          sl_json_real(s.lower_quartile), "median", sl_json_real(s.median),
                          "upper_quartile", sl_json_real(s.upper_quartile), "max",
                          sl_json_real(s.max), "mean", sl_json_real(s.mean), NULL);
}

static int write_readings(const struct sl_output *o, const struct sl_db_profile *profile,
                          const struct sl_db_runs *runs)
{
    int result = 0;
    for (size_t i = 0; i < runs->events.n && !result; i++) {
        const struct sl_db_sample *event = &runs->events.sample[i];
        json_t *object = sl_json_object(
            "event", sl_json_text(event->name), "estimate", sl_json_number(event->count), "exact",
            sl_json_number(event->exact), "error", sl_json_real(event->value[0]), "bits",
            sl_json_real(sl_db_event_bits(profile, runs)), NULL);
        if (runs->n > 1)
            sl_json_set(&object, "spread", spread_object(&runs->events, event));
        fputs(i ? ",\n    " : ",\n   \"readings\": [\n    ", o->out);
        result = sl_json_dump(object, o->out, o->f);
    }
    fputs(runs->events.n ? "]" : "", o->out);
    return result;
}

static int write_runs(const struct sl_output *o, const struct sl_db_runs *runs)
{
    json_t *object = sl_json_object("n", sl_json_number(runs->n), NULL), *measures = json_object();
    if (runs->events.n)
        sl_json_set(&object, "readings", spread_object(&runs->events, NULL));
    for (size_t i = 0; i < runs->measures.n; i++)
        sl_json_set(&measures, runs->measures.sample[i].name,
                    spread_object(&runs->measures, &runs->measures.sample[i]));
    sl_json_set(&object, "error", measures);
    return sl_json_put(0, ",\n   \"runs\": ", object, o->out, o->f);
}

int sl_json_runs(const struct sl_output *o, const struct sl_db_profile *profile)
{
    struct sl_db_runs runs;
    int result = sl_db_runs(o->database, profile, &runs, o->f);
    if (result)
        return result;
    result = write_readings(o, profile, &runs);
    if (!result && runs.n > 1)
        result = write_runs(o, &runs);
    sl_db_runs_free(&runs);
    return result;
}
