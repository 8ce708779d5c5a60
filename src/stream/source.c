#include "source.h"

#include <string.h>

int sl_source_open(struct sl_source **source, const char *name, struct sl_failure *f)
{
    static const char synth[] = "synth:";
    if (!strncmp(name, synth, sizeof synth - 1))
        return sl_synth_source(source, name + sizeof synth - 1, f);
    return sl_trace_source(source, name, f);
}

int sl_source_next(struct sl_source *source, struct sl_chunk *chunk, struct sl_failure *f)
{
    return source->ops->next(source, chunk, f);
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
    return source->statics.program.wants;
}

void sl_source_signal(struct sl_source *source, int number)
{
    if (source->ops->signal)
        source->ops->signal(source, number);
}

int sl_source_status(const struct sl_source *source)
{
    return source->statics.program.status;
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
    source->ops->close(source);
}
