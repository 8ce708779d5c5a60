/* A metric says what an event weighs.
 *
 * To add one: a line in metric.c and the function that weighs blocks. */
#ifndef SL_METRIC_H
#define SL_METRIC_H

#include "event.h"
#include "statics.h"

struct sl_metric {
    const char *name;
    const char *summary;
    /* What each block of the chunk weighs, into weight[0 ... n_blocks]; NULL:
     * every event weighs 1. */
    void (*weigh)(const struct sl_statics *statics, const struct sl_chunk *chunk, uint64_t *weight);
};

extern const struct sl_metric sl_metrics[]; /* name NULL at the end */

const struct sl_metric *sl_metric_find(const char *name, size_t length);

#endif
