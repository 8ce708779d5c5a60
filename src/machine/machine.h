/* SPDX-License-Identifier: MIT */
/* The processor that profilers watch, driven by the retired stream: a core, a memory
 * hierarchy, a branch predictor, and what energy it takes, as a description says
 * (data/machines, or a file of the user's) with any value overridden:
 *
 *     ss4      ss4,l2.size=2M      ./mine.txt,core.rob=64
 *
 * A chunk of the stream is run as a whole; then what happened in each of its blocks
 * can be asked for, as the weights of a metric. The rows of all chunks add up to the
 * totals exactly, but for a row beyond 32 bits, which is cut.
 *
 * Where the stream does not say all of a block at once:
 *   - A branch is judged when the block after it is known: what the predictor got wrong
 *     counts at the block that the branch ends, unless that was the last of its chunk;
 *     then at the first of the next. The cycles that it cost are those of the block that
 *     waited for them, the one after it.
 *   - A block is run with the chunk that it begins in. Its accesses that come with the
 *     next chunk (blocks with very many) are made then, one after the other, and count
 *     at that chunk's first block; if it has none, at the next one that is run.
 *   - Behind a gap, a signal or the start of a thread no branch is judged.
 *
 * Threads take turns on the one processor as their chunks come; caches and predictors are
 * theirs together, and a switch costs nothing. */
#ifndef SL_MACHINE_H
#define SL_MACHINE_H

#include "branch_queue.h"
#include "code.h"
#include "machine_log.h"
#include "event.h"

struct sl_machine;

int sl_machine_open(struct sl_machine **machine, const char *spec, struct sl_failure *f);

/* Which happenings sl_machine_of_blocks will be asked for: bit 1 << happening. At first
 * none. Before the first chunk. */
void sl_machine_want(struct sl_machine *machine, uint64_t happenings);

/* Reads the program's code as far as it is known. The code stays the caller's, and is
 * the same one each time. */
int sl_machine_sync(struct sl_machine *machine, const struct sl_code *code, struct sl_failure *f);

/* The stream must carry addresses of loads and stores: SL_EUSAGE if not. */
int sl_machine_run(struct sl_machine *machine, const struct sl_chunk *chunk, struct sl_failure *f);

/* Runs a chunk without a core (warming.h): what follows finds caches, prefetchers and predictors as
 * this has left them. No instruction, cycle or branch counts; what caches count goes on, so that
 * totals are to be compared with those at the beginning of what is run next. The cycles that have
 * passed are lost at the next block. */
int sl_machine_warm(struct sl_machine *machine, const struct sl_chunk *chunk, struct sl_failure *f);

/* Of the chunk that was run last: by its blocks. Only what was wanted. */
const uint32_t *sl_machine_of_blocks(const struct sl_machine *machine, enum sl_happening what);

/* Of the same chunk, by its mem events: what each access met (enum sl_access_what). That it is
 * wanted is to be said before the first chunk. */
void sl_machine_want_accesses(struct sl_machine *machine);
const uint8_t *sl_machine_of_accesses(const struct sl_machine *machine);

/* The same as a log. That it is wanted is to be said before the first chunk. */
void sl_machine_want_log(struct sl_machine *machine);
const struct sl_event_log *sl_machine_log(const struct sl_machine *machine);

/* The same: when each instruction was committed. Likewise. */
void sl_machine_want_commits(struct sl_machine *machine);
const struct sl_commit_log *sl_machine_commits(const struct sl_machine *machine);

/* The same by instruction, as a log of another kind (op_log.h). Likewise. */
void sl_machine_want_ops(struct sl_machine *machine);
const struct sl_op_log *sl_machine_ops(const struct sl_machine *machine);

/* Of all chunks so far. */
const uint64_t *sl_machine_totals(const struct sl_machine *machine);

/* What energy, of whatever part of the run, is to be multiplied with for how much the run as
 * a whole has stalled (power.c). */
struct sl_energy_correction {
    double factor;     /* NAN: there is none */
    bool extrapolated; /* it stalls less or more than any program that it was derived from */
};
struct sl_energy_correction sl_machine_correction(const struct sl_machine *machine);

/* What energy is made of: sl_table_host.parts, of the metric's happenings from
 * SL_H_GROUP_FIRST on. It stays the machine's. */
const struct sl_parts *sl_machine_parts(const struct sl_machine *machine);

/* The profiler of its description, for whose branch queue (branch_queue.h) commit waits,
 * once it is attached: `work` says how many cycles it works on the branch that led to each
 * block, by the block's place in the chunk that is run next. The array stays the caller's,
 * who fills it for each chunk. What is lost counts at the block behind the branch. Not to
 * be attached if profiler.queue is none. SL_ENOMEM. */
const struct sl_profiler_config *sl_machine_profiler(const struct sl_machine *machine);
int sl_machine_attach(struct sl_machine *machine, const uint32_t *work, struct sl_failure *f);

/* The resolved description, every key, as it could be read again; to be freed. NULL when
 * memory ran out. */
char *sl_machine_describe(const struct sl_machine *machine);

/* What it was opened with. */
const char *sl_machine_name(const struct sl_machine *machine);

void sl_machine_close(struct sl_machine *machine);

#endif
