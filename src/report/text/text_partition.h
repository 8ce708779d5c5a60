/* SPDX-License-Identifier: MIT */
/* What to move to hardware, as text. */
#ifndef SL_TEXT_PARTITION_H
#define SL_TEXT_PARTITION_H

#include "partition.h"
#include "wording.h"

int sl_text_partition(const struct sl_partition *p, struct sl_database *database,
                      const struct sl_report_config *config, FILE *out, struct sl_failure *f);

#endif
