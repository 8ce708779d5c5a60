/* SPDX-License-Identifier: MIT */
/* Operations common to all sources of chunks: the run range and load sampling, static records,
 * signals (source.h). */
#include "source.h"

#include "failure.h"

void sl_source_run_range(struct sl_source *source, uint64_t skip, uint64_t limit)
{
    source->window.skip = skip;
    source->window.limit = limit;
}

int sl_source_sample_loads(struct sl_source *source, const struct sl_load_sampling *stretches,
                           struct sl_failure *f)
{
    uint32_t of = stretches->of ? stretches->of : 1;
    if (of > SL_STRETCHES_MAX || (of > 1 && !stretches->blocks) ||
        stretches->blocks > SL_STRETCH_BLOCKS_MAX)
        return sl_fail_setting(f, "sample-loads",
                               "load values can be sampled in one of at most %u windows of at most "
                               "%u blocks",
                               SL_STRETCHES_MAX, SL_STRETCH_BLOCKS_MAX);
    source->watched.stretches = *stretches;
    return 0;
}

/* Without this warning, a run range after the end of the stream would give an empty report without
 * a reason. */
static int end_of_stream(struct sl_source *source)
{
    const struct sl_run_range *w = &source->window;
    if (w->skip && !w->begun && !source->warning[0])
        snprintf(source->warning, sizeof source->warning,
                 "all %llu instructions of the stream are skipped, so nothing counts",
                 (unsigned long long)w->skipped);
    return 0;
}

/* Events before the run range are not decoded, except with load sampling: the sampling windows
 * depend on the number of blocks before. */
static int go_to_window(struct sl_source *source, struct sl_failure *f)
{
    struct sl_run_range *w = &source->window;
    if (w->begun || w->skipped || !w->skip || source->watched.stretches.of > 1 ||
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
    enum sl_window_verdict verdict;
    int error = go_to_window(source, f);
    if (error)
        return error;
    do {
        int more = source->ops->next(source, chunk, f);
        if (more <= 0)
            return more < 0 ? more : end_of_stream(source);
        if (!sl_load_sampler_cut(&source->watched, chunk) ||
            !sl_run_range_cut(&source->window, &source->statics, chunk, &verdict))
            return sl_out_of_memory(f);
    } while (verdict == SL_WINDOW_DROP);
    return verdict == SL_WINDOW_GIVE;
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

unsigned sl_source_wants(const struct sl_source *source)
{
    return source->statics.program.needs;
}

bool sl_source_signal(struct sl_source *source, int number)
{
    return source->ops->signal && source->ops->signal(source, number);
}

int sl_source_process(const struct sl_source *source)
{
    return source->ops->process ? source->ops->process(source) : 0;
}

void sl_source_stop(struct sl_source *source)
{
    if (source->ops->stop)
        source->ops->stop(source);
}

int sl_source_status(const struct sl_source *source)
{
    return source->statics.program.status;
}

bool sl_source_replaced(const struct sl_source *source)
{
    return source->statics.program.exec;
}

void sl_source_let_go(struct sl_source *source)
{
    if (source->ops->let_go)
        source->ops->let_go(source);
}

void sl_source_close(struct sl_source *source)
{
    if (!source)
        return;
    sl_source_let_go(source);
    sl_load_sampler_free(&source->watched);
    sl_run_range_free(&source->window);
    source->ops->close(source);
}
