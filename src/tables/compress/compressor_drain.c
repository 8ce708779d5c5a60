/* SPDX-License-Identifier: MIT */
/* Results of a compressor: entries and status, at any time of a run. Messages of a tuple may be in
 * several places: in software and in the mailbox (both sent), and in the A's (resident). drain()
 * searches them in place, so that it allocates nothing. */
#include <assert.h>

#include "compressor.h"
#include "sampling_bounds.h"

/* At most 5/8 of them are used, so that the table never grows. */
#define WAITING_SLOTS 256u
#define CHECK_CYCLES 3u /* per message, saved without convergence checks (paper, section 5.3.2) */
static_assert(8 * SL_MAILBOX_ROOM <= 5 * WAITING_SLOTS, "the mailbox fits");

/* A hash table of the messages in the mailbox. */
struct view {
    const struct sl_compressor *c;
    struct sl_software waiting;
    struct sl_message slot[WAITING_SLOTS];
};

/* Messages to a host are not drained, whether delivered or not. */
static void look(struct view *v, const struct sl_compressor *c)
{
    *v = (struct view){.c = c};
    if (c->delivers)
        return;
    v->waiting = (struct sl_software){.slot = v->slot, .n_slots = WAITING_SLOTS};
    sl_software_add(&v->waiting, c->box.buffer, c->box.n);
}

/* The A that may hold the tuple: at place 0 the first component, if it is one; then those
 * behind it. */
static const struct sl_associative *holder(const struct sl_compressor *c, size_t place,
                                           struct sl_tuple tuple)
{
    unsigned bits = sl_pipeline_hash_bits(&c->config);
    if (place)
        return c->level[place - 1];
    return c->config.first == SL_COMPONENT_A
               ? sl_compressor_split(c, sl_byte_hash_words(c->bytes, bits, (unsigned)c->config.word,
                                                           tuple.pc, tuple.value))
               : NULL;
}

static void add(struct sl_message *sum, const struct sl_message *part)
{
    sum->stream = part->stream;
    sum->count += part->count;
    sum->samples += part->samples;
}

/* What the A's in front of place `end` hold of the tuple; nothing: samples == 0. */
static struct sl_message held(const struct sl_compressor *c, size_t end, struct sl_tuple tuple)
{
    struct sl_message sum = {.tuple = tuple}, resident;
    for (size_t place = 0; place < end; place++) {
        const struct sl_associative *a = holder(c, place, tuple);
        if (a && sl_associative_find(a, tuple, &resident))
            add(&sum, &resident);
    }
    return sum;
}

/* ---- each tuple once: where a place has it that none before it does ---- */

struct visits {
    const struct view *view;
    size_t place; /* of the A's that are looked at */
    bool (*visit)(void *context, const struct view *view, struct sl_tuple tuple);
    void *context;
};

static bool visit_held(void *context, const struct sl_message *resident)
{
    const struct visits *v = context;
    const struct sl_compressor *c = v->view->c;
    struct sl_tuple tuple = resident->tuple;
    bool known = sl_software_find(&c->software, tuple) ||
                 sl_software_find(&v->view->waiting, tuple) || held(c, v->place, tuple).samples;
    return known || v->visit(v->context, v->view, tuple);
}

static bool each_sent(const struct visits *v)
{
    const struct sl_software *got = &v->view->c->software, *waiting = &v->view->waiting;
    for (uint64_t i = 0; i < got->n_slots; i++)
        if (got->slot[i].samples && !v->visit(v->context, v->view, got->slot[i].tuple))
            return false;
    for (uint64_t i = 0; i < waiting->n_slots; i++)
        if (waiting->slot[i].samples && !sl_software_find(got, waiting->slot[i].tuple) &&
            !v->visit(v->context, v->view, waiting->slot[i].tuple))
            return false;
    return true;
}

static void each_tuple(const struct view *view,
                       bool (*visit)(void *context, const struct view *view, struct sl_tuple tuple),
                       void *context)
{
    const struct sl_compressor *c = view->c;
    struct visits v = {view, 0, visit, context};
    bool more = each_sent(&v);
    if (c->config.first == SL_COMPONENT_A)
        for (uint64_t i = 0; i < c->config.streams && more; i++)
            more = sl_associative_each(sl_compressor_split(c, i), visit_held, &v);
    for (v.place = 1; v.place <= c->config.n_levels && more; v.place++)
        more = sl_associative_each(c->level[v.place - 1], visit_held, &v);
}

/* ---- entries ---- */

struct emission {
    bool (*emit)(void *context, const struct sl_entry *entry);
    void *context;
    struct sl_sampling_bounds bounds;
};

/* By the same estimator wherever a message is, so that A changes none. */
static uint64_t estimate(const struct sl_compressor *c, const struct sl_message *sum)
{
    if (!c->sampled || !sum->samples)
        return sum->count;
    const uint64_t *all = c->sampled[sum->stream];
    unsigned __int128 share = (unsigned __int128)sum->samples * all[0];
    return (uint64_t)((share + all[1] / 2) / all[1]);
}

/* By its samples, whatever they count; and the estimate is between them. No tuple came more
 * often than all together; R may estimate that it did. */
static void set_bounds(struct sl_entry *entry, uint64_t samples, const struct emission *e,
                       uint64_t all)
{
    entry->low = entry->high = entry->count;
    if (e->bounds.rate == 1 || !samples)
        return;
    struct sl_bound_pair pair = sl_sampling_bounds(&e->bounds, samples);
    if (pair.high > all)
        pair.high = all;
    entry->low = pair.low < entry->count ? pair.low : entry->count;
    entry->high = pair.high > entry->count ? pair.high : entry->count;
}

static bool emit_tuple(void *context, const struct view *v, struct sl_tuple tuple)
{
    const struct emission *e = context;
    const struct sl_message *got = sl_software_find(&v->c->software, tuple);
    const struct sl_message *waiting = sl_software_find(&v->waiting, tuple);
    struct sl_message resident = held(v->c, v->c->config.n_levels + 1, tuple), sum = resident;
    if (got)
        add(&sum, got);
    if (waiting)
        add(&sum, waiting);
    struct sl_entry entry = {
        .tuple = tuple, .count = estimate(v->c, &sum), .resident = estimate(v->c, &resident)};
    set_bounds(&entry, sum.samples, e, v->c->weight);
    if (got)
        entry.count += sl_filter_part(&v->c->filter, tuple.pc, got->count);
    return e->emit(e->context, &entry);
}

void sl_compressor_drain(const void *state, const struct sl_tuple_names *names,
                         bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    struct emission e = {.emit = emit, .context = context};
    struct view v;
    (void)names;
    look(&v, state);
    sl_sampling_bounds_init(&e.bounds, v.c->config.rate);
    each_tuple(&v, emit_tuple, &e);
}

/* ---- status ---- */

static bool count_tuple(void *context, const struct view *v, struct sl_tuple tuple)
{
    (void)v, (void)tuple;
    ++*(uint64_t *)context;
    return true;
}

static uint64_t first_residue(const struct sl_compressor *c)
{
    uint64_t sum = 0;
    if (c->config.first == SL_COMPONENT_T) {
        for (uint64_t i = 0; i < c->config.tagged.entries; i++)
            sum += c->tagged[i].hits + c->tagged[i].misses;
        return sum;
    }
    for (uint64_t i = 0; i < c->config.gathering.entries; i++)
        sum += c->gathering[i].count + c->gathering[i].gathered;
    if (c->config.first == SL_COMPONENT_G)
        return sum;
    for (uint64_t i = 0; i < c->config.streams; i++)
        switch (c->config.first) {
        case SL_COMPONENT_P:
            sum += c->counter[i];
            break;
        case SL_COMPONENT_RD:
        case SL_COMPONENT_CR:
            sum += c->countdown[i].gap - c->countdown[i].left;
            break;
        case SL_COMPONENT_A:
            sum += sl_associative_residue(sl_compressor_split(c, i));
            break;
        default: /* R keeps nothing */
            break;
        }
    return sum;
}

static enum sl_bounds bounds(const struct sl_compressor *c)
{
    /* What was sent to the host is not in the entries. */
    if (c->delivers || c->software.drops || c->config.first >= SL_COMPONENT_T ||
        c->input.seen.lost || c->box.queue.seen.lost || c->filter.passed)
        return SL_BOUNDS_NONE;
    return c->config.rate == 1 ? SL_BOUNDS_CERTAIN : SL_BOUNDS_95;
}

void sl_compressor_status(const void *state, struct sl_table_status *status)
{
    const struct sl_compressor *c = state;
    struct view v;
    look(&v, c);
    *status = (struct sl_table_status){.events = c->events,
                                       .weight = c->weight,
                                       .drops = c->software.drops,
                                       .drops_weight = c->software.drops_weight,
                                       .bounds = bounds(c),
                                       .residue = first_residue(c),
                                       .clocked = c->clocked,
                                       .input = c->input.seen,
                                       .check_cycles = c->config.converge > 0 ? CHECK_CYCLES : 0,
                                       .converged = c->filter.n_converged,
                                       .filtered = c->filter.n_filtered,
                                       .passed = c->filter.passed,
                                       .passed_weight = c->filter.passed_weight};
    sl_mailbox_status(&c->box, status);
    each_tuple(&v, count_tuple, &status->distinct);
    for (size_t i = 0; i < c->config.n_levels; i++)
        status->residue += sl_associative_residue(c->level[i]);
    if (c->software.drops)
        snprintf(status->note, sizeof status->note,
                 "software reached its share of memory (%.1f MB) and kept what it had: %llu "
                 "messages of tuples it had not seen before are not in it",
                 (double)c->software.memory_bytes / 1e6, (unsigned long long)c->software.drops);
}
