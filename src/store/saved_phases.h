/* SPDX-License-Identifier: MIT */
/* Phases of a run and their hot paths, read back. */
#ifndef SL_SAVED_PHASES_H
#define SL_SAVED_PHASES_H

#include "saved.h"

struct sl_saved_phase {
    uint64_t number, first_event, events, weight, kind;
    double turnover;
};

/* Calls `each` for the phases of a profile, in order; for one, for its hot paths, heaviest
 * first, each an entry of the profile `of`, as far as what it returns is 0. */
int sl_saved_phases(struct sl_database *database, const struct sl_saved_profile *profile,
                    int (*each)(void *context, const struct sl_saved_phase *phase), void *context,
                    struct sl_failure *f);
int sl_saved_phase_entries(struct sl_database *database, const struct sl_saved_profile *profile,
                           uint64_t phase,
                           int (*each)(void *context, int64_t of,
                                       const struct sl_saved_entry *entry),
                           void *context, struct sl_failure *f);

#endif
