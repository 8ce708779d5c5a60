/* SPDX-License-Identifier: MIT */
/* Calls: <pc of the call, function called>, direct and indirect (the document of
 * the stream compressors, "call target profile"). Most instructions call one function only, whose
 * share of them is 1 in any profile: how good one is, only the overlap says. */
#include "transfer.h"

static int init(void *state, const void *config, const struct sl_watch *watch, struct sl_failure *f)
{
    (void)config, (void)f;
    return sl_transfer_init(state, 1u << SL_BRANCH_CALL | 1u << SL_BRANCH_INDIRECT_CALL, watch);
}

const struct sl_detector_kind sl_detector_call = {
    .name = "call",
    .summary = "what calls called, direct and indirect: <pc, callee>",
    .plural = "calls",
    .error_measure = SL_MEASURE_OVERLAP,
    .init = init,
    .second = {"target", "to", SL_READS_CALLEE},
    SL_TRANSFER_KIND,
};
