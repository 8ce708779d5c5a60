/* SPDX-License-Identifier: MIT */
/* A share of a sweep on an accelerator.
 *
 *     stream ──► session that only listens ──► events in memory ──► bank: every table's reports
 *     stream ──► session whose tables say what the bank has reported ──► figures
 *
 * So all but the tables' steps is as on the processor, and so are the figures. What tables can be
 * of a bank, and why others cannot, is in bank_plan.c. */
#ifndef SL_BANK_SHARD_H
#define SL_BANK_SHARD_H

#include "bank.h"
#include "shard.h"
#include "spec.h"

/* SL_EUNSUPPORTED with a sentence that has the profile's name if it is none for a bank. */
int sl_bank_plan(const struct sl_profile_spec *spec, const char *machine,
                 struct sl_bank_wanted *table, struct sl_failure *f);

/* As sl_shard_run; sessions are shared out to so many threads. */
int sl_bank_shard_run(const struct sl_bank *bank, const struct sl_shard *share, size_t threads,
                      struct sl_job_figures *out, struct sl_failure *f);

#endif
