/* SPDX-License-Identifier: MIT */
/* Processes a chunk of events in one table of a table bank (a set of tables that process the same
 * events in parallel on a GPU), for all kinds of tables. */
#ifndef SL_BANK_STEP_H
#define SL_BANK_STEP_H

#include "interval_bank.h"
#include "serial_bank.h"

SL_BANK void sl_bank_process(const struct sl_bank_table *t, uint32_t *state,
                             const struct sl_bank_in *in, const struct sl_bank_out *out)
{
    if (t->kind == SL_BANK_INTERVAL)
        sl_bank_process_intervals(t, state, in, out);
    else if (t->kind == SL_BANK_COMPRESSOR)
        sl_bank_process_compressor(t, state, in, out);
    else
        sl_bank_process_hpt(t, state, in, out);
}

#endif
