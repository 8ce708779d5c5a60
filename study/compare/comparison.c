/* SPDX-License-Identifier: MIT */
/* Implementation of `sluice compare`, which compares the profile in each table of a session with
 * the exact profile of the same events. sl_session_compare() collects the error, storage and
 * overhead of each profile, and sl_compare() prints these measurements. */
#include "comparison.h"

#include <stdlib.h>

#include "config.h"
#include "failure.h"
#include "session.h"
#include "shown.h"
#include "sluice-study.h"

int sl_session_compare(struct sl_session *s, struct sl_comparisons **comparisons,
                       struct sl_failure *f)
{
    SL_REQUIRE(f, s && comparisons);
    *comparisons = NULL;
    if (!sl_session_has_run(s))
        return sl_fail(f, SL_EUSAGE, "the session has not run: call sl_session_run() first");
    struct sl_comparisons *all = calloc(1, sizeof *all);
    struct sl_comparison *row = calloc(s->n_profiles + 1, sizeof *row);
    if (!all || !row) {
        free(all);
        free(row);
        return sl_out_of_memory(f);
    }
    for (size_t i = 0; i < s->n_profiles; i++) {
        const struct sl_profile *p = &s->profile[i];
        const struct sl_evaluated_table *measured = &p->table;
        row[i] = (struct sl_comparison){
            .spec = p->spec.text,
            .given = p->spec.given,
            .seconds = measured->seconds,
            .measured = measured->has_error,
            .measure = measured->measure,
            .error = measured->headline,
            .overlap = sl_evaluated_table_error(measured, "overlap"),
            .overlap_dynamic = sl_evaluated_table_error(measured, "overlap_dynamic"),
            .windows = sl_evaluated_table_error(measured, "windows"),
            .interval_error = sl_evaluated_table_error(measured, "interval"),
            .curve = &measured->curve,
            .status = sl_profile_status(p),
        };
        if (p == s->profiler.profile) {
            struct sl_result_profiler profiler = sl_session_profiler(s);
            row[i].waited_for = true;
            row[i].profiler_overhead = sl_profiler_overhead(
                &profiler, sl_machine_totals(s->machine)[SL_MACHINE_CYCLES]);
        }
    }
    *all = (struct sl_comparisons){
        .row = row,
        .n = s->n_profiles,
        .instructions = s->instructions,
        .cycles = s->machine ? sl_machine_totals(s->machine)[SL_MACHINE_CYCLES] : 0,
        .every = s->evaluation.every,
        .warning = s->warning,
    };
    *comparisons = all;
    return 0;
}

void sl_comparisons_free(struct sl_comparisons *all)
{
    if (all)
        free(all->row);
    free(all);
}

int sl_compare(const struct sl_comparisons *comparisons, const struct sl_compare_config *given,
               FILE *out, struct sl_failure *f)
{
    struct sl_compare_config own, *config = &own;
    int unread = sl_config_read(&own, sizeof own, given, "sl_compare_config", f);
    if (unread < 0)
        return unread;
    SL_REQUIRE(f, comparisons && out);
    struct sl_comparison_view view;
    int result = sl_comparison_view_open(&view, comparisons, config, f);
    if (result)
        return result;
    FILE *shown = sl_shown_open(out, config->json ? SL_SHOWN_AS_JSON : SL_SHOWN_MARKED, f);
    result = !shown ? SL_ENOMEM
                    : (config->json ? sl_json_comparison : sl_text_comparison)(&view, shown, f);
    sl_comparison_view_close(&view);
    return shown ? sl_shown_close(shown, out, result, "the report", f) : result;
}
