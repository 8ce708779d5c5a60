#include "profile.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"

/* ---- reading a spec ------------------------------------------------------ */

static int no_such(struct sl_failure *f, const char *what, const struct sl_spec *spec,
                   const char *list)
{
    return sl_fail(f, SL_EUSAGE, "%s: there is no %s called %.*s (character %zu); 'sluice list %s' "
                   "shows what there is", spec->text, what, (int)(spec->name_end - spec->name),
                   spec->text + spec->name, spec->name + 1, list);
}

static int parse_component(const struct sl_spec *spec, const struct sl_option *options,
                           size_t config_size, void **config, struct sl_failure *f)
{
    static const struct sl_option none[] = {SL_OPTIONS_END};
    *config = calloc(1, config_size ? config_size : 1);
    if (!*config)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    return sl_options_parse(options ? options : none, spec, *config, f);
}

static int parse_metric(struct sl_profile *p, const struct sl_spec *detector, size_t *at,
                        struct sl_failure *f)
{
    const char *text = detector->text;
    const char *name = p->detector->metric;
    size_t length = strlen(name);
    if (text[*at] == ':') {
        name = text + ++*at;
        length = strcspn(name, "@");
        *at += length;
    }
    p->metric = sl_metric_find(name, length);
    if (!p->metric)
        return sl_fail(f, SL_EUSAGE, "%s: there is no metric called %.*s (character %zu); 'sluice list "
                       "metrics' shows what there is", text, (int)length, name,
                       (size_t)(name - text) + 1);
    if (p->detector->weighs_itself && p->metric->weigh)
        return sl_fail(f, SL_EUSAGE, "%s: an event of %s is one instruction, so %s says nothing of "
                       "it; use %s:count", text, p->detector->name, p->metric->name,
                       p->detector->name);
    return 0;
}

static void print_component(const char *name, const struct sl_option *options, const void *config,
                            char *out, size_t room)
{
    if (options)
        sl_options_print(options, name, config, out, room);
    else
        snprintf(out, room, "%s", name);
}

static void print_spec(struct sl_profile *p)
{
    char detector[512], table[512];
    print_component(p->detector->name, p->detector->options, p->detector_config, detector,
                    sizeof detector);
    sl_table_print(p->table, p->table_config, table, sizeof table);
    if (asprintf(&p->spec, "%s:%s@%s", detector, p->metric->name, table) < 0)
        p->spec = NULL;
}

int sl_profile_parse(struct sl_profile *p, const char *text, struct sl_failure *f)
{
    struct sl_spec spec;
    *p = (struct sl_profile){0};
    int error = sl_spec_split(&spec, text, 0, f);
    if (error < 0)
        return error;
    if (!(p->detector = sl_detector_find(&spec)))
        return no_such(f, "detector", &spec, "detectors");
    error = parse_component(&spec, p->detector->options, p->detector->config_size,
                            &p->detector_config, f);
    size_t at = spec.end;
    if (error >= 0)
        error = parse_metric(p, &spec, &at, f);
    if (error < 0)
        return error;
    if (text[at] == '@')
        error = sl_table_parse(&p->table, &p->table_config, text, at + 1, &at, f);
    else if (!text[at])
        error = sl_table_parse(&p->table, &p->table_config, "exact", 0, &(size_t){0}, f);
    if (error < 0)
        return error;
    if (text[at])
        return sl_fail(f, SL_EUSAGE, "%s: cannot make sense of '%s' at character %zu; a profile is "
                       "DETECTOR[(options)][:METRIC][@TABLE[(options)]]", text, text + at, at + 1);
    print_spec(p);
    return p->spec ? 0 : sl_fail(f, SL_ENOMEM, "out of memory");
}

/* ---- running ------------------------------------------------------------- */

int sl_profile_open(struct sl_profile *p, const struct sl_watch *watch, uint64_t memory_bytes,
                    struct sl_failure *f)
{
    p->detector_state = calloc(1, p->detector->state_size);
    struct sl_table_host host = {.memory_bytes = memory_bytes};
    p->table_memory = aligned_alloc(64, sl_table_bytes_of(p->table, p->table_config, &host));
    if (!p->detector_state || !p->table_memory)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    int error = p->detector->init(p->detector_state, p->detector_config, watch, f);
    if (error >= 0)
        error = sl_table_make(&p->kept, p->table, p->table_config, &host, p->table_memory, f);
    p->opened = error >= 0;
    return error;
}

static void clear(struct sl_events *events)
{
    events->n = 0;
    events->number_in_place = NULL;
    events->value_in_place = NULL;
}

static void observe(struct sl_profile *p, const struct sl_events *events)
{
    struct sl_names names;
    p->detector->names(p->detector_state, &names);
    struct sl_batch batch = {
        .n = events->n,
        .number = events->number_in_place ? events->number_in_place : events->number,
        .value = names.value              ? NULL
                 : events->value_in_place ? events->value_in_place
                                          : events->value,
        .weight = p->metric->weigh ? events->weight : NULL,
        .names = &names,
    };
    if (batch.n)
        sl_table_observe(p->kept, &batch);
}

int sl_profile_feed(struct sl_profile *p, struct sl_slice *slice, struct sl_events *buffer,
                    struct sl_failure *f)
{
    uint32_t thread = slice->chunk->thread;
    if (!SL_GROW(p->thread_joined, p->room_threads, (size_t)thread + 1))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    bool fed = slice->active || p->detector->follows;
    slice->joined = slice->joined && p->thread_joined[thread];
    p->thread_joined[thread] = fed;
    if (!fed)
        return 0;
    clear(buffer);
    int error = p->detector->feed(p->detector_state, slice, buffer, f);
    if (error >= 0)
        observe(p, buffer);
    return error;
}

void sl_profile_finish(struct sl_profile *p, struct sl_events *buffer)
{
    do {
        clear(buffer);
        if (p->detector->finish)
            p->detector->finish(p->detector_state, buffer);
        observe(p, buffer);
    } while (buffer->n);
}

void sl_profile_close(struct sl_profile *p)
{
    if (p->opened) {
        p->detector->close(p->detector_state);
        sl_table_close(p->kept);
    }
    free(p->detector_config);
    free(p->detector_state);
    free(p->table_config);
    free(p->table_memory);
    free(p->thread_joined);
    free(p->spec);
}

/* ---- the heaviest entries ------------------------------------------------ */

/* Collects entries; whenever there are twice as many as wanted, the lighter half
 * goes, and from then on what is lighter than all kept is not even collected. */
struct collector {
    struct sl_entry *entry;
    size_t n, room, keep;
    uint64_t at_least;
    bool out_of_memory;
};

static int heavier_first(const void *left, const void *right)
{
    const struct sl_entry *a = left, *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    if (a->tuple.pc != b->tuple.pc)
        return a->tuple.pc < b->tuple.pc ? -1 : 1;
    return (a->tuple.value > b->tuple.value) - (a->tuple.value < b->tuple.value);
}

static void thin_out(struct collector *c)
{
    if (c->n)
        qsort(c->entry, c->n, sizeof *c->entry, heavier_first);
    if (c->n >= c->keep) {
        c->n = c->keep;
        c->at_least = c->entry[c->n - 1].count;
    }
}

static bool collect(void *context, const struct sl_entry *entry)
{
    struct collector *c = context;
    if (entry->count < c->at_least)
        return true;
    if (!SL_GROW(c->entry, c->room, c->n + 1)) {
        c->out_of_memory = true;
        return false;
    }
    c->entry[c->n++] = *entry;
    if (c->n / 2 >= c->keep)
        thin_out(c);
    return true;
}

int64_t sl_profile_entries(struct sl_profile *p, size_t keep, struct sl_entry **entries,
                           struct sl_failure *f)
{
    struct collector c = {.keep = keep};
    struct sl_names names;
    p->detector->names(p->detector_state, &names);
    sl_table_drain(p->kept, &names, collect, &c);
    if (c.out_of_memory) {
        free(c.entry);
        return sl_fail(f, SL_ENOMEM, "out of memory");
    }
    thin_out(&c);
    *entries = c.entry;
    return (int64_t)c.n;
}
