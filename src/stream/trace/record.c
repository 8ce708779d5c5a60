/* SPDX-License-Identifier: MIT */
/* Recorder: writes the stream of any source to a trace file, for sl_record(). */
#include <stdlib.h>

#include "config.h"
#include "failure.h"
#include "trace.h"

#define PROGRESS_EVERY 64u /* chunks */

static int write_records(void *writer, const uint8_t *data, size_t size, struct sl_failure *f)
{
    return sl_trace_records(writer, data, size, f);
}

int sl_trace_program(struct sl_trace_writer *writer, const struct sl_statics *statics,
                     struct sl_failure *f)
{
    size_t capacity = SL_RECORD_MAX + SL_RECORD_HEAD;
    uint8_t *record = malloc(capacity);
    size_t size = record ? sl_statics_program_record(statics, record, capacity) : 0;
    int error = size     ? sl_trace_records(writer, record, size, f)
                : record ? sl_fail(f, SL_EFORMAT, "the stream has no PROGRAM record")
                         : sl_out_of_memory(f);
    free(record);
    return error;
}

/* Records the next chunk. Returns as sl_source_next(). */
static int record_next(struct sl_source *source, struct sl_trace_writer *writer,
                       struct sl_chunk *chunk, struct sl_failure *f)
{
    /* If no filter changes its chunks, the source may sort them directly into the frame. */
    bool whole = source->load_sampler.sampling.of <= 1 && !source->run_range.skip &&
                 !source->run_range.limit;
    int more = whole ? sl_trace_sort_begin(writer, &source->sorter, f) : 0;
    if (more >= 0)
        more = sl_source_next(source, chunk, f);
    if (more > 0 && whole && !source->sorter) {
        sl_trace_sort_end(writer);
        return more;
    }
    int error = more > 0 ? sl_trace_chunk(writer, chunk, f) : 0;
    return error < 0 ? error : more;
}

int sl_record(struct sl_source *source, const char *path, const struct sl_recording *given,
              void (*progress)(void *context, uint64_t events, uint64_t instructions),
              void *context, struct sl_failure *f)
{
    struct sl_trace_writer *writer;
    struct sl_chunk chunk;
    struct sl_recording how = {.size = sizeof how};
    uint64_t events = 0;
    int more = given ? sl_config_read(&how, sizeof how, given, "sl_recording", f) : 0;
    if (more < 0)
        return more;
    SL_REQUIRE(f, source && path);
    more = sl_trace_create(&writer, path, sl_source_contents(source), &how, f);
    if (more < 0)
        return more;
    more = sl_trace_program(writer, &source->statics, f);
    source->on_records = write_records;
    source->on_records_context = writer;
    for (unsigned chunks = 0; more >= 0 && (more = record_next(source, writer, &chunk, f)) > 0;
         chunks++) {
        events += chunk.n_blocks + chunk.n_mems;
        if (progress && chunks % PROGRESS_EVERY == 0)
            progress(context, events, sl_trace_instructions(writer));
    }
    source->sorter = NULL;
    source->on_records = NULL;
    /* Frames that were written stay readable after an error. */
    struct sl_failure second;
    int end = sl_trace_finish(writer, more < 0 ? &second : f);
    return more < 0 ? more : end;
}
