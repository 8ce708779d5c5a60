/* SPDX-License-Identifier: MIT */
/* Functions that all kinds of event streams share (source.h): opening by name, filters for the
 * selected part of the run and for load sampling, the records that describe code, and signals to
 * the traced program. */
#include "source.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"

/* The kinds of sources that have names; a name of no other kind is a trace file. sl_source_run()
 * in guest_source.c opens a running guest. */
static const struct {
    const char *prefix;
    const struct sl_source_ops *ops;
} kinds[] = {
    {"synth:", &sl_synth_ops},
    {"champsim:", &sl_champsim_ops},
    {"perf:", &sl_perf_ops},
    {"", &sl_trace_ops},
};

int sl_source_open(struct sl_source **source, const char *name, struct sl_failure *f)
{
    SL_REQUIRE(f, source);
    *source = NULL;
    SL_REQUIRE(f, name);
    size_t kind = 0;
    while (strncmp(name, kinds[kind].prefix, strlen(kinds[kind].prefix)))
        kind++;
    const struct sl_source_ops *ops = kinds[kind].ops;
    struct sl_source *s = *source = calloc(1, ops->size);
    if (!s)
        return sl_out_of_memory(f);
    s->ops = ops;
    s->name = strdup(name + strlen(kinds[kind].prefix));
    int error = s->name ? ops->open(s, f) : sl_out_of_memory(f);
    if (error < 0) {
        sl_source_close(s);
        *source = NULL;
    }
    return error;
}

void sl_source_run_range(struct sl_source *source, uint64_t skip, uint64_t limit)
{
    if (!source)
        return;
    source->run_range.skip = skip;
    source->run_range.limit = limit;
}

int sl_source_sample_loads(struct sl_source *source, const struct sl_load_sampling *sampling,
                           struct sl_failure *f)
{
    SL_REQUIRE(f, source && sampling);
    uint32_t of = sampling->of ? sampling->of : 1;
    if (of > SL_SAMPLING_WINDOWS_MAX || (of > 1 && !sampling->blocks) ||
        sampling->blocks > SL_SAMPLING_BLOCKS_MAX)
        return sl_fail_setting(f, "sample-loads",
                               "load sampling is out of range: use 1 in at most %u windows, and "
                               "windows of 1 to %u blocks",
                               SL_SAMPLING_WINDOWS_MAX, SL_SAMPLING_BLOCKS_MAX);
    source->load_sampler.sampling = *sampling;
    return 0;
}

/* Without this warning, a run range after the end of the stream would give an empty report without
 * a reason. */
static int end_of_stream(struct sl_source *source)
{
    const struct sl_run_range *w = &source->run_range;
    if (w->skip && !w->begun && !source->warning[0])
        snprintf(source->warning, sizeof source->warning,
                 "nothing is counted, because all %llu instructions of the stream are skipped: "
                 "skip fewer instructions",
                 (unsigned long long)w->skipped);
    return 0;
}

/* Events before the run range are not decoded, except with load sampling: the sampling windows
 * depend on the number of blocks before. */
static int skip_to_range(struct sl_source *source, struct sl_failure *f)
{
    struct sl_run_range *w = &source->run_range;
    if (w->begun || w->skipped || !w->skip || source->load_sampler.sampling.of > 1 ||
        !source->ops->skip)
        return 0;
    int64_t at = source->ops->skip(source, w->skip, f);
    if (at < 0)
        return (int)at;
    w->skipped = (uint64_t)at;
    return 0;
}

int sl_source_next(struct sl_source *source, struct sl_chunk *chunk, struct sl_failure *f)
{
    enum sl_range_part part;
    int error = skip_to_range(source, f);
    if (error)
        return error;
    do {
        int more = source->ops->next(source, chunk, f);
        if (more <= 0)
            return more < 0 ? more : end_of_stream(source);
        if (!sl_load_sampler_cut(&source->load_sampler, chunk) ||
            !sl_run_range_cut(&source->run_range, &source->statics, chunk, &part))
            return sl_out_of_memory(f);
    } while (part == SL_RANGE_BEFORE);
    return part == SL_RANGE_INSIDE;
}

void sl_source_needs(struct sl_source *source, unsigned needs)
{
    /* Consumers see by the addresses that words have flags. */
    source->unneeded = needs ? ~(needs | SL_NEED_ADDRESSES | SL_NEED_STORES) : ~0u;
}

int64_t sl_source_records(struct sl_source *source, const uint8_t *data, size_t size,
                          struct sl_failure *f)
{
    if (size && source->before_records)
        source->before_records(source->before_records_context);
    int64_t used = sl_statics_apply(&source->statics, data, size, f);
    if (used > 0 && source->on_records) {
        int error = source->on_records(source->on_records_context, data, (size_t)used, f);
        if (error < 0)
            return error;
    }
    return used;
}

unsigned sl_source_contents(const struct sl_source *source)
{
    return source ? source->statics.program.needs : 0;
}

bool sl_source_signal(struct sl_source *source, int number)
{
    return source && source->ops->signal && source->ops->signal(source, number);
}

int sl_source_process(const struct sl_source *source)
{
    return source ? source->process : 0;
}

void sl_source_stop(struct sl_source *source)
{
    if (source)
        source->stopped = true;
}

int sl_source_status(const struct sl_source *source)
{
    return source ? source->statics.program.status : 0;
}

bool sl_source_replaced(const struct sl_source *source)
{
    return source && source->statics.program.exec;
}

void sl_source_let_go(struct sl_source *source)
{
    if (source && source->ops->let_go)
        source->ops->let_go(source);
}

void sl_source_close(struct sl_source *source)
{
    if (!source)
        return;
    sl_source_let_go(source);
    sl_load_sampler_free(&source->load_sampler);
    sl_run_range_free(&source->run_range);
    if (source->ops->close)
        source->ops->close(source);
    sl_statics_free(&source->statics);
    free(source->name);
    free(source);
}
