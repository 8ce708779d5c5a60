/* SPDX-License-Identifier: MIT */
/* Event counting of a stream compressor: step() counts one event; observe() counts a batch, with
 * the same result as step() for each event of the batch.
 *
 * A batch is processed in groups: first the indices of a group, by the packed form of the hash,
 * then its counters. The hash of a name is stored, as far as the host reserves memory. A single
 * sampler does not read the elements that it skips. With an input queue or a filter, events are
 * processed one by one. */
#include "compressor.h"
#include "table.h"

#define GROUP 64u
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Sends a message of the first component through the A's to the mailbox. `now` is the time of the
 * event or, without times, the number of events including this one. Not inlined, because it is
 * rare. */
__attribute__((noinline)) static void send(struct sl_compressor *c, struct sl_message message,
                                           uint64_t now)
{
    for (size_t i = 0; i < c->config.n_levels; i++) {
        struct sl_message out;
        if (!sl_associative_add(c->level[i], &message, &out))
            return;
        message = out;
    }
    sl_mailbox_send(&c->box, &message, now);
}

static void send_sample(struct sl_compressor *c, struct sl_tuple tuple, struct sl_sample s,
                        uint32_t stream, uint64_t now)
{
    if (c->sampled) {
        c->sampled[stream][0] += s.count;
        c->sampled[stream][1] += s.samples;
    }
    send(c, (struct sl_message){tuple, s.count, s.samples, stream}, now);
}

ALWAYS_INLINE struct sl_sample sample(struct sl_compressor *c, enum sl_component first,
                                      uint32_t stream, uint64_t weight)
{
    return first == SL_COMPONENT_P ? sl_sample_periodic(&c->counter[stream], c->config.rate, weight)
                                   : sl_sample_random(&c->countdown[stream], sl_gap_source(c->gaps),
                                                      first, c->config.rate, weight);
}

void sl_compressor_add_message(void *state, struct sl_tuple tuple, uint64_t count, uint64_t now)
{
    struct sl_compressor *c = state;
    const struct sl_pipeline_config *config = &c->config;
    if (config->first == SL_COMPONENT_T) {
        send(c, (struct sl_message){tuple, count, 1, 0}, now);
        return;
    }
    uint32_t stream = sl_byte_hash_words(c->bytes, sl_pipeline_hash_bits(config),
                                         (unsigned)config->word, tuple.pc, tuple.value);
    send_sample(c, tuple, (struct sl_sample){count, 1}, stream, now);
}

void sl_compressor_add_events(void *state, uint64_t n)
{
    struct sl_compressor *c = state;
    c->events += n;
    c->weight += n;
}

/* First components that read the tuple: A, T and G. */
ALWAYS_INLINE void enter(struct sl_compressor *c, enum sl_component first, uint32_t stream,
                         struct sl_tuple tuple, uint16_t tag, uint64_t weight, uint64_t now)
{
    if (!weight)
        return;
    if (first == SL_COMPONENT_A) {
        struct sl_message message = {tuple, weight, 1, stream}, out;
        if (sl_associative_add(sl_compressor_split(c, stream), &message, &out))
            send(c, out, now);
        return;
    }
    const struct sl_tagged_config *t = &c->config.tagged;
    uint64_t count = first == SL_COMPONENT_G
                         ? sl_gathering_step(&c->config.gathering, &c->gathering[stream], tag,
                                             weight)
                         : sl_tagged_step(t, c->tagged + stream * t->ways, tag, weight);
    if (count)
        send(c, (struct sl_message){tuple, count, 1, 0}, now);
}

void sl_compressor_step(void *state, const struct sl_event *event)
{
    struct sl_compressor *c = state;
    const struct sl_pipeline_config *config = &c->config;
    struct sl_tuple tuple = event->tuple;
    unsigned bits = sl_pipeline_hash_bits(config); /* 0 without a hash: stream 0 */
    uint32_t stream = sl_byte_hash_words(c->bytes, bits, (unsigned)config->word, tuple.pc,
                                         tuple.value);
    c->events++;
    c->weight += event->weight;
    c->clocked |= event->time != 0;
    uint64_t now = event->time ? event->time : c->events;
    if (!event->weight || sl_filter_pass(&c->filter, tuple.pc, event->weight) ||
        !sl_service_queue_arrive(&c->input, now, event->weight, &now))
        return;
    if (config->first >= SL_COMPONENT_A) {
        uint16_t tag = sl_tagged_tag(sl_compressor_tag_bits(config), tuple, (unsigned)config->word);
        enter(c, config->first, stream, tuple, tag, event->weight, now);
        return;
    }
    struct sl_sample s = sample(c, config->first, stream, event->weight);
    if (s.samples)
        send_sample(c, tuple, s, stream, now);
}

/* ---- batches ---- */

static uint32_t part_of(const struct sl_compressor *c, const struct sl_tuple_names *names,
                        size_t tuple_id)
{
    uint64_t part = sl_packed_pc(c->hash, names->pc[tuple_id]);
    if (c->parts_whole)
        part ^= sl_packed_value(c->hash, names->value[tuple_id]);
    return (uint32_t)part;
}

/* Stores the hashes of new names. */
static void store_parts(struct sl_compressor *c, const struct sl_batch *batch)
{
    const struct sl_tuple_names *names = batch->names;
    if (c->parts_whole != !batch->value) {
        c->parts_whole = !batch->value;
        c->n_parts = 0;
    }
    while (c->n_parts < names->n && c->n_parts < c->parts_capacity) {
        c->part[c->n_parts] = part_of(c, names, c->n_parts);
        c->n_parts++;
    }
}

/* The substreams or sets of n events from `at`, in the low 16 bits; their tags above. */
static void index_group(const struct sl_compressor *c, const struct sl_batch *batch, size_t at,
                        size_t n, uint32_t *restrict index)
{
    const uint32_t *tuple_id = batch->tuple_id + at;
    const uint64_t *value = batch->value ? batch->value + at : NULL;
    const struct sl_packed_hash *hash = c->hash;
    const uint32_t *part = c->part;
    if (batch->names->n > c->n_parts)
        for (size_t i = 0; i < n; i++) {
            uint64_t name = tuple_id[i] < c->n_parts ? part[tuple_id[i]]
                                                     : part_of(c, batch->names, tuple_id[i]);
            index[i] = (uint32_t)(name ^ (value ? sl_packed_value(hash, value[i]) : 0));
        }
    else if (value)
        for (size_t i = 0; i < n; i++)
            index[i] = (uint32_t)(part[tuple_id[i]] ^ sl_packed_value(hash, value[i]));
    else
        for (size_t i = 0; i < n; i++)
            index[i] = part[tuple_id[i]];
}

/* c->events does not include the batch yet. */
ALWAYS_INLINE uint64_t time_of(const struct sl_compressor *c, const struct sl_batch *batch,
                               size_t i)
{
    return batch->time ? batch->time[i] : c->events + i + 1;
}

/* Sends a sample that ends with event i of a batch. Not inlined, because it is rare. */
__attribute__((noinline)) static void send_sample_at(struct sl_compressor *c,
                                                     const struct sl_batch *batch, size_t i,
                                                     struct sl_sample s, uint32_t stream)
{
    send_sample(c, sl_batch_event(batch, i).tuple, s, stream, time_of(c, batch, i));
}

/* Every event of a batch; inlined with constant arguments. */
ALWAYS_INLINE void each(struct sl_compressor *c, const struct sl_batch *batch,
                        enum sl_component first, bool hashed, bool weighted)
{
    uint32_t index[GROUP];
    for (size_t at = 0; at < batch->n; at += GROUP) {
        size_t n = batch->n - at < GROUP ? batch->n - at : GROUP;
        if (hashed)
            index_group(c, batch, at, n, index);
        for (size_t i = 0; i < n; i++) {
            uint32_t stream = hashed ? index[i] & 0xffff : 0;
            uint64_t weight = weighted ? batch->weight[at + i] : 1;
            if (first >= SL_COMPONENT_A) {
                uint16_t tag = hashed ? (uint16_t)(index[i] >> 16) : 0;
                enter(c, first, stream, sl_batch_event(batch, at + i).tuple, tag, weight,
                      time_of(c, batch, at + i));
                continue;
            }
            struct sl_sample s = sample(c, first, stream, weight);
            if (__builtin_expect(s.samples != 0, 0))
                send_sample_at(c, batch, at + i, s, stream);
        }
    }
}

/* A single sampler and events of weight 1: skips to the next selected element. */
ALWAYS_INLINE void skip_to_samples(struct sl_compressor *c, const struct sl_batch *batch,
                                   enum sl_component first)
{
    size_t at = 0;
    for (;;) {
        uint64_t next = first == SL_COMPONENT_P ? c->config.rate - *c->counter : c->countdown->left;
        if (next > batch->n - at)
            break;
        at += (size_t)next;
        struct sl_sample s = sample(c, first, 0, next);
        send_sample_at(c, batch, at - 1, s, 0);
    }
    sample(c, first, 0, batch->n - at);
}

ALWAYS_INLINE void observe_sampler(struct sl_compressor *c, const struct sl_batch *batch,
                                   enum sl_component first)
{
    if (!c->config.split && !batch->weight)
        skip_to_samples(c, batch, first);
    else if (!c->config.split)
        each(c, batch, first, false, true);
    else if (!batch->weight)
        each(c, batch, first, true, false);
    else
        each(c, batch, first, true, true);
}

ALWAYS_INLINE void observe_table(struct sl_compressor *c, const struct sl_batch *batch,
                                 enum sl_component first, bool hashed)
{
    if (batch->weight)
        each(c, batch, first, hashed, true);
    else
        each(c, batch, first, hashed, false);
}

static void observe_batch(struct sl_compressor *c, const struct sl_batch *batch)
{
    switch (c->config.first) {
    case SL_COMPONENT_P:
        observe_sampler(c, batch, SL_COMPONENT_P);
        break;
    case SL_COMPONENT_R:
        observe_sampler(c, batch, SL_COMPONENT_R);
        break;
    case SL_COMPONENT_RD:
        observe_sampler(c, batch, SL_COMPONENT_RD);
        break;
    case SL_COMPONENT_CR:
        observe_sampler(c, batch, SL_COMPONENT_CR);
        break;
    case SL_COMPONENT_A:
        observe_table(c, batch, SL_COMPONENT_A, c->config.split);
        break;
    case SL_COMPONENT_T:
        observe_table(c, batch, SL_COMPONENT_T, true);
        break;
    case SL_COMPONENT_G:
        observe_table(c, batch, SL_COMPONENT_G, true);
        break;
    }
}

void sl_compressor_observe(void *state, const struct sl_batch *batch)
{
    struct sl_compressor *c = state;
    if (c->input.seen.capacity || c->filter.capacity) {
        sl_batch_step(batch, c, sl_compressor_step);
        return;
    }
    if (sl_pipeline_is_hashed(&c->config))
        store_parts(c, batch);
    c->clocked |= batch->time && batch->n;
    observe_batch(c, batch);
    c->events += batch->n;
    c->weight += sl_batch_weight(batch);
}
