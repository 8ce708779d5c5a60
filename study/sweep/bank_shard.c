/* SPDX-License-Identifier: MIT */
/* Runs one shard (part) of a sweep on an accelerator: records the events of a stream, passes the
 * events to the accelerator, and evaluates the results that the accelerator computed for each
 * table. */
#include "bank_shard.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "reported_table.h"
#include "session.h"

#define THREADS_MAX 256u

/* Consecutive profiles of a shard that count the same events, beginning at `first`. */
struct run {
    const struct sl_bank *bank;
    const struct sl_shard *shard;
    size_t first, n, threads;
    char *detecting;
    /* The events, and a copy of the tuple names of the last batch. */
    struct sl_bank_stream stream;
    uint32_t *tuple_id;
    uint64_t *value, *pc, *second;
    size_t tuple_ids_capacity, values_capacity, pcs_capacity, seconds_capacity;
    const char *unusable; /* reason why the events cannot be used; NULL: none */
    struct sl_profile_spec *spec;
    size_t n_specs; /* parsed ones */
    struct sl_bank_config *table;
    struct sl_bank_reports *reports;
    struct sl_reported_config *reported;
};

static int no_memory(struct sl_failure *f)
{
    return sl_out_of_memory(f);
}

static void free_run(struct run *r)
{
    for (size_t i = 0; r->reports && i < r->n; i++) {
        free(r->reports[i].report);
        free(r->reports[i].found);
    }
    free(r->tuple_id);
    free(r->value);
    free(r->pc);
    free(r->second);
    for (size_t i = 0; i < r->n_specs; i++)
        sl_profile_spec_free(&r->spec[i]);
    free(r->spec);
    free(r->table);
    free(r->reports);
    free(r->reported);
    free(r->detecting);
}

/* ---- record the events ---- */

static bool copy_names(struct run *r, const struct sl_tuple_names *names)
{
    size_t from = r->stream.n_names, more = names->n - from;
    if (!SL_GROW(r->pc, r->pcs_capacity, names->n + 1) ||
        !SL_GROW(r->second, r->seconds_capacity, names->n + 1))
        return false;
    memcpy(r->pc + from, names->pc + from, more * sizeof *r->pc);
    if (names->value)
        memcpy(r->second + from, names->value + from, more * sizeof *r->second);
    r->stream.n_names = names->n;
    return true;
}

/* Appends the events of a batch. Either all batches have values, or none has. */
static void record_batch(void *context, const struct sl_batch *batch)
{
    struct run *r = context;
    size_t n = r->stream.n, all = n + batch->n;
    if (r->unusable || !batch->n)
        return;
    if (batch->weight || (n && !batch->value != !r->values_capacity))
        r->unusable = "a GPU supports only events of weight 1 from one detector: use the metric "
                      "count and one detector";
    else if (all > SL_BANK_EVENTS_MAX)
        r->unusable = "a GPU supports streams of up to 2^30 events: use --limit";
    else if (!SL_GROW(r->tuple_id, r->tuple_ids_capacity, all) ||
             (batch->value && !SL_GROW(r->value, r->values_capacity, all)) ||
             !copy_names(r, batch->names))
        r->unusable = "out of memory for the stream's events";
    if (r->unusable)
        return;
    memcpy(r->tuple_id + n, batch->tuple_id, batch->n * sizeof *r->tuple_id);
    if (batch->value)
        memcpy(r->value + n, batch->value, batch->n * sizeof *r->value);
    r->stream.n = all;
}

/* A profile needs a table: this one is small and fast. */
static int record_events(struct run *r, struct sl_failure *f)
{
    char *spec = NULL;
    if (asprintf(&spec, "%s@P2147483648", r->detecting) < 0)
        return no_memory(f);
    struct sl_shard only = *r->shard;
    const char *specs[] = {spec};
    only.spec = specs;
    struct sl_shard_part part = {.observe = record_batch, .context = r};
    int error = sl_shard_run_once(&only, 0, 1, &part, NULL, f);
    free(spec);
    if (error >= 0 && r->unusable)
        error = sl_fail(f, SL_EUNSUPPORTED, "%s", r->unusable);
    r->stream.tuple_id = r->tuple_id;
    r->stream.value = r->value;
    r->stream.pc = r->pc;
    r->stream.second = r->second;
    return error;
}

/* ---- evaluation ---- */

/* Some of the profiles, evaluated by one thread. */
struct part {
    struct run *run;
    size_t first, n; /* within the run */
    struct sl_job_results figures;
    struct sl_failure failure;
    int error;
    pthread_t thread;
    bool started;
};

/* Replaces tables by tables that give the same results in less time, before the session runs. */
static void replace_tables(void *context, struct sl_session *session)
{
    const struct part *p = context;
    for (size_t i = 0; i < p->n; i++) {
        session->profile[i].table.kind = sl_reported_kind(p->run->table[p->first + i].kind);
        session->profile[i].table.config = &p->run->reported[p->first + i];
    }
}

static void *measure(void *context)
{
    struct part *p = context;
    struct sl_shard_part part = {.prepare = replace_tables, .context = p};
    p->error = sl_shard_run_once(p->run->shard, p->run->first + p->first, p->n, &part, &p->figures,
                                 &p->failure);
    return NULL;
}

/* Adds the measurements of a part to all. */
static int add_figures(const struct part *p, struct sl_job_results *out, struct sl_failure *f)
{
    if (p->error < 0)
        return sl_fail(f, p->failure.code, "%s", p->failure.text);
    for (size_t i = 0; i < p->figures.n; i++)
        sl_job_add(out, p->figures.figure[i].of, p->figures.figure[i].measure,
                   p->figures.figure[i].value);
    return out->out_of_memory ? no_memory(f) : 0;
}

static int measure_all(struct run *r, struct sl_job_results *out, struct sl_failure *f)
{
    struct part part[THREADS_MAX] = {0};
    size_t threads = r->threads < r->n ? r->threads : r->n;
    threads = threads < THREADS_MAX ? threads : THREADS_MAX;
    int error = 0;
    for (size_t i = 0; i < threads; i++) {
        struct part *p = &part[i];
        p->run = r;
        p->first = r->n * i / threads;
        p->n = r->n * (i + 1) / threads - p->first;
        p->started = i + 1 < threads && !pthread_create(&p->thread, NULL, measure, p);
        if (!p->started)
            measure(p);
    }
    for (size_t i = 0; i < threads; i++) {
        if (part[i].started)
            pthread_join(part[i].thread, NULL);
        if (error >= 0)
            error = add_figures(&part[i], out, f);
        sl_job_results_free(&part[i].figures);
    }
    return error;
}

/* ---- all steps ---- */

static int plan(struct run *r, struct sl_failure *f)
{
    int error = 0;
    r->spec = calloc(r->n, sizeof *r->spec);
    r->table = calloc(r->n, sizeof *r->table);
    r->reports = calloc(r->n, sizeof *r->reports);
    r->reported = calloc(r->n, sizeof *r->reported);
    if (!r->spec || !r->table || !r->reports || !r->reported)
        return no_memory(f);
    for (size_t i = 0; i < r->n && error >= 0; i++) {
        struct sl_profile_spec *spec = &r->spec[r->n_specs++];
        error = sl_profile_spec_parse(spec, r->shard->spec[r->first + i], f);
        if (error >= 0)
            error = sl_bank_plan(spec, r->shard->machine, &r->table[i], f);
        r->reported[i] = (struct sl_reported_config){spec->table, spec->table_config, &r->stream,
                                                     &r->reports[i]};
    }
    return error;
}

static int run_all(struct run *r, struct sl_job_results *out, struct sl_failure *f)
{
    char why[500] = "";
    int error = plan(r, f);
    if (error >= 0)
        error = record_events(r, f);
    if (error == SL_EUSAGE || error == SL_EUNSUPPORTED) {
        for (size_t i = 0; i < r->n; i++)
            sl_job_add_failure(out, r->first + i, f->text);
        return out->out_of_memory ? no_memory(f) : 0;
    }
    if (error >= 0 && r->bank->run(&r->stream, r->table, r->n, r->reports, why, sizeof why))
        error = sl_fail(f, SL_EIO, "GPU: %s", why);
    return error < 0 ? error : measure_all(r, out, f);
}

/* Sets *n to the number of profiles from `first` on that count the same events, and *detecting to
 * a description of these events, for free(3). */
static int same_events(const struct sl_shard *shard, size_t first, size_t *n, char **detecting,
                       struct sl_failure *f)
{
    int error = 0;
    bool same = true;
    *detecting = NULL;
    for (*n = 0; first + *n < shard->n && same && error >= 0; *n += same) {
        struct sl_profile_spec spec;
        error = sl_profile_spec_parse(&spec, shard->spec[first + *n], f);
        same = error >= 0 && (!*detecting || !strcmp(spec.detecting, *detecting));
        if (error >= 0 && !*detecting && !(*detecting = strdup(spec.detecting)))
            error = no_memory(f);
        sl_profile_spec_free(&spec);
    }
    return error;
}

int sl_bank_shard_run(const struct sl_bank *bank, const struct sl_shard *shard, size_t threads,
                      struct sl_job_results *out, struct sl_failure *f)
{
    int error = 0;
    for (size_t first = 0; first < shard->n && error >= 0;) {
        struct run r = {.bank = bank, .shard = shard, .first = first, .threads = threads};
        error = same_events(shard, first, &r.n, &r.detecting, f);
        if (error >= 0)
            error = run_all(&r, out, f);
        first += r.n;
        free_run(&r);
    }
    return error;
}
