/* SPDX-License-Identifier: MIT */
/* Memoized block timings of the in-order core model: stores the timing of a block in a situation
 * that was not timed before (in_order_memo.c). */
#include <string.h>

#include "in_order_memo.h"
#include "shape.h"

static void add_fork(struct sl_in_order_memos *p, uint32_t word, const struct sl_cache_reply *reply,
                     uint32_t to)
{
    p->fork[p->n_forks] = (struct sl_memo_fork){*reply, to, p->context[word].fork};
    p->context[word].fork = (uint32_t)p->n_forks++;
}

/* Adds a step and the word after it. */
static void add_link(struct sl_in_order_memos *p, enum sl_memo_kind kind, uint32_t request,
                     size_t to)
{
    p->word[p->n_words++] = (union sl_memo_word){
        .step = {.kind = (uint8_t)kind, .request = (uint8_t)request}};
    p->word[p->n_words++].index = (uint32_t)to;
}

static enum sl_memo_kind kind_of(const struct sl_block_execution *e,
                                 const struct sl_cache_request *q)
{
    if (q->n > 1 || q->in_flight)
        return SL_MEMO_ACCESSES;
    return !q->n ? SL_MEMO_FETCH : e->reference[q->reference].store ? SL_MEMO_STORE : SL_MEMO_LOAD;
}

static uint64_t operand_of(const struct sl_cache_request *q, uint64_t first_line)
{
    return q->n ? q->reference : q->line - first_line;
}

static void add_request(struct sl_in_order_memos *p, const struct sl_block_execution *e,
                        uint32_t number, uint64_t start, uint64_t first_line)
{
    const struct sl_cache_request *q = &p->requests.request[number];
    uint32_t at = (uint32_t)p->n_words++;
    p->word[at] = (union sl_memo_word){.step = {.kind = (uint8_t)kind_of(e, q),
                                                .operand = (uint8_t)operand_of(q, first_line),
                                                .n = (uint8_t)q->n,
                                                .request = (uint8_t)number}};
    p->context[at] = (struct sl_memo_context){.at = (uint16_t)(q->at - start),
                                              .in_flight = q->in_flight};
    if (!sl_memo_is_hit(&q->reply)) {
        add_link(p, SL_MEMO_UNKNOWN, number + 1, 0);
        add_fork(p, at, &q->reply, (uint32_t)p->n_words);
    }
}

/* True if the exit fits in struct sl_memo_exit. */
static bool fits(const struct sl_cache_requests *q, uint64_t first_line, uint64_t cycles)
{
    bool all = q->n <= SL_IN_ORDER_REQUESTS && cycles < SL_MEMO_NEVER;
    for (uint32_t i = q->n_known; i < q->n && all; i++)
        all = operand_of(&q->request[i], first_line) <= UINT8_MAX && q->request[i].n <= UINT8_MAX;
    return all;
}

_Static_assert(2 * SL_SHAPE_REFERENCES <= SL_MEMO_HALVES_MAX,
               "sl_memo_exit.halves must hold two half cycles per access");

static void add_exit(struct sl_in_order *c, uint32_t state,
                     const uint64_t before[SL_MACHINE_EVENTS],
                     const uint64_t after[SL_MACHINE_EVENTS], uint64_t start)
{
    struct sl_memo_exit *x = &c->memos->exit[c->memos->n_exits];
    *x = (struct sl_memo_exit){
        .line = c->line,
        .pc = c->hierarchy->pc,
        .state = state,
        .cycles = (uint16_t)(c->now - start),
        .requested_at = c->memos->requests.n ? (uint16_t)(c->hierarchy->now - start)
                                             : SL_MEMO_NEVER,
        .halves = (after[SL_MACHINE_DATA_HALVES] - before[SL_MACHINE_DATA_HALVES]) &
                  SL_MEMO_HALVES_MAX,
        .begun = c->begun[SL_SHARED_ISSUE] & SL_MEMO_BEGUN_MAX};
    for (unsigned i = 0; i < SL_MEMO_SUMS; i++)
        x->sum[i] = (uint16_t)(after[SL_MACHINE_BASE + i] - before[SL_MACHINE_BASE + i]);
}

static void add_path(struct sl_in_order *c, const struct sl_block_execution *e,
                     struct sl_memo_end end, const uint64_t before[SL_MACHINE_EVENTS],
                     const uint64_t after[SL_MACHINE_EVENTS], uint64_t start)
{
    struct sl_in_order_memos *p = c->memos;
    const struct sl_cache_requests *q = &p->requests;
    uint64_t first_line = e->op->pc >> c->hierarchy->port[0].line_log2;
    bool storable = fits(q, first_line, c->now - start) && sl_in_order_memos_reserve(p);
    uint32_t state = storable ? sl_in_order_find_state(c, p) : 0;
    if (!state)
        return;
    uint32_t first = (uint32_t)p->n_words;
    if (!end.word) {
        p->entry_word[end.entry] = first;
        memcpy(p->word + first, &first_line, sizeof first_line);
        p->n_words += sizeof first_line / sizeof *p->word;
    } else if (end.at_reply) {
        add_fork(p, end.word, &q->request[end.n_known - 1].reply, first);
    } else {
        p->word[end.word].step.kind = SL_MEMO_JUMP;
        p->word[end.word + 1].index = first;
    }
    for (uint32_t i = end.n_known; i < q->n; i++)
        add_request(p, e, i, start, first_line);
    add_link(p, SL_MEMO_END, 0, p->n_exits);
    add_exit(c, state, before, after, start);
    p->state_id = state;
    p->last_exit = (uint32_t)p->n_exits++;
}

void sl_in_order_add_path(struct sl_in_order *c, const struct sl_block_execution *e,
                          struct sl_memo_end end, uint64_t totals[SL_MACHINE_EVENTS])
{
    struct sl_in_order_memos *p = c->memos;
    uint64_t before[SL_MACHINE_EVENTS], start = c->now;
    memcpy(before, totals, sizeof before);
    sl_in_order_restore(c);
    p->requests.n = 0;
    p->requests.n_known = end.n_known;
    c->requests = &p->requests;
    sl_in_order_execute(c, e, totals);
    c->requests = NULL;
    if (sl_in_order_memos_full(p)) {
        sl_in_order_free_memos(c);
        return;
    }
    add_path(c, e, end, before, totals, start);
    for (uint32_t i = 0; i < p->requests.n && i < SL_IN_ORDER_REQUESTS; i++)
        p->requests.request[i].reply = (struct sl_cache_reply){0};
    p->n_stalled = 0;
}
