/* What a machine makes of slices: each runs on a machine of its own, which is warm when the slice
 * begins, and each count of it stands for its weight of the whole run. A slice that is shorter than
 * it should be (a cut trace) is refused: it would count for something that it is not. */
#include <stdlib.h>

#include "code.h"
#include "failure.h"
#include "machine.h"
#include "kept_slices.h"
#include "source.h"

/* One that is being run. */
struct running {
    struct sl_machine *machine;
    struct sl_code code;
    struct sl_source *source;
    uint64_t done;                /* instructions */
    uint64_t before[SL_H_TOTALS]; /* what happened ahead of the slice */
};

/* The slice begins in the chunk that was run last, with this block: all that came from there on is
 * its own. */
static void set_before(struct running *r, const struct sl_chunk *chunk, uint32_t first)
{
    for (unsigned what = 0; what < SL_H_TOTALS; what++) {
        const uint32_t *row = sl_machine_of_blocks(r->machine, what);
        r->before[what] = sl_machine_totals(r->machine)[what];
        for (uint32_t i = first; i < chunk->n_blocks; i++)
            r->before[what] -= row[i];
    }
}

static int run_chunk(struct running *r, const struct sl_kept_slice *slice, const struct sl_chunk *chunk,
                     struct sl_failure *f)
{
    uint64_t begins = r->done;
    uint32_t first = 0;
    int error = sl_code_sync(&r->code, f);
    if (error >= 0)
        error = sl_machine_sync(r->machine, &r->code, f);
    if (error >= 0)
        error = sl_machine_run(r->machine, chunk, f);
    for (uint32_t i = 0; i < chunk->n_blocks; i++) {
        r->done += r->source->statics.block_size[chunk->block[i]];
        first += r->done <= slice->ahead;
    }
    if (error >= 0 && begins < slice->ahead && (r->done > slice->ahead || first == chunk->n_blocks))
        set_before(r, chunk, first);
    return error;
}

static int run_whole(struct running *r, const struct sl_kept_slice *slice, struct sl_failure *f)
{
    struct sl_chunk chunk;
    int more;
    while ((more = sl_source_next(r->source, &chunk, f)) > 0) {
        int error = run_chunk(r, slice, &chunk, f);
        if (error < 0)
            return error;
    }
    if (more >= 0 && (r->source->warning[0] || r->done != slice->ahead + slice->length))
        more = sl_fail(f, SL_EFORMAT, "%s is not the slice that it should be: it has %llu instructions, "
                       "not %llu%s%s", slice->path, (unsigned long long)r->done,
                       (unsigned long long)(slice->ahead + slice->length),
                       r->source->warning[0] ? "; " : "", r->source->warning);
    return more;
}

static int measure(const struct sl_kept_slice *slice, const char *machine, struct running *r,
                   struct sl_failure *f)
{
    int error = sl_machine_open(&r->machine, machine, f);
    if (error >= 0)
        error = sl_source_open(&r->source, slice->path, f);
    if (error < 0)
        return error;
    if (~sl_source_wants(r->source) & (SL_WANT_ADDRESSES | SL_WANT_STORES))
        return sl_fail(f, SL_EUSAGE, "a machine needs the addresses of loads and stores, which %s does "
                       "not carry", slice->path);
    if ((error = sl_code_init(&r->code, &r->source->statics, f)) < 0)
        return error;
    sl_machine_want(r->machine, (UINT64_C(1) << SL_H_TOTALS) - 1);
    return run_whole(r, slice, f);
}

int sl_kept_measure(const struct sl_kept_slices *slices, const char *machine,
                      struct sl_kept_sums *sums, struct sl_failure *f)
{
    int error = 0;
    *sums = (struct sl_kept_sums){.slice_cpi = calloc(slices->n, sizeof *sums->slice_cpi)};
    if (!sums->slice_cpi)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    for (size_t i = 0; i < slices->n && error >= 0; i++) {
        const struct sl_kept_slice *slice = &slices->slice[i];
        struct running r = {0};
        error = measure(slice, machine, &r, f);
        for (unsigned what = 0; error >= 0 && what < SL_H_TOTALS; what++) {
            double each = (double)(sl_machine_totals(r.machine)[what] - r.before[what]) /
                          (double)slice->length;
            sums->total[what] += slice->weight * each * (double)slices->instructions;
            sums->slice_cpi[i] = what == SL_H_CYCLES ? each : sums->slice_cpi[i];
        }
        if (error >= 0 && !sums->description && !(sums->description = sl_machine_describe(r.machine)))
            error = sl_fail(f, SL_ENOMEM, "out of memory");
        sums->executed += slice->ahead + slice->length;
        sums->counted += slice->length;
        sl_machine_close(r.machine);
        sl_code_free(&r.code);
        sl_source_close(r.source);
    }
    sums->cpi = sums->total[SL_H_CYCLES] / (double)slices->instructions;
    if (error < 0)
        sl_kept_sums_free(sums);
    return error;
}

void sl_kept_sums_free(struct sl_kept_sums *sums)
{
    free(sums->slice_cpi);
    free(sums->description);
    *sums = (struct sl_kept_sums){0};
}
