/* SPDX-License-Identifier: MIT */
/* What is saved of a sequence besides itself: its hot subpaths. */
#ifndef SL_RESULT_SEQUENCE_H
#define SL_RESULT_SEQUENCE_H

#include "code.h"
#include "result.h"

/* For the sequence of a profile, once all else is known of it; NULL when memory ran out. The
 * bits of a pc from `tag_shift` on, unless that is 0, are the place of a tuple's detector
 * among those that share the table. */
struct sl_result_sequence *sl_result_sequence(const struct sl_sequence *all,
                                              const struct sl_result_profile *profile,
                                              unsigned tag_shift, const struct sl_code *code);
void sl_result_sequence_free(struct sl_result_sequence *sequence);

#endif
