/* SPDX-License-Identifier: MIT */
/* Slices of a run that stand for the whole of it, in a directory:
 *
 *     slices.txt      what there is: the file that replay reads
 *     slices.slt      the run up to the last slice, with what is between slices thinned out
 *                     (cutting.h)
 *     vectors.bb      the vectors that they were chosen by (vectors.h), and
 *     simpoints       as SimPoint writes it: "INTERVAL CLUSTER", and
 *     weights         likewise: "WEIGHT CLUSTER"
 *
 * slices.txt has lines of words; what is behind a # is a remark:
 *
 *     sluice-slices 2
 *     trace slices.slt
 *     instructions 104857600          of the whole run
 *     interval 10000
 *     warm-up 2000                    in front of each slice: run in detail, not counted
 *     slice start 1200003 length 10002 weight 0.125
 *
 * Slices are in the order of the run. What is between them warms caches and predictors only. The
 * trace may as well be that of the whole run. */
#ifndef SL_STORED_SLICES_H
#define SL_STORED_SLICES_H

#include "machine_event.h"
#include "sluice-study.h"

#define SL_KEPT_FILE "slices.txt"
#define SL_KEPT_MAX 10000u

#define SL_KEPT_TRACE "slices.slt"

struct sl_kept_slice {
    uint64_t start, length; /* instructions: in front of it in the run, its own */
    double weight;
};

struct sl_kept_slices {
    char *trace; /* as it can be opened */
    uint64_t instructions, interval, warm_up;
    struct sl_kept_slice *slice;
    size_t n, capacity;
};

/* Reads slices.txt, at `path` or in the directory that this is. SL_EFORMAT with the line that is
 * wrong: weights have to add up to 1. */
int sl_kept_read(struct sl_kept_slices *slices, const char *path, struct sl_failure *f);
void sl_kept_free(struct sl_kept_slices *slices);

/* What a machine does in them. */
struct sl_kept_sums {
    uint64_t executed;               /* instructions in detail, with what is in front of slices */
    uint64_t counted;                /* without */
    double cpi;                      /* of the whole run, by weights */
    double total[SL_MACHINE_TOTALS]; /* of the whole run, likewise */
    double *slice_cpi;               /* of each */
    char *description;               /* of the machine, every key */
};

int sl_kept_measure(const struct sl_kept_slices *slices, const char *machine,
                    struct sl_kept_sums *sums, struct sl_failure *f);
void sl_kept_sums_free(struct sl_kept_sums *sums);

#endif
