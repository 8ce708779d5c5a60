/* SPDX-License-Identifier: MIT */
/* What else of the detector `context` others have to know: from which follows what functions cost.
 */
#ifndef SL_CONTEXT_H
#define SL_CONTEXT_H

#include "activation.h"

struct sl_context_config {
    bool tail, repair, nested, inlined;
    uint64_t depth, limit;
};

/* Of its state; units are contexts. */
const struct sl_activations *sl_context_activations(const void *state);

#endif
