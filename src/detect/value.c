/* Values: <pc of a load, what it loaded>. A load of up to 8 bytes by its value,
 * zero-extended; a wider one by its low 8 bytes; an instruction that loads
 * several things (a pair, a string comparison) by the first. */
#include <stdlib.h>

#include "detector.h"
#include "failure.h"
#include "grow.h"

struct value {
    const struct sl_watch *watch;
    uint64_t *pc; /* by instruction number */
    size_t n_pcs, room_pcs;
};

static int init(void *state, const void *config, const struct sl_watch *watch, struct sl_failure *f)
{
    struct value *v = state;
    (void)config, (void)f;
    v->watch = watch;
    return 0;
}

static int sync(void *state, struct sl_failure *f)
{
    struct value *v = state;
    if (!SL_GROW(v->pc, v->room_pcs, v->watch->statics->n_insns))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    for (; v->n_pcs < v->watch->statics->n_insns; v->n_pcs++)
        v->pc[v->n_pcs] = v->watch->statics->insn[v->n_pcs].pc;
    return 0;
}

/* The places of all loads of the slice, chosen or not. */
static void place_loads(const struct sl_slice *slice, uint32_t *place)
{
    const uint32_t *block_mem = slice->chunk->block_mem;
    uint32_t block = slice->block_low;
    for (uint32_t i = slice->mem_low; i < slice->mem_high; i++) {
        while (block < slice->block_high && block_mem[block] <= i)
            block++;
        place[i - slice->mem_low] = block;
    }
}

static int feed(void *state, const struct sl_slice *slice, struct sl_events *out,
                struct sl_failure *f)
{
    struct value *v = state;
    const struct sl_selection *selection = v->watch->selection;
    const struct sl_chunk *chunk = slice->chunk;
    (void)f;
    size_t n = 0;
    if (out->place)
        place_loads(slice, out->place);
    if (!chunk->mem_addr && !selection->by_range && !selection->by_class) {
        out->number_in_place = chunk->mem_insn + slice->mem_low;
        out->value_in_place = chunk->mem_value + slice->mem_low;
        out->n = slice->mem_high - slice->mem_low;
        return 0;
    }
    for (uint32_t i = slice->mem_low; i < slice->mem_high; i++) {
        uint32_t word = chunk->mem_insn[i], insn = word;
        bool counts = true;
        if (chunk->mem_addr) {
            insn &= SL_MEM_INSN_MASK;
            counts = !(word & (SL_MEM_STORE | SL_MEM_MORE));
        }
        out->number[n] = insn;
        out->value[n] = chunk->mem_value[i];
        if (out->place)
            out->place[n] = out->place[i - slice->mem_low];
        n += counts && selection->chosen[insn];
    }
    out->n = n;
    return 0;
}

static void names(void *state, struct sl_names *names_out)
{
    struct value *v = state;
    *names_out = (struct sl_names){v->pc, NULL, v->n_pcs};
}

static void close_value(void *state)
{
    struct value *v = state;
    free(v->pc);
}

const struct sl_detector_kind sl_detector_value = {
    .name = "value",
    .summary = "what loads loaded: <pc, value>",
    .plural = "values",
    .by_instruction = true,
    .first = SL_READS_CODE,
    .second = {"value", NULL, SL_READS_NUMBER},
    .brings_second = true,
    .wants = SL_WANT_VALUES,
    .weighs_itself = true,
    .metric = "count",
    .state_size = sizeof(struct value),
    .init = init,
    .sync = sync,
    .feed = feed,
    .names = names,
    .close = close_value,
};
