/* SPDX-License-Identifier: MIT */
/* Test helpers that open a complete CPU model and simulate a chunk of a stream with it. Both
 * helpers exit if an error occurs. */
#ifndef SL_TESTS_MACHINE_SUPPORT_H
#define SL_TESTS_MACHINE_SUPPORT_H

#include <stdio.h>
#include <stdlib.h>

#include "machine.h"

#define ALL ((UINT64_C(1) << SL_MACHINE_EVENTS) - 1)

static inline struct sl_machine *open_machine(const char *spec, uint64_t wanted)
{
    struct sl_machine *m;
    struct sl_failure f;
    if (sl_machine_open(&m, spec, &f) < 0) {
        printf("# gives up: %s\n", f.text);
        exit(1);
    }
    sl_machine_need_events(m, wanted);
    return m;
}

static inline void run(struct sl_machine *m, const struct sl_code *code,
                       const struct sl_chunk *chunk)
{
    struct sl_failure f;
    if (sl_machine_sync(m, code, &f) < 0 || sl_machine_run(m, chunk, &f) < 0) {
        printf("# gives up: %s\n", f.text);
        exit(1);
    }
}

#endif
