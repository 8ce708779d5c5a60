#include "json_runs.h"

#include "json_value.h"

/* NULL when memory ran out. */
static json_t *spread_object(const struct sl_saved_samples *all, const struct sl_saved_sample *one)
{
    struct sl_spread s;
    if (!sl_saved_spread(all, one, &s))
        return NULL;
    const struct sl_figure figures[] = {
        {"min", s.min}, {"lower_quartile", s.lower_quartile}, {"median", s.median},
        {"upper_quartile", s.upper_quartile}, {"max", s.max}, {"mean", s.mean},
    };
    json_t *object = json_object();
    int error = 0;
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        error |= json_object_set_new(object, figures[i].name, sl_json_real(figures[i].value));
    if (!error)
        return object;
    json_decref(object);
    return NULL;
}

static int write_readings(const struct sl_saved_profile *profile, const struct sl_saved_runs *runs,
                          FILE *out, struct sl_failure *f)
{
    int result = 0;
    for (size_t i = 0; i < runs->events.n && !result; i++) {
        const struct sl_saved_sample *event = &runs->events.sample[i];
        json_t *object = json_object();
        int error = json_object_set_new(object, "event", sl_json_text(event->name));
        error |= json_object_set_new(object, "estimate", sl_json_number(event->count));
        error |= json_object_set_new(object, "exact", sl_json_number(event->exact));
        error |= json_object_set_new(object, "error", sl_json_real(event->value[0]));
        error |= json_object_set_new(object, "bits",
                                     sl_json_real(sl_saved_event_bits(profile, runs)));
        if (runs->n > 1)
            error |= json_object_set_new(object, "spread", spread_object(&runs->events, event));
        fputs(i ? ",\n    " : ",\n   \"readings\": [\n    ", out);
        result = sl_json_dump(object, error, out, f);
    }
    fputs(runs->events.n ? "]" : "", out);
    return result;
}

static int write_runs(const struct sl_saved_runs *runs, FILE *out, struct sl_failure *f)
{
    json_t *object = json_object(), *measures = json_object();
    int error = json_object_set_new(object, "n", sl_json_number(runs->n));
    if (runs->events.n)
        error |= json_object_set_new(object, "readings", spread_object(&runs->events, NULL));
    for (size_t i = 0; i < runs->measures.n; i++)
        error |= json_object_set_new(measures, runs->measures.sample[i].name,
                                     spread_object(&runs->measures, &runs->measures.sample[i]));
    error |= json_object_set_new(object, "error", measures);
    fputs(",\n   \"runs\": ", out);
    return sl_json_dump(object, error, out, f);
}

int sl_json_runs(struct sl_database *database, const struct sl_saved_profile *profile, FILE *out,
                 struct sl_failure *f)
{
    struct sl_saved_runs runs;
    int result = sl_saved_runs(database, profile, &runs, f);
    if (result)
        return result;
    result = write_readings(profile, &runs, out, f);
    if (!result && runs.n > 1)
        result = write_runs(&runs, out, f);
    sl_saved_runs_free(&runs);
    return result;
}
