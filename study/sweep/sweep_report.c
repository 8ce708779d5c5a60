/* SPDX-License-Identifier: MIT */
/* Implementation of `sluice sweep report`: reads the results of a sweep from its file and prints
 * them in the requested format (text, CSV, JSON or SVG). */
#include <string.h>

#include "config.h"
#include "csv_sweep.h"
#include "failure.h"
#include "json_sweep.h"
#include "shown.h"
#include "svg_sweep.h"
#include "text_sweep.h"

enum form { TEXT, CSV, JSON, SVG, N_FORMS };

static const char *const forms[N_FORMS] = {"text", "csv", "json", "svg"};

static int write(enum form form, const struct sl_sweep_view *v, struct sl_sweep_store *store,
                 const struct sl_sweep_report_config *config, FILE *out, struct sl_failure *f)
{
    /* CSV and JSON contain the results of each stream, so that missing ones do not matter. */
    if (form == CSV)
        return sl_csv_sweep(v, store, out, f);
    if (form == JSON)
        return sl_json_sweep(v, out, f);
    if (!v->averages) {
        if (form == TEXT)
            sl_text_sweep_holes(v, config->width, out);
        return sl_fail_setting(
            f, "holes",
            "%zu of %zu results are missing, so points would be averaged over different streams: "
            "run the sweep again to fill them in, or add --holes",
            v->missing, v->n_results);
    }
    return form == SVG ? sl_svg_sweep(v, out, f) : sl_text_sweep(v, config, out, f);
}

static int report(enum form form, struct sl_sweep_store *store,
                  const struct sl_sweep_report_config *config, FILE *out, struct sl_failure *f)
{
    struct sl_sweep_view view;
    int error = sl_sweep_view(&view, store, config, f);
    if (!error && !view.n_streams)
        error = sl_fail(
            f, SL_EFORMAT,
            "no sweep in this file: it belongs to the lab, or the sweep has not started");
    FILE *shown = error ? NULL
                        : sl_shown_open(out, form == JSON ? SL_SHOWN_AS_JSON : SL_SHOWN_MARKED, f);
    if (!error && !shown)
        error = SL_ENOMEM;
    if (shown)
        error = sl_shown_close(shown, out, write(form, &view, store, config, shown, f),
                               "the report", f);
    sl_sweep_view_free(&view);
    return error;
}

int sl_sweep_report(const char *path, const struct sl_sweep_report_config *given, FILE *out,
                    struct sl_failure *f)
{
    SL_REQUIRE(f, path && out);
    struct sl_sweep_report_config own, *config = &own;
    int unread = sl_config_read(&own, sizeof own, given, "sl_sweep_report_config", f);
    if (unread < 0)
        return unread;
    struct sl_sweep_store *store;
    unsigned form = 0;
    while (config->format && form < N_FORMS && strcmp(forms[form], config->format))
        form++;
    if (form == N_FORMS)
        return sl_fail_setting(f, "format", "unknown format: use text, csv, json or svg");
    int error = sl_sweep_store_read(&store, path, f);
    if (!error) {
        error = report((enum form)form, store, config, out, f);
        sl_sweep_store_close(store);
    }
    return error;
}
