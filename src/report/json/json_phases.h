/* SPDX-License-Identifier: MIT */
/* Phases of a run in JSON. */
#ifndef SL_JSON_PHASES_H
#define SL_JSON_PHASES_H

#include "saved.h"

/* Behind the keys of a profile: "phases", if it has any. */
int sl_json_phases(struct sl_database *database, const struct sl_saved_profile *profile, FILE *out,
                   struct sl_failure *f);

#endif
