/* SPDX-License-Identifier: MIT */
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
        .number = calloc(capacity, sizeof(uint32_t)),
        .value = malloc(capacity * sizeof(uint64_t)),
        .capacity = capacity,
        .random = seed,
    };
    if (stream->number && stream->value)
        return true;
    sampling_close(stream);
    return false;
}

void sampling_close(struct sampling_stream *stream)
{
    free(stream->number);
    free(stream->value);
    *stream = (struct sampling_stream){0};
}

void sampling_shuffle(struct sampling_stream *stream, size_t n, double share)
{
    size_t copies = (size_t)(share * (double)n);
    stream->n = n;
    for (size_t i = 0; i < n; i++) {
        bool is_it = sl_random_below(&stream->random, n - i) < copies;
        copies -= is_it;
        stream->value[i] = is_it ? sampling_tuple.value : sl_random_next(&stream->random);
    }
}

void sampling_feed(const struct sampling_stream *stream, struct sl_table *table)
{
    const struct sl_tuple_names names = {&sampling_tuple.pc, NULL, 1};
    struct sl_batch batch = {stream->n, stream->number, stream->value, NULL, &names, NULL, 0, NULL};
    sl_table_observe(table, &batch);
    sl_table_finish(table);
}

/* ---- software that looks at one tuple ---- */

struct tally {
    uint64_t count, samples; /* of the tuple */
    uint64_t of_stream[SAMPLING_STREAMS][2];
    uint32_t stream;
};

static void tell(void *context, const struct sl_message *message, size_t n)
{
    struct tally *tally = context;
    for (size_t i = 0; i < n; i++) {
        const struct sl_message *m = &message[i];
        assert(m->stream < SAMPLING_STREAMS);
        tally->of_stream[m->stream][0] += m->count;
        tally->of_stream[m->stream][1] += m->samples;
        if (m->tuple.value == sampling_tuple.value) {
            tally->count += m->count;
            tally->samples += m->samples;
            tally->stream = m->stream;
        }
    }
}

static struct sampling_found read_tally(const struct tally *tally)
{
    const uint64_t *of = tally->of_stream[tally->stream];
    struct sampling_found found = {.sum = (double)tally->count};
    if (of[1])
        found.ratio = (double)tally->samples / (double)of[1] * (double)of[0];
    for (size_t i = 0; i < SAMPLING_STREAMS; i++)
        found.elements += (double)tally->of_stream[i][0];
    return found;
}

int sampling_try(const struct sampling_stream *stream, const char *notation, uint64_t seed,
                 struct sampling_found *found, struct sl_failure *f)
{
    char spec[60];
    struct tally tally = {0};
    struct sl_table_host host = {.names = 1, .deliver = tell, .context = &tally};
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
        sampling_feed(stream, table);
        *found = read_tally(&tally);
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
