/* SPDX-License-Identifier: MIT */
/* Results of a session that has run: the CPU models and the profiler that
 * stalls one of them, and the processes that the guest started. */
#include <stdlib.h>
#include <string.h>

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
