/* SPDX-License-Identifier: MIT */
/* Totals of a batch, tuple by tuple (evaluator.h). */
#include "evaluator.h"

#include <stdlib.h>

#include "grow.h"

static void put(struct sl_sums *s, uint32_t number, uint64_t weight)
{
    s->number[s->batch.n] = number;
    s->weight[s->batch.n++] = weight;
}

/* A number may be listed twice; its sum is 0 the second time. */
static void flush(struct sl_sums *s)
{
    for (size_t i = 0; i < s->n_open; i++) {
        uint32_t number = s->open[i];
        if (s->sum[number])
            put(s, number, s->sum[number]);
        s->sum[number] = 0;
    }
    s->n_open = 0;
}

bool sl_sums_make(struct sl_sums *s, const struct sl_batch *batch, uint64_t most)
{
    if (!SL_GROW(s->number, s->numbers_capacity, batch->n) ||
        !SL_GROW(s->weight, s->weights_capacity, batch->n) ||
        !SL_GROW(s->open, s->open_capacity, batch->n) ||
        !SL_GROW(s->sum, s->sums_capacity, batch->names->n))
        return false;
    s->batch = (struct sl_batch){.number = s->number, .weight = s->weight, .names = batch->names};
    for (size_t i = 0; i < batch->n; i++) {
        uint32_t number = batch->number[i];
        uint64_t weight = batch->weight ? batch->weight[i] : 1, *sum = &s->sum[number];
        if (weight > most) {
            flush(s);
            put(s, number, weight);
            continue;
        }
        if (*sum + weight > most) {
            put(s, number, *sum);
            *sum = 0;
        }
        if (!*sum && weight)
            s->open[s->n_open++] = number;
        *sum += weight;
    }
    flush(s);
    return true;
}

void sl_sums_free(struct sl_sums *s)
{
    free(s->number);
    free(s->weight);
    free(s->sum);
    free(s->open);
}
