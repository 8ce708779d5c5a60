/* SPDX-License-Identifier: MIT */
/* Parser of profile specs, for example "edge:count@multihash" (spec.h). It checks that detector,
 * metric and table can be combined, and prints the spec with all options. */
#include "spec.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"

static int parse_options(const struct sl_spec *spec, const struct sl_option *options,
                         size_t config_size, void **config, struct sl_failure *f)
{
    static const struct sl_option none[] = {SL_OPTIONS_END};
    *config = calloc(1, config_size ? config_size : 1);
    if (!*config)
        return sl_out_of_memory(f);
    return sl_options_parse(options ? options : none, spec, *config, f);
}

/* Parses the metric at text[*at], or takes the detector's default one. */
static int parse_metric(const struct sl_detector_kind *detector, const struct sl_metric **metric,
                        const char *text, size_t *at, struct sl_failure *f)
{
    const char *name = detector->default_metric;
    size_t length = strlen(name);
    if (text[*at] == ':') {
        name = text + ++*at;
        length = strcspn(name, "@+");
        *at += length;
    }
    *metric = sl_metric_find(name, length);
    if (!*metric)
        return sl_text_fail(f, text, (size_t)(name - text),
                            "unknown metric %.*s (all metrics: sluice list metrics)", (int)length,
                            name);
    if (detector->unweighted && (*metric)->weigh)
        return sl_text_fail(
            f, text, (size_t)(name - text),
            "%s events can only be counted, not weighted by the metric %s: use %s:count",
            detector->name, (*metric)->name, detector->name);
    if (detector->per_access && (*metric)->weigh && !(*metric)->access)
        return sl_text_fail(f, text, (size_t)(name - text),
                            "an event of %s is one load, which has no %s: use %s:count, or "
                            "%s:dmiss to count misses",
                            detector->name, (*metric)->name, detector->name, detector->name);
    return 0;
}

static int no_such_detector(const char *text, const struct sl_spec *spec, struct sl_failure *f)
{
    struct sl_nearest nearest;
    char question[SL_NEAREST_BYTES];
    int size = (int)(spec->name_end - spec->name);
    sl_nearest_start(&nearest, text + spec->name, (size_t)size);
    for (size_t i = 0; sl_detectors[i]; i++)
        sl_nearest_offer(&nearest, sl_detectors[i]->name);
    const char *hint = sl_nearest_hint(&nearest, question);
    return sl_text_fail(f, text, spec->name,
                        "unknown detector %.*s%s (all detectors: sluice list detectors)", size,
                        text + spec->name, nearest.best ? hint : "");
}

static int parse_detector(struct sl_profile_spec *p, const char *text, size_t *at,
                          struct sl_failure *f)
{
    struct sl_spec spec;
    const struct sl_metric *metric;
    if (p->n_detectors == SL_SPEC_DETECTORS)
        return sl_text_fail(
            f, text, *at,
            "more than %d detectors share one table: put some of them into another profile",
            SL_SPEC_DETECTORS);
    int error = sl_spec_split(&spec, text, *at, f);
    if (error < 0)
        return error;
    const struct sl_detector_kind *kind = sl_detector_find(text + spec.name,
                                                           spec.name_end - spec.name);
    if (!kind)
        return no_such_detector(text, &spec, f);
    p->detector[p->n_detectors].kind = kind;
    void **config = &p->detector[p->n_detectors++].config;
    error = parse_options(&spec, kind->options, kind->config_size, config, f);
    if (error >= 0 && kind->resolve)
        error = kind->resolve(*config, f);
    *at = spec.end;
    if (error >= 0)
        error = parse_metric(kind, &metric, text, at, f);
    if (error < 0)
        return error;
    if (kind->inclusive && kind->inclusive(*config) && !metric->weigh)
        return sl_text_fail(
            f, text, spec.name,
            "with these options, %s has inclusive costs, but %s is not a cost: use %s:%s",
            kind->name, metric->name, kind->name, kind->default_metric);
    p->detector[p->n_detectors - 1].metric = metric;
    return 0;
}

/* Prints the spec with all options to p->detecting and p->text. */
static int print(struct sl_profile_spec *p, struct sl_failure *f)
{
    char one[2048]; /* ranges of addresses may be many */
    size_t length;
    FILE *out = open_memstream(&p->detecting, &length);
    if (!out)
        return sl_out_of_memory(f);
    for (size_t i = 0; i < p->n_detectors; i++) {
        const struct sl_detector_kind *kind = p->detector[i].kind;
        if (kind->options)
            sl_options_print(kind->options, kind->name, p->detector[i].config, one, sizeof one);
        else
            snprintf(one, sizeof one, "%s", kind->name);
        fprintf(out, "%s%s:%s", i ? "+" : "", one, p->detector[i].metric->name);
    }
    sl_table_notation(p->table, p->table_config, p->notation, sizeof p->notation);
    sl_table_print(p->table, p->table_config, one, sizeof one);
    if (fclose(out) || asprintf(&p->text, "%s@%s", p->detecting, one) < 0) {
        p->text = NULL;
        return sl_out_of_memory(f);
    }
    return 0;
}

/* Tables by function allow one detector; some tables allow only a certain detector. */
static int check_table(const struct sl_profile_spec *p, const char *text, size_t at,
                       struct sl_failure *f)
{
    const struct sl_table_kind *table = p->table;
    const char *detector = p->detector[0].kind->name;
    if (table->input.by_function && p->n_detectors > 1)
        return sl_text_fail(f, text, at,
                            "the table %s counts by function and cannot distinguish the events "
                            "of several detectors: use one profile per detector",
                            table->name);
    if (table->input.detector && strcmp(table->input.detector, detector))
        return sl_text_fail(
            f, text, at, "the table %s works only with the detector %s, not with %s: use %s@%s",
            table->name, table->input.detector, detector, table->input.detector, table->name);
    for (size_t i = 0; i < p->n_detectors && table->input.by_tuple_id; i++)
        if (p->detector[i].kind->second_in_event)
            return sl_text_fail(f, text, at,
                                "the table %s needs one counter per tuple, and %s events have "
                                "too many tuples: use another table",
                                table->name, p->detector[i].kind->name);
    return 0;
}

int sl_profile_spec_parse(struct sl_profile_spec *p, const char *text, struct sl_failure *f)
{
    size_t at = 0, unused;
    *p = (struct sl_profile_spec){.given = strdup(text)};
    if (!p->given)
        return sl_out_of_memory(f);
    int error = parse_detector(p, text, &at, f);
    while (error >= 0 && text[at] == '+') {
        at++;
        error = parse_detector(p, text, &at, f);
    }
    if (error < 0)
        return error;
    size_t table_at = at + 1;
    if (text[at] == '@')
        error = sl_table_parse(&p->table, &p->table_config, text, table_at, &at, f);
    else
        error = sl_table_parse(&p->table, &p->table_config, "exact", 0, &unused, f);
    if (error >= 0)
        error = check_table(p, text, table_at, f);
    if (error < 0)
        return error;
    if (text[at])
        return sl_text_fail(f, text, at,
                            "unexpected text after a profile: the syntax is "
                            "DETECTOR[(options)][:METRIC][+DETECTOR...][@TABLE[(options)]]");
    return print(p, f);
}

const struct sl_detector_kind *sl_profile_spec_kept(const struct sl_profile_spec *p, size_t i)
{
    return p->table->input.by_function
               ? sl_detector_with_fields(SL_FIELD_FUNCTION, SL_FIELD_NOTHING)
               : p->detector[i].kind;
}

uint64_t *sl_profile_spec_seed(const struct sl_profile_spec *p)
{
    const struct sl_option *seed = p->table->options
                                       ? sl_option_find(p->table->options, "seed", strlen("seed"))
                                       : NULL;
    return seed ? (uint64_t *)(void *)((char *)p->table_config + seed->offset) : NULL;
}

void sl_profile_spec_free(struct sl_profile_spec *p)
{
    for (size_t i = 0; i < p->n_detectors; i++)
        free(p->detector[i].config);
    free(p->table_config);
    free(p->detecting);
    free(p->text);
    free(p->given);
}
