/* The interval profilers: configuration, storage, the plain step, what is reported.
 * interval_table.h says what they do, interval_observe.c does it faster.
 *
 * State in the caller's memory, each part 64-byte aligned:
 *
 *     | struct | counters | lost | byte tables | packed hashes | accumulator | report | names | */
#include "interval_table.h"

#include <assert.h>
#include <string.h>

#include "failure.h"

#define WHOLE UINT64_C(100000000000000) /* 100 % in threshold_units */
#define ENTRY_TAG_BITS 56u
#define ENTRY_COUNT_BITS 24u

/* ---- configuration ------------------------------------------------------- */

uint64_t sl_interval_threshold(const struct sl_interval_config *config, uint64_t length)
{
    unsigned __int128 product = (unsigned __int128)length * config->threshold_units;
    return (uint64_t)((product + WHOLE - 1) / WHOLE);
}

static uint64_t longest(const struct sl_interval_config *config)
{
    return config->adapt ? config->interval << SL_INTERVAL_ADAPT_LOG2 : config->interval;
}

static unsigned bits_for(uint64_t most)
{
    unsigned bits = 1;
    while (bits < 64 && most >> bits)
        bits++;
    return bits;
}

static int check_counters(const struct sl_interval_config *c, struct sl_failure *f)
{
    uint64_t each = c->counters / c->tables;
    if (c->counters % c->tables || !each || each & (each - 1))
        return sl_fail(f, SL_EUSAGE, "%llu counters in %llu tables: each table has to have a power "
                       "of two of them, as with counters=%llu",
                       (unsigned long long)c->counters, (unsigned long long)c->tables,
                       (unsigned long long)(c->tables << (bits_for(each ? each : 1) - 1)));
    uint64_t most = sl_interval_threshold(c, longest(c));
    if (most >> c->bits)
        return sl_fail(f, SL_EUSAGE, "a candidate has %llu events, which a counter of %llu bits "
                       "never reaches; with bits=%u it would%s", (unsigned long long)most,
                       (unsigned long long)c->bits, bits_for(most),
                       bits_for(most) > 32 ? ", but 32 is the most there is: take a shorter interval "
                       "or a lower threshold" : "");
    return 0;
}

int sl_interval_check(void *config, struct sl_failure *f)
{
    struct sl_interval_config *c = config;
    c->threshold_units = (uint64_t)(c->threshold * ((double)WHOLE / 100) + 0.5);
    if (c->adapt && (!c->retain || c->interval >> SL_INTERVAL_ADAPT_LOG2 == 0))
        return sl_fail(f, SL_EUSAGE, c->retain ? "adapt goes down to a 16th of the interval: take "
                       "one of at least 16 events" : "adapt compares the candidates with those "
                       "retained from the interval before: it needs retain=1");
    int error = check_counters(c, f);
    if (error < 0 || c->accumulator)
        return error;
    c->accumulator = (WHOLE + c->threshold_units - 1) / c->threshold_units;
    if (c->accumulator > SL_INTERVAL_ENTRIES_MAX)
        return sl_fail(f, SL_EUSAGE, "a threshold of %g%% allows for %llu candidates, and an "
                       "accumulator has at most %u entries: raise the threshold or say how many "
                       "with accumulator=N", c->threshold, (unsigned long long)c->accumulator,
                       SL_INTERVAL_ENTRIES_MAX);
    return 0;
}

uint64_t sl_interval_storage_bits(const void *config)
{
    const struct sl_interval_config *c = config;
    unsigned count = bits_for(longest(c));
    if (count < ENTRY_COUNT_BITS)
        count = ENTRY_COUNT_BITS;
    return c->counters * c->bits + c->accumulator * (ENTRY_TAG_BITS + count * (c->adapt ? 2u : 1u));
}

/* ---- layout -------------------------------------------------------------- */

/* Gives out what follows the struct; with `base` 0 it only adds up. */
struct layout {
    uintptr_t base;
    size_t used;
};

static void *take(struct layout *l, size_t n, size_t size)
{
    size_t at = l->used;
    l->used += (n * size + 63) & ~(size_t)63;
    return l->base && n ? (void *)(l->base + at) : NULL;
}

static void lay_out(struct sl_interval_table *t, uintptr_t base)
{
    const struct sl_interval_config *c = &t->config;
    struct sl_accumulator *a = &t->accumulator;
    struct layout l = {base, 0};
    size_t entries = a->capacity + 1, packed = c->counters >> SL_PACKED_BITS > 1 ? 0 : t->words;
    t->names_kept = packed ? t->host.names : 0;
    take(&l, 1, sizeof *t);
    t->counter = take(&l, c->counters, sizeof *t->counter);
    t->lost = take(&l, c->reset ? c->counters : 0, sizeof *t->lost);
    t->byte_table = take(&l, c->tables, sizeof *t->byte_table);
    t->packed = take(&l, packed, sizeof *t->packed);
    a->tuple = take(&l, entries, sizeof *a->tuple);
    a->count = take(&l, entries, sizeof *a->count);
    a->note = take(&l, entries, sizeof *a->note);
    a->next = take(&l, entries, sizeof *a->next);
    a->head = take(&l, sl_accumulator_heads(a->capacity), sizeof *a->head);
    t->report = take(&l, a->capacity, sizeof *t->report);
    t->name_slot = take(&l, t->names_kept, sizeof *t->name_slot);
    t->name_hash = take(&l, t->names_kept * t->words, sizeof *t->name_hash);
    t->bytes = l.used;
}

/* All that follows from the configuration. */
static void set_up(struct sl_interval_table *t, const struct sl_interval_config *config,
                   const struct sl_table_host *host, uintptr_t base)
{
    *t = (struct sl_interval_table){.config = *config};
    if (host)
        t->host = *host;
    t->index_bits = bits_for(config->counters / config->tables) - 1;
    t->words = (unsigned)(config->tables + SL_PACKED_FUNCTIONS - 1) / SL_PACKED_FUNCTIONS;
    t->counter_max = (uint32_t)((UINT64_C(1) << config->bits) - 1);
    t->accumulator.capacity = (size_t)config->accumulator;
    t->accumulator.head_shift = 65 - bits_for(sl_accumulator_heads(t->accumulator.capacity));
    t->accumulator.empty = 1;
    t->length = config->interval;
    t->threshold = sl_interval_threshold(config, t->length);
    lay_out(t, base);
}

size_t sl_interval_size(const void *config, const struct sl_table_host *host)
{
    struct sl_interval_table t;
    set_up(&t, config, host, 0);
    return t.bytes;
}

int sl_interval_init(void *state, const void *config, const struct sl_table_host *host,
                     struct sl_failure *f)
{
    struct sl_interval_table *t = state;
    (void)f;
    set_up(t, config, host, (uintptr_t)state);
    unsigned n = (unsigned)t->config.tables;
    for (unsigned k = 0; k < n; k++)
        sl_byte_table(t->byte_table[k], t->config.seed, k);
    for (unsigned w = 0; t->packed && w < t->words; w++) {
        unsigned first = w * SL_PACKED_FUNCTIONS;
        unsigned many = n - first < SL_PACKED_FUNCTIONS ? n - first : SL_PACKED_FUNCTIONS;
        sl_packed_init(&t->packed[w], t->config.seed, first, many, t->index_bits);
        for (unsigned k = 0; k < many; k++)
            t->packed_base[w] |= (uint64_t)(first + k) << t->index_bits << 16 * k;
    }
    sl_interval_choose_form(t);
    return 0;
}

/* ---- one event ----------------------------------------------------------- */

static uint64_t key_of(const struct sl_interval_table *t, struct sl_tuple tuple)
{
    return sl_accumulator_key(sl_interval_pc_part(t, tuple.pc), tuple.value);
}

static uint32_t raised(const struct sl_interval_table *t, uint32_t counter, uint64_t weight)
{
    return weight < t->counter_max - counter ? counter + (uint32_t)weight : t->counter_max;
}

void sl_interval_step(void *state, const struct sl_event *event)
{
    struct sl_interval_table *t = state;
    size_t slot = sl_accumulator_find(&t->accumulator, key_of(t, event->tuple),
                                      event->tuple.pc, event->tuple.value);
    t->events++;
    t->weight += event->weight;
    if (slot) {
        t->accumulator.count[slot] += event->weight;
    } else {
        uint32_t at[SL_BYTE_HASH_MAX], smallest = UINT32_MAX;
        unsigned n = (unsigned)t->config.tables;
        for (unsigned k = 0; k < n; k++) {
            at[k] = (k << t->index_bits) + sl_byte_hash(t->byte_table[k], t->index_bits,
                                                        event->tuple.pc, event->tuple.value);
            smallest = t->counter[at[k]] < smallest ? t->counter[at[k]] : smallest;
        }
        uint32_t least = raised(t, smallest, event->weight);
        for (unsigned k = 0; k < n; k++) {
            uint32_t *counter = &t->counter[at[k]];
            if (!t->config.conservative)
                *counter = raised(t, *counter, event->weight);
            else if (*counter < least)
                *counter = least;
        }
        if (least >= t->threshold) {
            struct sl_event unnumbered = *event;
            unnumbered.number = SL_NO_NUMBER;
            sl_interval_promote(t, &unnumbered, at, smallest);
        }
    }
    if (t->weight >= t->length)
        sl_interval_end(t);
}

/* ---- promotion ----------------------------------------------------------- */

static uint64_t at_most(uint64_t value, uint64_t limit)
{
    return value < limit ? value : limit;
}

/* The most that the tuple can have had up to its promotion. */
static uint64_t most_before(const struct sl_interval_table *t, uint64_t weight,
                            const uint32_t *at, uint32_t smallest)
{
    uint64_t most = smallest == t->counter_max ? t->weight
                                               : at_most(smallest + weight, t->weight);
    for (unsigned k = 0; t->lost && k < t->config.tables; k++)
        most = at_most(most + t->lost[at[k]], t->weight);
    return at_most(most + t->accumulator.replaced_high, t->weight);
}

/* Zeroes counters, and notes what that may have taken from others. Had another that
 * shares one of them T or more by itself, it would have been promoted, or dropped. */
static void reset(struct sl_interval_table *t, const uint32_t *at)
{
    for (unsigned k = 0; k < t->config.tables; k++) {
        uint32_t *counter = &t->counter[at[k]];
        uint64_t taken = !t->drops                    ? at_most(*counter, t->threshold - 1)
                         : *counter == t->counter_max ? t->weight
                                                      : *counter;
        t->lost[at[k]] = at_most(t->lost[at[k]] + taken, t->weight);
        *counter = 0;
    }
}

/* The static tuple with this number has this slot now, or (0) none. */
static void set_name_slot(struct sl_interval_table *t, uint32_t number, size_t slot)
{
    if (number < t->names_kept)
        t->name_slot[number] = (uint16_t)(slot ? slot : SL_SLOT_ABSENT);
}

static void remove_entry(struct sl_interval_table *t, size_t slot)
{
    set_name_slot(t, t->accumulator.note[slot].number, 0);
    sl_accumulator_remove(&t->accumulator, slot);
}

void sl_interval_promote(struct sl_interval_table *t, const struct sl_event *event,
                         const uint32_t *at, uint32_t smallest)
{
    struct sl_accumulator *a = &t->accumulator;
    size_t slot = sl_accumulator_room(a, t->threshold);
    if (!slot) {
        t->drops++;
        t->drops_weight += event->weight;
        return;
    }
    uint64_t most = most_before(t, event->weight, at, smallest);
    if (a->note[slot].used) {
        if (a->count[slot] > a->replaced_high)
            a->replaced_high = a->count[slot];
        remove_entry(t, slot);
    }
    sl_accumulator_insert(a, slot, key_of(t, event->tuple), event->tuple);
    uint64_t count = raised(t, smallest, event->weight);
    a->count[slot] = count;
    a->note[slot].below = count - at_most(event->weight, count);
    a->note[slot].above = most - count;
    a->note[slot].number = event->number;
    if (event->number == SL_NO_NUMBER)
        t->slots_stale = true;
    else
        set_name_slot(t, event->number, slot);
    if (t->config.reset)
        reset(t, at);
}

/* ---- intervals ----------------------------------------------------------- */

static struct sl_entry entry_at(const struct sl_accumulator *a, size_t slot)
{
    uint64_t count = a->count[slot];
    return (struct sl_entry){.tuple = a->tuple[slot], .count = count,
                             .low = count - a->note[slot].below,
                             .high = count + a->note[slot].above};
}

static void report(struct sl_interval_table *t, bool partial)
{
    const struct sl_accumulator *a = &t->accumulator;
    struct sl_interval interval = {.number = t->number, .first_event = t->first_event,
                                   .events = t->events, .weight = t->weight, .drops = t->drops,
                                   .threshold = t->threshold, .partial = partial,
                                   .entry = t->report};
    if (!t->host.interval)
        return;
    for (size_t slot = 1; slot <= a->capacity; slot++)
        if (a->count[slot] >= t->threshold)
            t->report[interval.n_entries++] = entry_at(a, slot);
    t->host.interval(t->host.context, &interval);
}

/* Leaves in the accumulator what the next interval starts with. */
static void retain(struct sl_interval_table *t)
{
    struct sl_accumulator *a = &t->accumulator;
    for (size_t slot = 1; slot <= a->capacity; slot++) {
        struct sl_interval_note *note = &a->note[slot];
        if (!note->used)
            continue;
        if (!t->config.retain || a->count[slot] < t->threshold) {
            remove_entry(t, slot);
            continue;
        }
        note->before = a->count[slot];
        note->below = note->above = 0;
        note->retained = true;
        a->count[slot] = 0;
    }
    sl_accumulator_refilter(a);
    a->closed = false;
    a->replaced_high = 0;
}

void sl_interval_end(struct sl_interval_table *t)
{
    report(t, false);
    if (t->config.adapt)
        t->adapt.log2 = sl_interval_next_length(t);
    retain(t);
    memset(t->counter, 0, t->config.counters * sizeof *t->counter);
    if (t->lost)
        memset(t->lost, 0, t->config.counters * sizeof *t->lost);
    t->number++;
    t->first_event += t->events;
    t->weight_before += t->weight;
    t->drops_before += t->drops;
    t->drops_weight_before += t->drops_weight;
    t->events = t->weight = t->drops = t->drops_weight = 0;
    if (t->config.adapt) {
        t->length = t->adapt.log2 < 0 ? t->config.interval >> -t->adapt.log2
                                      : t->config.interval << t->adapt.log2;
        t->threshold = sl_interval_threshold(&t->config, t->length);
    }
}

size_t sl_interval_cut(const void *state, const struct sl_batch *batch)
{
    const struct sl_interval_table *t = state;
    uint64_t left = t->length - t->weight;
    if (!batch->weight)
        return left < batch->n ? (size_t)left : batch->n;
    for (size_t i = 0; i < batch->n; i++) {
        if (batch->weight[i] >= left)
            return i + 1;
        left -= batch->weight[i];
    }
    return batch->n;
}

void sl_interval_finish(void *state)
{
    struct sl_interval_table *t = state;
    if (t->events)
        report(t, true);
}

/* ---- results ------------------------------------------------------------- */

void sl_interval_drain(const void *state, const struct sl_names *names,
                       bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    const struct sl_interval_table *t = state;
    (void)names;
    for (size_t slot = 1; slot <= t->accumulator.capacity; slot++) {
        struct sl_entry entry = entry_at(&t->accumulator, slot);
        if (entry.count && !emit(context, &entry))
            return;
    }
}

void sl_interval_status(const void *state, struct sl_table_status *out)
{
    const struct sl_interval_table *t = state;
    *out = (struct sl_table_status){.events = t->first_event + t->events,
                                    .weight = t->weight_before + t->weight,
                                    .drops = t->drops_before + t->drops,
                                    .drops_weight = t->drops_weight_before + t->drops_weight,
                                    .storage_bits = sl_interval_storage_bits(&t->config),
                                    .bounds = SL_BOUNDS_CERTAIN};
    for (size_t slot = 1; slot <= t->accumulator.capacity; slot++)
        out->distinct += t->accumulator.count[slot] != 0;
    if (!t->host.interval && t->number)
        snprintf(out->note, sizeof out->note,
                 "%llu intervals ended with nobody to report them to: this is the one under way",
                 (unsigned long long)t->number);
}
