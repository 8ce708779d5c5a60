/* SPDX-License-Identifier: MIT */
/* Runs one shard (part) of a sweep on an accelerator, for example a GPU.
 *
 *     stream ──► session that records the events ──► events ──► bank: reports of all tables
 *     stream ──► session whose tables replay the bank's reports ──► measurements
 *
 * Everything except the tables' steps runs as on the CPU, so the measurements are the same.
 * bank_plan.c decides which tables a bank supports. */
#ifndef SL_BANK_SHARD_H
#define SL_BANK_SHARD_H

#include "bank.h"
#include "shard.h"
#include "spec.h"

/* Translates a profile for a bank. Returns 0, or SL_EUNSUPPORTED with a message that names the
 * profile. */
int sl_bank_plan(const struct sl_profile_spec *spec, const char *machine,
                 struct sl_bank_config *table, struct sl_failure *f);

/* Like sl_shard_run(), with the evaluation divided among `threads` threads. */
int sl_bank_shard_run(const struct sl_bank *bank, const struct sl_shard *shard, size_t threads,
                      struct sl_job_results *out, struct sl_failure *f);

#endif
