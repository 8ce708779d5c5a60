/* SPDX-License-Identifier: MIT */
/* Coding frames of a trace beside the thread that sorts them.
 *
 * Frames are independent, so they can be coded and compressed in any order and by any number
 * of threads; they leave in the order in which they were given:
 *
 *     sort          submit ►  [ 7 | 6 | 5 | 4 ]  ► next     write
 *                             coded by threads
 *
 * There are three places more than threads: one to sort the next frame into, and two that wait, so
 * that threads have always something to do. When all places are taken, whoever needs one codes
 * those that nobody has begun, and then waits for the oldest. */
#ifndef SL_TRACE_CODER_H
#define SL_TRACE_CODER_H

#include "trace_encode.h"

/* A frame on its way: sorted events, or the bytes of records. */
struct sl_trace_job {
    struct sl_trace_head head;      /* all but sizes, number and checksum */
    struct sl_trace_sorted *sorted; /* of an EVENTS frame */
    uint8_t *raw;                   /* SL_TRACE_ENCODE_ROOM bytes; filled for other kinds */
    size_t raw_size;
    uint8_t *stored; /* the payload as it is written, behind room for the head; NULL: no memory */
    size_t stored_size;
};

struct sl_trace_coder;

/* The usual, with mem events a tenth faster and 1 to 4 % larger than zstd's. Measured: level 3 is a
 * tenth smaller and takes half as long again, level 6 another twentieth and two to three times as
 * long. */
#define SL_TRACE_LEVEL 1u

/* For frames with these wants, by so many threads, 6 at most. NULL when memory ran out, or
 * threads. */
struct sl_trace_coder *sl_trace_coder_open(unsigned wants, const struct sl_recording *how);

/* The job to sort into: the same until it is submitted. */
struct sl_trace_job *sl_trace_coder_job(struct sl_trace_coder *coder);

/* Gives the job away. Before the next one is asked for, `sl_trace_coder_next` has to have
 * returned one if `sl_trace_coder_full` says so. */
void sl_trace_coder_submit(struct sl_trace_coder *coder);
bool sl_trace_coder_full(const struct sl_trace_coder *coder);
bool sl_trace_coder_pending(const struct sl_trace_coder *coder); /* there is one to return */

/* The oldest job that was submitted, when it is done; NULL if there is none. It may be used
 * until the next call for `coder`. */
struct sl_trace_job *sl_trace_coder_next(struct sl_trace_coder *coder);

void sl_trace_coder_close(struct sl_trace_coder *coder);

#endif
