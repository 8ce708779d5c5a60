/* SPDX-License-Identifier: MIT */
/* LEAP function profiler (table `leap`): one counter per function, found by a perfect hash of
 * the function's address.
 *
 * Paper: Aldham, Anderson, Brown, Canis, "Low-Cost Hardware Profiling of Run-Time and Energy in
 * FPGA Embedded Processors", 2011.
 *
 *      instruction, pc, stall                                               in sluice:
 *            │
 *     ┌──────┴────────────┐ call, return, target
 *     │ operation decoder ├───────────┬────────────────┐                    src/code/isa
 *     └──────┬────────────┘    ┌──────┴─────┐   ┌──────┴───────┐
 *     ┌──────┴───────┐         │ call stack │◄──┤ address hash │            detect/function.c
 *     │ data counter │         └──────┬─────┘   └──────────────┘            perfect_hash.h
 *     └──────┬───────┘                │ index of the function
 *            │ weight        ┌────────┴────────┐
 *            └──────────────►│ counter storage │                            function_counters.h
 *                            └─────────────────┘
 *
 * On a call or return, the data counter is added to the counter of the function that was executing,
 * and restarts from 0. Here the `function` detector is decoder, stack and data counter: an event is
 * one change of function, with the function that was left and its weight since it was entered or
 * returned to. The metric is what the data counter counts. For energy there are seven data
 * counters, and seven counters per function: instructions in each of six groups of similar power,
 * and stall cycles. Software multiplies them by the powers. With `groups` there are fewer;
 * neighbouring groups are merged and use their mean power, a trade-off that the paper names.
 *
 * With `capacity` there are counters for that many functions, as in hardware that is built before
 * the program; functions at higher addresses beyond it have none.
 *
 * Departures from the paper
 *   1. Its stack holds indices, ours addresses, each hashed when it is charged: equivalent, since
 *      the hash does not change. Its stack has 32 entries, which is function(depth=32); the default
 *      is unlimited.
 *   2. LEAP does not know symbols, which is function(tail=0): the callee of a tail call is charged
 *      to its caller. The detector's default charges the callee.
 *   3. A function outside the set that the hash was made for would be charged to another function.
 *      The model stores the address of each counter, and drops and counts these events.
 *
 * Storage, for N functions rounded up to a power of two, CW = bits, T the width of `tab`, and C
 * counters per function (7 for energy, else 1): counters and tab N (C CW + T), stack 32 log2(N),
 * registers V, A1, A2, B1, B2 32 + 3 * 5 + log2(N), data counters C CW, current index log2(N). (The
 * paper's area table has 4096 + N * CW memory bits for any N: its stack and tab have their full
 * size, for 256 functions.) The stored addresses are not counted. */
#include <stdlib.h>

#include "failure.h"
#include "function_counters.h"
#include "perfect_hash.h"

#define STACK_DEPTH 32u
#define NO_ADDRESS UINT64_MAX

struct config {
    struct sl_counter_config counters;
    uint64_t groups;
};

struct leap {
    struct sl_function_counters counters; /* by index */
    struct sl_perfect_hash hash;
    uint64_t *address; /* by index: function of the counter */
    /* By tuple id, up to host->names: 1 + the index of the function's counter, 1 + the number of
     * counters if it has none; 0: not looked up yet. */
    size_t n_known;
    uint32_t known[];
};

static const struct sl_option options[] = {
    SL_COUNTER_OPTIONS,
    SL_UNSIGNED(struct config, groups, "6", 1, SL_PARTS - 1,
                "number of instruction groups for the metric energy, each with its own counter per "
                "function"),
    SL_OPTIONS_END,
};

static size_t size(const void *config, const struct sl_table_host *host)
{
    (void)config;
    return sizeof(struct leap) + host->names * sizeof(uint32_t);
}

/* Computes the hash for a program, as software does before it loads the hardware. */
static int make(struct leap *l)
{
    const struct sl_function_list *list = l->counters.functions;
    size_t n_functions = sl_function_counters_limit(&l->counters, list->n);
    size_t n = (size_t)1 << sl_perfect_hash_log2(n_functions);
    uint32_t *tab = malloc(n * sizeof *tab);
    l->address = malloc(n * sizeof *l->address);
    struct sl_failure *f = &l->counters.failure;
    int error = tab && l->address ? sl_perfect_hash_make(&l->hash, list->start, n_functions, tab, f)
                                  : sl_out_of_memory(f);
    l->hash.tab = tab;
    for (size_t i = 0; error >= 0 && i < n; i++)
        l->address[i] = NO_ADDRESS;
    for (size_t i = 0; error >= 0 && i < n_functions; i++)
        l->address[sl_perfect_hash_index(&l->hash, list->start[i])] = list->start[i];
    return sl_function_counters_make(&l->counters, n, error);
}

static void close_leap(void *state)
{
    struct leap *l = state;
    free(l->hash.tab);
    free(l->address);
    sl_function_counters_close(&l->counters);
}

static int init(void *state, const void *config, const struct sl_table_host *host,
                struct sl_failure *f)
{
    struct leap *l = state;
    const struct config *c = config;
    l->n_known = host->names;
    sl_function_counters_init(&l->counters, &c->counters, host);
    if (host->parts)
        sl_function_counters_split(&l->counters, host->parts, (unsigned)c->groups);
    int error = sl_function_counters_due(&l->counters) ? make(l) : 0;
    if (error >= 0)
        return 0;
    close_leap(l);
    return sl_fail(f, (enum sl_error)error, "%s", l->counters.failure.text);
}

/* Index of the function's counter; the number of counters if it has none. */
static size_t index_of(const struct leap *l, uint64_t function)
{
    if (!l->counters.ready)
        return l->counters.storage[0].n;
    size_t index = sl_perfect_hash_index(&l->hash, function);
    return l->address[index] == function ? index : l->counters.storage[0].n;
}

/* The same by tuple id, so that no function is hashed twice. */
static inline size_t index_at(struct leap *l, const struct sl_tuple_names *names, uint32_t tuple_id)
{
    if (tuple_id >= l->n_known || !l->counters.ready)
        return index_of(l, names->pc[tuple_id]);
    if (!l->known[tuple_id])
        l->known[tuple_id] = 1 + (uint32_t)index_of(l, names->pc[tuple_id]);
    return l->known[tuple_id] - 1;
}

static void step(void *state, const struct sl_event *event)
{
    struct leap *l = state;
    if (sl_function_counters_due(&l->counters))
        make(l);
    sl_function_counters_add(&l->counters, index_of(l, event->tuple.pc), event->weight,
                             event->part);
}

static void observe(void *state, const struct sl_batch *batch)
{
    struct leap *l = state;
    if (sl_function_counters_due(&l->counters))
        make(l);
    for (size_t i = 0; i < batch->n; i++)
        sl_function_counters_add(&l->counters, index_at(l, batch->names, batch->tuple_id[i]),
                                 batch->weight ? batch->weight[i] : 1,
                                 batch->part ? batch->part[i] : NULL);
}

static bool entry(const void *state, size_t i, struct sl_entry *out)
{
    const struct leap *l = state;
    struct sl_function_reading reading = {0};
    if (i == l->counters.storage[0].n)
        return false;
    sl_function_counters_read(&l->counters, i, &reading);
    *out = sl_function_counters_entry(&l->counters, l->address[i], &reading);
    return true;
}

/* Storage in bits. With a capacity, unused counters are included. */
static uint64_t storage(const struct leap *l)
{
    uint64_t capacity = l->counters.config.capacity;
    uint64_t index = capacity ? sl_perfect_hash_log2(capacity) : l->hash.size_log2;
    uint64_t n = l->counters.storage[0].n ? UINT64_C(1) << index : 0;
    uint64_t width = l->counters.config.bits * l->counters.n_storages;
    uint64_t registers = 32 + 3 * 5 + index + width + index;
    return n ? n * (width + sl_perfect_hash_word_bits((unsigned)index)) + STACK_DEPTH * index +
                   registers
             : 0;
}

/* The registers of the address hash, with the names of figure 4 of the paper. */
static size_t parameters(const void *state, struct sl_parameter *out)
{
    const struct leap *l = state;
    const struct sl_perfect_hash *h = &l->hash;
    const struct sl_parameter registers[] = {
        {"V", 0, h->v}, {"A1", 0, h->a1}, {"A2", 0, h->a2}, {"B1", 0, h->b1}, {"B2", 0, h->b2}};
    size_t n_registers = sizeof registers / sizeof *registers, n = (size_t)1 << h->size_log2;
    if (!l->counters.ready)
        return 0;
    for (size_t i = 0; out && i < n_registers; i++)
        out[i] = registers[i];
    for (size_t i = 0; out && i < n; i++)
        out[n_registers + i] = (struct sl_parameter){"tab", i, h->tab[i]};
    return n_registers + n;
}

static void status(const void *state, struct sl_table_status *out)
{
    const struct leap *l = state;
    sl_function_counters_status(&l->counters, "leap", out);
    out->storage_bits = storage(l);
}

const struct sl_table_kind sl_table_leap = {
    .name = "leap",
    .adds = SL_ADDS_LISTED,
    .summary = "LEAP: a counter for each function of the program, found by a perfect hash",
    .storage =
        "N (W + 8) + 34 log2(N) + 47 + W bits; N: number of functions, rounded up to a "
        "power of two; W: width of a counter (bits), times (groups + 1) for the metric energy",
    .options = options,
    .config_size = sizeof(struct config),
    .input = {.detector = "function", .by_function = true, .keeps_parts = true},
    SL_TABLE_FUNCTIONS,
    .entry = entry,
    .close = close_leap,
    .parameters = parameters,
};
