/* SPDX-License-Identifier: MIT */
/* A metric says what an event weighs.
 *
 * To add one: a line in metric.c and, if it is not a sum of what happens in a
 * machine, the function that weighs blocks. */
#ifndef SL_METRIC_H
#define SL_METRIC_H

#include "event.h"
#include "machine.h"
#include "statics.h"

/* What weights are taken from. */
struct sl_weighing {
    const struct sl_statics *statics;
    const struct sl_chunk *chunk;
    const struct sl_machine *machine; /* that has run the chunk; NULL: there is none */
};

struct sl_metric {
    const char *name;
    const char *summary;
    const char *by;    /* behind "Functions by ": "energy in pJ" */
    const char *units; /* behind a number of it: "pJ" */
    const char *unit;  /* as viewers have it: "count" */
    /* What each block of the chunk weighs, into weight[0 ... n_blocks]; NULL:
     * every event weighs 1. */
    void (*weigh)(const struct sl_metric *metric, const struct sl_weighing *from, uint64_t *weight);
    uint64_t happenings; /* of a machine, added up: bits 1 << enum sl_happening; 0: it needs none */
    /* The first of SL_PARTS happenings that what it weighs is made of; 0: of nothing else. */
    enum sl_happening parts;
    unsigned
        access;    /* what of an access it counts (enum sl_access_what); 0: it is not an access's */
    uint64_t step; /* what small counters in hardware count by; 0: 1 */
};

extern const struct sl_metric sl_metrics[]; /* name NULL at the end */

/* Blocks weigh their instructions, and no machine has a say in it. */
bool sl_metric_is_instructions(const struct sl_metric *metric);

const struct sl_metric *sl_metric_find(const char *name, size_t length);

#endif
