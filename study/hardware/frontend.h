/* SPDX-License-Identifier: MIT */
/* RTL front ends. A front end is the hardware version of a detector: it is connected between the
 * retirement port of a RISC-V core and a table.
 *
 *     core ──rvfi──► rtl/rvfi_profiler.v: rvfi_frontend ──► path_frontend, call_frontend ──► table
 *
 * To add one: add a row to frontend.c with the detector's field types, the parameters, and a check
 * for options that the hardware does not support. */
#ifndef SL_FRONTEND_H
#define SL_FRONTEND_H

#include "spec.h"

#define SL_FRONTEND_LANES_MAX 4u

/* Parameters of the profiler that do not depend on its table. */
struct sl_frontend_shape {
    /* Largest number of instructions that retire per cycle. 0: no front end, the input is tuples.
     */
    unsigned lanes;
    unsigned xlen;  /* 32 or 64 */
    unsigned parts; /* numbers that a weight consists of */
};

struct sl_frontend {
    enum sl_field_type first, second; /* field types of its tuples */
    /* Returns 0, or SL_EUNSUPPORTED with the reason if the options are not supported. NULL: all
     * are. */
    int (*check)(const void *config, struct sl_failure *f);
    /* Prints ", .NAME(value)" parameters of rtl/rvfi_profiler.v. */
    void (*parameters)(const void *config, FILE *out);
};

/* Returns the front end for the spec's detector; NULL with a message if there is none, or none for
 * its options. */
const struct sl_frontend *sl_frontend_of(const struct sl_profile_spec *spec, struct sl_failure *f);

/* Parses "rvfi" or "rvfi:LANES". Returns 0 or SL_EUSAGE. */
int sl_frontend_parse(const char *text, struct sl_frontend_shape *shape, struct sl_failure *f);

/* Modules that every front end needs: names in rtl/ without ".v"; NULL at the end. */
extern const char *const sl_frontend_sources[];

#endif
