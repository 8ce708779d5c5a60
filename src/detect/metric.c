#include "metric.h"

#include <string.h>

static void weigh_instructions(const struct sl_statics *statics, const struct sl_chunk *chunk,
                               uint64_t *weight)
{
    for (uint32_t i = 0; i < chunk->n_blocks; i++)
        weight[i] = statics->block_size[chunk->block[i]];
}

const struct sl_metric sl_metrics[] = {
    {"count", "every event counts 1", NULL},
    {"instructions", "instructions retired; for edges and calls, since the thread's last one",
     weigh_instructions},
    {NULL, NULL, NULL},
};

const struct sl_metric *sl_metric_find(const char *name, size_t length)
{
    for (const struct sl_metric *m = sl_metrics; m->name; m++)
        if (strlen(m->name) == length && !strncmp(m->name, name, length))
            return m;
    return NULL;
}
