/* SPDX-License-Identifier: MIT */
#include "machines.h"

#include "failure.h"

int sl_machines_open(struct sl_machines *m, const char *const *spec, size_t n, struct sl_failure *f)
{
    int error = 0;
    if (n > SL_RESULT_BESIDE_MAX)
        return sl_fail_setting(f, "machine",
                               "at most %u machines run side by side, and these are %zu",
                               SL_RESULT_BESIDE_MAX + 1, n + 1);
    for (size_t i = 0; i < n && error >= 0; i++) {
        error = sl_machine_open(&m->machine[i], spec[i], f);
        if (error < 0)
            return error;
        m->n++;
        if (sl_machine_profiler(m->machine[i])->queue != SL_BRANCH_QUEUE_NONE)
            return sl_fail_setting(f, "machine",
                                   "%s waits for a profiler (profiler.queue), which only "
                                   "the machine that is named first can",
                                   spec[i]);
    }
    return error;
}

int sl_machines_sync(struct sl_machines *m, const struct sl_code *code, struct sl_failure *f)
{
    int error = 0;
    for (size_t i = 0; i < m->n && error >= 0; i++)
        error = sl_machine_sync(m->machine[i], code, f);
    return error;
}

int sl_machines_run(struct sl_machines *m, const struct sl_chunk *chunk, struct sl_failure *f)
{
    int error = 0;
    for (size_t i = 0; i < m->n && error >= 0; i++)
        error = sl_machine_run(m->machine[i], chunk, f);
    return error;
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

void sl_machines_close(struct sl_machines *m)
{
    for (size_t i = 0; i < m->n; i++)
        sl_machine_close(m->machine[i]);
}
