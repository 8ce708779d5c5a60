/* SPDX-License-Identifier: MIT */
/* Statistics of the delivery of messages, by name (delivery.h). */
#include "delivery.h"

#include <string.h>

#define AT(field) offsetof(struct sl_table_status, field)
#define QUEUE(prefix, which)                                                \
    {prefix "_room", AT(which.capacity), AT(which.capacity)},               \
        {prefix "_service", AT(which.service), AT(which.capacity)},         \
        {prefix "_came", AT(which.came), AT(which.capacity)},               \
        {prefix "_late", AT(which.late), AT(which.capacity)},               \
        {prefix "_lost", AT(which.lost), AT(which.capacity)},               \
        {prefix "_lost_weight", AT(which.lost_weight), AT(which.capacity)}, \
        {prefix "_most", AT(which.most), AT(which.capacity)},               \
        {prefix "_wait", AT(which.wait), AT(which.capacity)},               \
    {                                                                       \
        prefix "_wait_most", AT(which.wait_most), AT(which.capacity)        \
    }

const struct sl_delivery_figure sl_delivery_figures[] = {
    QUEUE("input", input),
    QUEUE("queue", output),
    {"converged", AT(converged), AT(check_cycles)},
    {"filtered", AT(filtered), AT(check_cycles)},
    {"passed", AT(passed), AT(check_cycles)},
    {"passed_weight", AT(passed_weight), AT(check_cycles)},
    {NULL, 0, 0},
};

const struct sl_delivery_figure *sl_delivery_find(const char *name)
{
    const struct sl_delivery_figure *d = sl_delivery_figures;
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

bool sl_delivery_has(const struct sl_table_status *status, const struct sl_delivery_figure *figure)
{
    return number_at(status, figure->only) != 0;
}

uint64_t sl_delivery_value(const struct sl_table_status *status,
                           const struct sl_delivery_figure *figure)
{
    return number_at(status, figure->offset);
}

void sl_delivery_set(struct sl_table_status *status, const struct sl_delivery_figure *figure,
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
