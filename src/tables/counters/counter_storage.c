/* SPDX-License-Identifier: MIT */
#include "counter_storage.h"

void sl_counters_init(struct sl_counter_storage *s, const struct sl_counter_config *config,
                      uint64_t *count, size_t n)
{
    *s = (struct sl_counter_storage){
        .count = count, .n = n, .max = UINT64_MAX >> (64 - config->bits), .shift = config->shift};
}

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
    uint64_t room = s->max - s->count[i];
    if (units > room) {
        s->lost += units - room;
        units = room;
    }
    s->count[i] += units;
}
