/* SPDX-License-Identifier: MIT */
/* Tables whose results were computed on an accelerator, for example a GPU. Such a table counts
 * nothing itself: it passes on the accelerator's results, so that a session over the same events
 * evaluates them as if its own table had found them. */
#include "reported_table.h"

#include "compressor.h"
#include "hpt.h"
#include "interval_table.h"

/* State; the state of a table of the original kind follows it, if needed. */
struct reported {
    struct sl_reported_config config;
    struct sl_table_host host;
    uint64_t events;        /* total */
    uint64_t drops;         /* in completed intervals */
    size_t number;          /* index of the current interval, or of the next message */
    struct sl_entry *entry; /* buffer for a report of candidates, after this struct */
};

#define AHEAD ((sizeof(struct reported) + 63) / 64 * 64)

static void *original(const struct reported *r)
{
    return (char *)r + AHEAD;
}

static uint64_t storage_bits(const void *config)
{
    const struct sl_reported_config *c = config;
    return c->kind->storage_bits(c->like);
}

static size_t size(const void *config, const struct sl_table_host *host)
{
    const struct sl_reported_config *c = config;
    return AHEAD + c->kind->size(c->like, host);
}

static int init(void *state, const void *config, const struct sl_table_host *host,
                struct sl_failure *f)
{
    struct reported *r = state;
    r->config = *(const struct sl_reported_config *)config;
    r->host = *host;
    return r->config.kind->init(original(r), r->config.like, host, f);
}

static void drain(const void *state, const struct sl_tuple_names *names,
                  bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    const struct reported *r = state;
    sl_table_drain_kind(r->config.kind, original(r), names, emit, context);
}

static void status(const void *state, struct sl_table_status *out)
{
    const struct reported *r = state;
    sl_table_status_kind(r->config.kind, original(r), out);
}

static void close_original(void *state)
{
    struct reported *r = state;
    if (r->config.kind->close)
        r->config.kind->close(original(r));
}

static struct sl_tuple tuple_of(const struct sl_bank_stream *s, uint32_t event)
{
    uint32_t tuple_id = s->tuple_id[event];
    return (struct sl_tuple){s->pc[tuple_id], s->value ? s->value[event] : s->second[tuple_id]};
}

/* ---- intervals ---- */

static const struct sl_interval_config *interval_config(const struct reported *r)
{
    return r->config.like;
}

static uint64_t interval_length(const void *config)
{
    return sl_interval_length(((const struct sl_reported_config *)config)->like);
}

static size_t interval_size(const void *config, const struct sl_table_host *host)
{
    const struct sl_interval_config *c = ((const struct sl_reported_config *)config)->like;
    (void)host;
    return AHEAD + (size_t)c->accumulator * sizeof(struct sl_entry);
}

static int interval_init(void *state, const void *config, const struct sl_table_host *host,
                         struct sl_failure *f)
{
    struct reported *r = state;
    (void)f;
    r->config = *(const struct sl_reported_config *)config;
    r->host = *host;
    r->entry = original(r);
    return 0;
}

static uint64_t events_so_far(const struct reported *r)
{
    return r->events - r->number * interval_config(r)->interval;
}

/* Returns the report of the current interval; NULL if the stream is longer than the recorded one.
 */
static const struct sl_bank_report *report_of(const struct reported *r)
{
    return r->number < r->config.reports->n ? &r->config.reports->report[r->number] : NULL;
}

/* Reports the current interval. The bounds are the trivial ones: 0 and the number of events. */
static void report(struct reported *r, bool partial)
{
    const struct sl_interval_config *c = interval_config(r);
    const struct sl_bank_report *found_in = report_of(r);
    uint64_t events = events_so_far(r);
    if (!found_in)
        return;
    for (uint32_t i = 0; i < found_in->n; i++) {
        const struct sl_bank_found *found = &r->config.reports->found[found_in->first + i];
        r->entry[i] = (struct sl_entry){.tuple = tuple_of(r->config.stream, found->event),
                                        .count = found->count,
                                        .high = events};
    }
    struct sl_interval interval = {.number = r->number,
                                   .first_event = r->events - events,
                                   .events = events,
                                   .weight = events,
                                   .drops = found_in->drops,
                                   .threshold = sl_interval_threshold(c, c->interval),
                                   .partial = partial,
                                   .entry = r->entry,
                                   .n_entries = found_in->n,
                                   .unlisted_high = events};
    if (r->host.interval)
        r->host.interval(r->host.context, &interval);
}

static void interval_observe(void *state, const struct sl_batch *batch)
{
    struct reported *r = state;
    for (uint64_t n = batch->n; n;) {
        uint64_t left = interval_config(r)->interval - events_so_far(r), now = n < left ? n : left;
        r->events += now;
        n -= now;
        if (now < left)
            continue;
        report(r, false);
        r->drops += report_of(r) ? report_of(r)->drops : 0;
        r->number++;
    }
}

static size_t interval_cut(const void *state, const struct sl_batch *batch)
{
    const struct reported *r = state;
    uint64_t left = interval_config(r)->interval - events_so_far(r);
    return left < batch->n ? (size_t)left : batch->n;
}

static void interval_finish(void *state)
{
    struct reported *r = state;
    if (events_so_far(r))
        report(r, true);
}

/* Emits nothing: the profile is the sum of the intervals. */
static void interval_drain(const void *state, const struct sl_tuple_names *names,
                           bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    (void)state, (void)names, (void)emit, (void)context;
}

static void interval_status(const void *state, struct sl_table_status *out)
{
    const struct reported *r = state;
    const struct sl_bank_report *last = events_so_far(r) ? report_of(r) : NULL;
    uint64_t drops = r->drops + (last ? last->drops : 0);
    *out = (struct sl_table_status){.events = r->events,
                                    .weight = r->events,
                                    .drops = drops,
                                    .drops_weight = drops,
                                    .distinct = last ? last->held : 0,
                                    .bounds = SL_BOUNDS_NONE};
}

/* ---- compressors ---- */

static void compressor_observe(void *state, const struct sl_batch *batch)
{
    struct reported *r = state;
    const struct sl_bank_reports *reports = r->config.reports;
    uint64_t end = r->events + batch->n;
    for (; r->number < reports->n_found && reports->found[r->number].event < end; r->number++) {
        const struct sl_bank_found *sent = &reports->found[r->number];
        sl_compressor_add_message(original(r), tuple_of(r->config.stream, sent->event), sent->count,
                                  (uint64_t)sent->event + 1);
    }
    sl_compressor_add_events(original(r), batch->n);
    r->events = end;
}

static void compressor_finish(void *state)
{
    struct reported *r = state;
    r->config.kind->finish(original(r));
}

/* ---- hot path tables ---- */

static void hpt_observe(void *state, const struct sl_batch *batch)
{
    struct sl_hpt *h = original(state);
    h->events += batch->n;
    h->weight += batch->n;
}

static void hpt_finish(void *state)
{
    struct reported *r = state;
    struct sl_hpt *h = original(r);
    const struct sl_bank_reports *reports = r->config.reports;
    for (size_t i = 0; i < reports->n_found && i < h->config.entries; i++)
        if ((h->count[i] = reports->found[i].count))
            h->tuple[i] = tuple_of(r->config.stream, reports->found[i].event);
    h->drops = reports->n ? reports->report[0].drops : 0;
}

/* ---- all kinds ---- */

const struct sl_table_kind *sl_reported_kind(enum sl_bank_kind kind)
{
    static const struct sl_table_intervals intervals = {.cut = interval_cut,
                                                        .length = interval_length};
    static const struct sl_table_kind kinds[] = {
        [SL_BANK_INTERVAL] = {.name = "reported intervals",
                              .size = interval_size,
                              .init = interval_init,
                              .observe = interval_observe,
                              .intervals = &intervals,
                              .finish = interval_finish,
                              .drain = interval_drain,
                              .status = interval_status,
                              .config_size = sizeof(struct sl_reported_config),
                              .storage_bits = storage_bits},
        [SL_BANK_COMPRESSOR] = {.name = "reported messages",
                                .size = size,
                                .init = init,
                                .observe = compressor_observe,
                                .finish = compressor_finish,
                                .drain = drain,
                                .status = status,
                                .close = close_original,
                                .config_size = sizeof(struct sl_reported_config),
                                .storage_bits = storage_bits},
        [SL_BANK_HPT] = {.name = "reported entries",
                         .size = size,
                         .init = init,
                         .observe = hpt_observe,
                         .finish = hpt_finish,
                         .drain = drain,
                         .status = status,
                         .close = close_original,
                         .config_size = sizeof(struct sl_reported_config),
                         .storage_bits = storage_bits},
    };
    return &kinds[kind];
}
