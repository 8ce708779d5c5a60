/* SPDX-License-Identifier: MIT */
/* Results of a session that has run: comparison of its tables, the CPU models and the profiler that
 * stalls one of them, and the processes that the guest started. */
#include <stdlib.h>
#include <string.h>

#include "comparison.h"
#include "failure.h"
#include "grow.h"
#include "outcome.h"
#include "session.h"

struct sl_result_profiler sl_session_profiler(const struct sl_session *s)
{
    const struct sl_profiler *p = &s->profiler;
    struct sl_result_profiler out = {.queue = sl_machine_profiler(s->machine)->queue,
                                     .branches = p->branches,
                                     .work = p->cycles,
                                     .cycles_without = sl_profiler_cycles_without(p)};
    for (const struct sl_profile *before = s->profile; before < p->profile; before++)
        out.profile += before->spec.n_detectors;
    return out;
}

bool sl_session_has_run(const struct sl_session *s)
{
    for (size_t i = 0; i < s->n_profiles; i++)
        if (!s->profile[i].table.table)
            return false;
    return s->source;
}

int sl_session_compare(struct sl_session *s, struct sl_comparisons **comparisons,
                       struct sl_failure *f)
{
    *comparisons = NULL;
    if (!sl_session_has_run(s))
        return sl_fail(f, SL_EUSAGE, "nothing has been run that could be compared");
    struct sl_comparisons *all = calloc(1, sizeof *all);
    struct sl_comparison *row = calloc(s->n_profiles + 1, sizeof *row);
    if (!all || !row) {
        free(all);
        free(row);
        return sl_out_of_memory(f);
    }
    for (size_t i = 0; i < s->n_profiles; i++) {
        const struct sl_profile *p = sl_session_profile(s, i);
        const struct sl_evaluated_table *measured = sl_profile_table(p);
        row[i] = (struct sl_comparison){
            .spec = sl_profile_asked(p)->text,
            .given = sl_profile_asked(p)->given,
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

int sl_machine_result(const struct sl_machine *machine, struct sl_result_machine *result,
                      struct sl_failure *f)
{
    struct sl_energy_correction correction = sl_machine_correction(machine);
    *result = (struct sl_result_machine){sl_machine_name(machine),   sl_machine_describe(machine),
                                         sl_machine_totals(machine), correction.factor,
                                         correction.extrapolated,    NULL};
    return result->description ? 0 : sl_out_of_memory(f);
}

void sl_process_free(struct sl_process *process)
{
    free((char *)process->program);
    free((char *)process->database);
}

int sl_session_add_process(struct sl_session *s, const struct sl_process *process,
                           struct sl_failure *f)
{
    struct sl_process copy = *process;
    copy.program = strdup(process->program);
    copy.database = process->database ? strdup(process->database) : NULL;
    if (!copy.program || (process->database && !copy.database) ||
        !SL_GROW(s->process, s->process_room, s->n_processes + 1)) {
        sl_process_free(&copy);
        return sl_out_of_memory(f);
    }
    s->process[s->n_processes++] = copy;
    return 0;
}
