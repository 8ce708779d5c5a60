/* SPDX-License-Identifier: MIT */
/* Detectors `value`, `load` and `stride`, which count the values, addresses and strides of loads.
 * The first field of their tuples is the pc of the load instruction.
 *
 *     value    <pc, value>     the loaded value
 *     load     <pc, address>   the address; with line=64, the address of that line
 *     stride   <pc, distance>  from the address of the instruction's previous load in its thread
 *
 * An instruction is one load, however many accesses it makes (a pair, a string comparison): value
 * and address are those of the first. A value is up to 8 bytes, zero-extended; of wider loads, the
 * low 8 bytes. A load counts once, or with a metric of misses (sl_slice.access) once for each
 * access that missed, and not at all if none did.
 *
 * A load with one stride most of the time can be prefetched; one with few lines stays in a cache.
 * The metrics dmiss and l2miss count only loads that missed, so that those worth the work come
 * first. The first load of an instruction in a thread, and the first after a gap, has no stride.
 *
 * Not modelled: results of other instructions. Taps receive memory accesses only, and reading
 * registers after each instruction would cost far more than all other tracing. */
#include <stdlib.h>
#include <string.h>

#include "detector_state.h"
#include "failure.h"
#include "grow.h"
#include "machine.h"

struct config {
    uint64_t line;
};

struct loads {
    struct sl_detector_state base; /* first; threads: of `stride` */
    uint64_t *pc;                  /* by instruction */
    size_t n_pcs, pcs_capacity;
    uint64_t line_mask; /* of `load` */
};

/* The last addresses of a thread, by instruction. */
struct last {
    uint64_t *address;
    bool *known;
    size_t addresses_capacity, known_capacity;
};

static const struct sl_option options[] = {
    SL_UNSIGNED_FLAGS(
        struct config, line, "1", 1, 1 << 20, SL_OPTION_POWER_OF_2 | SL_OPTION_BYTES,
        "line size in bytes: addresses in the same line count as one address; 1: exact addresses"),
    SL_OPTIONS_END,
};

/* ---- the loads of a slice ---- */

struct load {
    uint32_t insn;
    uint32_t mem; /* its index in the chunk */
    uint64_t weight;
};

struct walk {
    const struct sl_slice *slice;
    const struct sl_selection *selection;
    const uint8_t *misses; /* by access: what it missed (enum sl_access_event); NULL: loads count */
    uint32_t at, flags;
};

static void set_positions(const struct sl_slice *slice, uint32_t *position)
{
    const uint32_t *block_mem = slice->chunk->block_mem;
    uint32_t block = slice->block_low;
    for (uint32_t i = slice->mem_low; i < slice->mem_high; i++) {
        while (block < slice->block_high && block_mem[block] <= i)
            block++;
        position[i - slice->mem_low] = block;
    }
}

/* Begins a walk over the loads of a slice. Also writes the positions of all its loads, selected or
 * not, if `out` has positions. */
static struct walk begin(const struct loads *l, const struct sl_slice *slice, struct sl_events *out)
{
    if (out->position)
        set_positions(slice, out->position);
    return (struct walk){
        .slice = slice,
        .selection = l->base.env->selection,
        .misses = slice->access ? sl_machine_access_events(l->base.env->machine) : NULL,
        .at = slice->mem_low,
        .flags = slice->chunk->mem_addr ? ~SL_MEM_INSN_MASK : 0,
    };
}

/* Misses of the load at `mem` and of the other accesses of its instruction. */
static uint64_t count_misses(struct walk *w, uint32_t mem)
{
    const uint32_t *word = w->slice->chunk->mem_insn;
    uint64_t n = (w->misses[mem] & w->slice->access) != 0;
    for (; w->at < w->slice->mem_high && word[w->at] & SL_MEM_MORE; w->at++)
        n += !(word[w->at] & SL_MEM_STORE) && w->misses[w->at] & w->slice->access;
    return n;
}

/* The next load that is selected and counts; false at the end. */
static bool next(struct walk *w, struct load *load)
{
    while (w->at < w->slice->mem_high) {
        uint32_t mem = w->at++, word = w->slice->chunk->mem_insn[mem];
        if (word & w->flags & (SL_MEM_STORE | SL_MEM_MORE))
            continue;
        *load = (struct load){word & ~w->flags, mem, w->misses ? count_misses(w, mem) : 1};
        if (load->weight && w->selection->chosen[load->insn])
            return true;
    }
    return false;
}

/* Emits a load, with the second field of its tuple. */
static inline void emit(const struct walk *walk, const struct load *load, uint64_t value,
                        struct sl_events *out)
{
    out->tuple_id[out->n] = load->insn;
    out->value[out->n] = value;
    if (walk->misses)
        out->weight[out->n] = load->weight;
    if (out->position)
        out->position[out->n] = out->position[load->mem - walk->slice->mem_low];
    out->n++;
}

/* ---- the detectors ---- */

static int sync(void *state, struct sl_failure *f)
{
    struct loads *l = state;
    const struct sl_statics *statics = l->base.env->statics;
    if (!SL_GROW(l->pc, l->pcs_capacity, statics->n_insns))
        return sl_out_of_memory(f);
    for (; l->n_pcs < statics->n_insns; l->n_pcs++)
        l->pc[l->n_pcs] = statics->insn[l->n_pcs].pc;
    return 0;
}

static int feed_values(void *state, const struct sl_slice *slice, struct sl_events *out,
                       struct sl_failure *f)
{
    const struct loads *l = state;
    const struct sl_selection *selection = l->base.env->selection;
    const struct sl_chunk *chunk = slice->chunk;
    struct walk walk = begin(l, slice, out);
    struct load load;
    (void)f;
    if (!chunk->mem_addr && !selection->by_range && !selection->by_class) {
        out->tuple_id_in_place = chunk->mem_insn + slice->mem_low;
        out->value_in_place = chunk->mem_value + slice->mem_low;
        out->n = slice->mem_high - slice->mem_low;
        return 0;
    }
    while (next(&walk, &load))
        emit(&walk, &load, chunk->mem_value[load.mem], out);
    return 0;
}

static int init_addresses(void *state, const void *config, const struct sl_detector_env *env,
                          struct sl_failure *f)
{
    ((struct loads *)state)->line_mask = -((const struct config *)config)->line;
    return sl_detector_state_init(state, config, env, f);
}

static int feed_addresses(void *state, const struct sl_slice *slice, struct sl_events *out,
                          struct sl_failure *f)
{
    const struct loads *l = state;
    struct walk walk = begin(l, slice, out);
    struct load load;
    (void)f;
    while (next(&walk, &load))
        emit(&walk, &load, slice->chunk->mem_addr[load.mem] & l->line_mask, out);
    return 0;
}

static struct last *last_of(struct loads *l, const struct sl_slice *slice)
{
    int fresh;
    struct last *last = sl_threads_state(&l->base.threads, slice->chunk->thread, sizeof *last,
                                         &fresh);
    if (!last || !SL_GROW(last->address, last->addresses_capacity, l->n_pcs) ||
        !SL_GROW(last->known, last->known_capacity, l->n_pcs))
        return NULL;
    if (!slice->joined)
        memset(last->known, 0, last->known_capacity * sizeof *last->known);
    return last;
}

/* Inactive slices emit nothing, but their addresses are the last ones of the next slice. */
static int feed_strides(void *state, const struct sl_slice *slice, struct sl_events *out,
                        struct sl_failure *f)
{
    struct loads *l = state;
    const struct sl_chunk *chunk = slice->chunk;
    struct last *last = last_of(l, slice);
    struct walk walk = begin(l, slice, out);
    struct load load;
    if (!last)
        return sl_out_of_memory(f);
    bool more = next(&walk, &load);
    for (uint32_t i = slice->mem_low; i < slice->mem_high; i++) {
        uint32_t insn = chunk->mem_insn[i] & SL_MEM_INSN_MASK;
        if (chunk->mem_insn[i] & (SL_MEM_STORE | SL_MEM_MORE))
            continue;
        if (more && load.mem == i) {
            if (slice->active && last->known[insn])
                emit(&walk, &load, chunk->mem_addr[i] - last->address[insn], out);
            more = next(&walk, &load);
        }
        last->address[insn] = chunk->mem_addr[i];
        last->known[insn] = true;
    }
    return 0;
}

static void free_last(void *state)
{
    struct last *last = state;
    free(last->address);
    free(last->known);
}

static void end_thread(void *state, uint32_t thread, struct sl_events *out)
{
    (void)out;
    sl_threads_end(&((struct loads *)state)->base.threads, thread, free_last);
}

static void names(void *state, struct sl_tuple_names *names_out)
{
    const struct loads *l = state;
    *names_out = (struct sl_tuple_names){l->pc, NULL, l->n_pcs};
}

static void close_loads(void *state)
{
    struct loads *l = state;
    free(l->pc);
    sl_threads_free(&l->base.threads, free_last);
}

#define SHARED                                                                                    \
    .per_instruction = true, .first = SL_FIELD_CODE, .second_in_event = true, .per_access = true, \
    .default_metric = "count", .state_size = sizeof(struct loads), .sync = sync, .names = names,  \
    .close = close_loads

const struct sl_detector_kind sl_detector_value = {
    .name = "value",
    .summary = "values that loads read: <pc, value>",
    .plural = "values",
    .second = {"value", NULL, SL_FIELD_VALUE},
    .stream_needs = SL_NEED_VALUES,
    .init = sl_detector_state_init,
    .feed = feed_values,
    SHARED,
};

const struct sl_detector_kind sl_detector_load = {
    .name = "load",
    .summary = "addresses that loads read, or their cache lines: <pc, address>",
    .plural = "loads",
    .second = {"address", NULL, SL_FIELD_DATA},
    .stream_needs = SL_NEED_ADDRESSES,
    .options = options,
    .config_size = sizeof(struct config),
    .init = init_addresses,
    .feed = feed_addresses,
    SHARED,
};

const struct sl_detector_kind sl_detector_stride = {
    .name = "stride",
    .summary = "strides of loads (distances from the load's previous address): <pc, distance>",
    .plural = "strides",
    .second = {"stride", NULL, SL_FIELD_STRIDE},
    .stream_needs = SL_NEED_ADDRESSES,
    .feed_inactive = true,
    .init = sl_detector_state_init,
    .feed = feed_strides,
    .end_thread = end_thread,
    SHARED,
};
