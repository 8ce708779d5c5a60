/* SPDX-License-Identifier: MIT */
/* Counters of a program's functions, the common part of the tables `leap` and `snoopp`.
 * function_counters.h describes them. */
#include "function_counters.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

/* ---- counter storage ---- */

static void shift_all(struct sl_counter_storage *s)
{
    for (size_t i = 0; i < s->n; i++) {
        s->lost += (s->count[i] & 1) << s->exponent;
        s->count[i] >>= 1;
    }
    s->exponent++;
}

void sl_counters_overflow(struct sl_counter_storage *s, size_t i, uint64_t units)
{
    s->overflows++;
    while (s->shift && units > s->max - s->count[i]) {
        s->carry += (units & 1) << s->exponent;
        units >>= 1;
        shift_all(s);
    }
    uint64_t capacity = s->max - s->count[i];
    if (units > capacity) {
        s->lost += units - capacity;
        units = capacity;
    }
    s->count[i] += units;
}

/* ---- counters of functions ---- */

#define UNIT_PRECISION_LOG2 20 /* precise bits of the weight of a unit */

void sl_function_counters_init(struct sl_function_counters *c,
                               const struct sl_counter_config *config,
                               const struct sl_table_host *host)
{
    *c = (struct sl_function_counters){
        .config = *config, .functions = host->functions, .n_storages = 1};
}

/* Merges neighbouring groups, since powers rise from group to group. Their weight is then an
 * estimate. */
void sl_function_counters_split(struct sl_function_counters *c, const struct sl_parts *parts,
                                unsigned groups)
{
    unsigned n_parts[SL_PARTS] = {0};
    c->parts = parts;
    c->n_storages = groups + 1;
    for (unsigned i = 0; i < SL_PARTS; i++) {
        unsigned to = i == SL_PARTS - 1 ? groups : i * groups / (SL_PARTS - 1);
        c->storage_of[i] = to;
        c->unit[to] += parts->unit[i];
        n_parts[to]++;
    }
    for (unsigned i = 0; i <= groups; i++)
        c->unit[i] = (c->unit[i] + n_parts[i] / 2) / n_parts[i];
}

int sl_function_counters_make(struct sl_function_counters *c, size_t n, int error)
{
    bool split = c->n_storages > 1;
    for (unsigned i = 0; i < c->n_storages && error >= 0; i++) {
        uint64_t *count = calloc(n, sizeof *count);
        if (count)
            c->storage[i] = (struct sl_counter_storage){.count = count,
                                                        .n = n,
                                                        .max = UINT64_MAX >> (64 - c->config.bits),
                                                        .shift = c->config.shift};
        else
            error = sl_out_of_memory(&c->failure);
    }
    if (error >= 0 && split && !(c->changes = calloc(n, sizeof *c->changes)))
        error = sl_out_of_memory(&c->failure);
    c->ready = error >= 0;
    c->failed = error < 0;
    if (error < 0)
        sl_function_counters_close(c);
    return error < 0 ? error : 0;
}

void sl_function_counters_add_parts(struct sl_function_counters *c, size_t counter,
                                    const uint64_t *part)
{
    c->changes[counter]++;
    for (unsigned i = 0; i < SL_PARTS && part; i++)
        sl_counters_add(&c->storage[c->storage_of[i]], counter, part[i]);
}

size_t sl_function_counters_limit(struct sl_function_counters *c, size_t n)
{
    size_t capacity = c->config.capacity && c->config.capacity < n ? (size_t)c->config.capacity : n;
    c->beyond_capacity = n - capacity;
    return capacity;
}

/* ---- reading ---- */

/* The weight of a count of n in storage i. */
static uint64_t weight_of(const struct sl_function_counters *c, unsigned i, uint64_t n)
{
    unsigned __int128 product = (unsigned __int128)n * c->unit[i];
    return c->n_storages == 1 ? n : (uint64_t)(product >> c->parts->unit_log2);
}

void sl_function_counters_read(const struct sl_function_counters *c, size_t counter,
                               struct sl_function_reading *reading)
{
    for (unsigned i = 0; i < c->n_storages; i++) {
        const struct sl_counter_storage *s = &c->storage[i];
        reading->weight += weight_of(c, i, sl_counters_get(s, counter));
        reading->full |= s->count[counter] == s->max;
    }
    /* Each product is rounded, and so is the weight of a unit. */
    if (c->n_storages > 1)
        reading->slack += c->changes[counter] * c->parts->slack + c->n_storages +
                          (reading->weight >> UNIT_PRECISION_LOG2);
}

static uint64_t lost(const struct sl_function_counters *c)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < c->n_storages; i++)
        sum += weight_of(c, i, c->storage[i].lost);
    return sum;
}

struct sl_entry sl_function_counters_entry(const struct sl_function_counters *c, uint64_t pc,
                                           const struct sl_function_reading *reading)
{
    struct sl_entry entry = {.tuple = {pc, 0}, .count = reading->weight};
    entry.low = entry.count > reading->slack ? entry.count - reading->slack : 0;
    entry.high = entry.count + reading->slack;
    if (reading->full)
        entry.high += lost(c);
    return entry;
}

/* ---- status ---- */

__attribute__((format(printf, 2, 3))) static void add_note(struct sl_table_status *out,
                                                           const char *format, ...)
{
    size_t used = strlen(out->note);
    if (used)
        used += (size_t)snprintf(out->note + used, sizeof out->note - used, "; ");
    va_list arguments;
    va_start(arguments, format);
    if (used < sizeof out->note)
        vsnprintf(out->note + used, sizeof out->note - used, format, arguments);
    va_end(arguments);
}

/* Adds notes on functions that were executed but have no counter. */
static void note_functions(const struct sl_function_counters *c, const char *table,
                           struct sl_table_status *out)
{
    if (c->failed)
        add_note(out, "%s cannot count: %s", table, c->failure.text);
    else if (!c->ready && c->events)
        add_note(
            out,
            "%s found no functions of the program: the program's file is gone or has no symbols",
            table);
    else if (c->ready && c->functions->stripped)
        add_note(out,
                 "the program is stripped: only its %zu exported functions and stubs have counters",
                 c->functions->n);
    if (c->ready && c->beyond_capacity)
        add_note(out,
                 "%s has only %llu counters, for the lowest addresses, and %zu functions or ranges "
                 "have none: raise capacity",
                 table, (unsigned long long)c->config.capacity, c->beyond_capacity);
    if (c->ready && c->uncounted)
        add_note(out,
                 "%llu events (%.2f%% of the weight) were dropped, because their code has no "
                 "counter (libraries, generated code, code without a symbol)",
                 (unsigned long long)c->uncounted,
                 c->weight ? 100.0 * (double)c->uncounted_weight / (double)c->weight : 0.0);
}

/* Adds notes on overflows of counters. */
static void note_overflows(const struct sl_function_counters *c, struct sl_table_status *out)
{
    size_t n_full = 0;
    unsigned exponent = 0;
    for (unsigned i = 0; i < c->n_storages; i++) {
        const struct sl_counter_storage *s = &c->storage[i];
        exponent = s->exponent > exponent ? s->exponent : exponent;
        for (size_t j = 0; j < s->n; j++)
            n_full += s->count[j] == s->max;
    }
    if (exponent)
        add_note(
            out,
            "counters of %llu bits overflowed and were halved %s%u times: their unit is now %llu",
            (unsigned long long)c->config.bits, c->n_storages > 1 ? "up to " : "", exponent,
            (unsigned long long)(UINT64_C(1) << exponent));
    else if (lost(c))
        add_note(
            out,
            "%zu counters of %llu bits are full and lost a weight of %llu: use bits=64 or shift=1",
            n_full, (unsigned long long)c->config.bits, (unsigned long long)lost(c));
}

void sl_function_counters_status(const struct sl_function_counters *c, const char *table,
                                 struct sl_table_status *out)
{
    bool sure = c->n_storages == 1 || (c->n_storages == SL_PARTS && c->parts->slack);
    *out = (struct sl_table_status){
        .events = c->events,
        .weight = c->weight,
        .drops = c->uncounted,
        .drops_weight = c->uncounted_weight,
    };
    for (unsigned i = 0; i < c->n_storages; i++) {
        const struct sl_counter_storage *s = &c->storage[i];
        out->drops += s->overflows;
        out->drops_weight += weight_of(c, i, s->lost + s->carry);
        sure &= !s->exponent;
    }
    out->bounds = sure ? SL_BOUNDS_CERTAIN : SL_BOUNDS_NONE;
    note_functions(c, table, out);
    note_overflows(c, out);
}

void sl_function_counters_close(struct sl_function_counters *c)
{
    for (unsigned i = 0; i < c->n_storages; i++) {
        free(c->storage[i].count);
        c->storage[i] = (struct sl_counter_storage){0};
    }
    free(c->changes);
    c->changes = NULL;
}
