/* SPDX-License-Identifier: MIT */
/* Replaces the events of a batch by one event per tuple with the sum of the weights, for tables
 * that are repeated with other seeds (evaluator.h). */
#include "evaluator.h"

#include <stdlib.h>

#include "grow.h"

static void put(struct sl_sums *s, uint32_t tuple_id, uint64_t weight)
{
    s->tuple_id[s->batch.n] = tuple_id;
    s->weight[s->batch.n++] = weight;
}

/* A tuple id may be listed twice; its sum is 0 the second time. */
static void flush(struct sl_sums *s)
{
    for (size_t i = 0; i < s->n_open; i++) {
        uint32_t tuple_id = s->open[i];
        if (s->sum[tuple_id])
            put(s, tuple_id, s->sum[tuple_id]);
        s->sum[tuple_id] = 0;
    }
    s->n_open = 0;
}

bool sl_sums_make(struct sl_sums *s, const struct sl_batch *batch, uint64_t most)
{
    if (!SL_GROW(s->tuple_id, s->tuple_ids_capacity, batch->n) ||
        !SL_GROW(s->weight, s->weights_capacity, batch->n) ||
        !SL_GROW(s->open, s->open_capacity, batch->n) ||
        !SL_GROW(s->sum, s->sums_capacity, batch->names->n))
        return false;
    s->batch = (struct sl_batch){
        .tuple_id = s->tuple_id, .weight = s->weight, .names = batch->names};
    for (size_t i = 0; i < batch->n; i++) {
        uint32_t tuple_id = batch->tuple_id[i];
        uint64_t weight = batch->weight ? batch->weight[i] : 1, *sum = &s->sum[tuple_id];
        if (weight > most) {
            flush(s);
            put(s, tuple_id, weight);
            continue;
        }
        if (*sum + weight > most) {
            put(s, tuple_id, *sum);
            *sum = 0;
        }
        if (!*sum && weight)
            s->open[s->n_open++] = tuple_id;
        *sum += weight;
    }
    flush(s);
    return true;
}

void sl_sums_free(struct sl_sums *s)
{
    free(s->tuple_id);
    free(s->weight);
    free(s->sum);
    free(s->open);
}
