/* The options of the out-of-order core. Where the path profiler's document is silent the
 * defaults are those of SimpleScalar's sim-outorder; it has no option for `address` and
 * `forwarding`, which are what its code does. */
#include <inttypes.h>

#include "calendar.h"
#include "failure.h"
#include "out_of_order.h"

#define WINDOW_MAX 4096
#define LATENCY_MAX 1000

#define C struct sl_out_of_order_config
#define WIDTH(field, initial, help) SL_UNSIGNED(C, field, initial, 1, SL_SLOTS_MAX, help)
#define WINDOW(field, initial, help) SL_UNSIGNED(C, field, initial, 1, WINDOW_MAX, help)
#define LATENCY(field, initial, low, help) SL_UNSIGNED(C, field, initial, low, LATENCY_MAX, help)

const struct sl_option sl_out_of_order_options[] = {
    WIDTH(fetch, "4", "instructions fetched a cycle"),
    WIDTH(dispatch, "4", "instructions dispatched a cycle"),
    WIDTH(issue, "4", "instructions issued a cycle"),
    WIDTH(commit, "4", "instructions committed a cycle"),
    WINDOW(rob, "128", "instructions in the reorder buffer"),
    WINDOW(lsq, "64", "instructions in the load/store queue"),
    WINDOW(ifq, "16", "instructions in the fetch queue"),
    WIDTH(alu, "4", "integer units"),
    WIDTH(mul, "2", "units that multiply and divide"),
    WIDTH(fpu, "4", "floating-point units"),
    WIDTH(fpmul, "2", "units that multiply and divide floating-point numbers"),
    WIDTH(ports, "2", "ports of the data cache"),
    LATENCY(multiply, "3", 1, "cycles of a multiplication"),
    LATENCY(divide, "20", 1, "cycles of a division; its unit is taken for all of them"),
    LATENCY(float_add, "2", 1, "cycles of floating point other than below"),
    LATENCY(float_multiply, "4", 1, "cycles of a floating-point multiplication"),
    LATENCY(float_divide, "12", 1, "cycles of a floating-point division; likewise"),
    LATENCY(address, "1", 0, "cycles to compute an address, before memory is asked"),
    LATENCY(forwarding, "1", 1, "cycles to load from a store that waits to be committed"),
    LATENCY(branch_penalty, "3", 0, "cycles from a wrong branch's execution to fetching"),
    LATENCY(misfetch_penalty, "1", 0, "cycles from a direct branch's dispatch to fetching"),
    SL_OPTIONS_END,
};

int sl_out_of_order_check(const void *config, struct sl_failure *f)
{
    for (const struct sl_option *o = sl_out_of_order_options; o->name; o++) {
        uint64_t value = *(const uint64_t *)((const char *)config + o->offset);
        if (value < o->low || value > o->high)
            return sl_fail(f, SL_EUSAGE, "core.%s=%" PRIu64 " cannot be: it is from %" PRIu64
                           " to %" PRIu64, o->name, value, o->low, o->high);
    }
    return 0;
}
