/* Slices of a run that stand for the whole of it, in a directory:
 *
 *     slices.txt      what there is: the file that names the others, and that replay reads
 *     slice-001.slt   a trace each: what was touched before (touched.h), a warm-up, the slice
 *     vectors.bb      the vectors that they were chosen by (vectors.h), and
 *     simpoints       as SimPoint writes it: "INTERVAL CLUSTER", and
 *     weights         likewise: "WEIGHT CLUSTER"
 *
 * slices.txt has lines of words; what is behind a # is a remark:
 *
 *     sluice-slices 1
 *     instructions 104857600          of the whole run
 *     interval 100000
 *     slice slice-001.slt start 1200000 ahead 134211 length 100000 weight 0.125
 *
 * `ahead` instructions of the trace come first, and do not count. */
#ifndef SL_KEPT_SLICES_H
#define SL_KEPT_SLICES_H

#include "happening.h"
#include "sluice.h"

#define SL_KEPT_FILE "slices.txt"
#define SL_KEPT_MAX 10000u

struct sl_kept_slice {
    char *path; /* as it can be opened */
    uint64_t start, ahead, length; /* instructions: in front of it in the run, in the trace; its own */
    double weight;
};

struct sl_kept_slices {
    uint64_t instructions, interval;
    struct sl_kept_slice *slice;
    size_t n, room;
};

/* Reads slices.txt, at `path` or in the directory that this is. SL_EFORMAT with the line that is
 * wrong: weights have to add up to 1. */
int sl_kept_read(struct sl_kept_slices *slices, const char *path, struct sl_failure *f);
void sl_kept_free(struct sl_kept_slices *slices);

/* What a machine does in them. */
struct sl_kept_sums {
    uint64_t executed;  /* instructions, with what is ahead of slices */
    uint64_t counted;   /* without */
    double cpi;         /* of the whole run, by weights */
    double total[SL_H_TOTALS]; /* of the whole run, likewise */
    double *slice_cpi;  /* of each */
    char *description;  /* of the machine, every key */
};

int sl_kept_measure(const struct sl_kept_slices *slices, const char *machine,
                      struct sl_kept_sums *sums, struct sl_failure *f);
void sl_kept_sums_free(struct sl_kept_sums *sums);

#endif
