/* SPDX-License-Identifier: MIT */
/* A stream of a sweep, which the user gives as text: a synthetic stream, a recorded trace, or a
 * program.
 *
 *     synth:zipf(events=1M)     a synthetic stream, identified by its text
 *     prog.slt                  a recorded trace, identified by its content
 *     'bzip2 -9 file'           a program with arguments, separated by blanks (quotes group): run
 *                               once, recorded next to the sweep's file, and identified by its
 *                               arguments and the content of its executable */
#ifndef SL_SWEEP_STREAM_H
#define SL_SWEEP_STREAM_H

#include "shard.h"

struct sl_sweep_stream {
    char *name;    /* as given */
    char *what;    /* identity: everything that determines its results, including `how` */
    char *trace;   /* the source to open */
    char **argv;   /* of a program; otherwise NULL */
    double length; /* for comparing streams: bytes of a trace, events of a synthetic stream */
    uint64_t id;   /* in the sweep's file */
};

/* True if the text is neither a synthetic stream nor a trace, so that the sweep would run it. */
bool sl_sweep_stream_is_program(const char *text);

/* Finds out what the text is, and its identity. `sweep_file` is the path of the sweep's file.
 * Returns 0, SL_EUSAGE, SL_EIO or SL_ENOMEM. Call sl_sweep_stream_free() in any case. */
int sl_sweep_stream_find(struct sl_sweep_stream *stream, const char *text, const char *sweep_file,
                         const struct sl_sweep_how *how, struct sl_failure *f);

/* Sets *needs to the data that the stream carries (enum sl_needs); for a program, everything.
 * Returns 0 or an error of sl_source_open(). */
int sl_sweep_stream_needs(const struct sl_sweep_stream *stream, unsigned *needs,
                          struct sl_failure *f);

/* Runs a program and records its stream, unless the recording exists. Does nothing for other
 * streams. Returns 0, SL_EIO, SL_ENOMEM or an error of the guest. */
int sl_sweep_stream_record(struct sl_sweep_stream *stream, unsigned needs, struct sl_failure *f);

void sl_sweep_stream_free(struct sl_sweep_stream *stream);

#endif
