/* SPDX-License-Identifier: MIT */
/* Adds a new path to the memoized block timings (in_order_path.c). */
#include <string.h>

#include "in_order_memo.h"
#include "shape.h"

static void add_fork(struct sl_in_order_paths *p, uint32_t word,
                     const struct sl_cache_reply *answer, uint32_t to)
{
    p->fork[p->n_forks] = (struct sl_memo_fork){*answer, to, p->beside[word].fork};
    p->beside[word].fork = (uint32_t)p->n_forks++;
}

/* Adds a step and the word after it. */
static void add_link(struct sl_in_order_paths *p, enum sl_memo_kind kind, uint32_t question,
                     size_t to)
{
    p->word[p->n_words++] = (union sl_memo_word){
        .step = {.kind = (uint8_t)kind, .question = (uint8_t)question}};
    p->word[p->n_words++].index = (uint32_t)to;
}

static enum sl_memo_kind kind_of(const struct sl_block_execution *e,
                                 const struct sl_cache_request *q)
{
    if (q->n > 1 || q->under_way)
        return SL_WAY_ASK;
    return !q->n ? SL_WAY_FETCH : e->reference[q->reference].store ? SL_WAY_STORE : SL_WAY_LOAD;
}

static uint64_t place_of(const struct sl_cache_request *q, uint64_t first_line)
{
    return q->n ? q->reference : q->line - first_line;
}

static void add_question(struct sl_in_order_paths *p, const struct sl_block_execution *e,
                         uint32_t number, uint64_t start, uint64_t first_line)
{
    const struct sl_cache_request *q = &p->questions.question[number];
    uint32_t at = (uint32_t)p->n_words++;
    p->word[at] = (union sl_memo_word){.step = {.kind = (uint8_t)kind_of(e, q),
                                                .place = (uint8_t)place_of(q, first_line),
                                                .n = (uint8_t)q->n,
                                                .question = (uint8_t)number}};
    p->beside[at] = (struct sl_memo_beside){.at = (uint16_t)(q->at - start),
                                            .under_way = q->under_way};
    if (!sl_memo_is_hit(&q->answer)) {
        add_link(p, SL_WAY_UNKNOWN, number + 1, 0);
        add_fork(p, at, &q->answer, (uint32_t)p->n_words);
    }
}

/* True if the exit fits in struct sl_memo_exit. */
static bool fits(const struct sl_cache_requests *q, uint64_t first_line, uint64_t cycles)
{
    bool all = q->n <= SL_IN_ORDER_QUESTIONS && cycles < SL_WAY_NEVER;
    for (uint32_t i = q->n_known; i < q->n && all; i++)
        all = place_of(&q->question[i], first_line) <= UINT8_MAX && q->question[i].n <= UINT8_MAX;
    return all;
}

_Static_assert(2 * SL_SHAPE_REFERENCES <= SL_WAY_HALVES_MAX,
               "an access takes two half cycles at most");

static void add_exit(struct sl_in_order *c, uint32_t state, const uint64_t before[SL_HAPPENINGS],
                     const uint64_t after[SL_HAPPENINGS], uint64_t start)
{
    struct sl_memo_exit *x = &c->paths->exit[c->paths->n_exits];
    *x = (struct sl_memo_exit){
        .line = c->line,
        .pc = c->hierarchy->pc,
        .state = state,
        .cycles = (uint16_t)(c->now - start),
        .asked_at = c->paths->questions.n ? (uint16_t)(c->hierarchy->now - start) : SL_WAY_NEVER,
        .halves = (after[SL_MACHINE_DATA_HALVES] - before[SL_MACHINE_DATA_HALVES]) &
                  SL_WAY_HALVES_MAX,
        .begun = c->begun[SL_OF_ANY] & SL_WAY_BEGUN_MAX};
    for (unsigned i = 0; i < SL_WAY_SUMS; i++)
        x->sum[i] = (uint16_t)(after[SL_MACHINE_BASE + i] - before[SL_MACHINE_BASE + i]);
}

static void add_way(struct sl_in_order *c, const struct sl_block_execution *e,
                    struct sl_memo_end end, const uint64_t before[SL_HAPPENINGS],
                    const uint64_t after[SL_HAPPENINGS], uint64_t start)
{
    struct sl_in_order_paths *p = c->paths;
    const struct sl_cache_requests *q = &p->questions;
    uint64_t first_line = e->op->pc >> c->hierarchy->port[0].line_log2;
    bool kept = fits(q, first_line, c->now - start) && sl_in_order_paths_make_room(p);
    uint32_t state = kept ? sl_in_order_find_state(c, p) : 0;
    if (!state)
        return;
    uint32_t first = (uint32_t)p->n_words;
    if (!end.word) {
        p->entry_word[end.entry] = first;
        memcpy(p->word + first, &first_line, sizeof first_line);
        p->n_words += sizeof first_line / sizeof *p->word;
    } else if (end.at_answer) {
        add_fork(p, end.word, &q->question[end.n_known - 1].answer, first);
    } else {
        p->word[end.word].step.kind = SL_WAY_JUMP;
        p->word[end.word + 1].index = first;
    }
    for (uint32_t i = end.n_known; i < q->n; i++)
        add_question(p, e, i, start, first_line);
    add_link(p, SL_WAY_END, 0, p->n_exits);
    add_exit(c, state, before, after, start);
    p->now_in = state;
    p->left_by = (uint32_t)p->n_exits++;
}

void sl_in_order_go_new_way(struct sl_in_order *c, const struct sl_block_execution *e,
                            struct sl_memo_end end, uint64_t happened[SL_HAPPENINGS])
{
    struct sl_in_order_paths *p = c->paths;
    uint64_t before[SL_HAPPENINGS], start = c->now;
    memcpy(before, happened, sizeof before);
    sl_in_order_settle(c);
    p->questions.n = 0;
    p->questions.n_known = end.n_known;
    c->questions = &p->questions;
    sl_in_order_walk(c, e, happened);
    c->questions = NULL;
    if (sl_in_order_paths_full(p)) {
        sl_in_order_forget(c);
        return;
    }
    add_way(c, e, end, before, happened, start);
    for (uint32_t i = 0; i < p->questions.n && i < SL_IN_ORDER_QUESTIONS; i++)
        p->questions.question[i].answer = (struct sl_cache_reply){0};
    p->n_stalled = 0;
}
