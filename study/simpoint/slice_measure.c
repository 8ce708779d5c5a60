/* SPDX-License-Identifier: MIT */
/* Simulates the slices of a run on a CPU model. The model processes the whole trace: slices and
 * their warm-ups in detail, the rest only to warm caches and predictors. The totals of the run are
 * estimated from the weighted results of the slices. A trace that ends before its last slice is
 * rejected. */
#include <stdlib.h>

#include "code.h"
#include "failure.h"
#include "stored_slices.h"
#include "machine.h"
#include "run_pieces.h"

struct running {
    const struct sl_stored_slices *slices;
    struct sl_machine *machine;
    struct sl_code code;
    struct sl_run_pieces pieces;
    struct sl_failure *f;
};

static int run_until(struct running *r, uint64_t until, bool detailed)
{
    struct sl_chunk piece;
    int more;
    while ((more = sl_run_pieces_next(&r->pieces, until, &piece, r->f)) > 0) {
        int error = sl_code_sync(&r->code, r->f);
        if (error >= 0)
            error = sl_machine_sync(r->machine, &r->code, r->f);
        if (error >= 0)
            error = detailed ? sl_machine_run(r->machine, &piece, r->f)
                             : sl_machine_warm(r->machine, &piece, r->f);
        if (error < 0)
            return error;
    }
    return more;
}

static int refuse(const struct running *r, const struct sl_stored_slice *slice)
{
    return sl_fail(r->f, SL_EFORMAT,
                   "%s is not the trace of these slices: a slice needs the instructions from %llu "
                   "to %llu, and the trace ends at %llu%s%s",
                   r->slices->trace, (unsigned long long)slice->start,
                   (unsigned long long)(slice->start + slice->length),
                   (unsigned long long)r->pieces.done, r->pieces.source->warning[0] ? "; " : "",
                   r->pieces.source->warning);
}

/* Runs up to the end of the slice and adds it to the sums. */
static int run_slice(struct running *r, size_t i, struct sl_slices_sums *sums)
{
    const struct sl_stored_slice *slice = &r->slices->slice[i];
    const uint64_t *totals = sl_machine_totals(r->machine), *done = &r->pieces.done;
    uint64_t warm_up = r->slices->warm_up, before[SL_MACHINE_TOTALS];
    int error = run_until(r, slice->start > warm_up ? slice->start - warm_up : 0, false);
    uint64_t warm = *done;
    if (error >= 0)
        error = run_until(r, slice->start, true);
    uint64_t start = *done;
    for (unsigned what = 0; what < SL_MACHINE_TOTALS; what++)
        before[what] = totals[what];
    if (error >= 0)
        error = run_until(r, slice->start + slice->length, true);
    if (error >= 0 && *done < slice->start + slice->length)
        error = refuse(r, slice);
    for (unsigned what = 0; error >= 0 && *done > start && what < SL_MACHINE_TOTALS; what++) {
        double each = (double)(totals[what] - before[what]) / (double)(*done - start);
        sums->total[what] += slice->weight * each * (double)r->slices->instructions;
        sums->slice_cpi[i] = what == SL_MACHINE_CYCLES ? each : sums->slice_cpi[i];
    }
    sums->executed += *done - warm;
    sums->counted += *done - start;
    return error;
}

static int run_all(struct running *r, const char *machine, struct sl_slices_sums *sums)
{
    int error = sl_machine_open(&r->machine, machine, r->f);
    if (error >= 0)
        error = sl_run_pieces_open(&r->pieces, r->slices->trace, r->f);
    if (error < 0)
        return error;
    if (~sl_source_contents(r->pieces.source) & (SL_NEED_ADDRESSES | SL_NEED_STORES))
        return sl_fail(r->f, SL_EUSAGE,
                       "%s has no addresses of loads and stores, which CPU models need: record it "
                       "again with -m",
                       r->slices->trace);
    error = sl_code_init(&r->code, &r->pieces.source->statics, r->f);
    for (size_t i = 0; i < r->slices->n && error >= 0; i++)
        error = run_slice(r, i, sums);
    if (error >= 0 && !(sums->description = sl_machine_describe(r->machine)))
        error = sl_out_of_memory(r->f);
    sums->cpi = sums->total[SL_MACHINE_CYCLES] / (double)r->slices->instructions;
    return error;
}

int sl_slices_measure(const struct sl_stored_slices *slices, const char *machine,
                      struct sl_slices_sums *sums, struct sl_failure *f)
{
    struct running *r = calloc(1, sizeof *r);
    *sums = (struct sl_slices_sums){.slice_cpi = calloc(slices->n, sizeof *sums->slice_cpi)};
    int error = r && sums->slice_cpi ? 0 : sl_out_of_memory(f);
    if (error >= 0) {
        r->slices = slices;
        r->f = f;
        error = run_all(r, machine, sums);
        sl_machine_close(r->machine);
        sl_code_free(&r->code);
        sl_run_pieces_close(&r->pieces);
    }
    free(r);
    if (error < 0)
        sl_slices_sums_free(sums);
    return error;
}

void sl_slices_sums_free(struct sl_slices_sums *sums)
{
    free(sums->slice_cpi);
    free(sums->description);
    *sums = (struct sl_slices_sums){0};
}
