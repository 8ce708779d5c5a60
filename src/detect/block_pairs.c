/* SPDX-License-Identifier: MIT */
/* Counts pairs of consecutive blocks, and lists the function exits in a chunk of the event stream.
 * A function exit is a transfer that may change the current function. block_pairs.h describes pairs
 * and exits.
 *
 * A cached n-gram of eight blocks is counted as a whole. Its count is added to the counts of its
 * pairs when it is replaced and at the end. Other transfers are counted one by one. */
#include "block_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"

/* The meaning of a pair in the flow graph: its id, and whether it is a function exit. */
#define EXIT 1u
#define SHIFT 1
#define EXIT_WITHOUT_PAIR UINT32_MAX

/* The pairs and exits of an n-gram. */
struct sl_ngram_pairs {
    _Alignas(64) uint32_t serial;
    uint32_t n_exits;
    uint64_t count; /* occurrences that are not yet part of sl_block_pairs.count */
    uint32_t instructions;
    bool usable;                      /* every transfer is an ordinary pair */
    uint8_t at[SL_NGRAM_BLOCKS];      /* exits: index of the transfer, from 0 */
    uint32_t all[SL_NGRAM_TRANSFERS]; /* pair ids */
    uint32_t pair[SL_NGRAM_BLOCKS], before[SL_NGRAM_BLOCKS]; /* exits, as in struct sl_exits */
};
_Static_assert(
    sizeof(struct sl_ngram_pairs) == 128,
    "struct sl_ngram_pairs must fill two cache lines, of which counting reads only the first");

/* A backward branch that is not taken ends its loop. */
static bool ends_loop(const struct sl_block_end *end)
{
    return end->branch == SL_BRANCH_CONDITIONAL && end->target <= end->branch_pc;
}

/* The current function (activation.h) stays the same for all other transfers. */
static bool is_exit(const struct sl_block_pairs *s, const struct sl_block_end *end, uint32_t from,
                    uint32_t next)
{
    return end->branch == SL_BRANCH_RETURN || end->branch == SL_BRANCH_CALL ||
           end->branch == SL_BRANCH_INDIRECT_CALL || from >= s->n_blocks ||
           s->function[from] != s->function[next] ||
           (s->need_loop_exits && (s->env->statics->block[next].pc != end->next || ends_loop(end)));
}

static uint32_t meaning(void *context, const struct sl_block_end *end, uint32_t from, uint32_t next)
{
    struct sl_block_pairs *s = context;
    size_t pair_id = s->n_pairs;
    if (pair_id >= SL_FLOW_UNKNOWN >> SHIFT || !SL_GROW(s->pair, s->pairs_capacity, pair_id + 1) ||
        !SL_GROW(s->count, s->counts_capacity, pair_id + 1)) {
        s->flow.out_of_memory = true;
        return SL_FLOW_NOTHING;
    }
    s->pair[pair_id] = (struct sl_block_pair){from, next};
    s->count[pair_id] = 0;
    s->n_pairs++;
    return (uint32_t)pair_id << SHIFT | (is_exit(s, end, from, next) ? EXIT : 0);
}

bool sl_block_pairs_init(struct sl_block_pairs *s, const struct sl_detector_env *env)
{
    *s = (struct sl_block_pairs){.env = env};
    sl_flow_init(&s->flow, env->code, meaning, s);
    s->cached = aligned_alloc(_Alignof(struct sl_ngram_pairs), SL_NGRAM_SLOTS * sizeof *s->cached);
    if (s->cached)
        memset(s->cached, 0, SL_NGRAM_SLOTS * sizeof *s->cached);
    return sl_ngrams_init(&s->ngrams) && s->cached;
}

int sl_block_pairs_sync(struct sl_block_pairs *s, struct sl_failure *f)
{
    const struct sl_statics *statics = s->env->statics;
    if (!SL_GROW(s->entries_without_pair, s->entries_capacity, statics->n_blocks) ||
        !SL_GROW(s->function, s->functions_capacity, statics->n_blocks))
        return sl_out_of_memory(f);
    for (; s->n_blocks < statics->n_blocks; s->n_blocks++) {
        s->entries_without_pair[s->n_blocks] = 0;
        s->function[s->n_blocks] = sl_symbols_function(s->env->symbols,
                                                       statics->block[s->n_blocks].pc);
    }
    return sl_flow_sync(&s->flow, f);
}

/* Counts a transfer of any kind. Returns its meaning: EXIT_WITHOUT_PAIR if it is no pair of blocks
 * or if a signal is involved, except for the next round of a repeated instruction. */
static __attribute__((noinline)) uint32_t
count_transfer(struct sl_block_pairs *s, struct sl_flow_thread *thread, uint32_t next)
{
    uint32_t from = thread->block;
    bool joined = from >= s->flow.n_blocks;
    uint32_t word = sl_flow_step(&s->flow, thread, next);
    bool signal = thread->signal != SL_FLOW_NO_SIGNAL;
    thread->signal = SL_FLOW_NO_SIGNAL;
    if (word == SL_FLOW_NOTHING) {
        s->entries_without_pair[next]++;
        bool repeats = !signal && !joined && thread->block == next;
        return repeats && s->function[from] == s->function[next] ? 0 : EXIT_WITHOUT_PAIR;
    }
    s->count[word >> SHIFT]++;
    return signal || joined ? EXIT_WITHOUT_PAIR : word;
}

/* ---- n-grams ---- */

/* Adds the occurrences of an n-gram to the counts of its pairs. */
static void flush(struct sl_block_pairs *s, struct sl_ngram_pairs *p)
{
    for (unsigned k = 0; k < SL_NGRAM_TRANSFERS && p->count; k++)
        s->count[p->all[k]] += p->count;
    p->count = 0;
}

void sl_block_pairs_flush(struct sl_block_pairs *s)
{
    for (uint32_t i = 0; i < SL_NGRAM_SLOTS; i++)
        flush(s, &s->cached[i]);
}

/* Caches the pairs and exits of these blocks, whose transfers were just counted one by one. */
static __attribute__((noinline)) void cache(struct sl_block_pairs *s, struct sl_ngram_pairs *p,
                                            uint32_t serial, const uint32_t *block)
{
    const uint16_t *size = s->env->statics->block_size;
    flush(s, p);
    *p = (struct sl_ngram_pairs){.serial = serial, .usable = true};
    for (uint8_t k = 0; k < SL_NGRAM_TRANSFERS; k++) {
        uint32_t word = sl_flow_known(&s->flow, block[k], block[k + 1]);
        p->usable &= word < SL_FLOW_UNKNOWN;
        p->all[k] = p->pair[p->n_exits] = word >> SHIFT;
        p->at[p->n_exits] = k;
        p->before[p->n_exits] = p->instructions;
        p->n_exits += word & EXIT;
        p->instructions += size[block[k + 1]];
    }
}

/* Vectors of four elements. */
typedef uint32_t four __attribute__((vector_size(16)));
typedef uint8_t four_bytes __attribute__((vector_size(4)));

static inline void put_sums(uint32_t *to, four add, uint32_t sum)
{
    four sums = add + sum;
    memcpy(to, &sums, sizeof sums);
}

/* Appends the exits of an n-gram, whose first transfer leads to block `first` of the chunk. */
static inline void add_exits(const struct sl_ngram_pairs *p, uint32_t first, uint32_t n,
                             uint32_t sum, struct sl_exits *exits)
{
    for (unsigned k = 0; k < SL_NGRAM_BLOCKS; k += 4) {
        four_bytes at;
        four before;
        memcpy(&at, p->at + k, sizeof at);
        memcpy(&before, p->before + k, sizeof before);
        put_sums(exits->block_index + n + k, __builtin_convertvector(at, four), first);
        put_sums(exits->instructions_before + n + k, before, sum);
    }
    memcpy(exits->pair + n, p->pair, sizeof p->pair);
}

/* ---- chunks ---- */

/* The position of a thread in a chunk. */
struct cursor {
    uint32_t at;  /* block */
    uint32_t n;   /* exits so far */
    uint32_t sum; /* instructions so far, with need_exits */
};

/* Runs the transfers to the blocks from `i` up to `high`, one by one. */
static inline __attribute__((always_inline)) struct cursor
run_each(struct sl_block_pairs *s, struct sl_flow_thread *thread, const struct sl_chunk *chunk,
         uint32_t i, uint32_t high, struct cursor c, struct sl_exits *exits, bool counts,
         bool need_exits)
{
    /* Copies, so that the compiler knows that no store changes them. */
    const uint32_t *const block = chunk->block;
    const uint16_t *const size = s->env->statics->block_size;
    const struct sl_flow_successors *const successors = s->flow.successors;
    const size_t n_successors = s->flow.n_blocks;
    for (; i < high; i++) {
        uint32_t next = block[i], word = sl_flow_cached(successors, n_successors, c.at, next);
        if (need_exits) {
            exits->block_index[c.n] = i;
            exits->instructions_before[c.n] = c.sum;
            c.sum += size[next];
        }
        if (__builtin_expect(word < SL_FLOW_UNKNOWN, 1)) {
            if (counts)
                s->count[word >> SHIFT]++;
            if (need_exits)
                exits->pair[c.n] = word >> SHIFT;
            c.at = next;
        } else {
            thread->block = c.at;
            word = count_transfer(s, thread, next);
            if (need_exits)
                exits->pair[c.n] = word == EXIT_WITHOUT_PAIR ? SL_NO_INDEX : word >> SHIFT;
            c.at = thread->block;
        }
        c.n += need_exits ? word & EXIT : 0;
    }
    return c;
}

static inline __attribute__((always_inline)) void
run(struct sl_block_pairs *s, struct sl_flow_thread *thread, const struct sl_chunk *chunk,
    struct sl_exits *exits, bool counts, bool need_exits)
{
    const uint32_t *const block = chunk->block;
    const uint32_t n_blocks = chunk->n_blocks, n_ngrams = exits->ngrams.n;
    const struct sl_ngram_ref *const ref = exits->ngrams.ref;
    struct cursor c = {.at = thread->block};
    uint32_t i = n_blocks ? 1 : 0;
    c = run_each(s, thread, chunk, 0, i, c, exits, counts, need_exits);
    for (uint32_t k = 0; k < n_ngrams; k++, i += SL_NGRAM_TRANSFERS) {
        struct sl_ngram_pairs *p = &s->cached[ref[k].slot];
        __builtin_prefetch(&s->cached[ref[k + SL_NGRAM_PREFETCH].slot]);
        bool known = p->serial == ref[k].serial;
        if (__builtin_expect(known && p->usable && c.at == block[i - 1], 1)) {
            p->count += counts;
            if (need_exits) {
                add_exits(p, i, c.n, c.sum, exits);
                c.n += p->n_exits;
                c.sum += p->instructions;
            }
            c.at = block[i + SL_NGRAM_TRANSFERS - 1];
            continue;
        }
        c = run_each(s, thread, chunk, i, i + SL_NGRAM_TRANSFERS, c, exits, counts, need_exits);
        if (!known)
            cache(s, p, ref[k].serial, block + i - 1);
    }
    c = run_each(s, thread, chunk, i, n_blocks, c, exits, counts, need_exits);
    thread->block = c.at;
    exits->n = c.n;
}

int sl_block_pairs_run(struct sl_block_pairs *s, const struct sl_chunk *chunk,
                       struct sl_exits *exits, struct sl_failure *f)
{
    int fresh;
    exits->instructions = sl_ngrams_find(&s->ngrams, chunk, s->env->statics->block_size,
                                         &exits->ngrams);
    if (!s->need_counts && !s->need_exits)
        return 0;
    struct sl_flow_thread *thread = sl_threads_state(&s->threads, chunk->thread, sizeof *thread,
                                                     &fresh);
    if (!thread)
        return sl_out_of_memory(f);
    bool some = chunk->n_blocks || chunk->n_mems;
    if (fresh || (some && chunk->flags & (SL_CHUNK_START | SL_CHUNK_GAP)))
        *thread = (struct sl_flow_thread){.block = SL_FLOW_NONE};
    if (!s->need_exits)
        run(s, thread, chunk, exits, true, false);
    else if (!s->need_counts)
        run(s, thread, chunk, exits, false, true);
    else
        run(s, thread, chunk, exits, true, true);
    exits->n_pairs = s->n_pairs;
    if (chunk->flags & SL_CHUNK_END)
        sl_threads_end(&s->threads, chunk->thread, NULL);
    return s->flow.out_of_memory ? sl_out_of_memory(f) : 0;
}

void sl_block_pairs_free(struct sl_block_pairs *s)
{
    sl_flow_free(&s->flow);
    sl_threads_free(&s->threads, NULL);
    sl_ngrams_free(&s->ngrams);
    free(s->cached);
    free(s->pair);
    free(s->count);
    free(s->entries_without_pair);
    free(s->function);
}
