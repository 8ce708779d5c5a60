/* SPDX-License-Identifier: MIT */
/* Encoder of a trace's frames: converts sorted events to payloads, and compresses them in parallel
 * threads.
 *
 * Frames are independent. The coder encodes and compresses them in any order on several threads
 * and returns them in the order of submission:
 *
 *     sort          submit ►  [ 7 | 6 | 5 | 4 ]  ► next     write
 *                             encoded by threads
 *
 * It has three slots more than threads: one into which the next frame is sorted, and two that
 * wait, so that threads never run out of work. When all slots are taken, the thread that needs one
 * encodes the frames that no other thread has begun, and then waits for the oldest. */
#ifndef SL_TRACE_ENCODE_H
#define SL_TRACE_ENCODE_H

#include "trace_sort.h"

/* ---- the encoder (trace_encode.c) ---- */

/* Buffers of one encoding thread; all zero at first. */
struct sl_trace_encoder {
    bool plain;       /* no AVX-512; for the test that compares both */
    uint64_t *number; /* of a column, or the literals of blocks */
    uint8_t *code;
    size_t numbers_capacity, codes_capacity;
    struct sl_block_tokens blocks;
};

/* Writes the raw payload to `raw`, which has SL_TRACE_ENCODE_BYTES bytes. Returns its size, 0 if
 * out of memory. */
#define SL_TRACE_ENCODE_BYTES ((size_t)SL_TRACE_EVENTS_MAX + SL_TRACE_COLUMN_MARGIN)
size_t sl_trace_encode(struct sl_trace_encoder *encoder, const struct sl_trace_sorted *sorted,
                       unsigned needs, uint8_t *raw);

void sl_trace_encoder_free(struct sl_trace_encoder *encoder);

/* ---- the coder (trace_coder.c) ---- */

/* A frame in flight: sorted events, or the bytes of records. */
struct sl_trace_job {
    struct sl_trace_head head;      /* all but sizes, number and checksum */
    struct sl_trace_sorted *sorted; /* of an EVENTS frame */
    uint8_t *raw; /* SL_TRACE_ENCODE_BYTES bytes; the caller fills it for others */
    size_t raw_size;
    uint8_t *stored; /* compressed payload, after space for the head; NULL: out of memory */
    size_t stored_size;
};

struct sl_trace_coder;

/* Default level of compression. Higher levels are slower: level 3 makes files a tenth smaller in
 * 1.5 times the time, level 6 another twentieth in 2 to 3 times the time. */
#define SL_TRACE_LEVEL 1u

/* Starts how->threads threads (0: one per core but one; 6 at most) for frames with these needs.
 * Returns NULL if out of memory or if no thread can be started. */
struct sl_trace_coder *sl_trace_coder_open(unsigned needs, const struct sl_recording *how);

/* The job to fill: the same one until it is submitted. */
struct sl_trace_job *sl_trace_coder_job(struct sl_trace_coder *coder);

/* Submits the current job. If the coder is full afterwards, sl_trace_coder_next() must be called
 * before sl_trace_coder_job(). */
void sl_trace_coder_submit(struct sl_trace_coder *coder);
bool sl_trace_coder_full(const struct sl_trace_coder *coder);

/* Waits for the oldest submitted job and returns it; NULL if there is none. It is valid until the
 * next call of any function of `coder`. */
struct sl_trace_job *sl_trace_coder_next(struct sl_trace_coder *coder);

void sl_trace_coder_close(struct sl_trace_coder *coder); /* NULL is allowed */

#endif
