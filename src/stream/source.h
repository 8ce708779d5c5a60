/* SPDX-License-Identifier: MIT */
/* A source of chunks: a running guest, a trace file, a made-up stream.
 *
 * To add one: a struct that begins with `struct sl_source`, a `next` and a
 * `close`, and a row of sl_source_kinds. */
#ifndef SL_SOURCE_H
#define SL_SOURCE_H

#include "event.h"
#include "sluice.h"
#include "statics.h"
#include "watched.h"
#include "window.h"

struct sl_trace_sorter;

struct sl_source_ops {
    /* Gives the next chunk; its arrays are valid until the next call. Returns 1,
     * 0 at the end of the stream, or a negative error (a cut trace file: all
     * whole frames have been given before). Static records that its events need
     * have been applied to `statics`. */
    int (*next)(struct sl_source *source, struct sl_chunk *chunk, struct sl_failure *f);
    /* Goes forward without decoding, by up to so many of the stream's instructions; their static
     * records are applied. Returns at which instruction the next chunk starts (the end of the
     * stream, if there is none), or an error. NULL where all has to be read. */
    int64_t (*skip)(struct sl_source *source, uint64_t instructions, struct sl_failure *f);
    /* NULL where there is no guest. */
    bool (*signal)(struct sl_source *source, int number);
    int (*process)(const struct sl_source *source); /* safe in a signal's handler */
    void (*stop)(struct sl_source *source);         /* safe in a signal's handler */
    void (*let_go)(struct sl_source *source);
    void (*close)(struct sl_source *source);
};

struct sl_source {
    const struct sl_source_ops *ops;
    struct sl_statics statics;
    /* Of all that `next` gives, what sl_source_next does: */
    struct sl_watched watched;
    struct sl_window window;
    /* Called with all static records after they are applied, so that a recorder can
     * keep them; NULL when nobody listens. The program's own record is applied on
     * opening, before anybody can listen: sl_statics_program_record gives it. */
    int (*on_records)(void *context, const uint8_t *data, size_t size, struct sl_failure *f);
    void *on_records_context;
    /* Called before they are applied, so that nobody looks at what changes; NULL likewise. */
    void (*before_records)(void *context);
    void *before_records_context;
    /* Called while there is nothing to be read, every hundredth of a second or so; NULL likewise.
     */
    void (*while_waiting)(void *context);
    void *while_waiting_context;
    /* Where the next chunk's events may be put, which then stay as long as these do; NULL: its
     * arrays are the source's own. */
    struct sl_chunk_arrays *into;
    /* The frame of a trace into which the next chunk may be sorted (trace_sort.h); NULL likewise.
     * Who does that sets it to NULL, and gives the chunk without arrays of mem events. */
    struct sl_trace_sorter *sorter;
    unsigned unneeded;    /* sl_source_needs: of what it carries, what it may leave out */
    uint64_t ahead_bytes; /* that reading ahead takes, about: no matter of what the run is about */
    char warning[256];    /* not an error, but to be told: "" or one sentence */
};

int sl_source_next(struct sl_source *source, struct sl_chunk *chunk, struct sl_failure *f);

/* Of what the stream carries (enum sl_wants), all that whoever takes its chunks from now on looks
 * at, who is to say so before the first: a source need not have more in its chunks. How many mem
 * events each block has stays known, and where some of them are stores, the words which say that.
 * Nobody says so: everything is needed. What was said may become less, never more: frames are read
 * ahead. */
void sl_source_needs(struct sl_source *source, unsigned wants);

/* Applies records, telling whoever listens. Returns bytes used or an error. */
int64_t sl_source_records(struct sl_source *source, const uint8_t *data, size_t size,
                          struct sl_failure *f);

int sl_trace_source(struct sl_source **source, const char *path, struct sl_failure *f);
int sl_synth_source(struct sl_source **source, const char *spec, struct sl_failure *f);
int sl_champsim_source(struct sl_source **source, const char *path, struct sl_failure *f);
int sl_perf_source(struct sl_source **source, const char *path, struct sl_failure *f);

/* Names of sources that begin with a word and a colon; what does not is a trace of ours. */
struct sl_source_kind {
    const char *prefix;
    int (*open)(struct sl_source **source, const char *rest, struct sl_failure *f);
};
extern const struct sl_source_kind sl_source_kinds[]; /* the last has no prefix */

/* Prints the kinds of made-up streams with their options, for `sluice list`. */
void sl_synth_list(FILE *out);

#endif
