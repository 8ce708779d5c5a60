/* SPDX-License-Identifier: MIT */
/* A profile of a session: what was asked for, where its events come from, its table and what
 * was measured of that. */
#ifndef SL_PROFILE_H
#define SL_PROFILE_H

#include "measured.h"
#include "spec.h"

struct sl_profile {
    struct sl_profile_spec spec;
    struct sl_group *group;       /* whose events it gets */
    const struct sl_watch *watch; /* the stream that these are of */
    uint64_t run;                 /* 0: the profile; r: a repetition, its seed r higher */
    struct sl_profile *repeat;    /* those of a profile, in order */
    size_t n_repeats;
    struct sl_measured measured;
};

#endif
