/* SPDX-License-Identifier: MIT */
/* Names and values of statistics about messages from a hardware table to software (delivery.h). */
#include "delivery.h"

#include <string.h>

#define AT(field) offsetof(struct sl_table_status, field)
#define QUEUE(prefix, which)                                                 \
    {prefix "_capacity", AT(which.capacity), AT(which.capacity)},            \
        {prefix "_service", AT(which.service), AT(which.capacity)},          \
        {prefix "_arrivals", AT(which.arrived), AT(which.capacity)},         \
        {prefix "_delayed", AT(which.late), AT(which.capacity)},             \
        {prefix "_drops", AT(which.lost), AT(which.capacity)},               \
        {prefix "_drops_weight", AT(which.lost_weight), AT(which.capacity)}, \
        {prefix "_length_max", AT(which.max_length), AT(which.capacity)},    \
        {prefix "_wait_total", AT(which.wait), AT(which.capacity)},          \
    {                                                                        \
        prefix "_wait_max", AT(which.wait_max), AT(which.capacity)           \
    }

const struct sl_delivery_statistic sl_delivery_statistics[] = {
    QUEUE("input", input),
    QUEUE("queue", output),
    {"converged_instructions", AT(converged), AT(check_cycles)},
    {"filtered_instructions", AT(filtered), AT(check_cycles)},
    {"filtered_events", AT(passed), AT(check_cycles)},
    {"filtered_weight", AT(passed_weight), AT(check_cycles)},
    {NULL, 0, 0},
};

const struct sl_delivery_statistic *sl_delivery_find(const char *name)
{
    const struct sl_delivery_statistic *d = sl_delivery_statistics;
    while (d->name && strcmp(d->name, name))
        d++;
    return d->name ? d : NULL;
}

static uint64_t number_at(const struct sl_table_status *status, size_t offset)
{
    uint64_t number;
    memcpy(&number, (const char *)status + offset, sizeof number);
    return number;
}

bool sl_delivery_has(const struct sl_table_status *status,
                     const struct sl_delivery_statistic *figure)
{
    return number_at(status, figure->only) != 0;
}

uint64_t sl_delivery_value(const struct sl_table_status *status,
                           const struct sl_delivery_statistic *figure)
{
    return number_at(status, figure->offset);
}

void sl_delivery_set(struct sl_table_status *status, const struct sl_delivery_statistic *figure,
                     uint64_t value)
{
    memcpy((char *)status + figure->offset, &value, sizeof value);
}

uint64_t sl_gap_low(unsigned i)
{
    return i ? UINT64_C(1) << (i - 1) : 0;
}

const char *sl_time_unit(const struct sl_table_status *status)
{
    return status->clocked ? "cycles" : "events";
}
