/* SPDX-License-Identifier: MIT */
/* CPU model: a core, a memory hierarchy, a branch predictor and a power model, driven by the
 * retired instruction stream. A description specifies the model; it is a preset in data/machines or
 * a user's file. Every value of the description can be overridden:
 *
 *     ss4      ss4,l2.size=2M      ./mine.txt,core.rob=64
 *
 * A chunk of the stream is run as a whole. Then the events of each of its blocks can be read, as
 * the weights of a metric. The counts of all blocks add up to the totals exactly, except that a
 * count is cut at 32 bits.
 *
 * A branch is predicted when the next block is known. Its misprediction counts at the block that it
 * ends or, if that was the last of its chunk, at the first block of the next chunk. The stall
 * cycles count at the block after the branch.
 *
 * A block is run with the chunk that it begins in. A block with very many accesses may have some of
 * them in the next chunk. These are made then, one by one, and count at that chunk's first block
 * or, if it has no block, at the next block that is run.
 *
 * After a gap, a signal or the start of a thread no branch is predicted.
 *
 * All threads share one processor with its caches and predictors, in the order of their chunks; a
 * switch costs nothing. */
#ifndef SL_MACHINE_H
#define SL_MACHINE_H

#include "branch_queue.h"
#include "code.h"
#include "machine_log.h"

struct sl_machine;

/* Opens the CPU model that `spec` describes (machine_text.h). Returns 0, or SL_ENOMEM, SL_EUSAGE,
 * SL_EFORMAT or SL_EIO for the description or a file that it names; then *machine is NULL. */
int sl_machine_open(struct sl_machine **machine, const char *spec, struct sl_failure *f);

/* Requests counts by block (sl_machine_block_counts): bits 1 << enum sl_machine_event. Call before
 * the first chunk; initially none. */
void sl_machine_need_events(struct sl_machine *machine, uint64_t events);

/* Reads the code that is new since the last call. The code must outlive the machine, and must be
 * the same in each call. Returns 0 or SL_ENOMEM, or an error of the power model's files. */
int sl_machine_sync(struct sl_machine *machine, const struct sl_code *code, struct sl_failure *f);

/* Runs a chunk. Returns 0, SL_ENOMEM, or SL_EUSAGE if the stream has no addresses of loads and
 * stores. */
int sl_machine_run(struct sl_machine *machine, const struct sl_chunk *chunk, struct sl_failure *f);

/* Runs a chunk through caches, prefetchers and predictors only (functional warming,
 * machine_state.h). Counts no instructions, cycles or branches. Counters of caches advance: compare
 * totals with those at the start of the detailed run. The elapsed cycles become stall cycles of the
 * next block. */
int sl_machine_warm(struct sl_machine *machine, const struct sl_chunk *chunk, struct sl_failure *f);

/* Counts of one requested event in the last chunk, by block. */
const uint32_t *sl_machine_block_counts(const struct sl_machine *machine,
                                        enum sl_machine_event event);

/* Events of each access of the last chunk (enum sl_access_event), by memory event. Request it
 * before the first chunk. */
void sl_machine_need_access_events(struct sl_machine *machine);
const uint8_t *sl_machine_access_events(const struct sl_machine *machine);

/* Logs of the last chunk (machine_log.h). Request them before the first chunk. */
const struct sl_event_log *sl_machine_need_event_log(struct sl_machine *machine);
const struct sl_commit_log *sl_machine_need_commit_log(struct sl_machine *machine);
const struct sl_op_log *sl_machine_need_op_log(struct sl_machine *machine);

/* Totals of all chunks so far, by enum sl_machine_event. */
const uint64_t *sl_machine_totals(const struct sl_machine *machine);

/* Correction of energies for the stall rate of the whole run (power.c). */
struct sl_energy_correction {
    double factor;     /* multiply energies with it; NAN: no correction */
    bool extrapolated; /* the stall rate is outside the range of the measured programs */
};
struct sl_energy_correction sl_machine_correction(const struct sl_machine *machine);

/* Components of the energy: sl_table_host.parts, for the events from SL_MACHINE_GROUP_FIRST on.
 * Owned by the machine. */
const struct sl_parts *sl_machine_parts(const struct sl_machine *machine);

/* The profiler of the description: its configuration, and attaching it. Once attached, commit waits
 * for its branch queue (branch_queue.h). work[i] is the number of cycles that the profiler works on
 * the branch before block i of the next chunk; the caller owns the array and fills it for each
 * chunk. Stall cycles count at the block after the branch. Do not attach if profiler.queue is none.
 * Returns 0 or SL_ENOMEM. */
const struct sl_profiler_config *sl_machine_profiler(const struct sl_machine *machine);
int sl_machine_attach(struct sl_machine *machine, const uint32_t *work, struct sl_failure *f);

/* Returns the description with every key resolved, in its own format, to be freed; NULL if out of
 * memory. */
char *sl_machine_describe(const struct sl_machine *machine);

/* The spec that it was opened with. */
const char *sl_machine_name(const struct sl_machine *machine);

void sl_machine_close(struct sl_machine *machine);

#endif
