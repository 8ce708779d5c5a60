/* SPDX-License-Identifier: MIT */
/* Directory in which `sluice simpoint` stores the slices that represent a run. The file slices.txt
 * in this directory lists the slices, and `sluice replay` reads it.
 *
 *     slices.txt      list of the slices: the file that replay reads
 *     slices.slt      the run up to the last slice, with fewer accesses between slices (cutting.h)
 *     vectors.bb      the block vectors (vectors.h)
 *     simpoints       as SimPoint writes it: "INTERVAL CLUSTER"
 *     weights         as SimPoint writes it: "WEIGHT CLUSTER"
 *
 * slices.txt has lines of words; # begins a comment:
 *
 *     sluice-slices 2
 *     trace slices.slt
 *     instructions 104857600          of the whole run
 *     interval 10000
 *     warm-up 2000                    before each slice: run in detail, not counted
 *     slice start 1200003 length 10002 weight 0.125
 *
 * Slices are in the order of the run. The code between them only warms caches and predictors. The
 * trace may also be that of the whole run. */
#ifndef SL_STORED_SLICES_H
#define SL_STORED_SLICES_H

#include "machine_event.h"
#include "sluice-study.h"

#define SL_SLICES_FILE "slices.txt"
#define SL_SLICES_MAX 10000u

#define SL_SLICES_TRACE "slices.slt"

struct sl_stored_slice {
    uint64_t start, length; /* first instruction in the run; number of instructions */
    double weight;
};

struct sl_stored_slices {
    char *trace; /* path of the trace */
    uint64_t instructions, interval, warm_up;
    struct sl_stored_slice *slice;
    size_t n, capacity;
};

/* Reads slices.txt, at `path` or in the directory `path`. Returns 0, SL_EIO, SL_ENOMEM, or
 * SL_EFORMAT with the line that is wrong; the sum of the weights must be 1. Call sl_slices_free()
 * only after success. */
int sl_slices_read(struct sl_stored_slices *slices, const char *path, struct sl_failure *f);
void sl_slices_free(struct sl_stored_slices *slices);

/* Results of a CPU model for the slices. */
struct sl_slices_sums {
    uint64_t executed;               /* instructions run in detail, with warm-ups */
    uint64_t counted;                /* without warm-ups */
    double cpi;                      /* weighted mean, an estimate for the whole run */
    double total[SL_MACHINE_TOTALS]; /* weighted estimates for the whole run */
    double *slice_cpi;               /* of each slice */
    char *description;               /* of the CPU model, with all keys */
};

/* Runs the slices on a CPU model. Returns 0, SL_ENOMEM, SL_EUSAGE if the trace has no addresses,
 * SL_EFORMAT if it ends before the last slice, or an error of the model or the trace. Call
 * sl_slices_sums_free() only after success. */
int sl_slices_measure(const struct sl_stored_slices *slices, const char *machine,
                      struct sl_slices_sums *sums, struct sl_failure *f);
void sl_slices_sums_free(struct sl_slices_sums *sums);

#endif
