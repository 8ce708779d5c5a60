/* SPDX-License-Identifier: MIT */
/* Source of an event stream: a running program, a trace file, or a synthetic stream. Events are
 * returned in chunks (event.h).
 *
 * A new kind of source needs a struct that begins with `struct sl_source`, its operations `open`,
 * `next` and `close`, and a row of the table in source.c. */
#ifndef SL_SOURCE_H
#define SL_SOURCE_H

#include <signal.h>
#include <sys/types.h>

#include "event.h"
#include "sluice.h"
#include "statics.h"

struct sl_trace_sorter;

/* ---- the filter for load sampling (load_sampler.c) ---- */

/* All zero: every load stays. */
struct sl_load_sampler {
    struct sl_load_sampling sampling;    /* of = 0 or 1: every load */
    struct sl_load_sampler_state *state; /* allocated by the first chunk that needs it */
};

/* Reduces the next chunk of the stream to the sampled loads. Its arrays are valid until the next
 * call. Returns false if out of memory. */
bool sl_load_sampler_cut(struct sl_load_sampler *sampler, struct sl_chunk *chunk);

void sl_load_sampler_free(struct sl_load_sampler *sampler);

/* ---- the run range (run_range.c) ---- */

/* All zero: the whole stream. */
struct sl_run_range {
    uint64_t skip, limit; /* instructions; a limit of 0 means no limit */
    uint64_t skipped, counted;
    bool begun;          /* a chunk of the range was returned */
    bool ended;          /* a block after the range was seen */
    uint32_t thread;     /* of the last block in the range */
    uint32_t *block_mem; /* of the chunk in which the range begins; sl_run_range_free() frees it */
};

enum sl_range_part { SL_RANGE_BEFORE, SL_RANGE_INSIDE, SL_RANGE_AFTER };

/* Reduces the next chunk of the stream to its part in the range. *part is SL_RANGE_BEFORE if that
 * is empty, SL_RANGE_AFTER if later chunks are after the range, too. Returns false if out of
 * memory. */
bool sl_run_range_cut(struct sl_run_range *range, const struct sl_statics *statics,
                      struct sl_chunk *chunk, enum sl_range_part *part);

void sl_run_range_free(struct sl_run_range *range);

/* Removes the first `n` blocks and all mem events before the next block; with n = n_blocks, all mem
 * events. `block_mem` has space for SL_CHUNK_BLOCKS numbers and may be the chunk's own array. */
void sl_chunk_remove_first(struct sl_chunk *chunk, uint32_t n, uint32_t *block_mem);

/* Removes all but the first `n` blocks, with their mem events. */
void sl_chunk_truncate(struct sl_chunk *chunk, uint32_t n);

/* ---- slots of threads (thread_slots.c) ---- */

/* Four times the number of stages in the ring, which limits the threads of a guest at the same
 * time. */
#define SL_THREAD_SLOTS 4096u

/* All zero before the first chunk. */
struct sl_thread_slots {
    uint32_t id[SL_THREAD_SLOTS];
    uint64_t seen[SL_THREAD_SLOTS]; /* time of its last chunk, in chunks; 0: the slot is free */
    uint64_t now;
    uint32_t moved; /* threads whose slot is not their id */
};

/* Replaces chunk->thread by its slot; sets SL_CHUNK_START if the thread is new. */
void sl_thread_slots_assign(struct sl_thread_slots *slots, struct sl_chunk *chunk);

/* Frees the slot of chunk->thread, after the thread's last chunk. */
void sl_thread_slots_release(struct sl_thread_slots *slots, const struct sl_chunk *chunk);

/* ---- sources ---- */

struct sl_source_ops {
    size_t size; /* of the source's struct, for sl_source_open() */
    /* Opens `source->name`; the rest of the struct is zero. Returns 0 or a negative error, after
     * which `close` is called. NULL: the source has no name. */
    int (*open)(struct sl_source *source, struct sl_failure *f);
    /* Reads the next chunk; its arrays are valid until the next call. Static records that its
     * events need are already applied to `statics`. Returns 1, 0 at the end of the stream, or a
     * negative error; of a truncated trace, all whole frames are returned before the error. */
    int (*next)(struct sl_source *source, struct sl_chunk *chunk, struct sl_failure *f);
    /* Optional: advances by up to `instructions` without decoding events; static records are
     * applied. Returns the instruction at which the next chunk starts (the length of the stream if
     * there is none), or an error. NULL: every event must be read. */
    int64_t (*skip)(struct sl_source *source, uint64_t instructions, struct sl_failure *f);
    /* Frees what the struct owns, but not its part `struct sl_source`. NULL: nothing. */
    void (*close)(struct sl_source *source);
    /* The following are NULL unless the source is a running guest. */
    bool (*signal)(struct sl_source *source, int number);
    void (*let_go)(struct sl_source *source);
};

struct sl_source {
    const struct sl_source_ops *ops;
    char *name; /* without the prefix of its kind; NULL: it has none */
    struct sl_statics statics;
    pid_t process;                 /* of a running guest, otherwise 0 */
    volatile sig_atomic_t stopped; /* the user ends the profile: stop the guest and read the rest */
    /* Filters that sl_source_next() applies to the chunks of `next`. */
    struct sl_load_sampler load_sampler;
    struct sl_run_range run_range;
    /* Gets all static records after they are applied, so that a recorder can store them; NULL: no
     * listener. The PROGRAM record is applied when the source opens, before a listener can be set:
     * sl_statics_program_record() makes it again. */
    int (*on_records)(void *context, const uint8_t *data, size_t size, struct sl_failure *f);
    void *on_records_context;
    /* Called before records are applied, so that other threads stop reading `statics`; or NULL. */
    void (*before_records)(void *context);
    void *before_records_context;
    /* Called about every 10 ms while the source has nothing to read; or NULL. */
    void (*while_waiting)(void *context);
    void *while_waiting_context;
    /* Arrays into which the source may put the next chunk; NULL: it uses its own. A source may
     * ignore it. */
    struct sl_chunk_arrays *into;
    /* The trace frame into which the source may sort the next chunk directly (trace_sort.h); NULL:
     * none. A source that does so sets it to NULL and returns the chunk without mem arrays. */
    struct sl_trace_sorter *sorter;
    unsigned unneeded;    /* needs that the source may leave out: sl_source_needs() */
    uint64_t ahead_bytes; /* memory of frames that were read ahead, about */
    char warning[256];    /* "" or a message that is not an error */
};

/* Reads the next chunk in the run range, with the loads of the sampling windows only. Returns 1, 0
 * at the end, or a negative error of `next`, SL_ENOMEM among them. */
int sl_source_next(struct sl_source *source, struct sl_chunk *chunk, struct sl_failure *f);

/* Declares which of the stream's arrays (enum sl_needs) the caller reads from now on; without this
 * call, all. The source may leave the others out. The number of mem events of each block stays
 * known, and so do mem_insn words in a stream with stores. A later call may only reduce the set,
 * since frames are decoded ahead. */
void sl_source_needs(struct sl_source *source, unsigned needs);

/* Applies static records and passes them to on_records. Returns the number of bytes used, or an
 * error. */
int64_t sl_source_records(struct sl_source *source, const uint8_t *data, size_t size,
                          struct sl_failure *f);

/* The kinds of sources that have names. */
extern const struct sl_source_ops sl_trace_ops, sl_synth_ops, sl_champsim_ops, sl_perf_ops;

/* Prints the kinds of synthetic streams with their options, for `sluice list`. */
void sl_synth_list(FILE *out);

#endif
