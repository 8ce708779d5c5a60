/* SPDX-License-Identifier: MIT */
/* Trials of sampling tables (tables that count only some of the events): generates a synthetic
 * stream, runs a table on it, and estimates the count of one tuple from the messages that the table
 * sends. */
#include "sampling_trial.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "random.h"

const struct sl_tuple sampling_tuple = {0x400000, 42};

bool sampling_open(struct sampling_stream *stream, size_t capacity, uint64_t seed)
{
    *stream = (struct sampling_stream){
        .tuple_id = calloc(capacity, sizeof(uint32_t)),
        .value = malloc(capacity * sizeof(uint64_t)),
        .capacity = capacity,
        .random = seed,
    };
    if (stream->tuple_id && stream->value)
        return true;
    sampling_close(stream);
    return false;
}

void sampling_close(struct sampling_stream *stream)
{
    free(stream->tuple_id);
    free(stream->value);
    *stream = (struct sampling_stream){0};
}

void sampling_shuffle(struct sampling_stream *stream, size_t n, double share)
{
    size_t copies = (size_t)(share * (double)n);
    stream->n = n;
    for (size_t i = 0; i < n; i++) {
        bool is_copy = sl_random_below(&stream->random, n - i) < copies;
        copies -= is_copy;
        stream->value[i] = is_copy ? sampling_tuple.value : sl_random_next(&stream->random);
    }
}

void sampling_observe(const struct sampling_stream *stream, struct sl_table *table)
{
    const struct sl_tuple_names names = {&sampling_tuple.pc, NULL, 1};
    struct sl_batch batch = {stream->n, stream->tuple_id, stream->value, NULL, &names, NULL, 0,
                             NULL};
    sl_table_observe(table, &batch);
    sl_table_finish(table);
}

/* ---- the software side: sums of the messages ---- */

struct sums {
    uint64_t count, samples;                 /* of the tuple */
    uint64_t of_stream[SAMPLING_STREAMS][2]; /* count and samples of all tuples of a substream */
    uint32_t stream;                         /* the tuple's substream */
};

static void add_messages(void *context, const struct sl_message *message, size_t n)
{
    struct sums *sums = context;
    for (size_t i = 0; i < n; i++) {
        const struct sl_message *m = &message[i];
        assert(m->stream < SAMPLING_STREAMS);
        sums->of_stream[m->stream][0] += m->count;
        sums->of_stream[m->stream][1] += m->samples;
        if (m->tuple.value == sampling_tuple.value) {
            sums->count += m->count;
            sums->samples += m->samples;
            sums->stream = m->stream;
        }
    }
}

static struct sampling_estimate estimate_from(const struct sums *sums)
{
    const uint64_t *of = sums->of_stream[sums->stream];
    struct sampling_estimate estimate = {.sum = (double)sums->count};
    if (of[1])
        estimate.ratio = (double)sums->samples / (double)of[1] * (double)of[0];
    for (size_t i = 0; i < SAMPLING_STREAMS; i++)
        estimate.elements += (double)sums->of_stream[i][0];
    return estimate;
}

int sampling_trial_run(const struct sampling_stream *stream, const char *notation, uint64_t seed,
                       struct sampling_estimate *estimate, struct sl_failure *f)
{
    char spec[60];
    struct sums sums = {0};
    struct sl_table_host host = {.names = 1, .deliver = add_messages, .context = &sums};
    struct sl_table *table;
    snprintf(spec, sizeof spec, "%s(seed=%llu)", notation, (unsigned long long)seed);
    size_t bytes = sl_table_bytes(spec, &host, f);
    if (!bytes)
        return f->code;
    void *memory = aligned_alloc(64, bytes);
    if (!memory)
        return sl_out_of_memory(f);
    memset(memory, 0, bytes);
    int error = sl_table_place(&table, spec, &host, memory, f);
    if (error >= 0) {
        sampling_observe(stream, table);
        *estimate = estimate_from(&sums);
        sl_table_close(table);
    }
    free(memory);
    return error;
}

/* ---- errors ---- */

double sampling_error(double truth, double estimate)
{
    return fabs(truth - estimate) / estimate;
}

/* clang-format off */
double sampling_theory(const struct sampler_case *sampler, bool by_ratio, size_t n)
{
    const double share = SAMPLING_SHARE;
    double q = share / (share + (1 - share) / sampler->streams), factor = 1 - q;
    switch (sampler->kind) {
    case SAMPLER_INDEPENDENT: factor = 1; break;
    case SAMPLER_COUNTDOWN: factor += q / 3; break;
    case SAMPLER_PERIODIC: break;
    case SAMPLER_COUNTED: factor *= by_ratio ? 1 : 2; break;
    }
    return sqrt(2 / M_PI) * sqrt(factor * (SAMPLING_RATE - 1) / (share * (double)n));
}
/* clang-format on */
