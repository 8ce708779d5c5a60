/* SPDX-License-Identifier: MIT */
/* Monte Carlo trials of approximate counters: lets all counters of a table count the same number of
 * events, and computes three means over the counters: of the relative error, of its square and of
 * its absolute value. */
#include "counting_trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "approximate.h"
#include "failure.h"

#define SPEC_CAPACITY 160

static void write_spec(const struct counting_trials *t, size_t counters, char *spec)
{
    snprintf(spec, SPEC_CAPACITY, "%s(counters=%zu,seed=%llu%s%s)", t->table, counters,
             (unsigned long long)t->seed, *t->options ? "," : "", t->options);
}

uint64_t counting_bits(const struct counting_trials *t, struct sl_failure *f)
{
    char spec[SPEC_CAPACITY];
    write_spec(t, 1, spec);
    return sl_table_storage(spec, f);
}

/* Passes the events in batches with weights small enough that the table still draws a random number
 * for each event. */
static void count(const struct counting_trials *t, struct sl_table *table, uint64_t *memory)
{
    uint64_t *pc = memory, *weight = memory + t->n;
    uint32_t *tuple_id = (uint32_t *)(memory + 2 * t->n);
    const struct sl_tuple_names names = {pc, NULL, t->n};
    struct sl_batch batch = {t->n, tuple_id, NULL, weight, &names, NULL, 0, NULL};
    for (size_t i = 0; i < t->n; i++) {
        pc[i] = i;
        tuple_id[i] = (uint32_t)i;
    }
    for (uint64_t left = t->events; left; left -= weight[0]) {
        for (size_t i = 0; i < t->n; i++)
            weight[i] = left < SL_APPROXIMATE_SKIP_ABOVE ? left : SL_APPROXIMATE_SKIP_ABOVE;
        sl_table_observe(table, &batch);
    }
    sl_table_finish(table);
}

static bool store_error(void *context, const struct sl_entry *entry)
{
    const struct counting_trials *t = context;
    t->error[entry->tuple.pc] = (double)entry->count / (double)t->events - 1;
    return true;
}

int counting_trials_run(const struct counting_trials *t, struct sl_failure *f)
{
    char spec[SPEC_CAPACITY];
    write_spec(t, t->n, spec);
    struct sl_table_host host = {.names = t->n};
    size_t bytes = sl_table_bytes(spec, &host, f);
    if (!bytes)
        return f->code;
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    uint64_t *events = calloc(3 * t->n, sizeof *events);
    struct sl_table *table;
    int error = memory && events ? 0 : sl_out_of_memory(f);
    if (error >= 0)
        error = sl_table_place(&table, spec, &host, memset(memory, 0, bytes), f);
    if (error >= 0) {
        struct counting_trials copy = *t;
        for (size_t i = 0; i < t->n; i++)
            t->error[i] = -1;
        count(t, table, events);
        sl_table_drain(table, NULL, store_error, &copy);
        sl_table_close(table);
    }
    free(memory);
    free(events);
    return error;
}

struct counting_moments counting_moments(const double *error, size_t n)
{
    struct counting_moments sum = {0};
    for (size_t i = 0; i < n; i++) {
        sum.bias += error[i] / (double)n;
        sum.square += error[i] * error[i] / (double)n;
        sum.absolute += fabs(error[i]) / (double)n;
    }
    return sum;
}

double counting_error_tail(const double *error, size_t n, double limit)
{
    size_t above = 0;
    for (size_t i = 0; i < n; i++)
        above += fabs(error[i]) > limit;
    return (double)above / (double)n;
}
