/* SPDX-License-Identifier: MIT */
/* Experiment `compressors` of `sluice lab`: computes the storage of several stream compressors
 * without running a program. The result is the measurement `bits`, whose label is the compressor's
 * notation, for example H[P256]2048. */
#include <math.h>

#include "lab_experiments.h"
#include "session.h"

int lab_compressors(const struct lab_step *step, struct sl_job_results *results,
                    struct sl_failure *f)
{
    static const char *const notations[] = {
        "P256",        "H[P256]512",    "H[P256]1024",   "H[P256]2048",     "H[P256]4096",
        "H[P512]2048", "T1/256x2048w2", "T2/256x2048w2", "H[P256]2048+A16", "A4096(width=8)",
    };
    (void)step;
    for (size_t i = 0; i < sizeof notations / sizeof *notations; i++) {
        uint64_t bits = sl_table_storage(notations[i], f);
        if (!bits)
            return f->code;
        lab_add_figure(results, notations[i], "bits", NAN, (double)bits);
    }
    return 0;
}
