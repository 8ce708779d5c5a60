/* SPDX-License-Identifier: MIT */
/* Memoized block timings of the in-order core model: if a block was already timed in the same
 * situation (pipeline state, memory accesses, cache replies), the stored timing replaces the
 * simulation. This file describes the format of the timings, looks them up and adds new ones.
 *
 * The timing of a block depends on its shape (shape.h), on the transfer to it, on the pipeline
 * state at its start (pending results, busy units), and on the replies of the caches to its
 * requests: for instruction lines and for data. All of it except the replies is known at the start.
 * So the requests of a block form a tree, in which almost always the same path is taken:
 *
 *     entry ──► fetch a line ─ hit ─► load ─ hit ─► fetch ─ hit ─► exit: events, pipeline state
 *                     │                │
 *                     └ 6 cycles ─► …  └ 6 cycles ─► …
 *
 * A block on a known path costs its cache requests and one addition of its events. A new path is
 * executed instruction by instruction (sl_in_order_execute), with the replies that the caches have
 * given already, and is added to the tree.
 *
 * The steps of an all-hit path are consecutive in memory, in one or two of the host's cache lines.
 * The pipeline state between two blocks is an index into a set of states, in cycles relative to
 * now; while known paths are followed, the core's own fields are stale except `now`, the lines and
 * what other functions read (sl_in_order_restore).
 *
 *     path:  | first line (2) | step | step | ... | END | exit |     words of 4 bytes
 *     step:  | kind | operand | references | request |     data for misses: in a separate array
 *     fork:  | reply | its first step | next |
 *     exit:  | entries that followed | state | sums |                64 bytes
 *
 * Storage is bounded: when it is full, all timings are discarded. */
#include <string.h>

#include "in_order_memo.h"
#include "shape.h"

static void clear_replies(struct sl_in_order_memos *p)
{
    while (p->n_stalled)
        p->requests.request[p->stalled[--p->n_stalled]].reply = (struct sl_cache_reply){0};
}

/* Shapes with larger ids are not memoized. */
#define SHAPES_MAX (UINT32_C(1) << 29)

/* Encodes how a block is entered, apart from the state: its shape, and whether and why fetch
 * restarts. Never 0. */
static inline uint32_t entry_code(const struct sl_block_execution *e)
{
    unsigned how = e->taken || e->prediction != SL_PREDICTED ? 1 + (unsigned)e->prediction : 0;
    return e->shape << 3 | how;
}

/* Returns the id of an entry in the current state and with the current line: the last or first line
 * of its first instruction, or another. SL_NO_INDEX if out of memory. */
static uint32_t entry_id(struct sl_in_order *c, const struct sl_block_execution *e, uint32_t entry)
{
    struct sl_in_order_memos *p = c->memos;
    unsigned log2 = c->hierarchy->port[0].line_log2;
    uint64_t first = e->op->pc >> log2, last = (e->op->pc + e->op->size - 1) >> log2;
    uint64_t line = entry & 7 ? 0 : c->line == last ? 1 : c->line == first ? 2 : 0;
    size_t n_known = p->entries.n_keys;
    uint32_t number = sl_index_add(&p->entries, p->state_id, line << 32 | entry);
    if (number == n_known)
        p->entry_word[number] = 0;
    return number;
}

/* Finds the path of an entry that did not follow the last exit before; 0: there is none, and `end`
 * is where to add it. Returns false if it is not to be memoized. */
static bool find_path(struct sl_in_order *c, const struct sl_block_execution *e, uint32_t entry,
                      uint32_t *at, struct sl_memo_end *end)
{
    struct sl_in_order_memos *p = c->memos;
    if (!p->state_id && !(p->state_id = sl_in_order_find_state(c, p)))
        return false;
    if ((end->entry = entry_id(c, e, entry)) == SL_NO_INDEX)
        return false;
    *at = p->entry_word[end->entry];
    if (*at && p->last_exit) {
        struct sl_memo_exit *x = &p->exit[p->last_exit];
        x->next[1] = x->next[0];
        x->next[0] = (struct sl_memo_next){entry, *at};
    }
    return true;
}

static inline uint32_t path_after(const struct sl_memo_exit *x, uint32_t entry)
{
    return x->next[0].entry == entry   ? x->next[0].word
           : x->next[1].entry == entry ? x->next[1].word
                                       : 0;
}

static inline void apply_exit(struct sl_in_order *c, const struct sl_block_execution *e,
                              uint32_t number, uint64_t totals[SL_MACHINE_EVENTS])
{
    const struct sl_memo_exit *x = &c->memos->exit[number];
    if (x->requested_at != SL_MEMO_NEVER)
        c->hierarchy->now = c->now + x->requested_at;
    if (e->n_references)
        c->hierarchy->pc = x->pc;
    c->now += x->cycles;
    c->line = x->line;
    c->begun[SL_SHARED_ISSUE] = x->begun;
    c->memos->state_id = x->state;
    c->memos->last_exit = number;
    totals[SL_MACHINE_CYCLES] += x->cycles;
    totals[SL_MACHINE_DATA_HALVES] += x->halves;
    for (unsigned i = 0; i < SL_MEMO_SUMS; i++)
        totals[SL_MACHINE_BASE + i] += x->sum[i];
}

/* Makes a step's request on the fast path; returns false if it is not a plain hit. */
static inline bool request_hits(struct sl_hierarchy *h, const struct sl_block_execution *e,
                                union sl_memo_word w, uint64_t first_line)
{
    if (w.step.kind == SL_MEMO_FETCH)
        return sl_hierarchy_access_fast(h, SL_ACCESS_FETCH,
                                        (first_line + w.step.operand) << h->port[0].line_log2, 1);
    const struct sl_reference *r = &e->reference[w.step.operand];
    return w.step.kind == SL_MEMO_LOAD
               ? sl_hierarchy_access_fast(h, SL_ACCESS_LOAD, r->address, r->size)
           : w.step.kind == SL_MEMO_STORE
               ? sl_hierarchy_access_fast(h, SL_ACCESS_STORE, r->address, r->size)
               : false;
}

static struct sl_cache_reply make_request(struct sl_in_order *c, const struct sl_block_execution *e,
                                          uint32_t at, uint64_t first_line)
{
    struct sl_hierarchy *h = c->hierarchy;
    union sl_memo_word w = c->memos->word[at];
    const struct sl_memo_context *context = &c->memos->context[at];
    h->now = c->now + context->at;
    if (w.step.kind == SL_MEMO_FETCH) {
        struct sl_stall stall = sl_access_stall(
            h, SL_ACCESS_FETCH, (first_line + w.step.operand) << h->port[0].line_log2, 1);
        return (struct sl_cache_reply){.walk = stall.walk, .data = stall.rest};
    }
    h->pc = e->op[e->reference[w.step.operand].op].pc;
    return sl_in_order_access(c, e, w.step.operand, w.step.n, context->in_flight);
}

/* Makes a step's request. Returns the next step, or 0 for a new reply. */
static __attribute__((noinline)) uint32_t step_after(struct sl_in_order *c,
                                                     const struct sl_block_execution *e,
                                                     uint32_t at, uint64_t first_line)
{
    struct sl_in_order_memos *p = c->memos;
    struct sl_cache_reply a = make_request(c, e, at, first_line);
    if (sl_memo_is_hit(&a))
        return at + 1;
    uint8_t request = p->word[at].step.request;
    p->requests.request[request].reply = a;
    p->stalled[p->n_stalled++] = request;
    uint32_t f = p->context[at].fork;
    while (f && (p->fork[f].reply.walk != a.walk || p->fork[f].reply.data != a.data ||
                 p->fork[f].reply.waits != a.waits))
        f = p->fork[f].next;
    return f ? p->fork[f].word : 0;
}

/* Follows a path. If it ends without an exit, `end` is where. Replies other than hits are recorded
 * for that. */
static inline bool follow_path(struct sl_in_order *c, const struct sl_block_execution *e,
                               uint32_t at, struct sl_memo_end *end,
                               uint64_t totals[SL_MACHINE_EVENTS])
{
    const union sl_memo_word *word = c->memos->word;
    uint64_t first_line;
    memcpy(&first_line, word + at, sizeof first_line);
    at += sizeof first_line / sizeof *word;
    for (;;) {
        union sl_memo_word w = word[at];
        if (w.step.kind >= SL_MEMO_FETCH) {
            if (request_hits(c->hierarchy, e, w, first_line)) {
                at++;
                continue;
            }
            uint32_t next = step_after(c, e, at, first_line);
            if (!next) {
                *end = (struct sl_memo_end){
                    .word = at, .n_known = w.step.request + 1u, .at_reply = true};
                return false;
            }
            at = next;
        } else if (w.step.kind == SL_MEMO_JUMP) {
            at = word[at + 1].index;
        } else {
            *end = (struct sl_memo_end){.word = at, .n_known = w.step.request};
            if (w.step.kind == SL_MEMO_END)
                apply_exit(c, e, word[at + 1].index, totals);
            return w.step.kind == SL_MEMO_END;
        }
    }
}

/* ---- new paths ---- */

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
               "sl_memo_exit.halves is too narrow for two half cycles per access");

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

static void store_path(struct sl_in_order *c, const struct sl_block_execution *e,
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

/* Executes the block from its beginning, with the known replies, and adds the new path. */
static void add_path(struct sl_in_order *c, const struct sl_block_execution *e,
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
    store_path(c, e, end, before, totals, start);
    for (uint32_t i = 0; i < p->requests.n && i < SL_IN_ORDER_REQUESTS; i++)
        p->requests.request[i].reply = (struct sl_cache_reply){0};
    p->n_stalled = 0;
}

/* ---- blocks ---- */

bool sl_in_order_replay(struct sl_in_order *c, const struct sl_block_execution *e,
                        uint64_t totals[SL_MACHINE_EVENTS])
{
    struct sl_in_order_memos *p = c->memos;
    struct sl_memo_end end = {0};
    uint32_t entry = entry_code(e);
    uint32_t at = p && p->last_exit ? path_after(&p->exit[p->last_exit], entry) : 0;
    if (!at && !(e->shape < SHAPES_MAX && sl_in_order_memos_prepare(c) &&
                 find_path(c, e, entry, &at, &end)))
        return false;
    if (!at || !follow_path(c, e, at, &end, totals))
        add_path(c, e, end, totals);
    else if (c->memos->n_stalled)
        clear_replies(c->memos);
    return true;
}
