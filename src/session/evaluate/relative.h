/* SPDX-License-Identifier: MIT */
/* The relative error of few tuples that each mean something by themselves, as events of a
 * machine do: the mean over those that happened of | p - e | / e, where e is the exact count and
 * p what the judged profile says. */
#ifndef SL_RELATIVE_H
#define SL_RELATIVE_H

#include "profile_list.h"

struct sl_relative {
    double error;
    uint64_t tuples; /* that it is the mean of; 0: there is no error */
};

/* Both lists are sorted unless they are sorted. */
void sl_relative(struct sl_profile_list *exact, struct sl_profile_list *profile,
                 struct sl_relative *out);

#endif
