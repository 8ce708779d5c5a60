/* SPDX-License-Identifier: MIT */
/* Table of all metrics, with the functions that compute the weight of a block by each metric.
 * metric.h defines what a metric is. */
#include "metric.h"

#include <string.h>

#include "hierarchy.h"

static void weigh_instructions(const struct sl_metric *metric, const struct sl_weighing *from,
                               uint64_t *weight)
{
    (void)metric;
    for (uint32_t i = 0; i < from->chunk->n_blocks; i++)
        weight[i] = from->statics->block_size[from->chunk->block[i]];
}

static void weigh_machine_events(const struct sl_metric *metric, const struct sl_weighing *from,
                                 uint64_t *weight)
{
    memset(weight, 0, from->chunk->n_blocks * sizeof *weight);
    for (uint64_t left = metric->machine_events; left; left &= left - 1) {
        const uint32_t *of_block = sl_machine_block_counts(
            from->machine, (enum sl_machine_event)__builtin_ctzll(left));
        for (uint32_t i = 0; i < from->chunk->n_blocks; i++)
            weight[i] += of_block[i];
    }
}

#define BIT(what) (UINT64_C(1) << (what))
#define BITS(first, last) (BIT((last) + 1) - BIT(first))

/* name, summary, by, units, unit, weigh, machine_events, parts, access, step */
const struct sl_metric sl_metrics[] = {
    {"count", "number of events: the weight of each event is 1", "count", "events", "count", NULL,
     0, 0, 0, 0},
    {"instructions",
     "executed instructions; for an edge or call, those since the thread's previous event",
     "instructions", "instructions", "count", weigh_instructions, 0, 0, 0, 0},
    {"cycles",
     "cycles of the CPU model; this metric and all metrics listed below it need a CPU model",
     "cycles", "cycles", "count", weigh_machine_events, BIT(SL_MACHINE_CYCLES), 0, 0, 0},
    {"stalls", "stall cycles of the CPU model, the sum of all causes", "stall cycles",
     "stall cycles", "count", weigh_machine_events,
     BITS(SL_MACHINE_STALL_FIRST, SL_MACHINE_STALL_LAST), 0, 0, 0},
    {"imiss", "misses in the instruction cache", "instruction-cache misses",
     "instruction-cache misses", "count", weigh_machine_events, BIT(SL_MACHINE_IMISS), 0, 0, 0},
    {"dmiss", "misses in the data cache", "data-cache misses", "data-cache misses", "count",
     weigh_machine_events, BIT(SL_MACHINE_DMISS), 0, SL_ACCESS_L1_MISS, 0},
    {"l2miss", "misses in the second-level cache, of instructions and data", "L2 misses",
     "L2 misses", "count", weigh_machine_events, BIT(SL_MACHINE_L2MISS), 0, SL_ACCESS_L2_MISS, 0},
    {"l3miss", "misses in the third-level cache, of instructions and data", "L3 misses",
     "L3 misses", "count", weigh_machine_events, BIT(SL_MACHINE_L3MISS), 0, SL_ACCESS_L3_MISS, 0},
    {"mispredict", "branches whose direction or target was mispredicted", "mispredictions",
     "mispredictions", "count", weigh_machine_events,
     BIT(SL_MACHINE_WRONG_DIRECTION) | BIT(SL_MACHINE_WRONG_TARGET), 0, 0, 0},
    {"energy", "energy of instructions and stalls, in picojoules", "energy in pJ", "pJ", "pJ",
     weigh_machine_events, BIT(SL_MACHINE_ENERGY), SL_MACHINE_GROUP_FIRST, 0, 1000},
    {"cachepower", "cost of cache events, relative to that of an instruction fetch, which is 1000",
     "cost of cache events", "thousandths of an instruction fetch", "count", weigh_machine_events,
     BIT(SL_MACHINE_CACHE_POWER), 0, 0, 1000},
    {NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0},
};

bool sl_metric_is_instructions(const struct sl_metric *metric)
{
    return metric->weigh == weigh_instructions;
}

const struct sl_metric *sl_metric_find(const char *name, size_t length)
{
    for (const struct sl_metric *m = sl_metrics; m->name; m++)
        if (strlen(m->name) == length && !strncmp(m->name, name, length))
            return m;
    return NULL;
}
