/* SPDX-License-Identifier: MIT */
/* Results of approximate counters (approximate.h): estimates, their bounds, and status. */
#include <math.h>

#include "approximate.h"

void sl_approximate_values(const void *state, uint32_t tuple_id, uint32_t *value)
{
    const struct sl_approximate *a = state;
    const struct sl_approximate_group *g = &a->group[tuple_id];
    const struct sl_approximate_counter *c = sl_approximate_counters(a, g);
    for (size_t i = 0; i < a->config->group; i++)
        value[i] = c[i].value +
                   (sl_approximate_level(a, c[i].value) ? 0 : (uint32_t)(g->planned - g->left));
}

double sl_approximate_reading(const struct sl_approximate_config *c, uint64_t value)
{
    double power = pow(c->base, (double)(value >> c->mantissa)), exact = ldexp(1, (int)c->mantissa);
    if (c->reading == SL_READING_PLAIN)
        return power;
    if (c->base < 2)
        return (power - 1) / (c->base - 1);
    return (exact + (double)(value & ((UINT64_C(1) << c->mantissa) - 1))) * power - exact;
}

static uint64_t whole(double number)
{
    return number >= 0x1p64 ? UINT64_MAX : (uint64_t)(number + 0.5);
}

/* Readings are about lognormal around the true count, with the theoretical variance. A reading is
 * never less than the counter's value, since each increment took an event. */
bool sl_approximate_entry(const void *state, size_t tuple_id, struct sl_entry *entry)
{
    const struct sl_approximate *a = state;
    const struct sl_approximate_config *c = a->config;
    uint32_t value[SL_APPROXIMATE_GROUP_MAX], most = 0;
    double sum = 0;
    if (tuple_id == c->counters)
        return false;
    sl_approximate_values(a, (uint32_t)tuple_id, value);
    for (size_t i = 0; i < c->group; i++) {
        sum += sl_approximate_reading(c, value[i]);
        most = value[i] > most ? value[i] : most;
    }
    double mean = sum / (double)c->group, log_variance = log1p(c->variance);
    double low = mean * exp(log_variance / 2 - 1.96 * sqrt(log_variance));
    double high = mean * exp(log_variance / 2 + 1.96 * sqrt(log_variance));
    *entry = (struct sl_entry){.tuple = a->group[tuple_id].tuple, .count = most ? whole(mean) : 0};
    if (c->mantissa && !sl_approximate_level(a, most))
        low = high = mean;
    entry->resident = entry->count;
    entry->low = whole(low < most ? most : low);
    entry->high = whole(high < most ? most : high);
    return true;
}

void sl_approximate_status(const void *state, struct sl_table_status *out)
{
    const struct sl_approximate *a = state;
    uint64_t full = 0;
    *out = (struct sl_table_status){.events = a->events,
                                    .weight = a->weight,
                                    .drops = a->drops,
                                    .drops_weight = a->drops_weight,
                                    .bounds = SL_BOUNDS_95};
    for (uint32_t i = 0; i < a->config->counters; i++) {
        const struct sl_approximate_counter *c = sl_approximate_counters(a, &a->group[i]);
        for (size_t j = 0; j < a->config->group; j++)
            full += c[j].value == a->config->top;
    }
    if (full)
        snprintf(out->note, sizeof out->note,
                 "%llu counters are at the end of their range, so that their counts are too low: "
                 "use wider counters",
                 (unsigned long long)full);
}
