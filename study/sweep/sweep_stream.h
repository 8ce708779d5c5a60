/* SPDX-License-Identifier: MIT */
/* A stream that a sweep is over, by the text that says which:
 *
 *     synth:zipf(events=1M)     made up: its text is all there is to know of it
 *     prog.slt                  a trace: known by what is in it, wherever it is
 *     'bzip2 -9 file'           a program with its arguments, at blanks (quotes hold together): run
 *                               once, recorded beside the sweep's file, and known by its arguments
 *                               and
 *                               what is in its executable */
#ifndef SL_SWEEP_STREAM_H
#define SL_SWEEP_STREAM_H

#include "shard.h"

struct sl_sweep_stream {
    char *name;    /* as given */
    char *what;    /* all that decides its figures, `how` included */
    char *trace;   /* what to open */
    char **argv;   /* of a program; NULL: there is none to run */
    double length; /* to compare streams by: bytes of a trace, events of a made-up one */
    uint64_t id;   /* in the sweep's file */
};

/* `beside`: the sweep's file. To be freed, also after an error. */
int sl_sweep_stream_find(struct sl_sweep_stream *stream, const char *text, const char *beside,
                         const struct sl_sweep_how *how, struct sl_failure *f);

/* What the stream carries (enum sl_needs); of a program: everything. */
int sl_sweep_stream_needs(const struct sl_sweep_stream *stream, unsigned *needs,
                          struct sl_failure *f);

/* Runs the program and keeps its stream, unless that was done; of others nothing. */
int sl_sweep_stream_record(struct sl_sweep_stream *stream, unsigned needs, struct sl_failure *f);

void sl_sweep_stream_free(struct sl_sweep_stream *stream);

#endif
