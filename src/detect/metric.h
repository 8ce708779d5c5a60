/* SPDX-License-Identifier: MIT */
/* Metrics of a profile. A metric defines how much each event weighs, for example 1, cycles, misses
 * or energy.
 *
 * To add one: a row in metric.c and, if it is not a sum of CPU model events, a function that weighs
 * blocks. */
#ifndef SL_METRIC_H
#define SL_METRIC_H

#include "event.h"
#include "machine.h"
#include "statics.h"

/* The inputs of a weight. */
struct sl_weighing {
    const struct sl_statics *statics;
    const struct sl_chunk *chunk;
    const struct sl_machine *machine; /* has already run the chunk; NULL: none */
};

struct sl_metric {
    const char *name;
    const char *summary;
    const char *by;    /* after "Functions by ": "energy in pJ" */
    const char *units; /* after a value: "pJ" */
    const char *unit;  /* for other tools' formats: "count" */
    /* Writes the weight of each block of the chunk to weight[0] .. weight[n_blocks - 1]. NULL:
     * every event weighs 1. */
    void (*weigh)(const struct sl_metric *metric, const struct sl_weighing *from, uint64_t *weight);
    uint64_t machine_events; /* events that are added up: bits 1 << enum sl_machine_event */
    /* The first of SL_PARTS consecutive events that the weight consists of; 0: it has no parts. */
    enum sl_machine_event parts;
    unsigned access; /* enum sl_access_event: outcomes of an access that it counts; 0: none */
    uint64_t step;   /* unit of small hardware counters; 0: 1 */
};

extern const struct sl_metric sl_metrics[]; /* name NULL at the end */

/* True if blocks weigh their instructions, with or without a CPU model. */
bool sl_metric_is_instructions(const struct sl_metric *metric);

/* Returns NULL if no metric has this name. */
const struct sl_metric *sl_metric_find(const char *name, size_t length);

#endif
