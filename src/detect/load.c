/* SPDX-License-Identifier: MIT */
/* How loads go through memory, by their addresses:
 *
 *     load     <pc, address>   where it loaded from; with line=64, the first byte of that line
 *     stride   <pc, distance>  from where the same instruction loaded before, in its thread, to
 *              here
 *
 * A load with one stride most of the time can be prefetched, one with few lines stays in a cache;
 * with the metrics dmiss and l2miss only those that missed count, so that what is worth it is seen
 * first. The first load of an instruction in a thread, and behind a gap, has no stride. */
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "load_walk.h"
#include "threads.h"

struct config {
    uint64_t line;
};

struct load {
    struct sl_loads loads;     /* first: sl_loads_sync */
    uint64_t line_mask;        /* of load */
    struct sl_threads threads; /* of stride */
};

/* Where each instruction of a thread loaded from last. */
struct last {
    uint64_t *address;
    bool *known;
    size_t room_addresses, room_known;
};

static const struct sl_option options[] = {
    SL_UNSIGNED_FLAGS(struct config, line, "1", 1, 1 << 20, SL_OPTION_POWER_OF_2 | SL_OPTION_BYTES,
                      "bytes of a line: addresses in it are the same"),
    SL_OPTIONS_END,
};

static int init(void *state, const void *config, const struct sl_watch *watch, struct sl_failure *f)
{
    (void)config, (void)f;
    ((struct load *)state)->loads.watch = watch;
    return 0;
}

static int init_addresses(void *state, const void *config, const struct sl_watch *watch,
                          struct sl_failure *f)
{
    ((struct load *)state)->line_mask = -((const struct config *)config)->line;
    return init(state, config, watch, f);
}

static int sync(void *state, struct sl_failure *f)
{
    return sl_loads_sync(&((struct load *)state)->loads, f);
}

static int feed_addresses(void *state, const struct sl_slice *slice, struct sl_events *out,
                          struct sl_failure *f)
{
    const struct load *l = state;
    struct sl_loads_walk walk = sl_loads_begin(&l->loads, slice, out);
    struct sl_load load;
    (void)f;
    while (sl_loads_next(&walk, &load))
        sl_loads_tell(&walk, &load, slice->chunk->mem_addr[load.mem] & l->line_mask, out);
    return 0;
}

static struct last *last_of(struct load *l, const struct sl_slice *slice)
{
    int fresh;
    struct last *last = sl_threads_state(&l->threads, slice->chunk->thread, sizeof *last, &fresh);
    if (!last || !SL_GROW(last->address, last->room_addresses, l->loads.n_pcs) ||
        !SL_GROW(last->known, last->room_known, l->loads.n_pcs))
        return NULL;
    if (!slice->joined)
        memset(last->known, 0, last->room_known * sizeof *last->known);
    return last;
}

/* All loads are followed; those that count are told. */
static int feed_strides(void *state, const struct sl_slice *slice, struct sl_events *out,
                        struct sl_failure *f)
{
    struct load *l = state;
    const struct sl_chunk *chunk = slice->chunk;
    struct last *last = last_of(l, slice);
    struct sl_loads_walk walk = sl_loads_begin(&l->loads, slice, out);
    struct sl_load load;
    if (!last)
        return sl_out_of_memory(f);
    bool more = sl_loads_next(&walk, &load);
    for (uint32_t i = slice->mem_low; i < slice->mem_high; i++) {
        uint32_t insn = chunk->mem_insn[i] & SL_MEM_INSN_MASK;
        if (chunk->mem_insn[i] & (SL_MEM_STORE | SL_MEM_MORE))
            continue;
        if (more && load.mem == i) {
            if (slice->active && last->known[insn])
                sl_loads_tell(&walk, &load, chunk->mem_addr[i] - last->address[insn], out);
            more = sl_loads_next(&walk, &load);
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
    sl_threads_end(&((struct load *)state)->threads, thread, free_last);
}

static void names(void *state, struct sl_names *names_out)
{
    sl_loads_names(&((struct load *)state)->loads, names_out);
}

static void close_load(void *state)
{
    struct load *l = state;
    free(l->loads.pc);
    sl_threads_free(&l->threads, free_last);
}

#define SHARED                                                                        \
    .per_instruction = true, .first = SL_READS_CODE, .second_in_event = true,         \
    .stream_needs = SL_WANT_ADDRESSES, .per_access = true, .default_metric = "count", \
    .state_size = sizeof(struct load), .sync = sync, .names = names, .close = close_load

const struct sl_detector_kind sl_detector_load = {
    .name = "load",
    .summary = "where loads loaded from: <pc, address>, or the line of it",
    .plural = "loads",
    .second = {"address", NULL, SL_READS_DATA},
    .options = options,
    .config_size = sizeof(struct config),
    .init = init_addresses,
    .feed = feed_addresses,
    SHARED,
};

const struct sl_detector_kind sl_detector_stride = {
    .name = "stride",
    .summary = "how far loads went from where they were before: <pc, distance>",
    .plural = "strides",
    .second = {"stride", NULL, SL_READS_STRIDE},
    .feed_inactive = true,
    .init = init,
    .feed = feed_strides,
    .end_thread = end_thread,
    SHARED,
};
