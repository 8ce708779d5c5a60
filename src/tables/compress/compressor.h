/* SPDX-License-Identifier: MIT */
/* Struct with the state of a stream compressor (compressor.c). The RTL generator and sweeps use
 * this struct, too. */
#ifndef SL_COMPRESSOR_H
#define SL_COMPRESSOR_H

#include "associative.h"
#include "byte_hash.h"
#include "mailbox.h"
#include "pipeline.h"
#include "sampler.h"
#include "software.h"

struct sl_compressor {
    struct sl_pipeline_config config;
    uint64_t events, weight;
    bool clocked;                  /* events have times */
    struct sl_service_queue input; /* of tuples */
    struct sl_filter filter;       /* before the input queue */
    /* The hash: plain for `step`, packed for `observe`, and for each name the part that depends
     * only on the name: that of the pc, or all of it. */
    uint8_t bytes[256];
    struct sl_packed_hash *hash;
    uint32_t *part;
    size_t n_parts, parts_capacity;
    bool parts_whole;
    /* The first component, one of: */
    union {
        void *first;
        uint32_t *counter;              /* P, by substream */
        struct sl_countdown *countdown; /* R, RD, CR, by substream */
        struct sl_tagged_entry *tagged;
        struct sl_gathering_entry *gathering;
        char *split; /* A, by substream, `split_bytes` each */
    };
    struct sl_gaps *gaps; /* of R, RD, CR */
    size_t split_bytes;
    /* The A's after it. */
    struct sl_associative *level[SL_PIPELINE_LEVELS];
    struct sl_mailbox box;
    struct sl_software software; /* unless the host receives the messages */
    bool delivers;               /* the host receives them */
    /* By substream: events that its samples denote, and number of samples, for estimate=ratio. They
     * include messages that are still in flight or that software dropped, so that the ratios of the
     * others are correct. NULL with other estimates. */
    uint64_t (*sampled)[2];
};

/* Width of the tags, for T and G. */
static inline unsigned sl_compressor_tag_bits(const struct sl_pipeline_config *config)
{
    return (unsigned)(config->first == SL_COMPONENT_G ? config->gathering.tag_bits
                                                      : config->tagged.tag_bits);
}

static inline struct sl_associative *sl_compressor_split(const struct sl_compressor *c,
                                                         uint64_t stream)
{
    return (struct sl_associative *)(c->split + stream * c->split_bytes);
}

/* For a first component that runs elsewhere (a GPU), with events of weight 1: adds a message that
 * it sent for event number `now`, counted from 1; adds n events to the statistics. */
void sl_compressor_add_message(void *state, struct sl_tuple tuple, uint64_t count, uint64_t now);
void sl_compressor_add_events(void *state, uint64_t n);

/* Members of sl_table_compressor. */
void sl_compressor_step(void *state, const struct sl_event *event);
void sl_compressor_observe(void *state, const struct sl_batch *batch);
void sl_compressor_drain(const void *state, const struct sl_tuple_names *names,
                         bool (*emit)(void *context, const struct sl_entry *entry), void *context);
void sl_compressor_status(const void *state, struct sl_table_status *status);

#endif
