/* SPDX-License-Identifier: MIT */
/* The detector `blame`: cycles as a sampling profiler in hardware would attribute them,
 * <instruction> or <function>. The rules are in blame_samples.h.
 *
 * The CPU model knows how every cycle was spent, so that the error of each rule can be measured:
 * for each sample, the rule's answer is compared with the correct one, and the profile's warning
 * has the percentage of wrong samples. The profile by `oracle` is the correct one.
 *
 * A sample weighs its period. Under `oracle`, an instruction gets events of whole cycles; a
 * remainder below one cycle per instruction at the end is dropped.
 *
 * Threads share one CPU model and one sampler. Slices outside the selection are followed but not
 * counted. The cost of taking samples is not modelled. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blame_samples.h"
#include "detector.h"
#include "detector_state.h"
#include "failure.h"
#include "grow.h"
#include "machine.h"
#include "symbol.h"

struct config {
    struct sl_blame_config samples;
    unsigned by;
};

enum { BY_INSTRUCTION, BY_FUNCTION };
static const char *const rules[] = {"oracle",   "proportional", "next", "last",
                                    "dispatch", "interrupt",    NULL};
static const char *const bys[] = {"instruction", "function", NULL};

/* Names of the fields of config.samples for the option table. */
#define FIELD(field_, name_) .name = name_, .offset = offsetof(struct config, samples.field_)
static const struct sl_option options[] = {
    {FIELD(rule, "rule"), .kind = SL_OPTION_CHOICE, .initial = "proportional", .choices = rules,
     .flags = SL_OPTION_POSITIONAL, .help = "whom a sample blames"},
    SL_CHOICE(struct config, by, "instruction", bys, "what is blamed"),
    {FIELD(period, "period"), .kind = SL_OPTION_UNSIGNED, .initial = "10000", .low = 1,
     .high = UINT64_C(1) << 30, .help = "cycles for each sample; an oracle takes all"},
    {FIELD(skid, "skid"), .kind = SL_OPTION_UNSIGNED, .initial = "20", .high = 1 << 20,
     .help = "of an interrupt: cycles until it stops dispatch (assumed)"},
    {FIELD(seed, "seed"), .kind = SL_OPTION_UNSIGNED, .initial = "1", .high = UINT32_MAX,
     .help = "where in its period a sample is taken; 0: at its end"},
    SL_OPTIONS_END,
};

struct blame {
    const struct config *config;
    const struct sl_detector_env *watch;
    struct sl_blame_samples samples;
    struct sl_dictionary tuples;
    uint32_t *number; /* by instruction; SL_NO_INDEX: not selected */
    size_t n_numbers, numbers_capacity;
};

static uint64_t machine_events(const void *config)
{
    (void)config;
    return UINT64_C(1) << SL_MACHINE_CYCLES;
}

static int init(void *state, const void *config, const struct sl_detector_env *watch,
                struct sl_failure *f)
{
    struct blame *b = state;
    (void)f;
    b->config = config;
    b->watch = watch;
    sl_blame_samples_init(&b->samples, &b->config->samples);
    sl_machine_want_commits(watch->machine);
    return 0;
}

/* Code without a symbol is one function of its own, at 0. */
static uint64_t first_word(const struct blame *b, uint64_t pc)
{
    return b->config->by == BY_FUNCTION ? sl_symbols_function(b->watch->symbols, pc) : pc;
}

static int sync(void *state, struct sl_failure *f)
{
    struct blame *b = state;
    const struct sl_statics *statics = b->watch->statics;
    if (!SL_GROW(b->number, b->numbers_capacity, statics->n_insns))
        return sl_out_of_memory(f);
    for (; b->n_numbers < statics->n_insns; b->n_numbers++) {
        uint32_t *number = &b->number[b->n_numbers];
        *number = SL_NO_INDEX;
        if (!b->watch->selection->chosen[b->n_numbers])
            continue;
        *number = sl_dictionary_number(&b->tuples, first_word(b, statics->insn[b->n_numbers].pc),
                                       0);
        if (*number == SL_NO_INDEX)
            return sl_out_of_memory(f);
    }
    return sl_blame_samples_room(&b->samples, b->tuples.map.n_keys) ? 0 : sl_out_of_memory(f);
}

/* Emits as many events as fit; the rest follow with the next slice. */
static void tell(struct blame *b, uint32_t place, struct sl_events *out)
{
    uint64_t cycles;
    for (; out->n < SL_EVENTS_MAX &&
           sl_blame_samples_take(&b->samples, &out->number[out->n], &cycles);
         out->n++) {
        out->weight[out->n] = cycles;
        if (out->place)
            out->place[out->n] = place;
    }
}

static int feed(void *state, const struct sl_slice *slice, struct sl_events *out,
                struct sl_failure *f)
{
    struct blame *b = state;
    const struct sl_commit_log *log = sl_machine_commits(b->watch->machine);
    const struct sl_statics *statics = b->watch->statics;
    b->samples.active = slice->active;
    for (uint32_t i = slice->block_low; i < slice->block_high; i++) {
        const struct sl_block *block = &statics->block[slice->chunk->block[i]];
        const struct sl_commit *commit = log->commit + log->first[i];
        for (uint32_t k = 0; k < block->n_insns; k++)
            sl_blame_samples_step(&b->samples, b->number[statics->block_insn[block->insns_at + k]],
                                  &commit[k]);
    }
    tell(b, slice->block_high, out);
    return b->samples.out_of_memory ? sl_out_of_memory(f) : 0;
}

static void finish(void *state, struct sl_events *out)
{
    tell(state, 0, out);
}

static void names(void *state, struct sl_tuple_names *names_out)
{
    sl_dictionary_names(&((struct blame *)state)->tuples, names_out);
}

static void warning(const void *state, char *out, size_t capacity)
{
    const struct blame *b = state;
    uint64_t taken = sl_blame_samples_taken(&b->samples);
    if (taken)
        snprintf(out, capacity,
                 "%" PRIu64 " samples; of the cycles that they were taken in, %.1f %% are "
                 "another %s's",
                 taken, 100 * sl_blame_samples_wrong(&b->samples), bys[b->config->by]);
    else if (b->config->samples.rule != SL_BLAME_ORACLE)
        snprintf(out, capacity, "the run was too short for a sample every %" PRIu64 " cycles",
                 b->config->samples.period);
}

static double statistic(const void *state, const char *name)
{
    const struct blame *b = state;
    return !strcmp(name, "samples") ? (double)sl_blame_samples_taken(&b->samples)
           : !strcmp(name, "wrong") ? sl_blame_samples_wrong(&b->samples)
                                    : (double)NAN;
}

static void close_blame(void *state)
{
    struct blame *b = state;
    sl_blame_samples_free(&b->samples);
    sl_dictionary_free(&b->tuples);
    free(b->number);
}

static const struct sl_detector_facts facts = {.warning = warning, .statistic = statistic};

const struct sl_detector_kind sl_detector_blame = {
    .name = "blame",
    .summary = "cycles of a machine, by the rules of samplers in hardware: <pc>",
    .plural = "blamed instructions",
    .error_measure = SL_MEASURE_OVERLAP,
    .first = SL_FIELD_CODE,
    .feed_inactive = true,
    .default_metric = "cycles",
    .machine_events = machine_events,
    .options = options,
    .config_size = sizeof(struct config),
    .state_size = sizeof(struct blame),
    .init = init,
    .sync = sync,
    .feed = feed,
    .finish = finish,
    .names = names,
    .close = close_blame,
    .facts = &facts,
};
