#include "steps.h"

#include <stdlib.h>

#include "failure.h"
#include "grow.h"

/* A pair's meaning in the flow: its number, and whether it may lead out of a function. */
#define AWAY 1u
#define SHIFT 1
#define ANYWHERE UINT32_MAX /* away, and no pair */

/* As long as a transfer is none of these and stays in a symbol, whoever follows calls has nothing to
 * do (activation.h). */
static bool leads_away(const struct sl_steps *s, const struct sl_block_end *end, uint32_t from,
                       uint32_t next)
{
    return end->branch == SL_BRANCH_RETURN || end->branch == SL_BRANCH_CALL ||
           end->branch == SL_BRANCH_INDIRECT_CALL || from >= s->n_blocks ||
           s->function[from] != s->function[next] ||
           (s->loops && s->watch->statics->block[next].pc != end->next);
}

static uint32_t meaning(void *context, const struct sl_block_end *end, uint32_t from, uint32_t next)
{
    struct sl_steps *s = context;
    size_t number = s->n_pairs;
    if (number >= SL_FLOW_LOOK >> SHIFT || !SL_GROW(s->pair, s->room_pairs, number + 1) ||
        !SL_GROW(s->count, s->room_counts, number + 1)) {
        s->flow.out_of_memory = true;
        return SL_FLOW_NOTHING;
    }
    s->pair[number] = (struct sl_pair){from, next};
    s->count[number][0] = s->count[number][1] = 0;
    s->n_pairs++;
    return (uint32_t)number << SHIFT | (leads_away(s, end, from, next) ? AWAY : 0);
}

void sl_steps_init(struct sl_steps *s, const struct sl_watch *watch)
{
    *s = (struct sl_steps){.watch = watch};
    sl_flow_init(&s->flow, watch->code, meaning, s);
}

int sl_steps_sync(struct sl_steps *s, struct sl_failure *f)
{
    const struct sl_statics *statics = s->watch->statics;
    if (!SL_GROW(s->beside, s->room_beside, statics->n_blocks) ||
        !SL_GROW(s->function, s->room_functions, statics->n_blocks))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    for (; s->n_blocks < statics->n_blocks; s->n_blocks++) {
        s->beside[s->n_blocks] = 0;
        s->function[s->n_blocks] =
            sl_symbols_function(s->watch->symbols, statics->block[s->n_blocks].pc);
    }
    return sl_flow_sync(&s->flow, f);
}

/* A step of any kind, as a word of the flow. Where it is none of a pair of blocks, or has to do with
 * signals, it may lead anywhere; but not to the next round of a repeated instruction. */
static __attribute__((noinline)) uint32_t step(struct sl_steps *s, struct sl_flow_thread *thread,
                                               uint32_t next)
{
    uint32_t from = thread->block;
    bool joined = from >= s->flow.n_places;
    uint32_t word = sl_flow_step(&s->flow, thread, next);
    bool signal = thread->signal != SL_FLOW_NO_SIGNAL;
    thread->signal = SL_FLOW_NO_SIGNAL;
    if (word == SL_FLOW_NOTHING) {
        s->beside[next]++;
        bool repeats = !signal && !joined && thread->block == next;
        return repeats && s->function[from] == s->function[next] ? 0 : ANYWHERE;
    }
    s->count[word >> SHIFT][0]++;
    return signal || joined ? ANYWHERE : word;
}

static inline __attribute__((always_inline)) void
take(struct sl_steps *s, struct sl_flow_thread *thread, const struct sl_chunk *chunk,
     struct sl_away *away, bool counted, bool told)
{
    /* Copies, so that the compiler need not fear that a store changes them. */
    const uint32_t *const block = chunk->block;
    const uint16_t *const size = s->watch->statics->block_size;
    const struct sl_flow_place *const place = s->flow.place;
    const size_t n_places = s->flow.n_places;
    uint64_t (*count)[2] = s->count;
    uint32_t at = thread->block, n = 0, sum = 0;
    for (uint32_t i = 0; i < chunk->n_blocks; i++) {
        uint32_t next = block[i], word = sl_flow_kept(place, n_places, at, next);
        if (told) {
            away->at[n] = i;
            away->before[n] = sum;
        }
        sum += size[next];
        if (__builtin_expect(word < SL_FLOW_LOOK, 1)) {
            if (counted)
                count[word >> SHIFT][i & 1]++;
            if (told)
                away->pair[n] = word >> SHIFT;
            at = next;
        } else {
            thread->block = at;
            word = step(s, thread, next);
            if (told)
                away->pair[n] = word == ANYWHERE ? SL_NO_INDEX : word >> SHIFT;
            at = thread->block;
            count = s->count;
        }
        n += told ? word & AWAY : 0;
    }
    thread->block = at;
    away->n = n;
    away->n_pairs = s->n_pairs;
    away->instructions = sum;
}

int sl_steps_take(struct sl_steps *s, const struct sl_chunk *chunk, struct sl_away *away,
                  struct sl_failure *f)
{
    int fresh;
    struct sl_flow_thread *thread =
        sl_threads_state(&s->threads, chunk->thread, sizeof *thread, &fresh);
    if (!thread)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    bool some = chunk->n_blocks || chunk->n_mems;
    if (fresh || (some && chunk->flags & (SL_CHUNK_START | SL_CHUNK_GAP)))
        *thread = (struct sl_flow_thread){.block = SL_FLOW_NONE};
    if (s->untold)
        take(s, thread, chunk, away, true, false);
    else if (s->unsummed)
        take(s, thread, chunk, away, false, true);
    else
        take(s, thread, chunk, away, true, true);
    if (chunk->flags & SL_CHUNK_END)
        sl_threads_end(&s->threads, chunk->thread, NULL);
    return s->flow.out_of_memory ? sl_fail(f, SL_ENOMEM, "out of memory") : 0;
}

void sl_steps_free(struct sl_steps *s)
{
    sl_flow_free(&s->flow);
    sl_threads_free(&s->threads, NULL);
    free(s->pair);
    free(s->count);
    free(s->beside);
    free(s->function);
}
