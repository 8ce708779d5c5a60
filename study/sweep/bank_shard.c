/* SPDX-License-Identifier: MIT */
#include "bank_shard.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "reported_table.h"
#include "session.h"

#define THREADS_MAX 256u

/* Profiles of a share that are of the same events, from `first` on, and all that is known of them.
 */
struct run {
    const struct sl_bank *bank;
    const struct sl_shard *share;
    size_t first, n, threads;
    char *detecting;
    /* The events; names are those of the last batch, copied. */
    struct sl_bank_stream stream;
    uint32_t *number;
    uint64_t *value, *pc, *second;
    size_t numbers_capacity, values_capacity, pcs_capacity, seconds_capacity;
    const char *trouble; /* NULL: none */
    struct sl_profile_spec *spec;
    size_t n_specs; /* that have been read */
    struct sl_bank_wanted *table;
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
    free(r->number);
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

/* ---- listening ---- */

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

/* Values are there for all batches or for none. */
static void listen_to(void *context, const struct sl_batch *batch)
{
    struct run *r = context;
    size_t n = r->stream.n, all = n + batch->n;
    if (r->trouble || !batch->n)
        return;
    if (batch->weight || (n && !batch->value != !r->values_capacity))
        r->trouble = "events of this profile weigh more than 1 there, or are of two kinds";
    else if (all > SL_BANK_EVENTS_MAX)
        r->trouble = "a card takes a stream of up to 2^30 events; take fewer of them";
    else if (!SL_GROW(r->number, r->numbers_capacity, all) ||
             (batch->value && !SL_GROW(r->value, r->values_capacity, all)) ||
             !copy_names(r, batch->names))
        r->trouble = "out of memory for the stream's events";
    if (r->trouble)
        return;
    memcpy(r->number + n, batch->number, batch->n * sizeof *r->number);
    if (batch->value)
        memcpy(r->value + n, batch->value, batch->n * sizeof *r->value);
    r->stream.n = all;
}

/* With a table that costs little, as a profile has to have one. */
static int listen_all(struct run *r, struct sl_failure *f)
{
    char *spec = NULL;
    if (asprintf(&spec, "%s@P2147483648", r->detecting) < 0)
        return no_memory(f);
    struct sl_shard only = *r->share;
    const char *specs[] = {spec};
    only.spec = specs;
    struct sl_shard_part part = {.observe = listen_to, .context = r};
    int error = sl_shard_run_once(&only, 0, 1, &part, NULL, f);
    free(spec);
    if (error >= 0 && r->trouble)
        error = sl_fail(f, SL_EUNSUPPORTED, "%s", r->trouble);
    r->stream.number = r->number;
    r->stream.value = r->value;
    r->stream.pc = r->pc;
    r->stream.second = r->second;
    return error;
}

/* ---- measuring ---- */

/* Some of the profiles, for a thread. */
struct part {
    struct run *run;
    size_t first, n; /* within the run */
    struct sl_job_figures figures;
    struct sl_failure failure;
    int error;
    pthread_t thread;
    bool started;
};

static void stand_in(void *context, struct sl_session *session)
{
    const struct part *p = context;
    for (size_t i = 0; i < p->n; i++)
        sl_session_stand_in(session, i, sl_reported_kind(p->run->table[p->first + i].kind),
                            &p->run->reported[p->first + i]);
}

static void *measure(void *context)
{
    struct part *p = context;
    struct sl_shard_part part = {.prepare = stand_in, .context = p};
    p->error = sl_shard_run_once(p->run->share, p->run->first + p->first, p->n, &part, &p->figures,
                                 &p->failure);
    return NULL;
}

/* Adds the figures of one to those of all. */
static int take_figures(const struct part *p, struct sl_job_figures *out, struct sl_failure *f)
{
    if (p->error < 0)
        return sl_fail(f, p->failure.code, "%s", p->failure.text);
    for (size_t i = 0; i < p->figures.n; i++)
        sl_job_add(out, p->figures.figure[i].of, p->figures.figure[i].measure,
                   p->figures.figure[i].value);
    return out->out_of_memory ? no_memory(f) : 0;
}

static int measure_all(struct run *r, struct sl_job_figures *out, struct sl_failure *f)
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
            error = take_figures(&part[i], out, f);
        sl_job_figures_free(&part[i].figures);
    }
    return error;
}

/* ---- the two together ---- */

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
        error = sl_profile_spec_parse(spec, r->share->spec[r->first + i], f);
        if (error >= 0)
            error = sl_bank_plan(spec, r->share->machine, &r->table[i], f);
        r->reported[i] = (struct sl_reported_config){spec->table, spec->table_config, &r->stream,
                                                     &r->reports[i]};
    }
    return error;
}

static int run_all(struct run *r, struct sl_job_figures *out, struct sl_failure *f)
{
    char why[500] = "";
    int error = plan(r, f);
    if (error >= 0)
        error = listen_all(r, f);
    if (error == SL_EUSAGE || error == SL_EUNSUPPORTED) {
        for (size_t i = 0; i < r->n; i++)
            sl_job_add_failure(out, r->first + i, f->text);
        return out->out_of_memory ? no_memory(f) : 0;
    }
    if (error >= 0 && r->bank->run(&r->stream, r->table, r->n, r->reports, why, sizeof why))
        error = sl_fail(f, SL_EIO, "the gpu: %s", why);
    return error < 0 ? error : measure_all(r, out, f);
}

/* How many from `first` on are of the same events, and what these are (to be freed). */
static int same_events(const struct sl_shard *share, size_t first, size_t *n, char **detecting,
                       struct sl_failure *f)
{
    int error = 0;
    bool same = true;
    *detecting = NULL;
    for (*n = 0; first + *n < share->n && same && error >= 0; *n += same) {
        struct sl_profile_spec spec;
        error = sl_profile_spec_parse(&spec, share->spec[first + *n], f);
        same = error >= 0 && (!*detecting || !strcmp(spec.detecting, *detecting));
        if (error >= 0 && !*detecting && !(*detecting = strdup(spec.detecting)))
            error = no_memory(f);
        sl_profile_spec_free(&spec);
    }
    return error;
}

int sl_bank_shard_run(const struct sl_bank *bank, const struct sl_shard *share, size_t threads,
                      struct sl_job_figures *out, struct sl_failure *f)
{
    int error = 0;
    for (size_t first = 0; first < share->n && error >= 0;) {
        struct run r = {.bank = bank, .share = share, .first = first, .threads = threads};
        error = same_events(share, first, &r.n, &r.detecting, f);
        if (error >= 0)
            error = run_all(&r, out, f);
        first += r.n;
        free_run(&r);
    }
    return error;
}
