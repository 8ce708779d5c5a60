/* What a compressor knows, at any moment of a run. A tuple may be in three places, each
 * of which is a sum of messages: what software got, what waits in the mailbox (both were
 * sent), and what A holds (resident). The last two are added up when they are asked for. */
#include <math.h>

#include "compressor.h"

struct places {
    const struct sl_software *got;
    struct sl_software waiting; /* its substreams: what those of all three add up to */
    struct sl_software held;
};

static void hold(void *held, const struct sl_message *resident)
{
    sl_software_add(held, resident, 1);
}

static struct places gather(const struct sl_compressor *c)
{
    static const struct sl_software none = {.memory_bytes = UINT64_MAX};
    struct places p = {&c->software, none, none};
    if (!c->delivers)
        sl_software_add(&p.waiting, c->box.buffer, c->box.n);
    if (c->config.first == SL_COMPONENT_A)
        for (uint64_t i = 0; i < c->config.streams; i++)
            sl_associative_each(sl_compressor_split(c, i), hold, &p.held);
    for (size_t i = 0; i < c->config.n_levels; i++)
        sl_associative_each(c->level[i], hold, &p.held);
    if (!c->delivers) {
        sl_software_add_streams(&p.waiting, p.got);
        sl_software_add_streams(&p.waiting, &p.held);
    }
    return p;
}

static void release(struct places *p)
{
    sl_software_free(&p->waiting);
    sl_software_free(&p->held);
}

/* Visits each tuple once: those of a place that are in none before it. */
static void each_tuple(const struct places *p,
                       bool (*visit)(void *context, const struct places *p, struct sl_tuple tuple),
                       void *context)
{
    const struct sl_software *place[] = {p->got, &p->waiting, &p->held};
    for (size_t k = 0; k < 3; k++)
        for (uint64_t i = 0; i < place[k]->n_slots; i++) {
            const struct sl_message *slot = &place[k]->slot[i];
            bool known = !slot->samples;
            for (size_t before = 0; before < k && !known; before++)
                known = sl_software_find(place[before], slot->tuple) != NULL;
            if (!known && !visit(context, p, slot->tuple))
                return;
        }
}

/* ---- entries ------------------------------------------------------------------- */

struct emission {
    const struct sl_compressor *c;
    bool (*emit)(void *context, const struct sl_entry *entry);
    void *context;
};

/* By the same estimator wherever a message is, so that A changes none. A host that gets
 * the messages has to estimate by itself; what is left here are counts. */
static uint64_t estimate(const struct sl_compressor *c, const struct places *p,
                         const struct sl_message *sum)
{
    return c->delivers ? sum->count : sl_software_estimate(&p->waiting, sum, c->config.estimate);
}

/* Where the true count is in 95 of 100 cases: those t from which the estimate is not
 * farther than 1.96 standard deviations, the root of k t (compressor.c). */
static void set_bounds(struct sl_entry *entry, const struct sl_compressor *c)
{
    const struct sl_pipeline_config *config = &c->config;
    bool summed = config->first == SL_COMPONENT_CR && config->estimate == SL_ESTIMATE_SUM;
    double k = (double)(config->rate - 1) * (summed ? 2 : 1), count = (double)entry->count;
    double middle = 1.96 * 1.96 * k / 2, around = 1.96 * sqrt(k * count + 1.96 * 1.96 * k * k / 4);
    entry->low = entry->count - (uint64_t)(around - middle);
    entry->high = entry->count + (uint64_t)ceil(around + middle);
    /* No tuple came more often than all together; R may estimate that it did. */
    if (entry->high > c->weight)
        entry->high = c->weight > entry->count ? c->weight : entry->count;
}

static bool emit_tuple(void *context, const struct places *p, struct sl_tuple tuple)
{
    const struct emission *e = context;
    const struct sl_message *held = sl_software_find(&p->held, tuple);
    const struct sl_message *in[] = {sl_software_find(p->got, tuple),
                                     sl_software_find(&p->waiting, tuple), held};
    struct sl_message sum = {0};
    for (size_t k = 0; k < 3; k++)
        if (in[k]) {
            sum.stream = in[k]->stream;
            sum.count += in[k]->count;
            sum.samples += in[k]->samples;
        }
    struct sl_entry entry = {.tuple = tuple, .count = estimate(e->c, p, &sum),
                             .resident = held ? estimate(e->c, p, held) : 0};
    set_bounds(&entry, e->c);
    return e->emit(e->context, &entry);
}

void sl_compressor_drain(const void *state, const struct sl_names *names,
                         bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    struct emission e = {state, emit, context};
    struct places p = gather(state);
    (void)names;
    each_tuple(&p, emit_tuple, &e);
    release(&p);
}

/* ---- status -------------------------------------------------------------------- */

static bool count_tuple(void *context, const struct places *p, struct sl_tuple tuple)
{
    (void)p, (void)tuple;
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
    if (c->delivers || c->software.drops || c->config.first == SL_COMPONENT_T)
        return SL_BOUNDS_NONE;
    return c->config.rate == 1 ? SL_BOUNDS_CERTAIN : SL_BOUNDS_95;
}

void sl_compressor_status(const void *state, struct sl_table_status *status)
{
    const struct sl_compressor *c = state;
    struct places p = gather(c);
    *status = (struct sl_table_status){.events = c->events,
                                       .weight = c->weight,
                                       .drops = c->software.drops,
                                       .drops_weight = c->software.drops_weight,
                                       .bounds = bounds(c),
                                       .residue = first_residue(c)};
    sl_mailbox_status(&c->box, status);
    each_tuple(&p, count_tuple, &status->distinct);
    release(&p);
    for (size_t i = 0; i < c->config.n_levels; i++)
        status->residue += sl_associative_residue(c->level[i]);
    if (c->software.drops)
        snprintf(status->note, sizeof status->note,
                 "software reached its share of --memory (%.1f MB) and kept what it had: %llu "
                 "messages of tuples it had not seen before are not in it",
                 (double)c->software.memory_bytes / 1e6, (unsigned long long)c->software.drops);
}
