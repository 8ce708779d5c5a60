/* SPDX-License-Identifier: MIT */
/* Prefetcher for the frames of a trace: threads read and decode frames before they are needed.
 *
 * One thread at a time reads bytes, in file order. All threads decompress and decode frames, as far
 * as that needs only the frame and the records applied so far. Frames are returned in file order:
 *
 *     file  ►  [ 7 | 6 | 5 | 4 ]  ► next     records, rest of decoding, chunks
 *              decoded by threads
 *
 * A caller that waits for a frame decodes frames meanwhile. Threads are started when the second
 * EVENTS frame is requested: one fewer than CPUs, 3 at most; none on one CPU or if the trace is not
 * a regular file.
 *
 * A trace may be hostile. The memory of a frame is bounded: 28 MiB for events, 32 MiB each for a
 * payload before and after decompression (64 MiB for an index), 45 MiB for the codec. Frames that
 * sluice writes take a tenth of that; four more than threads are in flight. A larger frame is not
 * read ahead, and its memory is freed after use, so that there is one of them at a time. */
#ifndef SL_TRACE_PREFETCH_H
#define SL_TRACE_PREFETCH_H

#include "trace_codec.h"

/* A frame, the end of the file, or an error. */
struct sl_trace_ready {
    struct sl_trace_head head;
    uint64_t at;              /* file offset of its head */
    bool is_frame;            /* false: an error, or the file is truncated (`warning`) */
    bool left_out;            /* skipped: the payload was not read */
    struct sl_failure failed; /* code 0: no error */
    char warning[128];
    uint8_t *raw;                 /* the payload */
    struct sl_trace_codec *codec; /* of an EVENTS frame, for sl_trace_resolve() */
    struct sl_trace_frame frame;
    /* What follows an INDEX frame: */
    uint8_t trailer[SL_TRACE_TRAILER_SIZE];
    size_t trailer_size;
    bool more; /* bytes follow the trailer */
};

struct sl_trace_prefetch;

/* Opens a trace ("-": standard input) and reads its header. `path` must stay valid. Returns NULL
 * and fills `f` after an error. */
struct sl_trace_prefetch *sl_trace_prefetch_open(const char *path, struct sl_trace_known known,
                                                 unsigned *needs, struct sl_failure *f);

/* Returns the next frame, valid until the next call; do not call it again after one with !is_frame.
 * Frames that no thread has begun yet are decoded without the `unneeded` arrays
 * (sl_source.unneeded). */
struct sl_trace_ready *sl_trace_prefetch_next(struct sl_trace_prefetch *ahead, unsigned unneeded);

/* Skips EVENTS frames that lie completely within the first `instructions` of the trace, unless they
 * have been read already. */
void sl_trace_prefetch_skip(struct sl_trace_prefetch *ahead, uint64_t instructions);

/* Estimated memory of the frames in flight, of a trace that sluice wrote. */
uint64_t sl_trace_prefetch_bytes(struct sl_trace_prefetch *ahead);

void sl_trace_prefetch_close(struct sl_trace_prefetch *ahead);

#endif
