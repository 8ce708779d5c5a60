/* SPDX-License-Identifier: MIT */
/* Test helpers for the model of an in-order core. They open a core with a memory hierarchy, and
 * build instructions by hand. */
#ifndef SL_TESTS_IN_ORDER_SUPPORT_H
#define SL_TESTS_IN_ORDER_SUPPORT_H

#include <string.h>

#include "core.h"
#include "tap.h"
#include "support/hierarchy_counts.h"

/* ---- a core ---- */

struct placed {
    void *core, *config;
    struct sl_hierarchy *hierarchy;
    uint64_t totals[SL_MACHINE_EVENTS];
};

static inline void *zeroed(size_t bytes)
{
    bytes = (bytes + 63) / 64 * 64;
    return memset(aligned_alloc(64, bytes), 0, bytes);
}

static inline struct sl_hierarchy *open_hierarchy(const struct sl_hierarchy_config *config)
{
    struct sl_hierarchy *h = zeroed(sl_hierarchy_bytes(config));
    sl_hierarchy_init(h, config);
    return h;
}

/* `options` as in a spec: core(multiply=4). */
static inline struct placed open_core(const char *options,
                                      const struct sl_hierarchy_config *hierarchy)
{
    const struct sl_core_kind *kind = &sl_core_in_order;
    struct placed p = {.config = zeroed(kind->config_size), .hierarchy = open_hierarchy(hierarchy)};
    struct sl_spec spec;
    struct sl_failure f;
    if (sl_spec_split(&spec, options, 0, &f) ||
        sl_options_parse(kind->options, &spec, p.config, &f)) {
        printf("# gives up: %s\n", f.text);
        exit(1);
    }
    p.core = zeroed(kind->size(p.config));
    kind->init(p.core, p.config, p.hierarchy);
    return p;
}

static inline void close_core(struct placed *p)
{
    sl_core_in_order.close(p->core);
    free(p->core);
    free(p->config);
    free(p->hierarchy);
}

static inline bool causes_add_up(const uint64_t *totals)
{
    uint64_t sum = totals[SL_MACHINE_BASE];
    for (unsigned i = SL_MACHINE_STALL_FIRST; i <= SL_MACHINE_STALL_LAST; i++)
        sum += totals[i];
    return sum == totals[SL_MACHINE_CYCLES];
}

/* L1 caches of 8 KB with lines of 32 bytes, an L2 of 64 KB that takes 10 cycles, memory
 * that takes 100, TLBs of 16 pages that take 30. */
static inline struct sl_hierarchy_config ordinary(void)
{
    struct sl_hierarchy_config c;
    hierarchy_defaults(&c);
    c.l1i = c.l1d = (struct sl_cache_config){
        .size = 8192, .ways = 2, .line = 32, .latency = 1, .allocate = true};
    c.l2 = (struct sl_cache_config){
        .size = 65536, .ways = 4, .line = 64, .latency = 10, .allocate = true};
    c.itlb = c.dtlb = (struct sl_tlb_config){
        .entries = 16, .ways = 16, .page = 4096, .latency = 30};
    return c;
}

/* ---- instructions ---- */

static inline struct sl_op make_op(enum sl_unit unit, int result, int source)
{
    struct sl_op op = {.size = 4, .unit = (uint8_t)unit};
    memset(op.source, SL_OP_NEVER_WRITTEN, sizeof op.source);
    memset(op.result, SL_OP_NEVER_READ, sizeof op.result);
    if (unit == SL_UNIT_MEMORY)
        op.flags = SL_INSN_LOADS;
    if (result >= 0)
        op.result[op.n_results++] = (uint8_t)result;
    if (source >= 0)
        op.source[op.n_sources++] = (uint8_t)source;
    return op;
}

#endif
