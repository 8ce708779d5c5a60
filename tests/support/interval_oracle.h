/* SPDX-License-Identifier: MIT */
/* Plain model of the interval profilers (singlehash, multihash), written from their manual page:
 * it uses arrays and linear search and processes one event at a time. The model shares with
 * src/tables/interval only the definition of the hash function and, for approximate counters (a
 * base above 1), the random number generator. */
#ifndef SL_TESTS_INTERVAL_ORACLE_H
#define SL_TESTS_INTERVAL_ORACLE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "byte_hash.h"
#include "interval_log.h"
#include "random.h"
#include "sluice.h"

struct oracle {
    unsigned tables, index_bits, counter_bits;
    unsigned word; /* bits of the words that are hashed; 0: 64 */
    uint64_t length, threshold, seed;
    bool conservative, reset, retain;
    size_t capacity, ways; /* 0: a tuple can be anywhere */
    double base;           /* 0: counters are exact */
    uint64_t random;       /* what draws come from */

    uint32_t *counter[16];
    uint8_t byte_table[16][256];
    struct {
        struct sl_tuple tuple;
        uint64_t count;
        bool used, replaceable;
    } * entry;
    uint64_t events, weight, drops, first_event, number;
    struct interval_log log;
    struct sl_entry *candidate;
};

static void oracle_open(struct oracle *o)
{
    for (unsigned k = 0; k < o->tables; k++) {
        o->counter[k] = calloc((size_t)1 << o->index_bits, sizeof *o->counter[k]);
        sl_byte_table(o->byte_table[k], o->seed, k);
    }
    o->entry = calloc(o->capacity, sizeof *o->entry);
    o->candidate = calloc(o->capacity, sizeof *o->candidate);
}

static void oracle_close(struct oracle *o)
{
    for (unsigned k = 0; k < o->tables; k++)
        free(o->counter[k]);
    free(o->entry);
    free(o->candidate);
    log_free(&o->log);
}

static void oracle_report(struct oracle *o, bool partial)
{
    struct sl_interval interval = {.number = o->number,
                                   .first_event = o->first_event,
                                   .events = o->events,
                                   .weight = o->weight,
                                   .drops = o->drops,
                                   .threshold = o->threshold,
                                   .partial = partial,
                                   .entry = o->candidate};
    for (size_t i = 0; i < o->capacity; i++)
        if (o->entry[i].used && o->entry[i].count >= o->threshold)
            o->candidate[interval.n_entries++] = (struct sl_entry){.tuple = o->entry[i].tuple,
                                                                   .count = o->entry[i].count};
    log_interval(&o->log, &interval);
}

static void oracle_end(struct oracle *o)
{
    oracle_report(o, false);
    for (unsigned k = 0; k < o->tables; k++)
        memset(o->counter[k], 0, sizeof *o->counter[k] << o->index_bits);
    for (size_t i = 0; i < o->capacity; i++) {
        if (!o->retain || o->entry[i].count < o->threshold)
            o->entry[i].used = false;
        o->entry[i].replaceable = true;
        o->entry[i].count = 0;
    }
    o->number++;
    o->first_event += o->events;
    o->events = o->weight = o->drops = 0;
}

static uint32_t *oracle_counter(const struct oracle *o, unsigned k, struct sl_tuple tuple)
{
    return &o->counter[k][sl_byte_hash_words(o->byte_table[k], o->index_bits,
                                             o->word ? o->word : 64, tuple.pc, tuple.value)];
}

static size_t oracle_slot(const struct oracle *o, struct sl_tuple tuple)
{
    size_t best = o->capacity, low = 0, high = o->capacity;
    if (o->ways) {
        size_t index = (size_t)(oracle_counter(o, 0, tuple) - o->counter[0]);
        low = index % (o->capacity / o->ways) * o->ways;
        high = low + o->ways;
    }
    for (size_t i = low; i < high; i++)
        if (!o->entry[i].used)
            return i;
    for (size_t i = low; i < high; i++)
        if (o->entry[i].replaceable &&
            (best == o->capacity || o->entry[i].count < o->entry[best].count))
            best = i;
    return best;
}

static uint64_t oracle_smallest(const struct oracle *o, struct sl_tuple tuple)
{
    uint64_t smallest = UINT64_MAX;
    for (unsigned k = 0; k < o->tables; k++)
        if (*oracle_counter(o, k, tuple) < smallest)
            smallest = *oracle_counter(o, k, tuple);
    return smallest;
}

/* What a counter denotes. */
static uint64_t oracle_reading(const struct oracle *o, uint64_t counter)
{
    double power = o->base > 1 ? pow(o->base, (double)counter) : 0;
    return o->base > 1 ? (uint64_t)((power - 1) / (o->base - 1) + 0.5) : counter;
}

/* One event, approximately: a random number, and the chance of each counter. */
static void oracle_draw(struct oracle *o, struct sl_tuple tuple)
{
    uint64_t most = (UINT64_C(1) << o->counter_bits) - 1;
    uint64_t before = oracle_smallest(o, tuple);
    double draw = before < most ? ldexp((double)sl_random_next(&o->random), -64) : 1;
    for (unsigned k = 0; k < o->tables; k++) {
        uint32_t *counter = oracle_counter(o, k, tuple);
        bool success = draw < pow(o->base, -(double)*counter);
        if (*counter < most && success && (!o->conservative || *counter == before))
            ++*counter;
    }
}

static void oracle_raise(struct oracle *o, struct sl_tuple tuple, uint64_t weight)
{
    uint64_t most = (UINT64_C(1) << o->counter_bits) - 1;
    uint64_t before = oracle_smallest(o, tuple);
    for (unsigned k = 0; k < o->tables; k++) {
        uint32_t *counter = oracle_counter(o, k, tuple);
        uint64_t next = (o->conservative ? before : *counter) + weight;
        if (next > most)
            next = most;
        if (next > *counter)
            *counter = (uint32_t)next;
    }
}

static void oracle_miss(struct oracle *o, struct sl_tuple tuple, uint64_t weight)
{
    if (o->base > 1)
        for (uint64_t i = 0; i < weight; i++)
            oracle_draw(o, tuple);
    else
        oracle_raise(o, tuple, weight);
    if (!weight || oracle_reading(o, oracle_smallest(o, tuple)) < o->threshold)
        return;
    size_t at = oracle_slot(o, tuple);
    if (at == o->capacity) {
        o->drops++;
        return;
    }
    o->entry[at].tuple = tuple;
    o->entry[at].used = true;
    o->entry[at].replaceable = false;
    o->entry[at].count = oracle_reading(o, oracle_smallest(o, tuple));
    for (unsigned k = 0; k < o->tables && o->reset; k++)
        *oracle_counter(o, k, tuple) = 0;
}

/* One event; true if it ends the interval. */
static bool oracle_event(struct oracle *o, struct sl_tuple tuple, uint64_t weight)
{
    size_t at = 0;
    while (at < o->capacity && !(o->entry[at].used && o->entry[at].tuple.pc == tuple.pc &&
                                 o->entry[at].tuple.value == tuple.value))
        at++;
    o->events++;
    o->weight += weight;
    if (at < o->capacity) {
        o->entry[at].count += weight;
        if (o->entry[at].count >= o->threshold)
            o->entry[at].replaceable = false;
    } else {
        oracle_miss(o, tuple, weight);
    }
    if (o->weight < o->length)
        return false;
    oracle_end(o);
    return true;
}

#endif
