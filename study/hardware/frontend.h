/* SPDX-License-Identifier: MIT */
/* Front ends in hardware: what stands between a RISC-V core's retirement port and a table, in the
 * place of a detector.
 *
 *     core ──rvfi──► rtl/rvfi_profiler.v: rvfi_front ──► path_front, call_front ──► table
 *
 * To add one: a row in frontend.c that says which detector it is and with which parameters, and
 * what of the detector's options it has not. */
#ifndef SL_FRONTEND_H
#define SL_FRONTEND_H

#include "spec.h"

#define SL_FRONT_LANES_MAX 4u

/* What a profiler is made of, beside its table. */
struct sl_frontend_shape {
    unsigned lanes; /* instructions retired a cycle, at most; 0: no front end, events are tuples */
    unsigned xlen;  /* 32 or 64 */
    unsigned parts; /* numbers that a weight is made of */
};

struct sl_frontend {
    enum sl_field_type first, second; /* fields of the tuples that it makes */
    /* Why there is none for these options: SL_EUNSUPPORTED. NULL: there always is. */
    int (*check)(const void *config, struct sl_failure *f);
    /* Prints ", .NAME(value)" of rtl/rvfi_profiler.v. */
    void (*parameters)(const void *config, FILE *out);
};

/* Of the spec's detector; NULL with a sentence where it has none, or not so. */
const struct sl_frontend *sl_frontend_of(const struct sl_profile_spec *spec, struct sl_failure *f);

/* Reads "rvfi" or "rvfi:LANES". */
int sl_frontend_parse(const char *text, struct sl_frontend_shape *shape, struct sl_failure *f);

/* The modules of any front end, in rtl/ without ".v"; NULL at the end. */
extern const char *const sl_frontend_sources[];

#endif
