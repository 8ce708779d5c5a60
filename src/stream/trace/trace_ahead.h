/* SPDX-License-Identifier: MIT */
/* Frames of a trace, read and decoded ahead of whoever takes them.
 *
 * Bytes are read in their order, by one thread at a time; then frames are decompressed and decoded
 * by as many threads as there are, as far as that needs nothing but the frame itself, and the
 * records that were taken so far; and they are given out in their order again:
 *
 *     file  ►  [ 7 | 6 | 5 | 4 ]  ► next     records, the rest of decoding, chunks
 *              decoded by threads
 *
 * Whoever waits for a frame helps. Threads are started when a second frame of events is asked for,
 * one fewer than there are processors, and 3 at most; with one processor there are none, nor for
 * what is not a file.
 *
 * A trace may be hostile. Whatever it says, memory for a frame is: 28 MiB for its events, 32 MiB
 * each for a payload before and after decompression (64 MiB for an index), 45 MiB for the codec. Of
 * frames as we write them it is a tenth of that, and four more than threads are on their way. A
 * frame that takes more is not read ahead but when it is asked for, and its memory is given back
 * behind it: there is one of them at a time. */
#ifndef SL_TRACE_AHEAD_H
#define SL_TRACE_AHEAD_H

#include "trace_codec.h"

/* A frame, or why there is none. */
struct sl_trace_ready {
    struct sl_trace_head head;
    uint64_t at;              /* of its head, in the file */
    bool is_frame;            /* false: the file ends here, as `warning` says, or it failed */
    bool left_out;            /* it was not looked at */
    struct sl_failure failed; /* code 0: not */
    char warning[128];
    uint8_t *raw;                 /* the payload */
    struct sl_trace_codec *codec; /* of an EVENTS frame: unpacked into `frame` */
    struct sl_trace_frame frame;
    /* Behind an INDEX frame: */
    uint8_t trailer[SL_TRACE_TRAILER_SIZE];
    size_t trailer_size;
    bool more; /* something comes behind the trailer */
};

struct sl_trace_ahead;

/* Opens a trace, "-" being standard input, and reads its header. NULL with `f` filled. `statics`
 * are those that records are applied to, between sl_trace_ahead_learns and sl_trace_ahead_learnt.
 */
struct sl_trace_ahead *sl_trace_ahead_open(const char *path, const struct sl_statics *statics,
                                           unsigned *wants, struct sl_failure *f);
void sl_trace_ahead_learns(struct sl_trace_ahead *ahead);
void sl_trace_ahead_learnt(struct sl_trace_ahead *ahead);

/* The next frame, valid until the next call. Behind the first that is none there are no more.
 * Frames that nobody has begun to read are decoded without what is `unneeded` (sl_source.unneeded).
 */
struct sl_trace_ready *sl_trace_ahead_next(struct sl_trace_ahead *ahead, unsigned unneeded);

/* From now on, payloads of EVENTS frames that end within so many instructions of the trace need not
 * be read. */
void sl_trace_ahead_skip(struct sl_trace_ahead *ahead, uint64_t instructions);

/* About how much memory frames on their way take, of a trace as we write them. */
uint64_t sl_trace_ahead_bytes(struct sl_trace_ahead *ahead);

void sl_trace_ahead_close(struct sl_trace_ahead *ahead);

#endif
