/* SPDX-License-Identifier: MIT */
/* Values: <pc of a load, what it loaded>. A load of up to 8 bytes by its value,
 * zero-extended; a wider one by its low 8 bytes; an instruction that loads
 * several things (a pair, a string comparison) by the first.
 *
 * What other instructions make (results of arithmetic, say) is in no stream: taps are told of
 * accesses to memory, and reading registers after each instruction would cost far more than
 * all else; the distribution's QEMU cannot do it at all. */
#include <stdlib.h>

#include "load_walk.h"

static int init(void *state, const void *config, const struct sl_watch *watch, struct sl_failure *f)
{
    struct sl_loads *l = state;
    (void)config, (void)f;
    l->watch = watch;
    return 0;
}

static int sync(void *state, struct sl_failure *f)
{
    return sl_loads_sync(state, f);
}

static int feed(void *state, const struct sl_slice *slice, struct sl_events *out,
                struct sl_failure *f)
{
    const struct sl_loads *l = state;
    const struct sl_selection *selection = l->watch->selection;
    const struct sl_chunk *chunk = slice->chunk;
    struct sl_loads_walk walk = sl_loads_begin(l, slice, out);
    struct sl_load load;
    (void)f;
    if (!chunk->mem_addr && !selection->by_range && !selection->by_class) {
        out->number_in_place = chunk->mem_insn + slice->mem_low;
        out->value_in_place = chunk->mem_value + slice->mem_low;
        out->n = slice->mem_high - slice->mem_low;
        return 0;
    }
    while (sl_loads_next(&walk, &load))
        sl_loads_tell(&walk, &load, chunk->mem_value[load.mem], out);
    return 0;
}

static void names(void *state, struct sl_names *names_out)
{
    sl_loads_names(state, names_out);
}

static void close_value(void *state)
{
    free(((struct sl_loads *)state)->pc);
}

const struct sl_detector_kind sl_detector_value = {
    .name = "value",
    .summary = "what loads loaded: <pc, value>",
    .plural = "values",
    .per_instruction = true,
    .first = SL_READS_CODE,
    .second = {"value", NULL, SL_READS_VALUE},
    .second_in_event = true,
    .stream_needs = SL_WANT_VALUES,
    .per_access = true,
    .default_metric = "count",
    .state_size = sizeof(struct sl_loads),
    .init = init,
    .sync = sync,
    .feed = feed,
    .names = names,
    .close = close_value,
};
