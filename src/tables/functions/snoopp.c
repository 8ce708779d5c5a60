/* SPDX-License-Identifier: MIT */
/* SnoopP function profiler (table `snoopp`): one counter and two comparators for each address
 * range. The paper on LEAP, another function profiler (leap.c), compares LEAP with SnoopP.
 *
 *             pc ──┬──────────────────┬──────────────────┬───
 *       start ≤ pc < end?        start ≤ pc < end?       …
 *             counter                counter
 *
 * The ranges are the pieces of the program's functions (struct sl_function_list), disjoint; the
 * counts of several pieces of a function are added up. An event is charged to the range of its
 * address, so that any detector can be used:
 *
 *     block:cycles@snoopp      cycles of each function, without call tracking, as in the paper
 *     value@snoopp             loads of each function
 *     function:cycles@snoopp   the same as leap, since the detector has determined the function
 *
 * A block is charged to the function in which it begins. The hardware, which sees each instruction,
 * differs only if one function falls through into the next without a branch.
 *
 * With `ranges` the user chooses them, for example a loop or a library. Events outside of all
 * ranges are dropped and counted. With `capacity` there are that many ranges, used or not;
 * functions at higher addresses beyond it have none.
 *
 * Storage: ranges * (2 * address bits + bits), with 32 address bits, as in the paper, if all ranges
 * end below 4 GB, else 64. Not rounded up: each range is a circuit.
 *
 * Implementation: binary search, once for each static tuple as far as memory is reserved. */
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "function_counters.h"

#define NO_RANGE UINT32_MAX

struct config {
    struct sl_counter_config counters;
    char ranges[1024];
};

struct snoopp {
    struct sl_function_counters counters; /* by range */
    struct sl_address_ranges given;       /* of the option `ranges`, and as a list */
    struct sl_function_list given_list;
    const struct sl_function_piece *range;
    uint32_t *first; /* by function: a range of it */
    uint32_t *next;  /* by range: another one of the same function */
    size_t names;
    uint32_t known[]; /* by tuple id: range + 2; 1: none; 0: unknown */
};

static const struct sl_option options[] = {
    SL_COUNTER_OPTIONS,
    SL_TEXT(struct config, ranges, "functions",
            "address ranges to count, [LO-HI,...] in hexadecimal, or functions: all functions of "
            "the program"),
    SL_OPTIONS_END,
};

static bool has_ranges(const struct config *config)
{
    return strcmp(config->ranges, "functions") != 0;
}

static int resolve(void *config, struct sl_failure *f)
{
    struct sl_address_ranges ranges;
    const struct config *c = config;
    return has_ranges(c) ? sl_address_ranges_parse(&ranges, c->ranges, f) : 0;
}

static size_t size(const void *config, const struct sl_table_host *host)
{
    (void)config;
    return sizeof(struct snoopp) + host->names * sizeof(uint32_t);
}

/* Links the ranges of each function. */
static int link_ranges(struct snoopp *s, const struct sl_function_list *list, struct sl_failure *f)
{
    if (!list->n_pieces || list->n_pieces >= NO_RANGE - 2)
        return sl_fail(f, SL_EUSAGE,
                       "the program has %zu code ranges with %zu functions, and snoopp needs at "
                       "least one and fewer than 2^32 - 3 ranges",
                       list->n_pieces, list->n);
    s->range = list->piece;
    s->first = malloc(list->n * sizeof *s->first);
    s->next = malloc(list->n_pieces * sizeof *s->next);
    if (!s->first || !s->next)
        return sl_out_of_memory(f);
    for (size_t i = 0; i < list->n; i++)
        s->first[i] = NO_RANGE;
    for (size_t i = 0; i < list->n_pieces; i++) {
        s->next[i] = s->first[s->range[i].function];
        s->first[s->range[i].function] = (uint32_t)i;
    }
    return 0;
}

static int make(struct snoopp *s)
{
    const struct sl_function_list *list = s->counters.functions;
    int error = link_ranges(s, list, &s->counters.failure);
    size_t n = sl_function_counters_limit(&s->counters, list->n_pieces);
    return sl_function_counters_make(&s->counters, n, error);
}

static void close_snoopp(void *state)
{
    struct snoopp *s = state;
    free(s->first);
    free(s->next);
    sl_function_counters_close(&s->counters);
}

static int init(void *state, const void *config, const struct sl_table_host *host,
                struct sl_failure *f)
{
    struct snoopp *s = state;
    const struct config *c = config;
    sl_function_counters_init(&s->counters, &c->counters, host);
    s->names = host->names;
    if (has_ranges(c) && sl_address_ranges_parse(&s->given, c->ranges, f) < 0)
        return SL_EUSAGE;
    if (has_ranges(c)) {
        s->given_list = (struct sl_function_list){s->given.start, s->given.n, s->given.piece,
                                                  s->given.n, false};
        s->counters.functions = &s->given_list;
    }
    int error = sl_function_counters_due(&s->counters) ? make(s) : 0;
    if (error >= 0)
        return 0;
    close_snoopp(s);
    return sl_fail(f, (enum sl_error)error, "%s", s->counters.failure.text);
}

/* The range that contains pc; SIZE_MAX: none. */
static size_t range_of(const struct snoopp *s, uint64_t pc)
{
    size_t low = 0, high = s->counters.storage[0].n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->range[middle].start <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low && pc < s->range[low - 1].end ? low - 1 : SIZE_MAX;
}

static void step(void *state, const struct sl_event *event)
{
    struct snoopp *s = state;
    if (sl_function_counters_due(&s->counters))
        make(s);
    sl_function_counters_add(&s->counters, range_of(s, event->tuple.pc), event->weight, NULL);
}

static size_t range_of_id(struct snoopp *s, const struct sl_tuple_names *names, uint32_t tuple_id)
{
    if (tuple_id >= s->names)
        return range_of(s, names->pc[tuple_id]);
    if (!s->known[tuple_id])
        s->known[tuple_id] = (uint32_t)(range_of(s, names->pc[tuple_id]) + 2);
    return (size_t)s->known[tuple_id] - 2;
}

static void observe(void *state, const struct sl_batch *batch)
{
    struct snoopp *s = state;
    if (sl_function_counters_due(&s->counters))
        make(s);
    for (size_t i = 0; i < batch->n; i++) {
        size_t range = s->counters.ready ? range_of_id(s, batch->names, batch->tuple_id[i])
                                         : SIZE_MAX;
        sl_function_counters_add(&s->counters, range, batch->weight ? batch->weight[i] : 1, NULL);
    }
}

/* The sum over the ranges of a function. */
static bool entry(const void *state, size_t function, struct sl_entry *out)
{
    const struct snoopp *s = state;
    struct sl_function_reading reading = {0};
    if (!s->counters.ready || function == s->counters.functions->n)
        return false;
    for (uint32_t i = s->first[function]; i != NO_RANGE; i = s->next[i])
        if (i < s->counters.storage[0].n) /* beyond the capacity there are none */
            sl_function_counters_read(&s->counters, i, &reading);
    *out = sl_function_counters_entry(&s->counters, s->counters.functions->start[function],
                                      &reading);
    return true;
}

static void status(const void *state, struct sl_table_status *out)
{
    const struct snoopp *s = state;
    size_t ranges = s->counters.storage[0].n;
    sl_function_counters_status(&s->counters, "snoopp", out);
    if (!s->counters.ready)
        return;
    uint64_t address_bits = s->range[ranges - 1].end <= UINT64_C(1) << 32 ? 32 : 64;
    uint64_t capacity = s->counters.config.capacity;
    out->storage_bits = (capacity ? capacity : ranges) *
                        (2 * address_bits + s->counters.config.bits);
}

const struct sl_table_kind sl_table_snoopp = {
    .name = "snoopp",
    .adds = SL_ADDS_LISTED,
    .summary = "SnoopP: two comparators and a counter for each function or address range",
    .storage = "ranges * (2 * 32 + bits) bits, or ranges * (2 * 64 + bits) bits if addresses are "
               "above 4 GB",
    .options = options,
    .config_size = sizeof(struct config),
    .resolve = resolve,
    .input = {.by_function = true},
    SL_TABLE_FUNCTIONS,
    .entry = entry,
    .close = close_snoopp,
};
