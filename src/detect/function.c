/* SPDX-License-Identifier: MIT */
/* The detector `function`: functions, by call and return (activation.h). Tuple: <first address>.
 *
 * `count` counts entries: calls, jumps from another function to the first instruction, and returns
 * to it that match no call (retpolines). Any other metric is charged to the current function, in
 * one event at each change of function.
 *
 * With `inclusive`, it is charged to every function on the stack, once each (function_account.h),
 * or with `twice` as often as the function is on the stack, so that the cost of recursion counts
 * repeatedly. A signal handler is charged to the callers of the function that it interrupts but not
 * to that function. A call that a full stack dropped (depth) is no longer charged. */
#include <math.h>
#include <string.h>

#include "activation.h"
#include "failure.h"
#include "grow.h"

#define C struct sl_activation_config
static const struct sl_option options[] = {
    SL_OPTION_TAIL(C),
    SL_BOOL(C, inclusive, "0", "charge callers, too, with what functions cost"),
    SL_OPTION_DEPTH(C),
    SL_OPTION_REPAIR(C),
    SL_BOOL(C, wrap, "0", "a full stack goes round, as in hardware (depth=32,repair=0)"),
    SL_BOOL(C, twice, "0",
            "charge a function as often as it is on the stack, as hardware does "
            "(inclusive=1)"),
    SL_OPTIONS_END,
};
#undef C

static int init(void *state, const void *config, const struct sl_detector_env *watch,
                struct sl_failure *f)
{
    const struct sl_activation_config *c = config;
    if (c->wrap && (c->repair || !c->depth || c->depth & (c->depth - 1)))
        return sl_fail(f, SL_EUSAGE,
                       "a stack that wraps has a depth, a power of 2, and no repair: "
                       "function(depth=32,repair=0,wrap=1)");
    if (c->twice && !c->inclusive)
        return sl_fail(f, SL_EUSAGE,
                       "only callers are charged twice: function(inclusive=1,twice=1)");
    sl_activations_init(state, config, watch);
    return 0;
}

static int sync(void *state, struct sl_failure *f)
{
    return sl_activations_sync(state, f);
}

static int feed(void *state, const struct sl_slice *slice, struct sl_events *out,
                struct sl_failure *f)
{
    return sl_activations_feed(state, slice, out, f);
}

static void emit_totals(void *state, struct sl_total_sink sink)
{
    sl_activations_emit_totals(state, sink);
}

static void keep_totals(void *state)
{
    ((struct sl_activations *)state)->account.tallied = true;
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
    const struct sl_activations *from = sl_context_activations(from_state);
    const struct sl_account *contexts = &from->account;
    struct sl_account *a = &s->account;
    s->forgotten = from->forgotten;
    s->lost = from->lost;
    for (size_t i = 0; i < from->functions.map.n_keys; i++)
        if (sl_dictionary_number(&s->functions, from->functions.pc[i], 0) == SL_NO_INDEX)
            return false;
    if (!SL_GROW(a->tally, a->tally_capacity, from->functions.map.n_keys))
        return false;
    for (size_t i = 0; i < contexts->tally_capacity; i++) {
        if (!contexts->tally[i].times)
            continue;
        struct sl_totals *its = &a->tally[from->unit[i].function];
        its->times += contexts->tally[i].times - contexts->tally[i].within;
        its->weight += contexts->tally[i].weight;
    }
    sl_activations_emit_totals(s, sink);
    return true;
}

static bool exits_usable(const void *config)
{
    return ((const struct sl_activation_config *)config)->tail;
}

static void end_thread(void *state, uint32_t thread, struct sl_events *out)
{
    sl_activations_end_thread(state, thread, out);
}

static void finish(void *state, struct sl_events *out)
{
    sl_activations_finish(state, out);
}

static void names(void *state, struct sl_tuple_names *names_out)
{
    sl_dictionary_names(&((struct sl_activations *)state)->functions, names_out);
}

static void warning(const void *state, char *out, size_t capacity)
{
    sl_activations_note(state, out, capacity);
}

static uint64_t total_weight(const void *state)
{
    return sl_activations_whole(state);
}

static double statistic(const void *state, const char *name)
{
    const struct sl_activations *a = state;
    if (!strcmp(name, "misplaced")) /* fraction of the weight */
        return (double)a->misplaced.weight / (double)a->misplaced.all;
    return !strcmp(name, "forgotten") ? (double)a->forgotten
           : !strcmp(name, "lost")    ? (double)a->lost
                                      : (double)NAN;
}

/* Also refuses the metric `count`: entries are no cost. */
static bool inclusive(const void *config)
{
    return ((const struct sl_activation_config *)config)->inclusive;
}

static void close_function(void *state)
{
    sl_activations_free(state);
}

static const struct sl_detector_exits exits = {
    .usable = exits_usable, .keep_totals = keep_totals, .emit_totals = emit_totals};
static const struct sl_detector_derivation derivation = {
    .from = &sl_detector_context, .usable = derivable, .emit = emit_derived};
static const struct sl_detector_facts facts = {.warning = warning, .statistic = statistic};

const struct sl_detector_kind sl_detector_function = {
    .name = "function",
    .summary = "functions, by call and return: <first pc>",
    .plural = "functions",
    .error_measure = SL_MEASURE_OVERLAP,
    .first = SL_FIELD_FUNCTION,
    .feed_inactive = true,
    .default_metric = "instructions",
    .no_only = "a function is executed whole",
    .options = options,
    .config_size = sizeof(struct sl_activation_config),
    .state_size = sizeof(struct sl_activations),
    .inclusive = inclusive,
    .init = init,
    .sync = sync,
    .feed = feed,
    .end_thread = end_thread,
    .finish = finish,
    .names = names,
    .total_weight = total_weight,
    .close = close_function,
    .exits = &exits,
    .derivation = &derivation,
    .facts = &facts,
};
