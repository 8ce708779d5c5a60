/* SPDX-License-Identifier: MIT */
/* Edges: <pc of a conditional branch or indirect jump, where it went>, taken or
 * not (the document of the stream compressors, "edge profile"). Returns, calls
 * and direct jumps are not edges: where they go is no question, or another
 * detector's. */
#include "transfer.h"

static int init(void *state, const void *config, const struct sl_watch *watch, struct sl_failure *f)
{
    (void)config, (void)f;
    return sl_transfer_init(state, 1u << SL_BRANCH_CONDITIONAL | 1u << SL_BRANCH_INDIRECT, watch);
}

const struct sl_detector_kind sl_detector_edge = {
    .name = "edge",
    .summary = "where conditional branches and indirect jumps went: <pc, target>",
    .plural = "edges",
    .error_measure = SL_MEASURE_OVERLAP,
    .init = init,
    .second = {"target", "to", SL_READS_TARGET},
    SL_TRANSFER_KIND,
};
