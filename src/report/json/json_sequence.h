/* SPDX-License-Identifier: MIT */
/* The sequence of a profile in the JSON report. */
#ifndef SL_JSON_SEQUENCE_H
#define SL_JSON_SEQUENCE_H

#include "saved.h"

/* Writes ",\n   \"sequence\": {...}" with the first n hot subpaths (0: all) of the profile;
 * nothing if it has no sequence. */
int sl_json_sequence(struct sl_database *database, const struct sl_saved_profile *profile,
                     uint64_t n, FILE *out, struct sl_failure *f);

#endif
