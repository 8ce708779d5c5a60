/* SPDX-License-Identifier: MIT */
/* Live view: reports the candidates (frequent tuples) of each interval with their names, and marks
 * candidates that are new or gone since the previous interval (live.h). A mutex serializes the
 * callbacks, because groups run in several threads. */
#include "live.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "detector_set.h"
#include "grow.h"
#include "session.h"

/* ---- names ---- */

static bool same_location(const struct sl_db_location *a, const struct sl_db_location *b)
{
    return a->function == b->function && a->function_start == b->function_start &&
           a->object == b->object && a->object_address == b->object_address && a->file == b->file &&
           a->line == b->line;
}

/* Returns NULL if out of memory. */
static const struct sl_db_location *location_at(struct sl_live *l, uint64_t address)
{
    size_t n_objects = l->env->statics->n_objects;
    uint32_t at = sl_index_add(&l->addresses, address, 0);
    if (at == SL_NO_INDEX || !SL_GROW(l->place, l->places_capacity, l->addresses.n_keys))
        return NULL;
    struct sl_live_place *kept = l->place[at];
    if (kept && kept->n_objects == n_objects)
        return &kept->is;
    struct sl_db_location now;
    sl_symbols_place(l->env->symbols, address, &now);
    if (kept && same_location(&kept->is, &now)) {
        kept->n_objects = n_objects;
        return &kept->is;
    }
    struct sl_live_place *fresh = malloc(sizeof *fresh);
    if (!fresh)
        return NULL;
    *fresh = (struct sl_live_place){now, n_objects, kept};
    l->place[at] = fresh;
    return &fresh->is;
}

/* Returns false if out of memory. */
static bool name(struct sl_live_profile *p, const struct sl_entry *entry,
                 struct sl_live_candidate *out)
{
    const struct sl_profile_spec *spec = &p->profile->spec;
    struct sl_tuple tuple = entry->tuple;
    size_t member = 0;
    if (spec->n_detectors > 1) {
        member = tuple.pc >> SL_TAG_SHIFT;
        tuple.pc &= SL_TAG_PC;
    }
    if (member >= spec->n_detectors)
        return false;
    const struct sl_detector_kind *kind = p->of[member].kind;
    *out = (struct sl_live_candidate){.entry = *entry,
                                      .is_new = true,
                                      .detector = kind->name,
                                      .member = member,
                                      .of = &p->of[member]};
    out->entry.tuple = tuple;
    bool code = kind->first == SL_FIELD_CODE || kind->first == SL_FIELD_FUNCTION ||
                kind->first == SL_FIELD_LOOP || kind->first == SL_FIELD_OUTCOMES;
    if (code && !(out->at = location_at(p->live, tuple.pc)))
        return false;
    return !sl_field_is_address(&kind->second) || (out->to = location_at(p->live, tuple.value));
}

/* ---- an interval ---- */

static int by_tuple(const void *left, const void *right)
{
    const struct sl_live_candidate *a = left, *b = right;
    return sl_order(a->member, b->member, sl_tuple_order(a->entry.tuple, b->entry.tuple));
}

static int by_count(const void *left, const void *right)
{
    const struct sl_live_candidate *a = left, *b = right;
    return sl_order(b->entry.count, a->entry.count, by_tuple(a, b));
}

/* Compares `now` and `before`, both by tuple: clears `is_new` of candidates of both, and copies
 * those of `before` alone to `gone`. Returns the number of the latter. */
static size_t compare(struct sl_live_profile *p, size_t n_now, size_t *n_new)
{
    size_t n_gone = 0, at = 0;
    *n_new = n_now;
    for (size_t i = 0; i < p->n_before; i++) {
        while (at < n_now && by_tuple(&p->now[at], &p->before[i]) < 0)
            at++;
        if (at < n_now && !by_tuple(&p->now[at], &p->before[i])) {
            p->now[at].is_new = false;
            --*n_new;
        } else {
            p->gone[n_gone++] = p->before[i];
        }
    }
    return n_gone;
}

static void report(struct sl_live_profile *p, const struct sl_interval *interval)
{
    const struct sl_profile_spec *spec = &p->profile->spec;
    size_t n = interval->n_entries, n_new;
    if (!SL_GROW(p->now, p->now_capacity, n) || !SL_GROW(p->gone, p->gone_capacity, p->n_before) ||
        !SL_GROW(p->before, p->before_capacity, n))
        return;
    for (size_t i = 0; i < n; i++)
        if (!name(p, &interval->entry[i], &p->now[i]))
            return;
    SL_SORT(p->now, n, by_tuple);
    size_t n_gone = compare(p, n, &n_new);
    if (n) /* else there may be no arrays yet */
        memcpy(p->before, p->now, n * sizeof *p->now);
    p->n_before = n;
    SL_SORT(p->now, n, by_count);
    SL_SORT(p->gone, n_gone, by_count);
    struct sl_live_interval out = {
        .profile = (size_t)(p - p->live->profile),
        .result = p->result,
        .spec = spec->text,
        .given = spec->given,
        .shared = spec->n_detectors > 1,
        .unit = spec->detector[0].metric->name,
        .interval = interval,
        .candidate = p->now,
        .n_candidates = n,
        .n_new = n_new,
        .gone = p->gone,
        .n_gone = n_gone,
    };
    p->live->callbacks.interval(p->live->callbacks.context, &out);
}

static void report_locked(void *profile, const struct sl_interval *interval)
{
    struct sl_live_profile *p = profile;
    if (!p->live->callbacks.interval)
        return;
    pthread_mutex_lock(&p->live->lock);
    report(p, interval);
    pthread_mutex_unlock(&p->live->lock);
}

/* ---- open and close ---- */

/* Registers the callbacks for the intervals of all profiles. Returns false if out of memory. */
static bool open_live(struct sl_session *s, const struct sl_session_callbacks *callbacks)
{
    struct sl_live *l = &s->live;
    struct sl_profile *profile = s->profile;
    l->callbacks = *callbacks;
    l->env = &s->env;
    if (!callbacks->interval)
        return true;
    if (!(l->profile = calloc(s->n_profiles + 1, sizeof *l->profile)))
        return false;
    pthread_mutex_init(&l->lock, NULL);
    l->n_profiles = s->n_profiles;
    for (size_t i = 0, results = 0; i < s->n_profiles; i++) {
        l->profile[i] = (struct sl_live_profile){
            .live = l, .profile = &profile[i], .result = results};
        results += profile[i].spec.n_detectors;
        for (size_t d = 0; d < profile[i].spec.n_detectors; d++)
            l->profile[i].of[d] = (struct sl_live_detector){
                .kind = sl_profile_spec_kept(&profile[i].spec, d),
                .config = profile[i].spec.detector[d].config,
            };
        profile[i].table.intervals.on_interval = report_locked;
        profile[i].table.intervals.on_interval_context = &l->profile[i];
    }
    return true;
}

void sl_live_close(struct sl_live *l)
{
    for (size_t i = 0; i < l->n_profiles; i++) {
        free(l->profile[i].now);
        free(l->profile[i].before);
        free(l->profile[i].gone);
    }
    for (size_t i = 0; i < l->places_capacity; i++)
        for (struct sl_live_place *place = l->place[i], *before; place; place = before) {
            before = place->before;
            free(place);
        }
    free(l->place);
    sl_index_free(&l->addresses);
    if (l->profile)
        pthread_mutex_destroy(&l->lock);
    free(l->profile);
    sl_index_free(&l->functions.names);
    sl_index_free(&l->functions.addresses);
    free(l->functions.context);
    free(l->functions.counted);
    free(l->functions.function);
}

const char *sl_session_live_profile(const struct sl_session *s, size_t i)
{
    if (!s || i >= s->n_profiles)
        return NULL;
    return s->profile[i].spec.table->intervals ? s->profile[i].spec.detector[0].kind->plural : "";
}

int sl_session_set_callbacks(struct sl_session *s, const struct sl_session_callbacks *callbacks,
                             struct sl_failure *f)
{
    SL_REQUIRE(f, s && callbacks && !s->source && !s->live.profile);
    bool some = !callbacks->interval;
    if (callbacks->functions)
        some |= sl_live_costs_find(&s->live.functions, s->profile, s->n_profiles);
    for (size_t i = 0; i < s->n_profiles; i++)
        some |= s->profile[i].spec.table->intervals != NULL;
    if (!some)
        return sl_fail_setting(f, "live",
                               "no profile has intervals to report during the run: add one, for "
                               "example edge@multihash");
    return open_live(s, callbacks) ? 0 : sl_out_of_memory(f);
}
