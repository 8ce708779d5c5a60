/* SPDX-License-Identifier: MIT */
/* What a machine is made of, as its description says. The section `core` is the machine's
 * own two keys, kind and frequency_mhz, and those of the kind. */
#ifndef SL_MACHINE_CONFIG_H
#define SL_MACHINE_CONFIG_H

#include "branch_queue.h"
#include "core.h"
#include "machine_text.h"
#include "power.h"

struct sl_machine_config {
    const struct sl_core_kind *kind;
    const void *core; /* the kind's configuration */
    double frequency_mhz;
    struct sl_hierarchy_config hierarchy;
    struct sl_predictor_config predictor;
    struct sl_power_config power;
    struct sl_profiler_config profiler;
    struct sl_machine_section section[14];
    /* Memory of the core's section. */
    void *core_section;
    struct sl_option *core_options;
};

/* Reads and checks what `spec` names (machine_preset.h). On failure, too, it is to be
 * freed. */
int sl_machine_config_read(struct sl_machine_config *config, const char *spec,
                           struct sl_failure *f);
void sl_machine_config_free(struct sl_machine_config *config);

#endif
