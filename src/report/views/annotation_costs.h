/* SPDX-License-Identifier: MIT */
/* Costs of a machine (the detector cost) as columns of an annotation. */
#ifndef SL_ANNOTATION_COSTS_H
#define SL_ANNOTATION_COSTS_H

#include "annotation.h"

/* Reads the profile, if there is one, and charges the instructions with it: columns for cycles,
 * misses and branches predicted wrong, of which cycles become the first. Instructions have come,
 * and none was left out. */
int sl_annotation_charge(struct sl_annotation *a, struct sl_database *database,
                         struct sl_failure *f);

/* What it waited for, in cycles, and what went wrong at it: "waits for data 62,607; misses L1D
 * 1,803"; behind other words or not. */
void sl_annotation_say_costs(const struct sl_annotation *a, const struct sl_annotated_insn *insn,
                             bool behind, FILE *out);

#endif
