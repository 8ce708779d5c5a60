/* What a profile said in each of its runs: of every event beside how often it happened, and
 * what was measured as a whole. */
#ifndef SL_READINGS_H
#define SL_READINGS_H

#include "group.h"

struct sl_readings {
    struct sl_result_reading *reading; /* to be freed; NULL if there is nothing to read */
    size_t n;
    struct sl_result_run_error *error; /* likewise */
    size_t n_errors;
};

/* Events are read where the group has an exact profile of them, kept beside its tables or
 * asked for. False when memory ran out. */
bool sl_readings_collect(struct sl_readings *readings, struct sl_group *group,
                         const struct sl_keep *keep);

#endif
