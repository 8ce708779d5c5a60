/* SPDX-License-Identifier: MIT */
/* Results of a stream compressor: its tuples with their counts, and its status. They can be read at
 * any time of a run.
 *
 * Messages of a tuple may be in several places: in software and in the mailbox (both sent), and in
 * the tables A (resident). drain() searches them in place, so that it allocates nothing. */
#include <assert.h>

#include "compressor.h"

/* At most 5/8 of them are used, so that the table never grows. */
#define WAITING_SLOTS 256u
#define CHECK_CYCLES 3u /* per message, saved without convergence checks (paper, section 5.3.2) */
static_assert(8 * SL_MAILBOX_CAPACITY <= 5 * WAITING_SLOTS, "the mailbox fits");

/* A compressor with a hash table of the messages in its mailbox, and what to do with each tuple. */
struct view {
    const struct sl_compressor *c;
    bool (*visit)(void *context, const struct view *view, struct sl_tuple tuple);
    void *context;
    size_t level; /* of the A's that are looked at */
    struct sl_software in_mailbox;
    struct sl_message slot[WAITING_SLOTS];
};

/* The table A of a level that may contain the tuple. Level 0 is the first component; NULL if that
 * is no A. */
static const struct sl_associative *table_at(const struct sl_compressor *c, size_t level,
                                             struct sl_tuple tuple)
{
    unsigned bits = sl_pipeline_hash_bits(&c->config);
    if (level)
        return c->level[level - 1];
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

/* The message of the tuple in the tables A before level `end`; none: samples == 0. */
static struct sl_message resident_in(const struct sl_compressor *c, size_t end,
                                     struct sl_tuple tuple)
{
    struct sl_message sum = {.tuple = tuple}, resident;
    for (size_t level = 0; level < end; level++) {
        const struct sl_associative *a = table_at(c, level, tuple);
        if (a && sl_associative_find(a, tuple, &resident))
            add(&sum, &resident);
    }
    return sum;
}

/* ---- visit each tuple once: at the first level that contains it ---- */

static bool visit_resident(void *context, const struct sl_message *resident)
{
    const struct view *v = context;
    struct sl_tuple tuple = resident->tuple;
    bool known = sl_software_find(&v->c->software, tuple) ||
                 sl_software_find(&v->in_mailbox, tuple) ||
                 resident_in(v->c, v->level, tuple).samples;
    return known || v->visit(v->context, v, tuple);
}

static bool each_sent(const struct view *v)
{
    const struct sl_software *got = &v->c->software, *in_mailbox = &v->in_mailbox;
    for (uint64_t i = 0; i < got->n_slots; i++)
        if (got->slot[i].samples && !v->visit(v->context, v, got->slot[i].tuple))
            return false;
    for (uint64_t i = 0; i < in_mailbox->n_slots; i++)
        if (in_mailbox->slot[i].samples && !sl_software_find(got, in_mailbox->slot[i].tuple) &&
            !v->visit(v->context, v, in_mailbox->slot[i].tuple))
            return false;
    return true;
}

static void each_tuple(const struct sl_compressor *c,
                       bool (*visit)(void *context, const struct view *view, struct sl_tuple tuple),
                       void *context)
{
    struct view v = {.c = c, .visit = visit, .context = context};
    if (!c->delivers) { /* messages to a host are not drained, whether delivered or not */
        v.in_mailbox = (struct sl_software){.slot = v.slot, .n_slots = WAITING_SLOTS};
        sl_software_add(&v.in_mailbox, c->box.buffer, c->box.n);
    }
    bool more = each_sent(&v);
    if (c->config.first == SL_COMPONENT_A)
        for (uint64_t i = 0; i < c->config.streams && more; i++)
            more = sl_associative_each(sl_compressor_split(c, i), visit_resident, &v);
    for (v.level = 1; v.level <= c->config.n_levels && more; v.level++)
        more = sl_associative_each(c->level[v.level - 1], visit_resident, &v);
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
    const struct sl_message *in_mailbox = sl_software_find(&v->in_mailbox, tuple);
    struct sl_message resident = resident_in(v->c, v->c->config.n_levels + 1, tuple),
                      sum = resident;
    if (got)
        add(&sum, got);
    if (in_mailbox)
        add(&sum, in_mailbox);
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
    const struct sl_compressor *c = state;
    struct emission e = {.emit = emit, .context = context};
    (void)names;
    sl_sampling_bounds_init(&e.bounds, c->config.rate);
    each_tuple(c, emit_tuple, &e);
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
    each_tuple(c, count_tuple, &status->distinct);
    for (size_t i = 0; i < c->config.n_levels; i++)
        status->residue += sl_associative_residue(c->level[i]);
    if (c->software.drops)
        snprintf(status->note, sizeof status->note,
                 "the compressor's software used up its memory (%.1f MB): %llu messages of new "
                 "tuples are not counted; raise the memory limit",
                 (double)c->software.memory_bytes / 1e6, (unsigned long long)c->software.drops);
}
