/* SPDX-License-Identifier: MIT */
/* Options of the out-of-order core model, and its initialization. All parts of the model's state
 * are in one block of memory:
 *
 *     | core | latest instructions | load/store queue | stores | fills | schedules |
 *
 * Where the path profiler paper gives no value, defaults are those of SimpleScalar's sim-outorder.
 * It has no options for `address` and `forwarding`; their defaults are what its code does. */
#include <string.h>

#include "out_of_order_state.h"

#define WINDOW_MAX 4096
#define LATENCY_MAX 1000

#define C struct sl_out_of_order_config
#define WIDTH(field, initial, help) SL_UNSIGNED(C, field, initial, 1, SL_SLOTS_MAX, help)
#define WINDOW(field, initial, help) SL_UNSIGNED(C, field, initial, 1, WINDOW_MAX, help)
#define LATENCY(field, initial, low, help) SL_UNSIGNED(C, field, initial, low, LATENCY_MAX, help)

const struct sl_option sl_out_of_order_options[] = {
    WIDTH(fetch, "4", "instructions fetched per cycle"),
    WIDTH(dispatch, "4", "instructions dispatched per cycle"),
    WIDTH(issue, "4", "instructions issued per cycle"),
    WIDTH(commit, "4", "instructions committed per cycle"),
    WINDOW(rob, "128", "entries of the reorder buffer"),
    WINDOW(lsq, "64", "entries of the load/store queue"),
    WINDOW(ifq, "16", "entries of the fetch queue"),
    WIDTH(alu, "4", "integer units"),
    WIDTH(mul, "2", "integer multipliers and dividers"),
    WIDTH(fpu, "4", "floating-point units"),
    WIDTH(fpmul, "2", "floating-point multipliers and dividers"),
    WIDTH(ports, "2", "ports of the data cache"),
    LATENCY(multiply, "3", 1, "cycles of a multiplication"),
    LATENCY(divide, "20", 1, "cycles of a division, during which its execution unit is busy"),
    LATENCY(float_add, "2", 1,
            "cycles of a floating-point addition, and of each other float or vector operation that "
            "has no key of its own"),
    LATENCY(float_multiply, "4", 1, "cycles of a floating-point multiplication"),
    LATENCY(float_divide, "12", 1,
            "cycles of a floating-point division or square root, during which its execution unit "
            "is busy"),
    LATENCY(address, "1", 0, "cycles to compute the address of a load or store"),
    LATENCY(
        forwarding, "1", 1,
        "latency in cycles of a load that gets its value from a store that is not committed yet"),
    LATENCY(branch_penalty, "3", 0,
            "cycles from the execution of a mispredicted branch to the next fetch"),
    LATENCY(misfetch_penalty, "1", 0,
            "cycles from the dispatch of a branch to the next fetch, if the branch target was "
            "unknown at fetch"),
    SL_OPTIONS_END,
};

/* ---- initialization ---- */

#define FILLS 1024u /* lines in flight that are known */

static uint64_t power_of_2(uint64_t n)
{
    return n > 1 ? UINT64_C(1) << (64 - __builtin_clzll(n - 1)) : 1;
}

/* A queue entry may have several references of more than 8 bytes each. */
static uint64_t stores(const struct sl_out_of_order_config *c)
{
    return 4 * power_of_2(c->lsq);
}

/* Number of latest instructions that are read: by both queues, and by commit for those of the
 * previous cycle. */
static uint64_t readable(const struct sl_out_of_order_config *c)
{
    uint64_t most = c->rob > c->ifq ? c->rob : c->ifq;
    return most > c->commit ? most : c->commit;
}

/* A compromise between few moves and little of the host's cache. */
static uint64_t times_capacity(const struct sl_out_of_order_config *c)
{
    return 3 * readable(c) + 4 * SL_GROUP_MAX;
}

/* Schedule of a stage that has accepted `in_cycle` in its current cycle. */
static struct sl_dispatch_schedule busy_schedule(uint64_t in_cycle, uint64_t width)
{
    struct sl_dispatch_schedule r;
    for (uint64_t i = 0; i < SL_GROUP_MAX; i++) {
        r.cycle[i] = (uint8_t)((in_cycle + i) / width);
        r.in_cycle[i] = (uint8_t)((in_cycle + i) % width + 1);
    }
    return r;
}

/* Dispatch schedule of an idle stage, by the number fetched in the cycle. */
static struct sl_dispatch_schedule idle_schedule(const struct sl_out_of_order_config *c,
                                                 uint64_t in_fetched)
{
    struct sl_dispatch_schedule comes = busy_schedule(in_fetched, c->fetch), r;
    uint8_t cycle = 0, in_cycle = 0;
    for (uint64_t i = 0; i < SL_GROUP_MAX; i++) {
        bool later = in_cycle == c->dispatch || comes.cycle[i] > cycle;
        if (later) {
            cycle = comes.cycle[i] > cycle ? comes.cycle[i] : (uint8_t)(cycle + 1);
            in_cycle = 0;
        }
        r.cycle[i] = cycle;
        r.in_cycle[i] = ++in_cycle;
    }
    return r;
}

/* The later of two schedules for each instruction: `idle`, and `busy` delayed by `begins`. */
static struct sl_dispatch_schedule later_schedule(const struct sl_dispatch_schedule *idle,
                                                  const struct sl_dispatch_schedule *busy,
                                                  uint64_t begins)
{
    struct sl_dispatch_schedule r;
    for (uint64_t i = 0; i < SL_GROUP_MAX; i++) {
        uint64_t one = idle->cycle[i], other = begins + busy->cycle[i];
        uint8_t in_one = one >= other ? idle->in_cycle[i] : 0;
        uint8_t in_other = other >= one ? busy->in_cycle[i] : 0;
        r.cycle[i] = (uint8_t)(one > other ? one : other);
        r.in_cycle[i] = in_one > in_other ? in_one : in_other;
    }
    return r;
}

/* A stage that is more cycles late than this is always busy. */
static uint64_t max_lag(const struct sl_out_of_order_config *c)
{
    struct sl_dispatch_schedule busy = busy_schedule(0, c->dispatch);
    uint64_t most = 0;
    for (uint64_t in_fetched = 0; in_fetched < c->fetch; in_fetched++) {
        struct sl_dispatch_schedule idle = idle_schedule(c, in_fetched);
        for (unsigned i = 0; i < SL_GROUP_MAX; i++)
            if (idle.cycle[i] >= most + busy.cycle[i])
                most = idle.cycle[i] - busy.cycle[i] + UINT64_C(1);
    }
    return most;
}

size_t sl_out_of_order_size(const void *config)
{
    const struct sl_out_of_order_config *c = config;
    return sizeof(struct sl_out_of_order) + times_capacity(c) * sizeof(struct sl_op_times) +
           power_of_2(c->lsq) * sizeof(uint64_t) + sl_recent_bytes(stores(c)) +
           sl_recent_bytes(FILLS) +
           c->fetch * (c->dispatch + 1) * (max_lag(c) + 2) * sizeof(struct sl_dispatch_schedule);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void make_units(struct sl_out_of_order *core, const struct sl_out_of_order_config *c)
{
    const uint64_t available[SL_SLOTS] = {
        [SL_SLOT_ISSUE] = c->issue,          [SL_SLOT_ALU] = c->alu,
        [SL_SLOT_MULTIPLY] = c->mul,         [SL_SLOT_FLOAT] = c->fpu,
        [SL_SLOT_FLOAT_MULTIPLY] = c->fpmul, [SL_SLOT_PORT] = c->ports,
    };
    const uint64_t issue = SL_SLOT(SL_SLOT_ISSUE), multiply = SL_SLOT(SL_SLOT_MULTIPLY);
    const uint64_t float_multiply = SL_SLOT(SL_SLOT_FLOAT_MULTIPLY);
    const struct sl_out_of_order_unit unit[SL_UNITS] = {
        [SL_UNIT_NONE] = {0, 0, 1, 1},
        [SL_UNIT_ALU] = {issue + SL_SLOT(SL_SLOT_ALU), 0, 1, 1},
        [SL_UNIT_MULTIPLY] = {issue + multiply, 0, c->multiply, c->multiply},
        [SL_UNIT_DIVIDE] = {issue, multiply, c->divide, c->divide},
        [SL_UNIT_FLOAT] = {issue + SL_SLOT(SL_SLOT_FLOAT), 0, c->float_add, c->float_add},
        [SL_UNIT_FLOAT_MULTIPLY] = {issue + float_multiply, 0, c->float_multiply,
                                    c->float_multiply},
        [SL_UNIT_FLOAT_DIVIDE] = {issue, float_multiply, c->float_divide, c->float_divide},
        [SL_UNIT_MEMORY] = {issue, 0, 1, 0}, /* each reference also takes a port */
        [SL_UNIT_SYSTEM] = {issue, 0, 1, 1},
    };
    memcpy(core->unit, unit, sizeof unit);
    sl_calendar_init(&core->calendar, available);
}

/* The half cycles of a cycle's first access are counted before it is known whether a second one
 * follows, so that the second one's half is included. */
static void make_halves(struct sl_out_of_order *core, const struct sl_out_of_order_config *c)
{
    for (uint64_t n = 0; n <= c->ports; n++)
        core->halves[127 - c->ports + n] = n < 2 ? 2 : n > 2;
}

/* Fills sl_out_of_order.dispatch_schedules. */
static void make_dispatch_schedules(struct sl_dispatch_schedule *dispatch_schedules,
                                    const struct sl_out_of_order_config *c, uint64_t most)
{
    for (uint64_t in_fetched = 0; in_fetched < c->fetch; in_fetched++)
        for (uint64_t in_dispatched = 0; in_dispatched <= c->dispatch; in_dispatched++) {
            struct sl_dispatch_schedule idle = idle_schedule(c, in_fetched);
            struct sl_dispatch_schedule busy = busy_schedule(in_dispatched, c->dispatch);
            *dispatch_schedules++ = idle;
            for (uint64_t lag = 1; lag <= most; lag++)
                *dispatch_schedules++ = later_schedule(&idle, &busy, lag - 1);
            *dispatch_schedules++ = busy;
        }
}

void sl_out_of_order_init(void *memory, const void *config, struct sl_hierarchy *hierarchy)
{
    const struct sl_out_of_order_config *c = config;
    struct sl_out_of_order *core = memory;
    uint64_t hit_cycles = hierarchy->port[0].hit_cycles;
    uint64_t refill_cycles = hit_cycles > 1 ? hit_cycles - 1 : 0;
    core->hierarchy = hierarchy;
    core->needs_time = sl_hierarchy_prefetches(hierarchy);
    core->fetch = (struct sl_out_of_order_stage){.cycle = 1 + refill_cycles, .width = c->fetch};
    core->group = (uint32_t)least(least(SL_GROUP_MAX, c->ifq > c->fetch ? c->ifq - c->fetch : 1),
                                  least(c->rob, c->lsq));
    core->dispatch.width = c->dispatch;
    core->commit_back = -(int64_t)c->commit;
    core->line = SL_OUT_OF_ORDER_NO_LINE;
    core->address_cycles = c->address;
    core->forwarding_cycles = c->forwarding;
    core->hit_cycles = hierarchy->port[1].hit_cycles;
    core->branch_penalty = c->branch_penalty + refill_cycles;
    core->misfetch_penalty = c->misfetch_penalty + refill_cycles;
    make_units(core, c);
    make_halves(core, c);
    for (uint64_t i = 0; i <= c->fetch; i++)
        core->fetch_schedules[i] = busy_schedule(i, c->fetch);
    core->ifq_back = -(int64_t)c->ifq;
    core->rob_back = -(int64_t)c->rob;
    core->first_times = (struct sl_op_times *)(core + 1);
    core->n_readable = readable(c);
    core->last_times = core->first_times + times_capacity(c) - SL_GROUP_MAX;
    core->times = core->first_times + core->n_readable;
    uint64_t *at = (uint64_t *)(core->first_times + times_capacity(c));
    core->lsq = (struct sl_out_of_order_queue){at, power_of_2(c->lsq) - 1, c->lsq};
    at += power_of_2(c->lsq);
    sl_recent_init(&core->stores, stores(c), at);
    at += sl_recent_bytes(stores(c)) / sizeof *at;
    sl_recent_init(&core->fills, FILLS, at);
    at += sl_recent_bytes(FILLS) / sizeof *at;
    core->dispatch_schedules = (struct sl_dispatch_schedule *)at;
    core->max_lag = (int64_t)max_lag(c);
    make_dispatch_schedules(core->dispatch_schedules, c, max_lag(c));
}
