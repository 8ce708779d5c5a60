/* SPDX-License-Identifier: MIT */
/* Prints the performance of a whole run, estimated from its slices. `sluice replay` prints this
 * estimate if it is given a directory of slices.
 *
 *     160 slices of a run of 102,400,123 instructions: 1.91% of the run simulated in
 *     detail, 1.60% without warm-ups
 *       weight  CPI    from instruction
 *        1.21%  1.302  10,240
 *     Estimate for the whole run, from the weighted slices:
 *       ... */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "config.h"
#include "failure.h"
#include "json.h"
#include "shown.h"
#include "stored_slices.h"
#include "text.h"
#include "format.h"

struct estimate {
    const struct sl_stored_slices *slices;
    const struct sl_slices_sums *sums;
    struct sl_db_machine machine;
};

static double part(const struct estimate *e, uint64_t instructions)
{
    return (double)instructions / (double)e->slices->instructions;
}

static int print_text(const struct estimate *e, FILE *out, struct sl_failure *f)
{
    char number[SL_FORMAT_SIZE];
    fprintf(out,
            "%zu slices of a run of %s instructions: %.2f%% of the run simulated in detail, %.2f%% "
            "without warm-ups\n",
            e->slices->n, sl_format_number(e->slices->instructions, number),
            100 * part(e, e->sums->executed), 100 * part(e, e->sums->counted));
    fprintf(out, "  %7s  %7s  %s\n", "weight", "CPI", "from instruction");
    for (size_t i = 0; i < e->slices->n; i++)
        fprintf(out, "  %6.2f%%  %7.3f  %s\n", 100 * e->slices->slice[i].weight,
                e->sums->slice_cpi[i], sl_format_number(e->slices->slice[i].start, number));
    fprintf(out, "\nEstimate for the whole run, from the weighted slices:\n");
    return sl_text_machine(&e->machine, 100, out, f);
}

static int print_json(const struct estimate *e, FILE *out, struct sl_failure *f)
{
    fprintf(out,
            "{\"instructions\": %" PRIu64 ", \"executed\": %" PRIu64 ", \"counted\": %" PRIu64
            ", \"cpi\": %.9g,\n \"slices\": [",
            e->slices->instructions, e->sums->executed, e->sums->counted, e->sums->cpi);
    for (size_t i = 0; i < e->slices->n; i++) {
        const struct sl_stored_slice *s = &e->slices->slice[i];
        fprintf(out,
                "%s\n  {\"start\": %" PRIu64 ", \"length\": %" PRIu64
                ", \"weight\": %.9g, \"cpi\": %.9g}",
                i ? "," : "", s->start, s->length, s->weight, e->sums->slice_cpi[i]);
    }
    fprintf(out, "],\n \"machine\": ");
    int error = sl_json_machine(&e->machine, out, f);
    fprintf(out, "}\n");
    return error;
}

static int report(const struct sl_stored_slices *slices, const struct sl_slices_config *config,
                  FILE *out, struct sl_failure *f)
{
    struct sl_slices_sums sums;
    int error = sl_slices_measure(slices, config->machine, &sums, f);
    if (error < 0)
        return error;
    struct estimate e = {
        slices,
        &sums,
        {.name = (char *)(uintptr_t)config->machine,
         .description = sums.description,
         .energy_factor = (double)NAN,
         .energy_calibrated = strstr(sums.description, "\npower.calibrated = 1\n")}};
    for (unsigned i = 0; i < SL_MACHINE_TOTALS; i++)
        e.machine.total[i] = sums.total[i] < 0x1p63 ? (uint64_t)(sums.total[i] + 0.5)
                                                    : UINT64_C(1) << 63;
    FILE *shown = sl_shown_open(out, config->json ? SL_SHOWN_AS_JSON : SL_SHOWN_MARKED, f);
    if (!shown)
        error = SL_ENOMEM;
    else
        error = sl_shown_close(shown, out, (config->json ? print_json : print_text)(&e, shown, f),
                               "the report", f);
    sl_slices_sums_free(&sums);
    return error;
}

int sl_slices_report(const char *path, const struct sl_slices_config *given, FILE *out,
                     struct sl_failure *f)
{
    SL_REQUIRE(f, path && out);
    struct sl_slices_config own, *config = &own;
    int unread = sl_config_read(&own, sizeof own, given, "sl_slices_config", f);
    if (unread < 0)
        return unread;
    struct sl_stored_slices slices;
    int error = sl_slices_read(&slices, path, f);
    if (error >= 0)
        error = report(&slices, config, out, f);
    sl_slices_free(&slices);
    return error;
}
