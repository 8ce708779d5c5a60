/* SPDX-License-Identifier: MIT */
/* Struct with the state of a stream compressor (compressor.c). The RTL generator and sweeps use
 * this struct, too. */
#ifndef SL_COMPRESSOR_H
#define SL_COMPRESSOR_H

#include "byte_hash.h"
#include "pipeline.h"
#include "software.h"

/* Mailbox of a stream compressor: delivers messages to software, either a buffer at a
 * time with an interrupt when the buffer is full, or one by one through a queue.
 *
 * Messages wait in a buffer of 100; an interrupt delivers a full buffer. The paper (Sastry, Bodik,
 * Smith, 2001, section 5.3.2) assumes 30 cycles per message, which include the 214 cycles of an
 * interrupt shared by 100 messages. Alternatively a concurrent thread reads messages from a queue;
 * then the time between messages matters, for which there is a histogram by powers of two. */

/* ---- a queue ---- */

/* A queue with one server and a constant service time: tuples that wait for the compressor,
 * messages that wait for software.
 *
 *                  late: has to wait
 *     arrival ---> [ | | | ] ---> one at a time, `service` each
 *          \     capacity
 *           `-> lost: the queue is full
 *
 * With a constant service time, the completion time of the last element determines the state: the
 * number waiting is that of whole service times until then, less the one in service. Times never
 * decrease; their unit is that of the caller, cycles or events.
 *
 * The paper has both queues but gives neither their length nor what happens if they are full. Here
 * arrivals are then lost, and counted. */
struct sl_service_queue {
    uint64_t done;              /* completion time of the last element that was accepted */
    struct sl_table_queue seen; /* statistics; capacity 0: no queue, no waiting */
};

/* An arrival of this weight. Returns false if lost; else *turn is the start of its service. */
static inline bool sl_service_queue_arrive(struct sl_service_queue *w, uint64_t now,
                                           uint64_t weight, uint64_t *turn)
{
    struct sl_table_queue *q = &w->seen;
    *turn = now;
    if (!q->capacity)
        return true;
    q->arrived++;
    if (w->done > now) {
        uint64_t wait = w->done - now, before = (wait - 1) / q->service;
        if (before >= q->capacity) {
            q->lost++;
            q->lost_weight += weight;
            return false;
        }
        q->late++;
        q->wait += wait;
        q->wait_max = wait > q->wait_max ? wait : q->wait_max;
        q->max_length = before + 1 > q->max_length ? before + 1 : q->max_length;
        *turn = w->done;
    }
    w->done = *turn + q->service;
    return true;
}

/* ---- delivery of messages ---- */

#define SL_MAILBOX_CAPACITY 100u

struct sl_mailbox {
    struct sl_message buffer[SL_MAILBOX_CAPACITY];
    size_t n;
    uint64_t messages, interrupts, weight;
    uint64_t last;         /* time of the last message */
    uint64_t gap_min;      /* smallest gap */
    uint64_t gap[SL_GAPS]; /* histogram, as in sl_table_status */
    struct sl_service_queue
        queue; /* for the thread; if it has a capacity, there are no interrupts */
    void (*deliver)(void *context, const struct sl_message *message, size_t n);
    void *context;
};

/* Sends a message. One that is lost in the queue counts as sent. */
void sl_mailbox_send(struct sl_mailbox *box, const struct sl_message *message, uint64_t now);

/* Delivers the waiting messages, at the end of a run without an interrupt. */
void sl_mailbox_flush(struct sl_mailbox *box);

/* Fills the fields of a status that concern messages. */
void sl_mailbox_status(const struct sl_mailbox *box, struct sl_table_status *status);

/* Component A<k> of a stream compressor: a fully associative table of k exact counters. A
 * compressor can consist of this component alone, or have it after another component. associative.c
 * describes the algorithm. */

struct sl_associative;

/* Bytes for k entries (1 to 65,536); initializes a table in zeroed memory of that size. */
size_t sl_associative_bytes(uint64_t entries);
void sl_associative_init(struct sl_associative *a, uint64_t entries, unsigned counter_bits);

/* Adds a message's count and samples to the entry of its tuple. Returns true if a message left the
 * table, which is then in *out: the tuple's own if its counter would exceed its width (the entry is
 * freed, and *out has its contents plus the new count), or the least recently used entry if the
 * table was full. A count that alone exceeds the width passes through. */
bool sl_associative_add(struct sl_associative *a, const struct sl_message *message,
                        struct sl_message *out);

/* Calls `each` for all entries, least recently used first, until it returns false. Returns the last
 * result, true for an empty table. */
bool sl_associative_each(const struct sl_associative *a,
                         bool (*each)(void *context, const struct sl_message *resident),
                         void *context);

/* Whether the tuple has an entry, which is copied to *resident. Does not count as a use. */
bool sl_associative_find(const struct sl_associative *a, struct sl_tuple tuple,
                         struct sl_message *resident);

/* Sum of the counts in the table. */
uint64_t sl_associative_residue(const struct sl_associative *a);

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

/* ---- bounds (sampling_bounds.c) ---- */

/* 95 % confidence bounds of the true count of a sampled tuple, from its number of samples.
 *
 * Of a tuple with t elements, S are selected, each with probability 1/r: S is binomial. (With P and
 * RD it varies less.) Only tuples with S > 0 are listed, and most tuples with one or two samples
 * are rare ones that were selected by chance: their t is far below S r. So the bounds are
 * conditional on S > 0:
 *
 *     low    the least t for which S or more samples have a probability above 2.5 %
 *     high   the largest t for which S or fewer do
 *
 * Then, for any t, the bounds contain t in 95 % of the cases in which the tuple is listed. With one
 * sample, low is 1. For many samples the condition makes no difference and the normal distribution
 * is used: all t for which S r is within 1.96 standard deviations, each sqrt((r - 1) t). */

#define SL_SAMPLING_FEW 64u /* largest S for which the binomial distribution is used */

struct sl_sampling_bounds {
    uint64_t rate;
    struct sl_bound_pair {
        uint64_t low, high;
    } of[SL_SAMPLING_FEW + 1]; /* by samples, from 1 */
};

/* Prepares the bounds for a rate of 1 or more. */
void sl_sampling_bounds_init(struct sl_sampling_bounds *bounds, uint64_t rate);

/* The bounds for 1 or more samples. */
struct sl_bound_pair sl_sampling_bounds(const struct sl_sampling_bounds *bounds, uint64_t samples);

#endif
