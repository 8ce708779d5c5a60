#include "reported_table.h"

struct reported {
    struct sl_reported_config config;
    struct sl_table_host host;
    uint64_t events, drops; /* in all; in intervals that have ended */
    size_t number;          /* of the interval under way */
    struct sl_entry entry[]; /* of a report */
};

static size_t size(const void *config, const struct sl_table_host *host)
{
    const struct sl_reported_config *c = config;
    (void)host;
    return sizeof(struct reported) + (size_t)c->like.accumulator * sizeof(struct sl_entry);
}

static int init(void *state, const void *config, const struct sl_table_host *host, struct sl_failure *f)
{
    struct reported *r = state;
    (void)f;
    r->config = *(const struct sl_reported_config *)config;
    r->host = *host;
    return 0;
}

static uint64_t under_way(const struct reported *r)
{
    return r->events - r->number * r->config.like.interval;
}

static struct sl_tuple tuple_of(const struct sl_bank_stream *s, uint32_t event)
{
    uint32_t number = s->number[event];
    return (struct sl_tuple){s->pc[number], s->value ? s->value[event] : s->second[number]};
}

/* Bounds are what can always be said. */
static void tell(struct reported *r, bool partial)
{
    const struct sl_interval_config *c = &r->config.like;
    const struct sl_bank_report *report = &r->config.reports->report[r->number];
    uint64_t events = under_way(r);
    if (r->number >= r->config.reports->n)
        return; /* the stream has grown since: the share says so */
    for (uint32_t i = 0; i < report->n; i++) {
        const struct sl_bank_found *found = &r->config.reports->found[report->first + i];
        r->entry[i] = (struct sl_entry){.tuple = tuple_of(r->config.stream, found->event),
                                        .count = found->count, .high = events};
    }
    struct sl_interval interval = {.number = r->number, .first_event = r->events - events,
                                   .events = events, .weight = events, .drops = report->drops,
                                   .threshold = sl_interval_threshold(c, c->interval),
                                   .partial = partial, .entry = r->entry, .n_entries = report->n,
                                   .unlisted_high = events};
    r->host.interval(r->host.context, &interval);
}

static void count(struct reported *r, uint64_t n)
{
    while (n) {
        uint64_t left = r->config.like.interval - under_way(r), now = n < left ? n : left;
        r->events += now;
        n -= now;
        if (now < left)
            continue;
        tell(r, false);
        if (r->number < r->config.reports->n)
            r->drops += r->config.reports->report[r->number].drops;
        r->number++;
    }
}

static void step(void *state, const struct sl_event *event)
{
    (void)event;
    count(state, 1);
}

static void observe(void *state, const struct sl_batch *batch)
{
    count(state, batch->n);
}

static size_t cut(const void *state, const struct sl_batch *batch)
{
    const struct reported *r = state;
    uint64_t left = r->config.like.interval - under_way(r);
    return left < batch->n ? (size_t)left : batch->n;
}

static void finish(void *state)
{
    struct reported *r = state;
    if (under_way(r))
        tell(r, true);
}

/* What is in the interval under way nobody asks for: profiles of intervals are what these added up to. */
static void drain(const void *state, const struct sl_names *names,
                  bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    (void)state, (void)names, (void)emit, (void)context;
}

static void status(const void *state, struct sl_table_status *out)
{
    const struct reported *r = state;
    bool partial = under_way(r) && r->number < r->config.reports->n;
    const struct sl_bank_report *last = &r->config.reports->report[r->number];
    *out = (struct sl_table_status){.events = r->events, .weight = r->events,
                                    .drops = r->drops + (partial ? last->drops : 0),
                                    .drops_weight = r->drops + (partial ? last->drops : 0),
                                    .distinct = partial ? last->held : 0,
                                    .storage_bits = sl_interval_storage_bits(&r->config.like),
                                    .bounds = SL_BOUNDS_NONE};
}

const struct sl_table_kind sl_table_reported = {
    .name = "reported",
    .config_size = sizeof(struct sl_reported_config),
    .storage_bits = sl_interval_storage_bits,
    .size = size,
    .init = init,
    .step = step,
    .observe = observe,
    .cut = cut,
    .interval = sl_interval_length,
    .finish = finish,
    .drain = drain,
    .status = status,
};
