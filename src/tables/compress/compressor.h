/* SPDX-License-Identifier: MIT */
/* What a compressor is made of: see compressor.c. */
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
    bool clocked;            /* events have times */
    struct sl_waiting input; /* tuples that wait for it */
    struct sl_filter filter; /* in front of that */
    /* The hash: plain for `step`, packed for `observe`, and of each name what depends
     * on the name alone: the pc's half, or all of it. */
    uint8_t bytes[256];
    struct sl_packed_hash *hash;
    uint32_t *part;
    size_t n_parts, room_parts;
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
    /* The A's behind it. */
    struct sl_associative *level[SL_PIPELINE_LEVELS];
    struct sl_mailbox box;
    struct sl_software software; /* unless the host wants the messages */
    bool delivers;               /* it does */
    /* By substream: events that its samples stand for, and how many these are. They are
     * what the messages add up to in the end, wherever they are now, those that software
     * had no room for included, so that the shares of the others stay right. NULL unless
     * software estimates by shares. */
    uint64_t (*sampled)[2];
};

/* Bits of the tags, where the first component has some. */
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

/* What the first component has made of events that weigh 1, where it is somewhere else: a message
 * that it sends for the event number `now`, the first being 1; so many events have passed it. */
void sl_compressor_take(void *state, struct sl_tuple tuple, uint64_t count, uint64_t now);
void sl_compressor_pass(void *state, uint64_t n);

/* As sl_table_kind has them. */
void sl_compressor_step(void *state, const struct sl_event *event);
void sl_compressor_observe(void *state, const struct sl_batch *batch);
void sl_compressor_drain(const void *state, const struct sl_names *names,
                         bool (*emit)(void *context, const struct sl_entry *entry), void *context);
void sl_compressor_status(const void *state, struct sl_table_status *status);

#endif
