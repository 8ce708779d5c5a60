/* SPDX-License-Identifier: MIT */
#include "steps.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"

/* A pair's meaning in the flow: its number, and whether it may lead out of a function. */
#define AWAY 1u
#define SHIFT 1
#define ANYWHERE UINT32_MAX /* away, and no pair */

struct sl_step_phrase {
    _Alignas(64) uint32_t serial;
    uint32_t n_away;
    uint64_t count; /* since its pairs were counted */
    uint32_t instructions;
    bool kept;                     /* all its steps are those of pairs */
    uint8_t at[SL_PHRASE_BLOCKS];  /* those away, as struct sl_away has them: counted from the first
                                      step */
    uint32_t all[SL_PHRASE_STEPS]; /* pairs */
    uint32_t pair[SL_PHRASE_BLOCKS], before[SL_PHRASE_BLOCKS];
};
_Static_assert(sizeof(struct sl_step_phrase) == 128,
               "two lines of a cache, of which the first is for counting");

/* Behind a branch back that is not taken, the loop is over. */
static bool ends_loop(const struct sl_block_end *end)
{
    return end->branch == SL_BRANCH_CONDITIONAL && end->target <= end->branch_pc;
}

/* As long as a transfer is none of these and stays in a symbol, whoever follows calls has nothing
 * to do (activation.h). */
static bool leads_away(const struct sl_steps *s, const struct sl_block_end *end, uint32_t from,
                       uint32_t next)
{
    return end->branch == SL_BRANCH_RETURN || end->branch == SL_BRANCH_CALL ||
           end->branch == SL_BRANCH_INDIRECT_CALL || from >= s->n_blocks ||
           s->function[from] != s->function[next] ||
           (s->loops && (s->watch->statics->block[next].pc != end->next || ends_loop(end)));
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
    s->count[number] = 0;
    s->n_pairs++;
    return (uint32_t)number << SHIFT | (leads_away(s, end, from, next) ? AWAY : 0);
}

bool sl_steps_init(struct sl_steps *s, const struct sl_watch *watch)
{
    *s = (struct sl_steps){.watch = watch};
    sl_flow_init(&s->flow, watch->code, meaning, s);
    s->of_phrase = aligned_alloc(_Alignof(struct sl_step_phrase),
                                 SL_PHRASE_PLACES * sizeof *s->of_phrase);
    if (s->of_phrase)
        memset(s->of_phrase, 0, SL_PHRASE_PLACES * sizeof *s->of_phrase);
    return sl_phrases_init(&s->phrases) && s->of_phrase;
}

int sl_steps_sync(struct sl_steps *s, struct sl_failure *f)
{
    const struct sl_statics *statics = s->watch->statics;
    if (!SL_GROW(s->beside, s->room_beside, statics->n_blocks) ||
        !SL_GROW(s->function, s->room_functions, statics->n_blocks))
        return sl_out_of_memory(f);
    for (; s->n_blocks < statics->n_blocks; s->n_blocks++) {
        s->beside[s->n_blocks] = 0;
        s->function[s->n_blocks] = sl_symbols_function(s->watch->symbols,
                                                       statics->block[s->n_blocks].pc);
    }
    return sl_flow_sync(&s->flow, f);
}

/* A step of any kind, as a word of the flow. Where it is none of a pair of blocks, or has to do
 * with signals, it may lead anywhere; but not to the next round of a repeated instruction. */
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
    s->count[word >> SHIFT]++;
    return signal || joined ? ANYWHERE : word;
}

/* ---- phrases ---- */

/* Counts the pairs of a phrase as often as it came. */
static void settle(struct sl_steps *s, struct sl_step_phrase *p)
{
    for (unsigned k = 0; k < SL_PHRASE_STEPS && p->count; k++)
        s->count[p->all[k]] += p->count;
    p->count = 0;
}

void sl_steps_settle(struct sl_steps *s)
{
    for (uint32_t i = 0; i < SL_PHRASE_PLACES; i++)
        settle(s, &s->of_phrase[i]);
}

/* Keeps what the steps of these blocks come to, which were just taken one by one. */
static __attribute__((noinline)) void keep(struct sl_steps *s, struct sl_step_phrase *p,
                                           uint32_t serial, const uint32_t *block)
{
    const uint16_t *size = s->watch->statics->block_size;
    settle(s, p);
    *p = (struct sl_step_phrase){.serial = serial, .kept = true};
    for (uint8_t k = 0; k < SL_PHRASE_STEPS; k++) {
        uint32_t word = sl_flow_known(&s->flow, block[k], block[k + 1]);
        p->kept &= word < SL_FLOW_LOOK;
        p->all[k] = p->pair[p->n_away] = word >> SHIFT;
        p->at[p->n_away] = k;
        p->before[p->n_away] = p->instructions;
        p->n_away += word & AWAY;
        p->instructions += size[block[k + 1]];
    }
}

/* Four numbers at once. */
typedef uint32_t four __attribute__((vector_size(16)));
typedef uint8_t four_bytes __attribute__((vector_size(4)));

static inline void put_sums(uint32_t *to, four add, uint32_t sum)
{
    four sums = add + sum;
    memcpy(to, &sums, sizeof sums);
}

/* Tells the steps away of a phrase, whose first is that to block `first`. */
static inline void tell(const struct sl_step_phrase *p, uint32_t first, uint32_t n, uint32_t sum,
                        struct sl_away *away)
{
    for (unsigned k = 0; k < SL_PHRASE_BLOCKS; k += 4) {
        four_bytes at;
        four before;
        memcpy(&at, p->at + k, sizeof at);
        memcpy(&before, p->before + k, sizeof before);
        put_sums(away->at + n + k, __builtin_convertvector(at, four), first);
        put_sums(away->before + n + k, before, sum);
    }
    memcpy(away->pair + n, p->pair, sizeof p->pair);
}

/* ---- chunks ---- */

/* Where a thread is in a chunk. */
struct cursor {
    uint32_t at;  /* block */
    uint32_t n;   /* steps away so far */
    uint32_t sum; /* instructions so far, if steps are told */
};

/* Takes the steps to the blocks from `i` up to `high`, one by one. */
static inline __attribute__((always_inline)) struct cursor
take_each(struct sl_steps *s, struct sl_flow_thread *thread, const struct sl_chunk *chunk,
          uint32_t i, uint32_t high, struct cursor c, struct sl_away *away, bool counted, bool told)
{
    /* Copies, so that the compiler need not fear that a store changes them. */
    const uint32_t *const block = chunk->block;
    const uint16_t *const size = s->watch->statics->block_size;
    const struct sl_flow_place *const place = s->flow.place;
    const size_t n_places = s->flow.n_places;
    for (; i < high; i++) {
        uint32_t next = block[i], word = sl_flow_kept(place, n_places, c.at, next);
        if (told) {
            away->at[c.n] = i;
            away->before[c.n] = c.sum;
            c.sum += size[next];
        }
        if (__builtin_expect(word < SL_FLOW_LOOK, 1)) {
            if (counted)
                s->count[word >> SHIFT]++;
            if (told)
                away->pair[c.n] = word >> SHIFT;
            c.at = next;
        } else {
            thread->block = c.at;
            word = step(s, thread, next);
            if (told)
                away->pair[c.n] = word == ANYWHERE ? SL_NO_INDEX : word >> SHIFT;
            c.at = thread->block;
        }
        c.n += told ? word & AWAY : 0;
    }
    return c;
}

static inline __attribute__((always_inline)) void
take(struct sl_steps *s, struct sl_flow_thread *thread, const struct sl_chunk *chunk,
     struct sl_away *away, bool counted, bool told)
{
    const uint32_t *const block = chunk->block;
    const uint32_t n_blocks = chunk->n_blocks, n_phrases = away->phrases.n;
    const struct sl_phrase_use *const use = away->phrases.use;
    struct cursor c = {.at = thread->block};
    uint32_t i = n_blocks ? 1 : 0;
    c = take_each(s, thread, chunk, 0, i, c, away, counted, told);
    for (uint32_t k = 0; k < n_phrases; k++, i += SL_PHRASE_STEPS) {
        struct sl_step_phrase *p = &s->of_phrase[use[k].place];
        __builtin_prefetch(&s->of_phrase[use[k + SL_PHRASES_AHEAD].place]);
        bool known = p->serial == use[k].serial;
        if (__builtin_expect(known && p->kept && c.at == block[i - 1], 1)) {
            p->count += counted;
            if (told) {
                tell(p, i, c.n, c.sum, away);
                c.n += p->n_away;
                c.sum += p->instructions;
            }
            c.at = block[i + SL_PHRASE_STEPS - 1];
            continue;
        }
        c = take_each(s, thread, chunk, i, i + SL_PHRASE_STEPS, c, away, counted, told);
        if (!known)
            keep(s, p, use[k].serial, block + i - 1);
    }
    c = take_each(s, thread, chunk, i, n_blocks, c, away, counted, told);
    thread->block = c.at;
    away->n = c.n;
}

int sl_steps_take(struct sl_steps *s, const struct sl_chunk *chunk, struct sl_away *away,
                  struct sl_failure *f)
{
    int fresh;
    away->instructions = sl_phrases_find(&s->phrases, chunk, s->watch->statics->block_size,
                                         &away->phrases);
    if (s->idle)
        return 0;
    struct sl_flow_thread *thread = sl_threads_state(&s->threads, chunk->thread, sizeof *thread,
                                                     &fresh);
    if (!thread)
        return sl_out_of_memory(f);
    bool some = chunk->n_blocks || chunk->n_mems;
    if (fresh || (some && chunk->flags & (SL_CHUNK_START | SL_CHUNK_GAP)))
        *thread = (struct sl_flow_thread){.block = SL_FLOW_NONE};
    if (s->untold)
        take(s, thread, chunk, away, true, false);
    else if (s->unsummed)
        take(s, thread, chunk, away, false, true);
    else
        take(s, thread, chunk, away, true, true);
    away->n_pairs = s->n_pairs;
    if (chunk->flags & SL_CHUNK_END)
        sl_threads_end(&s->threads, chunk->thread, NULL);
    return s->flow.out_of_memory ? sl_out_of_memory(f) : 0;
}

void sl_steps_free(struct sl_steps *s)
{
    sl_flow_free(&s->flow);
    sl_threads_free(&s->threads, NULL);
    sl_phrases_free(&s->phrases);
    free(s->of_phrase);
    free(s->pair);
    free(s->count);
    free(s->beside);
    free(s->function);
}
