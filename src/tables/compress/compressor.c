/* SPDX-License-Identifier: MIT */
/* Stream compressors, a class of tables: each reduces a stream of tuples to a shorter stream of
 * <tuple, count> messages, which software adds up.
 *
 * Paper: Sastry, Bodik, Smith, "Rapid Profiling via Stratified Sampling", 2001, section 3. A
 * compressor is composed of few components (pipeline.h has the notation): a sampler (sampler.h),
 * alone or one for each of n substreams that a hash selects; or a table of exact (associative.c) or
 * tagged (tagged.c) counters; and after it tables that add up messages of the same tuple.
 *
 *            +------- H[P256]2048 -----+   +- +A16 -+   +-- mailbox --+
 *     tuple -+- hash -+- counter 0     |   | tuple  |   | 100 messages|   host->deliver,
 *            |        +- counter 1     +-->| count  +-->| wait        +-> or software.c
 *            |        +- ...           |   | ...    |   |             |
 *            +-------------------------+   +--------+   +-------------+
 *
 * Optional: an input queue that absorbs bursts, of which one tuple is taken per cycle; an output
 * queue that a thread reads, instead of the buffer (compressor.h); a filter for instructions of
 * which software knows enough (software.h).
 *
 * An event gives at most one message, and a message that enters an A makes at most one leave it.
 * For P, CR, A and T, at any time,
 *
 *     weight of the events = counts of the messages + counters and contents of A
 *                            + weight lost in the input queue + weight that the filter passed
 *
 * and A changes no sum of a tuple. For R and RD, whose messages count r each, this holds in
 * expectation.
 *
 * The hash, for the substream of H and the set of T, is function 0 of byte_hash.h. Events are in
 * compressor_step.c, results in compressor_drain.c.
 *
 * Bounds. On a shuffled stream, R's estimate has variance (r - 1) t for a tuple with t events; P's
 * is (1 - q) of that, with q the tuple's fraction of its substream, and so is CR's with
 * estimate=ratio, while its own counts have twice as much; RD's is between P's and R's. The bounds
 * are those of R (compressor.h), and wide for H[P]. They do not hold for streams with a period
 * that matches P's.
 *
 * Departures from the paper
 *   1. Its counter of CR has no width; here it has 32 bits of storage and never overflows.
 *   2. Events have weights: w consecutive elements.
 *   3. It measures errors by the messages alone; here the contents of A are included: software can
 *      read them at any time, and only then does an A leave the error unchanged, as the paper
 *      claims. Counters without a tuple (samplers and T) are left out. */
#include "compressor.h"

#include <stdlib.h>

#include "hash.h"
#include "table.h"

static bool is_random(const struct sl_pipeline_config *config)
{
    return config->first == SL_COMPONENT_R || config->first == SL_COMPONENT_RD ||
           config->first == SL_COMPONENT_CR;
}

static size_t split_bytes(const struct sl_pipeline_config *config)
{
    return (sl_associative_bytes(config->entries) + 63) & ~(size_t)63;
}

static size_t first_bytes(const struct sl_pipeline_config *config)
{
    size_t n = (size_t)config->streams;
    switch (config->first) {
    case SL_COMPONENT_P:
        return n * sizeof(uint32_t);
    case SL_COMPONENT_R:
    case SL_COMPONENT_RD:
    case SL_COMPONENT_CR:
        return n * sizeof(struct sl_countdown);
    case SL_COMPONENT_A:
        return n * split_bytes(config);
    case SL_COMPONENT_T:
        return (size_t)config->tagged.entries * sizeof(struct sl_tagged_entry);
    case SL_COMPONENT_G:
        return (size_t)config->gathering.entries * sizeof(struct sl_gathering_entry);
    }
    return 0;
}

static size_t lay_out(struct sl_compressor *c, const struct sl_pipeline_config *config,
                      const struct sl_table_host *host, uintptr_t base)
{
    struct sl_layout l = {base, 0};
    bool hashed = sl_pipeline_is_hashed(config);
    sl_layout_array(&l, 1, sizeof *c);
    c->hash = sl_layout_array(&l, hashed, sizeof *c->hash);
    c->part = sl_layout_array(&l, hashed ? host->names : 0, sizeof *c->part);
    c->gaps = sl_layout_array(&l, is_random(config), sizeof *c->gaps);
    c->first = sl_layout_array(&l, 1, first_bytes(config));
    /* A host that receives the messages makes its own estimates. */
    bool counts_samples = config->estimate == SL_ESTIMATE_RATIO && !host->deliver;
    c->sampled = sl_layout_array(&l, counts_samples ? config->streams : 0, sizeof *c->sampled);
    for (size_t i = 0; i < config->n_levels; i++)
        c->level[i] = sl_layout_array(&l, 1, sl_associative_bytes(config->level[i]));
    return l.used;
}

static size_t size(const void *config, const struct sl_table_host *host)
{
    struct sl_compressor c;
    return lay_out(&c, config, host, 0);
}

static void init_hash(struct sl_compressor *c, size_t names)
{
    sl_byte_table(c->bytes, c->config.seed, 0);
    sl_packed_init_words(c->hash, c->config.seed, 0, 1, sl_pipeline_hash_bits(&c->config),
                         (unsigned)c->config.word);
    if (c->config.first >= SL_COMPONENT_T)
        sl_packed_add_tag(c->hash, 1, sl_compressor_tag_bits(&c->config), (unsigned)c->config.word);
    c->parts_capacity = names;
}

static void init_first(struct sl_compressor *c)
{
    const struct sl_pipeline_config *config = &c->config;
    c->split_bytes = split_bytes(config);
    if (is_random(config)) {
        /* Mixed, because the hash tables use the numbers that follow the seed. */
        sl_gaps_init(c->gaps, config->rate, sl_mix(config->seed + 1));
        for (uint64_t i = 0; i < config->streams; i++)
            sl_countdown_draw(&c->countdown[i], sl_gap_source(c->gaps), config->first,
                              config->rate);
    }
    if (config->first == SL_COMPONENT_A)
        for (uint64_t i = 0; i < config->streams; i++)
            sl_associative_init(sl_compressor_split(c, i), config->entries,
                                (unsigned)config->width);
}

/* Software with convergence checks: adds the messages, then checks their instructions. */
static void add_and_check(void *context, const struct sl_message *message, size_t n)
{
    struct sl_compressor *c = context;
    sl_software_add(&c->software, message, n);
    for (size_t i = 0; i < n; i++) {
        const struct sl_message *sum = sl_software_find(&c->software, message[i].tuple);
        if (sum)
            sl_filter_record(&c->filter, message[i].tuple.pc, message[i].count, sum->count);
    }
}

static void init_delivery(struct sl_compressor *c, const struct sl_table_host *host)
{
    const struct sl_pipeline_config *config = &c->config;
    c->delivers = host->deliver != NULL;
    c->software.memory_bytes = host->memory_bytes;
    c->box.deliver = host->deliver ? host->deliver : sl_software_add;
    c->box.context = host->deliver ? host->context : &c->software;
    c->box.queue.seen = (struct sl_table_queue){.capacity = config->service ? config->queue : 0,
                                                .service = config->service};
    c->input.seen = (struct sl_table_queue){.capacity = config->input, .service = config->pick};
    if (config->converge > 0 && !host->deliver) {
        c->filter = (struct sl_filter){
            .check = config->check,
            .tolerance = (uint64_t)(config->converge / 100 * 4294967296.0),
            .capacity = config->filter,
            .memory_bytes = host->memory_bytes};
        c->box.deliver = add_and_check;
        c->box.context = c;
    }
}

static int init(void *state, const void *from, const struct sl_table_host *host,
                struct sl_failure *f)
{
    const struct sl_pipeline_config *config = from;
    struct sl_compressor *c = state;
    (void)f;
    c->config = *config;
    lay_out(c, config, host, (uintptr_t)state);
    if (c->hash)
        init_hash(c, host->names);
    init_first(c);
    for (size_t i = 0; i < config->n_levels; i++)
        sl_associative_init(c->level[i], config->level[i], (unsigned)config->width);
    init_delivery(c, host);
    return 0;
}

/* Gaps between messages are in cycles if events have times. */
static bool timed(const void *config)
{
    (void)config;
    return true;
}

static void finish(void *state)
{
    struct sl_compressor *c = state;
    sl_mailbox_flush(&c->box);
}

static void close_compressor(void *state)
{
    struct sl_compressor *c = state;
    free(c->software.slot);
    sl_filter_free(&c->filter);
}

const struct sl_table_kind sl_table_compressor = {
    .name = "compressors",
    .adds = SL_ADDS_SAMPLED,
    .options = sl_pipeline_options,
    .config_size = sizeof(struct sl_pipeline_config),
    .storage_bits = sl_pipeline_storage_bits,
    .size = size,
    .init = init,
    .step = sl_compressor_step,
    .observe = sl_compressor_observe,
    .finish = finish,
    .drain = sl_compressor_drain,
    .status = sl_compressor_status,
    .close = close_compressor,
    .notation = &(const struct sl_table_notation){.parse = sl_pipeline_parse,
                                                  .print = sl_pipeline_notation,
                                                  .written = sl_pipeline_written,
                                                  .list = sl_pipeline_list},
    .timing = &(const struct sl_table_timing){.timed = timed},
};
