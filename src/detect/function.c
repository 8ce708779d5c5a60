/* SPDX-License-Identifier: MIT */
/* Detector `function`: charges costs to functions. It follows calls and returns to find the
 * function that is executing (activation.h). Tuple: <first address of the function>.
 *
 * `count` counts entries: calls, jumps from another function to the first instruction, and returns
 * to it that match no call (retpolines). Any other metric is charged to the current function, in
 * one event at each change of function.
 *
 * With `inclusive`, a cost is charged to every function on the stack, once each
 * (function_account.h), or with `twice` as often as the function is on the stack, so that the cost
 * of recursion counts repeatedly. A signal handler is charged to the callers of the function that
 * it interrupts but not to that function. A call that a full stack dropped (depth) is no longer
 * charged. */
#include <math.h>
#include <string.h>

#include "activation.h"
#include "failure.h"
#include "grow.h"

#define C struct sl_activation_config
static const struct sl_option options[] = {
    SL_OPTION_TAIL(C),
    SL_BOOL(C, inclusive, "0",
            "1: inclusive costs; a function is also charged with the costs of its callees"),
    SL_OPTION_DEPTH(C),
    SL_OPTION_REPAIR(C),
    SL_BOOL(C, wrap, "0",
            "1: a full call stack wraps around, as in hardware; needs repair=0 and a depth that is "
            "a power of 2"),
    SL_BOOL(C, twice, "0",
            "1: a recursive function is charged once for each of its calls on the stack, as in "
            "hardware; needs inclusive=1"),
    SL_OPTIONS_END,
};
#undef C

static int init(void *state, const void *config, const struct sl_detector_env *env,
                struct sl_failure *f)
{
    const struct sl_activation_config *c = config;
    if (c->wrap && (c->repair || !c->depth || c->depth & (c->depth - 1)))
        return sl_fail(f, SL_EUSAGE,
                       "wrap=1 needs a depth that is a power of 2, and repair=0: "
                       "use function(depth=32,repair=0,wrap=1)");
    if (c->twice && !c->inclusive)
        return sl_fail(f, SL_EUSAGE,
                       "twice=1 needs inclusive=1: use function(inclusive=1,twice=1)");
    sl_activations_init(state, config, env);
    return 0;
}

/* ---- derived from contexts ---- */

static bool derivable(const void *config, const void *from_config)
{
    const struct sl_activation_config *c = config;
    const struct sl_context_config *from = from_config;
    return !c->inclusive && !c->wrap && c->tail == from->tail && c->repair == from->repair &&
           c->depth == from->depth;
}

/* Functions get the same ids as in `context`. A change between two contexts of one function, for
 * example by recursion, is no event of `function`: sl_totals.within. */
static bool emit_derived(void *state, const void *from_state, struct sl_total_sink sink)
{
    struct sl_activations *s = state;
    const struct sl_activations *from = from_state;
    const struct sl_account *contexts = &from->account;
    struct sl_account *a = &s->account;
    s->dropped = from->dropped;
    s->lost = from->lost;
    for (size_t i = 0; i < from->functions.map.n_keys; i++)
        if (sl_dictionary_add(&s->functions, from->functions.pc[i], 0) == SL_NO_INDEX)
            return false;
    if (!SL_GROW(a->totals, a->totals_capacity, from->functions.map.n_keys))
        return false;
    for (size_t i = 0; i < contexts->totals_capacity; i++) {
        if (!contexts->totals[i].times)
            continue;
        struct sl_totals *its = &a->totals[from->unit[i].function];
        its->times += contexts->totals[i].times - contexts->totals[i].within;
        its->weight += contexts->totals[i].weight;
    }
    sl_activations_emit_totals(s, sink);
    return true;
}

static bool exits_usable(const void *config)
{
    return ((const struct sl_activation_config *)config)->tail;
}

static double statistic(const void *state, const char *name)
{
    const struct sl_activations *a = state;
    if (!strcmp(name, "misplaced")) /* fraction of the weight */
        return (double)a->misplaced.weight / (double)a->misplaced.all;
    return !strcmp(name, "forgotten") ? (double)a->dropped
           : !strcmp(name, "lost")    ? (double)a->lost
                                      : (double)NAN;
}

/* Also refuses the metric `count`: entries are no cost. */
static bool inclusive(const void *config)
{
    return ((const struct sl_activation_config *)config)->inclusive;
}

static const struct sl_detector_exits exits = {.usable = exits_usable,
                                               .keep_totals = sl_activations_keep_totals,
                                               .emit_totals = sl_activations_emit_totals,
                                               .emit_pending = sl_activations_emit_pending};
static const struct sl_detector_derivation derivation = {
    .from = &sl_detector_context, .usable = derivable, .emit = emit_derived};
static const struct sl_detector_facts facts = {.warning = sl_activations_warning,
                                               .statistic = statistic};

const struct sl_detector_kind sl_detector_function = {
    .name = "function",
    .summary = "functions, tracked through calls and returns: <first pc>",
    .plural = "functions",
    SL_ACTIVATION_KIND,
    .no_only = "the detector charges whole functions, not single instructions",
    .first = SL_FIELD_FUNCTION,
    .config_size = sizeof(struct sl_activation_config),
    .state_size = sizeof(struct sl_activations),
    .inclusive = inclusive,
    .sync = sl_activations_sync,
    .feed = sl_activations_feed,
    .total_weight = sl_activations_total_weight,
    .close = sl_activations_free,
    .derivation = &derivation,
};
