/* Remembered ways of blocks through the in-order core.
 *
 * What a block does depends on its shape (shape.h), on how it was come to, on what is under way when
 * it begins (results that are not there yet, units that are busy), and on what the caches answer to
 * its questions: for lines of instructions and for its data. All of it but the answers is known at
 * its beginning, so its questions are a tree, in which nearly always the same way is taken:
 *
 *     entry ──► step: fetch a line ─ hit ─► step: load ─ hit ─► step: fetch ─ hit ─► end: what happened,
 *                     │                       │                                      what is under way
 *                     └ 6 cycles ─► step ...  └ 6 cycles ─► step ...
 *
 * So a block that has been that way costs its questions and one addition of what happened. A way
 * that is new is gone through instruction by instruction (sl_in_order_walk), with the answers that the
 * caches have already given, and becomes part of the tree.
 *
 * Steps of a way on which all is hit lie one behind the other. What is under way between two blocks
 * is an entry in a list of such states, in cycles from now on; while ways are followed, the core's own
 * fields are not kept but for `now`, the lines and what others ask for (settle).
 *
 *     step:  | what to ask for | cycles since the block began | other answers |      16 bytes
 *     fork:  | answer | its first step | next |
 *     exit:  | state | sums | which entries came next |
 *
 * Storage is bounded: when it is full, all is forgotten, and begins anew. */
#include "in_order_path.h"

#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "hash.h"
#include "index_map.h"

/* ---- storage ----------------------------------------------------------------------- */

enum kind {
    UNKNOWN, /* nobody has been here */
    JUMP,    /* goes on at `place` */
    FETCH,   /* line `place`, counted from that of the first instruction */
    LOAD,    /* reference `place` */
    STORE,
    ACCESS,  /* reference `place` and those behind it, n in all */
    END,     /* exit `place` */
};

struct step {
    uint32_t place, at;
    uint32_t fork; /* for answers other than a hit; 0: none */
    uint8_t kind, n;
    uint8_t question; /* its number in the block */
    bool under_way;
};
_Static_assert(SL_IN_ORDER_QUESTIONS <= UINT8_MAX, "a question's number fits");

struct fork {
    struct sl_in_order_answer answer;
    uint32_t step, next;
};

/* Happenings that a core counts: these, SL_H_CYCLES and SL_H_DATA_HALVES. */
#define N_SUMS (SL_H_LOST_LAST - SL_H_BASE + 1)

struct came_next {
    uint64_t entry; /* 0: none */
    uint32_t step;
};

struct exit {
    struct came_next next[2];
    uint64_t line; /* fetched last */
    uint32_t state;
    uint32_t cycles, asked_at, halves, begun;
    uint32_t sum[N_SUMS];
};

/* What is under way: of what is over, 0. Cycles from now on. */
struct pending {
    uint32_t ready, written;
    uint16_t reg, cause;
};

struct state {
    uint32_t memory_free, store_free, unit_free[2];
    uint32_t begun[SL_IN_ORDER_SHARED];
    uint32_t n_pending;
    uint64_t pending_at; /* in the list of all */
};

#define STEPS_MAX (UINT32_C(1) << 20)
#define FORKS_MAX (UINT32_C(1) << 19)
#define EXITS_MAX (UINT32_C(1) << 18)
#define PENDING_MAX (UINT32_C(1) << 21)

struct sl_in_order_paths {
    struct step *step; /* the first ones of all but `state` are not used */
    struct fork *fork;
    struct exit *exit;
    struct state *state;
    struct pending *pending;
    uint32_t *entry_step; /* by entry */
    size_t n_steps, n_forks, n_exits, n_pending;
    size_t room_steps, room_forks, room_exits, room_states, room_pending, room_entries;
    struct sl_index_map states;  /* by hashes */
    struct sl_index_map entries; /* by state and how a shape is entered */
    uint32_t now_in; /* state, + 1; 0: it is in the core's own fields */
    uint32_t left_by; /* exit; 0: none */
    /* Of a way that is followed: answers of all questions, which are hits but for those that are
     * named in `stalled`. */
    struct sl_in_order_questions questions;
    uint32_t n_stalled;
    uint8_t stalled[SL_IN_ORDER_QUESTIONS];
};

static void free_all(struct sl_in_order_paths *p)
{
    free(p->step);
    free(p->fork);
    free(p->exit);
    free(p->state);
    free(p->pending);
    free(p->entry_step);
    sl_index_free(&p->states);
    sl_index_free(&p->entries);
}

void sl_in_order_forget(struct sl_in_order *c)
{
    if (c->paths)
        free_all(c->paths);
    free(c->paths);
    c->paths = NULL;
}

static bool is_full(const struct sl_in_order_paths *p)
{
    return p->n_steps + 2 * SL_IN_ORDER_QUESTIONS + 2 > STEPS_MAX ||
           p->n_forks + SL_IN_ORDER_QUESTIONS > FORKS_MAX || p->n_exits == EXITS_MAX ||
           p->entries.n_keys >= EXITS_MAX ||
           p->n_pending + 2 * SL_OP_REGISTERS > PENDING_MAX;
}

/* Room for all that one block may add. */
static bool make_room(struct sl_in_order_paths *p)
{
    p->n_steps += !p->n_steps;
    p->n_forks += !p->n_forks;
    p->n_exits += !p->n_exits;
    return SL_GROW(p->step, p->room_steps, p->n_steps + 2 * SL_IN_ORDER_QUESTIONS + 2) &&
           SL_GROW(p->fork, p->room_forks, p->n_forks + SL_IN_ORDER_QUESTIONS) &&
           SL_GROW(p->exit, p->room_exits, p->n_exits + 1) &&
           SL_GROW(p->state, p->room_states, p->states.n_keys + 2) &&
           SL_GROW(p->pending, p->room_pending, p->n_pending + 2 * SL_OP_REGISTERS) &&
           SL_GROW(p->entry_step, p->room_entries, p->entries.n_keys + 1);
}

static bool prepare(struct sl_in_order *c)
{
    if (!c->paths)
        c->paths = calloc(1, sizeof *c->paths);
    return c->paths && make_room(c->paths);
}

/* ---- states ------------------------------------------------------------------------ */

/* Cycles until then; false beyond what is kept. */
static bool from_now(const struct sl_in_order *c, uint64_t cycle, uint32_t *left)
{
    uint64_t n = cycle > c->now ? cycle - c->now : 0;
    *left = (uint32_t)n;
    return n <= UINT32_MAX;
}

/* The core's fields as a state, whose registers are behind those of all others. */
static bool describe(const struct sl_in_order *c, struct sl_in_order_paths *p, struct state *s)
{
    bool fits = true;
    *s = (struct state){.pending_at = p->n_pending};
    memcpy(s->begun, c->begun, sizeof s->begun);
    fits &= from_now(c, c->memory_free, &s->memory_free);
    fits &= from_now(c, c->store_free, &s->store_free);
    for (unsigned i = 0; i < 2; i++)
        fits &= from_now(c, c->unit_free[i], &s->unit_free[i]);
    for (unsigned i = 0; i < SL_OP_NEVER_WRITTEN; i++) {
        if (c->ready[i] <= c->now && c->written[i] <= c->now)
            continue;
        struct pending *pending = &p->pending[p->n_pending + s->n_pending++];
        *pending = (struct pending){.reg = (uint16_t)i, .cause = c->cause[i]};
        fits &= from_now(c, c->ready[i], &pending->ready);
        fits &= from_now(c, c->written[i], &pending->written);
        if (!pending->ready)
            pending->cause = 0;
    }
    return fits;
}

static uint64_t hash_of(uint64_t hash, const uint32_t *word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = sl_mix(hash ^ word[i]) + i;
    return hash;
}

static bool same_state(const struct sl_in_order_paths *p, const struct state *a,
                       const struct state *b)
{
    return !memcmp(a, b, offsetof(struct state, pending_at)) &&
           !memcmp(p->pending + a->pending_at, p->pending + b->pending_at,
                   a->n_pending * sizeof *p->pending);
}

/* The number of the state that the core's fields say, + 1; 0: it is not to be kept. */
static uint32_t find_state(const struct sl_in_order *c, struct sl_in_order_paths *p)
{
    struct state s;
    if (!describe(c, p, &s))
        return 0;
    const uint32_t *word = (const uint32_t *)(p->pending + s.pending_at);
    size_t n_words = s.n_pending * sizeof *p->pending / sizeof *word;
    uint64_t hash[2];
    for (uint64_t i = 0; i < 2; i++)
        hash[i] = hash_of(hash_of(i, &s.memory_free, offsetof(struct state, pending_at) / sizeof *word),
                          word, n_words);
    size_t n_known = p->states.n_keys;
    uint32_t number = sl_index_intern(&p->states, hash[0], hash[1]);
    if (number == SL_NO_INDEX)
        return 0;
    if (number < n_known)
        return same_state(p, &s, &p->state[number]) ? number + 1 : 0;
    p->state[number] = s;
    p->n_pending += s.n_pending;
    return number + 1;
}

void sl_in_order_settle(struct sl_in_order *c)
{
    struct sl_in_order_paths *p = c->paths;
    if (!p || !p->now_in)
        return;
    const struct state *s = &p->state[p->now_in - 1];
    const struct pending *pending = p->pending + s->pending_at;
    memcpy(c->begun, s->begun, sizeof c->begun);
    c->memory_free = c->now + s->memory_free;
    c->store_free = c->now + s->store_free;
    for (unsigned i = 0; i < 2; i++)
        c->unit_free[i] = c->now + s->unit_free[i];
    memset(c->ready, 0, sizeof c->ready);
    memset(c->written, 0, sizeof c->written);
    for (uint32_t i = 0; i < s->n_pending; i++) {
        unsigned reg = pending[i].reg;
        c->ready[reg] = c->now + pending[i].ready;
        c->written[reg] = c->now + pending[i].written;
        c->cause[reg] = (uint8_t)pending[i].cause;
    }
    p->now_in = p->left_by = 0;
}

/* ---- what is new ------------------------------------------------------------------- */

/* Where a way is new: at an entry without steps, at a step that is not known, or at an answer. */
struct end_of_way {
    uint32_t entry;    /* if it is at an entry */
    uint32_t step;     /* else; 0: at an entry */
    uint32_t n_known;  /* questions that have been asked */
    bool at_answer;    /* the last of these was answered as never before */
};

static bool is_hit(const struct sl_in_order_answer *a)
{
    return !a->walk && !a->data && !a->waits;
}

static void add_fork(struct sl_in_order_paths *p, uint32_t step,
                     const struct sl_in_order_answer *answer, uint32_t to)
{
    p->fork[p->n_forks] = (struct fork){*answer, to, p->step[step].fork};
    p->step[step].fork = (uint32_t)p->n_forks++;
}

static enum kind kind_of(const struct sl_executed *e, const struct sl_in_order_question *q)
{
    if (q->n > 1)
        return ACCESS;
    return !q->n ? FETCH : e->reference[q->reference].store ? STORE : LOAD;
}

static void add_question(struct sl_in_order_paths *p, const struct sl_executed *e, uint32_t number,
                         uint64_t start, unsigned line_log2)
{
    const struct sl_in_order_question *q = &p->questions.question[number];
    uint32_t at = (uint32_t)p->n_steps++;
    uint64_t place = q->n ? q->reference : q->line - (e->op[0].pc >> line_log2);
    p->step[at] = (struct step){.place = (uint32_t)place, .at = (uint32_t)(q->at - start),
                                .kind = (uint8_t)kind_of(e, q), .n = (uint8_t)q->n,
                                .question = (uint8_t)number, .under_way = q->under_way};
    if (!is_hit(&q->answer)) {
        p->step[p->n_steps++] = (struct step){.kind = UNKNOWN, .question = (uint8_t)(number + 1)};
        add_fork(p, at, &q->answer, (uint32_t)p->n_steps);
    }
}

/* Whether all of it can be kept. */
static bool fits(const struct sl_in_order_questions *q, const struct sl_executed *e, uint64_t start,
                 uint64_t end, unsigned line_log2)
{
    bool all = q->n <= SL_IN_ORDER_QUESTIONS && end - start <= UINT32_MAX;
    for (uint32_t i = q->n_known; i < q->n && all; i++)
        all = q->question[i].n <= UINT8_MAX &&
              (q->question[i].n ||
               q->question[i].line - (e->op[0].pc >> line_log2) <= UINT32_MAX);
    return all;
}

static void add_way(struct sl_in_order *c, const struct sl_executed *e, struct end_of_way end,
                    const uint64_t before[SL_HAPPENINGS], const uint64_t after[SL_HAPPENINGS],
                    uint64_t start)
{
    struct sl_in_order_paths *p = c->paths;
    const struct sl_in_order_questions *q = &p->questions;
    unsigned line_log2 = c->hierarchy->port[0].line_log2;
    uint32_t state = fits(q, e, start, c->now, line_log2) ? find_state(c, p) : 0;
    if (!state || !make_room(p))
        return;
    uint32_t first = (uint32_t)p->n_steps;
    if (!end.step)
        p->entry_step[end.entry] = first;
    else if (end.at_answer)
        add_fork(p, end.step, &q->question[end.n_known - 1].answer, first);
    else
        p->step[end.step] = (struct step){.kind = JUMP, .place = first};
    for (uint32_t i = end.n_known; i < q->n; i++)
        add_question(p, e, i, start, line_log2);
    p->step[p->n_steps++] = (struct step){.kind = END, .place = (uint32_t)p->n_exits};
    struct exit *x = &p->exit[p->n_exits];
    *x = (struct exit){.line = c->line, .state = state, .cycles = (uint32_t)(c->now - start),
                       .asked_at = (uint32_t)(c->hierarchy->now - start),
                       .halves = (uint32_t)(after[SL_H_DATA_HALVES] - before[SL_H_DATA_HALVES]),
                       .begun = c->begun[SL_OF_ANY]};
    for (unsigned i = 0; i < N_SUMS; i++)
        x->sum[i] = (uint32_t)(after[SL_H_BASE + i] - before[SL_H_BASE + i]);
    p->now_in = state;
    p->left_by = (uint32_t)p->n_exits++;
}

/* The block is gone through from its beginning; what the caches have been asked is known. */
static void go_new_way(struct sl_in_order *c, const struct sl_executed *e, struct end_of_way end,
                       uint64_t happened[SL_HAPPENINGS])
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
    if (is_full(p)) {
        sl_in_order_forget(c);
        return;
    }
    add_way(c, e, end, before, happened, start);
    for (uint32_t i = 0; i < p->questions.n && i < SL_IN_ORDER_QUESTIONS; i++)
        p->questions.question[i].answer = (struct sl_in_order_answer){0};
    p->n_stalled = 0;
}

static void forget_answers(struct sl_in_order_paths *p)
{
    while (p->n_stalled)
        p->questions.question[p->stalled[--p->n_stalled]].answer = (struct sl_in_order_answer){0};
}

/* ---- following --------------------------------------------------------------------- */

/* How a shape is entered: its number and whether and why fetching begins anew, or which of the lines
 * of its first instruction is fetched from already. Never 0. */
static inline uint64_t entry_of(const struct sl_in_order *c, const struct sl_executed *e)
{
    unsigned log2 = c->hierarchy->port[0].line_log2;
    uint64_t first = e->op->pc >> log2, last = (e->op->pc + e->op->size - 1) >> log2;
    unsigned how = c->line == last ? 1 : c->line == first ? 2 : 0;
    if (e->taken || e->prediction != SL_PREDICTED)
        how = 3 + (unsigned)e->prediction;
    return (uint64_t)e->shape << 3 | how;
}

/* The number of the entry in the state that is now; SL_NO_INDEX when memory ran out. */
static uint32_t number_of(struct sl_in_order_paths *p, uint64_t entry)
{
    size_t n_known = p->entries.n_keys;
    uint32_t number = sl_index_intern(&p->entries, p->now_in, entry);
    if (number == n_known)
        p->entry_step[number] = 0;
    return number;
}

static inline uint32_t step_after(const struct exit *x, uint64_t entry)
{
    return x->next[0].entry == entry ? x->next[0].step
           : x->next[1].entry == entry ? x->next[1].step : 0;
}

static inline void leave(struct sl_in_order *c, const struct sl_executed *e, uint32_t number,
                         uint64_t happened[SL_HAPPENINGS])
{
    const struct exit *x = &c->paths->exit[number];
    struct sl_hierarchy *h = c->hierarchy;
    h->now = c->now + x->asked_at;
    if (e->n_references)
        h->pc = e->op[e->reference[e->n_references - 1].op].pc;
    c->now += x->cycles;
    c->line = x->line;
    c->begun[SL_OF_ANY] = x->begun;
    c->paths->now_in = x->state;
    c->paths->left_by = number;
    happened[SL_H_CYCLES] += x->cycles;
    happened[SL_H_DATA_HALVES] += x->halves;
    for (unsigned i = 0; i < N_SUMS; i++)
        happened[SL_H_BASE + i] += x->sum[i];
}

static struct sl_in_order_answer ask(struct sl_in_order *c, const struct sl_executed *e,
                                     const struct step *s)
{
    struct sl_hierarchy *h = c->hierarchy;
    h->now = c->now + s->at;
    if (s->kind == FETCH) {
        const struct sl_hierarchy_port *port = &h->port[0];
        uint64_t line = (e->op->pc >> port->line_log2) + s->place;
        struct sl_stall stall =
            sl_stall_of(port, sl_hierarchy_fetch(h, line << port->line_log2, 1));
        return (struct sl_in_order_answer){.walk = stall.walk, .data = stall.rest};
    }
    h->pc = e->op[e->reference[s->place].op].pc;
    return sl_in_order_access(c, e, s->place, s->n, s->under_way);
}

static inline uint32_t step_at_answer(const struct sl_in_order_paths *p, const struct step *s,
                                      const struct sl_in_order_answer *a)
{
    uint32_t f = s->fork;
    while (f && (p->fork[f].answer.walk != a->walk || p->fork[f].answer.data != a->data ||
                 p->fork[f].answer.waits != a->waits))
        f = p->fork[f].next;
    return f ? p->fork[f].step : 0;
}

/* Whether what a step asks for is there and needs no more than to be counted. */
static inline bool is_there(struct sl_in_order *c, const struct sl_executed *e,
                            const struct step *s, uint64_t first_line)
{
    struct sl_hierarchy *h = c->hierarchy;
    if (s->kind == FETCH)
        return sl_hierarchy_newest(h, SL_ACCESS_FETCH,
                                   (first_line + s->place) << h->port[0].line_log2, 1);
    const struct sl_reference *r = &e->reference[s->place];
    if (s->under_way)
        return false;
    return s->kind == LOAD    ? sl_hierarchy_newest(h, SL_ACCESS_LOAD, r->address, r->size)
           : s->kind == STORE ? sl_hierarchy_newest(h, SL_ACCESS_STORE, r->address, r->size)
                              : false;
}

/* Follows the way from a step on; where it ends without an exit, `end` says where that is. Answers
 * other than hits are kept for that. */
static inline bool follow(struct sl_in_order *c, const struct sl_executed *e, uint32_t at,
                          struct end_of_way *end, uint64_t happened[SL_HAPPENINGS])
{
    struct sl_in_order_paths *p = c->paths;
    uint64_t first_line = e->op->pc >> c->hierarchy->port[0].line_log2;
    for (const struct step *s = &p->step[at];; s++) {
        while (s->kind == JUMP)
            s = &p->step[s->place];
        if (s->kind == END) {
            leave(c, e, s->place, happened);
            return true;
        }
        if (s->kind == UNKNOWN) {
            *end = (struct end_of_way){.step = (uint32_t)(s - p->step), .n_known = s->question};
            return false;
        }
        if (is_there(c, e, s, first_line))
            continue;
        struct sl_in_order_answer answer = ask(c, e, s);
        if (is_hit(&answer))
            continue;
        p->questions.question[s->question].answer = answer;
        p->stalled[p->n_stalled++] = s->question;
        uint32_t to = step_at_answer(p, s, &answer);
        if (!to) {
            *end = (struct end_of_way){.step = (uint32_t)(s - p->step), .n_known = s->question + 1u,
                                       .at_answer = true};
            return false;
        }
        s = &p->step[to - 1];
    }
}

/* The step that an entry begins with, when it did not come next before; 0: there is none, and where
 * it will be is in `end`. False where it is not to be remembered. */
static bool look_up(struct sl_in_order *c, uint64_t entry, uint32_t *at, struct end_of_way *end)
{
    struct sl_in_order_paths *p = c->paths;
    if (!p->now_in && !(p->now_in = find_state(c, p)))
        return false;
    if ((end->entry = number_of(p, entry)) == SL_NO_INDEX)
        return false;
    *at = p->entry_step[end->entry];
    if (*at && p->left_by) {
        struct exit *x = &p->exit[p->left_by];
        x->next[1] = x->next[0];
        x->next[0] = (struct came_next){entry, *at};
    }
    return true;
}

bool sl_in_order_follow(struct sl_in_order *c, const struct sl_executed *e,
                        uint64_t happened[SL_HAPPENINGS])
{
    struct sl_in_order_paths *p = c->paths;
    struct end_of_way end = {0};
    uint64_t entry = entry_of(c, e);
    uint32_t at = p && p->left_by ? step_after(&p->exit[p->left_by], entry) : 0;
    if (!at && !(prepare(c) && look_up(c, entry, &at, &end)))
        return false;
    if (!at || !follow(c, e, at, &end, happened))
        go_new_way(c, e, end, happened);
    else if (c->paths->n_stalled)
        forget_answers(c->paths);
    return true;
}
