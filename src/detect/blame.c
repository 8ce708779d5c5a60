/* SPDX-License-Identifier: MIT */
/* Detector `blame`: attributes cycles to instructions as a sampling profiler in hardware would.
 * Tuple: <instruction> or <function>. blame_samples.h documents the sampling rules.
 *
 * The CPU model knows how every cycle was spent, so that the error of each rule can be measured:
 * for each sample, the rule's answer is compared with the correct one, and the profile's warning
 * has the percentage of wrong samples. The profile by `oracle` is the correct one.
 *
 * A sample weighs its period. Under `oracle`, an instruction gets events of whole cycles. At the
 * end, the remainder of less than one cycle per instruction is dropped.
 *
 * Threads share one CPU model and one sampler. Slices outside the selection are followed but not
 * counted. The cost of taking samples is not modelled. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blame_samples.h"
#include "detector_state.h"
#include "failure.h"
#include "grow.h"
#include "machine.h"
#include "symbol.h"

enum { BY_INSTRUCTION, BY_FUNCTION };
static const char *const rules[] = {"oracle",   "proportional", "next", "last",
                                    "dispatch", "interrupt",    NULL};
static const char *const bys[] = {"instruction", "function", NULL};

#define C struct sl_blame_config
static const struct sl_option options[] = {
    SL_CHOICE_FLAGS(C, rule, "proportional", rules, SL_OPTION_POSITIONAL,
                    "sampling rule, which selects the instruction that a sample is attributed to"),
    SL_CHOICE(C, by, "instruction", bys, "attribute cycles to instructions or to functions"),
    SL_UNSIGNED(C, period, "10000", 1, UINT64_C(1) << 30,
                "cycles per sample; rule=oracle ignores it"),
    SL_UNSIGNED(C, skid, "20", 0, 1 << 20,
                "rule=interrupt: assumed delay from the sample to the interrupt, in cycles"),
    SL_UNSIGNED(C, seed, "1", 0, UINT32_MAX,
                "seed for the random choice of the sampled cycle in each period; 0: always the "
                "last cycle of the period"),
    SL_OPTIONS_END,
};
#undef C

struct blame {
    struct sl_detector_state base; /* first */
    const struct sl_commit_log *log;
    struct sl_blame_samples samples;
    uint32_t *tuple_id; /* by instruction; SL_NO_INDEX: not selected */
    size_t n_tuple_ids, tuple_ids_capacity;
};

static uint64_t machine_events(const void *config)
{
    (void)config;
    return UINT64_C(1) << SL_MACHINE_CYCLES;
}

static int init(void *state, const void *config, const struct sl_detector_env *env,
                struct sl_failure *f)
{
    struct blame *b = state;
    sl_blame_samples_init(&b->samples, config);
    b->log = sl_machine_need_commit_log(env->machine);
    return sl_detector_state_init(state, config, env, f);
}

static int sync(void *state, struct sl_failure *f)
{
    struct blame *b = state;
    const struct sl_statics *statics = b->base.env->statics;
    if (!SL_GROW(b->tuple_id, b->tuple_ids_capacity, statics->n_insns))
        return sl_out_of_memory(f);
    for (; b->n_tuple_ids < statics->n_insns; b->n_tuple_ids++) {
        uint32_t *tuple_id = &b->tuple_id[b->n_tuple_ids];
        *tuple_id = SL_NO_INDEX;
        if (!b->base.env->selection->chosen[b->n_tuple_ids])
            continue;
        /* Code without a symbol is one function of its own, at 0. */
        uint64_t pc = statics->insn[b->n_tuple_ids].pc, first = pc;
        if (b->samples.config.by == BY_FUNCTION)
            first = sl_symbols_function(b->base.env->symbols, pc);
        *tuple_id = sl_dictionary_add(&b->base.tuples, first, 0);
        if (*tuple_id == SL_NO_INDEX)
            return sl_out_of_memory(f);
    }
    return sl_blame_samples_reserve(&b->samples, b->base.tuples.map.n_keys) ? 0
                                                                            : sl_out_of_memory(f);
}

/* Emits as many events as fit; the rest follow with the next slice. */
static void emit_events(struct blame *b, uint32_t position, struct sl_events *out)
{
    uint64_t cycles;
    for (; out->n < SL_EVENTS_MAX &&
           sl_blame_samples_next(&b->samples, &out->tuple_id[out->n], &cycles);
         out->n++) {
        out->weight[out->n] = cycles;
        if (out->position)
            out->position[out->n] = position;
    }
}

static int feed(void *state, const struct sl_slice *slice, struct sl_events *out,
                struct sl_failure *f)
{
    struct blame *b = state;
    const struct sl_statics *statics = b->base.env->statics;
    b->samples.active = slice->active;
    for (uint32_t i = slice->block_low; i < slice->block_high; i++) {
        const struct sl_block *block = &statics->block[slice->chunk->block[i]];
        const struct sl_commit *commit = b->log->commit + b->log->first[i];
        for (uint32_t k = 0; k < block->n_insns; k++)
            sl_blame_samples_step(
                &b->samples, b->tuple_id[statics->block_insn[block->insns_at + k]], &commit[k]);
    }
    emit_events(b, slice->block_high, out);
    return b->samples.out_of_memory ? sl_out_of_memory(f) : 0;
}

static void finish(void *state, struct sl_events *out)
{
    emit_events(state, 0, out);
}

static void warning(const void *state, char *out, size_t capacity)
{
    const struct blame *b = state;
    uint64_t taken = b->samples.samples_counted;
    if (taken)
        snprintf(out, capacity, "%llu samples, %.1f %% of which are attributed to the wrong %s",
                 (unsigned long long)taken, 100 * sl_blame_samples_wrong(&b->samples),
                 bys[b->samples.config.by]);
    else if (b->samples.config.rule != SL_BLAME_ORACLE)
        snprintf(
            out, capacity,
            "no samples: the run is shorter than the period of %llu cycles; use a smaller period",
            (unsigned long long)b->samples.config.period);
}

static double statistic(const void *state, const char *name)
{
    const struct blame *b = state;
    return !strcmp(name, "samples") ? (double)b->samples.samples_counted
           : !strcmp(name, "wrong") ? sl_blame_samples_wrong(&b->samples)
                                    : (double)NAN;
}

static void close_blame(void *state)
{
    struct blame *b = state;
    sl_blame_samples_free(&b->samples);
    sl_detector_state_close(b);
    free(b->tuple_id);
}

static const struct sl_detector_facts facts = {.warning = warning, .statistic = statistic};

const struct sl_detector_kind sl_detector_blame = {
    .name = "blame",
    .summary =
        "cycles of a CPU model, attributed to instructions as a hardware sampler would do it: <pc>",
    .plural = "blamed instructions",
    .error_measure = SL_MEASURE_OVERLAP,
    .first = SL_FIELD_CODE,
    .feed_inactive = true,
    .default_metric = "cycles",
    .machine_events = machine_events,
    .options = options,
    .config_size = sizeof(struct sl_blame_config),
    .state_size = sizeof(struct blame),
    .init = init,
    .sync = sync,
    .feed = feed,
    .finish = finish,
    .names = sl_detector_state_names,
    .close = close_blame,
    .facts = &facts,
};
