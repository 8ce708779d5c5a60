/* SPDX-License-Identifier: MIT */
/* Machines beside the session's own: each runs the whole stream, and what it did is told beside the
 * other's. Nothing is weighed by them, and no profiler is in their way. */
#ifndef SL_MACHINES_H
#define SL_MACHINES_H

#include "machine.h"
#include "result.h"

/* All zero: there are none. */
struct sl_machines {
    struct sl_machine *machine[SL_RESULT_BESIDE_MAX];
    size_t n;
};

/* SL_EUSAGE if there are too many, or one waits for a profiler. To be closed in any case. */
int sl_machines_open(struct sl_machines *machines, const char *const *spec, size_t n,
                     struct sl_failure *f);
int sl_machines_sync(struct sl_machines *machines, const struct sl_code *code,
                     struct sl_failure *f);
int sl_machines_run(struct sl_machines *machines, const struct sl_chunk *chunk,
                    struct sl_failure *f);

/* What a machine did, as results have it; its description is to be freed. SL_ENOMEM. */
int sl_machine_result(const struct sl_machine *machine, struct sl_result_machine *result,
                      struct sl_failure *f);

void sl_machines_close(struct sl_machines *machines);

#endif
