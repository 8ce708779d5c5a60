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
 * Steps of a way on which all is hit lie one behind the other, so that all of it is in one or two
 * lines of our own cache. What is under way between two blocks is an entry in a list of such states, in
 * cycles from now on; while ways are followed, the core's own fields are not kept but for `now`, the
 * lines and what others ask for (sl_in_order_settle).
 *
 *     way:   | first line (2) | step | step | ... | END | exit |     words of 4 bytes
 *     step:  | kind | place | references | question |   and, in an array of its own, what is
 *                                                       needed when it is no hit
 *     fork:  | answer | its first step | next |
 *     exit:  | which entries came next | state | sums |  64 bytes
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
    JUMP,    /* goes on at the step that the next word says */
    END,     /* exit that the next word says */
    FETCH,   /* line `place`, counted from that of the first instruction */
    LOAD,    /* reference `place`, while no miss is under way */
    STORE,
    ASK,     /* all other references, from `place` on */
};

union word {
    struct {
        uint8_t kind, place;
        uint8_t n;        /* references */
        uint8_t question; /* its number in the block */
    } step;
    uint32_t index;
};
_Static_assert(sizeof(union word) == 4, "a step is a word");
_Static_assert(SL_IN_ORDER_QUESTIONS <= UINT8_MAX, "a question's number fits");

/* The same step when it is no hit. */
struct beside {
    uint32_t fork; /* for answers other than a hit; 0: none */
    uint16_t at;   /* cycles since the block began */
    bool under_way;
};

struct fork {
    struct sl_in_order_answer answer;
    uint32_t word, next;
};

/* Happenings that a core counts: these, SL_H_CYCLES, which is their sum, and SL_H_DATA_HALVES. */
#define N_SUMS (SL_H_LOST_LAST - SL_H_BASE + 1)

struct came_next {
    uint32_t entry; /* 0: none */
    uint32_t word;
};

#define NEVER UINT16_MAX

struct exit {
    struct came_next next[2];
    uint64_t line, pc; /* fetched last; of the last that accessed memory, if one did */
    uint32_t state;
    uint16_t cycles, asked_at; /* when the last question was asked; NEVER: there was none */
    uint16_t sum[N_SUMS];
    uint8_t halves, begun;
};
_Static_assert(sizeof(struct exit) == 64, "an exit is a line");

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

#define WORDS_MAX (UINT32_C(1) << 21)
#define FORKS_MAX (UINT32_C(1) << 19)
#define EXITS_MAX (UINT32_C(1) << 18)
#define PENDING_MAX (UINT32_C(1) << 21)

/* The most that one block adds. */
#define WORDS_OF_WAY (3 * SL_IN_ORDER_QUESTIONS + 4)

struct sl_in_order_paths {
    union word *word; /* the first ones of words, forks and exits are not used */
    struct beside *beside; /* by word */
    struct fork *fork;
    struct exit *exit;
    struct state *state;
    struct pending *pending;
    uint32_t *entry_word; /* by entry */
    size_t n_words, n_forks, n_exits, n_pending;
    size_t room_words, room_beside, room_forks, room_exits, room_states, room_pending, room_entries;
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
    free(p->word);
    free(p->beside);
    free(p->fork);
    free(p->exit);
    free(p->state);
    free(p->pending);
    free(p->entry_word);
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
    return p->n_words + WORDS_OF_WAY > WORDS_MAX ||
           p->n_forks + SL_IN_ORDER_QUESTIONS > FORKS_MAX || p->n_exits == EXITS_MAX ||
           p->entries.n_keys >= EXITS_MAX || p->n_pending + 2 * SL_OP_REGISTERS > PENDING_MAX;
}

/* Exits lie in lines of our own cache, so they do not grow as others do. */
static bool grow_exits(struct sl_in_order_paths *p)
{
    if (p->n_exits < p->room_exits)
        return true;
    size_t room = p->room_exits ? 2 * p->room_exits : 1024;
    struct exit *exit = aligned_alloc(sizeof *exit, room * sizeof *exit);
    if (!exit)
        return false;
    if (p->room_exits)
        memcpy(exit, p->exit, p->room_exits * sizeof *exit);
    free(p->exit);
    p->exit = exit;
    p->room_exits = room;
    return true;
}

/* Room for all that one block may add. */
static bool make_room(struct sl_in_order_paths *p)
{
    p->n_words += !p->n_words;
    p->n_forks += !p->n_forks;
    p->n_exits += !p->n_exits;
    return SL_GROW(p->word, p->room_words, p->n_words + WORDS_OF_WAY) &&
           SL_GROW(p->beside, p->room_beside, p->n_words + WORDS_OF_WAY) &&
           SL_GROW(p->fork, p->room_forks, p->n_forks + SL_IN_ORDER_QUESTIONS) && grow_exits(p) &&
           SL_GROW(p->state, p->room_states, p->states.n_keys + 2) &&
           SL_GROW(p->pending, p->room_pending, p->n_pending + 2 * SL_OP_REGISTERS) &&
           SL_GROW(p->entry_word, p->room_entries, p->entries.n_keys + 1);
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
    uint32_t entry;   /* if it is at an entry */
    uint32_t word;    /* else; 0: at an entry */
    uint32_t n_known; /* questions that have been asked */
    bool at_answer;   /* the last of these was answered as never before */
};

static bool is_hit(const struct sl_in_order_answer *a)
{
    return !a->walk && !a->data && !a->waits;
}

static void add_fork(struct sl_in_order_paths *p, uint32_t word,
                     const struct sl_in_order_answer *answer, uint32_t to)
{
    p->fork[p->n_forks] = (struct fork){*answer, to, p->beside[word].fork};
    p->beside[word].fork = (uint32_t)p->n_forks++;
}

/* A step with the word behind it. */
static void add_link(struct sl_in_order_paths *p, enum kind kind, uint32_t question, size_t to)
{
    p->word[p->n_words++] = (union word){.step = {.kind = (uint8_t)kind,
                                                  .question = (uint8_t)question}};
    p->word[p->n_words++].index = (uint32_t)to;
}

static enum kind kind_of(const struct sl_executed *e, const struct sl_in_order_question *q)
{
    if (q->n > 1 || q->under_way)
        return ASK;
    return !q->n ? FETCH : e->reference[q->reference].store ? STORE : LOAD;
}

static uint64_t place_of(const struct sl_in_order_question *q, uint64_t first_line)
{
    return q->n ? q->reference : q->line - first_line;
}

static void add_question(struct sl_in_order_paths *p, const struct sl_executed *e, uint32_t number,
                         uint64_t start, uint64_t first_line)
{
    const struct sl_in_order_question *q = &p->questions.question[number];
    uint32_t at = (uint32_t)p->n_words++;
    p->word[at] = (union word){.step = {.kind = (uint8_t)kind_of(e, q),
                                        .place = (uint8_t)place_of(q, first_line),
                                        .n = (uint8_t)q->n, .question = (uint8_t)number}};
    p->beside[at] = (struct beside){.at = (uint16_t)(q->at - start), .under_way = q->under_way};
    if (!is_hit(&q->answer)) {
        add_link(p, UNKNOWN, number + 1, 0);
        add_fork(p, at, &q->answer, (uint32_t)p->n_words);
    }
}

/* Whether all of it can be kept. */
static bool fits(const struct sl_in_order_questions *q, uint64_t first_line, uint64_t cycles)
{
    bool all = q->n <= SL_IN_ORDER_QUESTIONS && cycles < NEVER;
    for (uint32_t i = q->n_known; i < q->n && all; i++)
        all = place_of(&q->question[i], first_line) <= UINT8_MAX && q->question[i].n <= UINT8_MAX;
    return all;
}

static void add_exit(struct sl_in_order *c, uint32_t state, const uint64_t before[SL_HAPPENINGS],
                     const uint64_t after[SL_HAPPENINGS], uint64_t start)
{
    struct exit *x = &c->paths->exit[c->paths->n_exits];
    *x = (struct exit){.line = c->line, .pc = c->hierarchy->pc, .state = state,
                       .cycles = (uint16_t)(c->now - start),
                       .asked_at = c->paths->questions.n ? (uint16_t)(c->hierarchy->now - start) : NEVER,
                       .halves = (uint8_t)(after[SL_H_DATA_HALVES] - before[SL_H_DATA_HALVES]),
                       .begun = (uint8_t)c->begun[SL_OF_ANY]};
    for (unsigned i = 0; i < N_SUMS; i++)
        x->sum[i] = (uint16_t)(after[SL_H_BASE + i] - before[SL_H_BASE + i]);
}

static void add_way(struct sl_in_order *c, const struct sl_executed *e, struct end_of_way end,
                    const uint64_t before[SL_HAPPENINGS], const uint64_t after[SL_HAPPENINGS],
                    uint64_t start)
{
    struct sl_in_order_paths *p = c->paths;
    const struct sl_in_order_questions *q = &p->questions;
    uint64_t first_line = e->op->pc >> c->hierarchy->port[0].line_log2;
    uint32_t state = fits(q, first_line, c->now - start) && make_room(p) ? find_state(c, p) : 0;
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
        p->word[end.word].step.kind = JUMP;
        p->word[end.word + 1].index = first;
    }
    for (uint32_t i = end.n_known; i < q->n; i++)
        add_question(p, e, i, start, first_line);
    add_link(p, END, 0, p->n_exits);
    add_exit(c, state, before, after, start);
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

/* Shapes whose numbers are too large are not remembered. */
#define SHAPES_MAX (UINT32_C(1) << 29)

/* How a shape is entered, as far as the block before does not say: its number, and whether and why
 * fetching begins anew. Never 0. */
static inline uint32_t entry_of(const struct sl_executed *e)
{
    unsigned how = e->taken || e->prediction != SL_PREDICTED ? 1 + (unsigned)e->prediction : 0;
    return e->shape << 3 | how;
}

/* The number of an entry in the state that is now, and with the line that is fetched from: of the
 * lines of its first instruction, the last, the first or none. SL_NO_INDEX when memory ran out. */
static uint32_t number_of(struct sl_in_order *c, const struct sl_executed *e, uint32_t entry)
{
    struct sl_in_order_paths *p = c->paths;
    unsigned log2 = c->hierarchy->port[0].line_log2;
    uint64_t first = e->op->pc >> log2, last = (e->op->pc + e->op->size - 1) >> log2;
    uint64_t line = entry & 7 ? 0 : c->line == last ? 1 : c->line == first ? 2 : 0;
    size_t n_known = p->entries.n_keys;
    uint32_t number = sl_index_intern(&p->entries, p->now_in, line << 32 | entry);
    if (number == n_known)
        p->entry_word[number] = 0;
    return number;
}

/* The way that an entry begins with, when it did not come next before; 0: there is none, and where
 * it will be is in `end`. False where it is not to be remembered. */
static bool look_up(struct sl_in_order *c, const struct sl_executed *e, uint32_t entry,
                    uint32_t *at, struct end_of_way *end)
{
    struct sl_in_order_paths *p = c->paths;
    if (!p->now_in && !(p->now_in = find_state(c, p)))
        return false;
    if ((end->entry = number_of(c, e, entry)) == SL_NO_INDEX)
        return false;
    *at = p->entry_word[end->entry];
    if (*at && p->left_by) {
        struct exit *x = &p->exit[p->left_by];
        x->next[1] = x->next[0];
        x->next[0] = (struct came_next){entry, *at};
    }
    return true;
}

static inline uint32_t way_after(const struct exit *x, uint32_t entry)
{
    return x->next[0].entry == entry   ? x->next[0].word
           : x->next[1].entry == entry ? x->next[1].word
                                       : 0;
}

static inline void leave(struct sl_in_order *c, const struct sl_executed *e, uint32_t number,
                         uint64_t happened[SL_HAPPENINGS])
{
    const struct exit *x = &c->paths->exit[number];
    if (x->asked_at != NEVER)
        c->hierarchy->now = c->now + x->asked_at;
    if (e->n_references)
        c->hierarchy->pc = x->pc;
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

/* Whether what a step asks for is there and needs no more than to be counted. */
static inline bool is_there(struct sl_hierarchy *h, const struct sl_executed *e, union word w,
                            uint64_t first_line)
{
    if (w.step.kind == FETCH)
        return sl_hierarchy_usual(h, SL_ACCESS_FETCH,
                                   (first_line + w.step.place) << h->port[0].line_log2, 1);
    const struct sl_reference *r = &e->reference[w.step.place];
    return w.step.kind == LOAD    ? sl_hierarchy_usual(h, SL_ACCESS_LOAD, r->address, r->size)
           : w.step.kind == STORE ? sl_hierarchy_usual(h, SL_ACCESS_STORE, r->address, r->size)
                                  : false;
}

static struct sl_in_order_answer ask(struct sl_in_order *c, const struct sl_executed *e,
                                     uint32_t at, uint64_t first_line)
{
    struct sl_hierarchy *h = c->hierarchy;
    union word w = c->paths->word[at];
    const struct beside *beside = &c->paths->beside[at];
    h->now = c->now + beside->at;
    if (w.step.kind == FETCH) {
        const struct sl_hierarchy_port *port = &h->port[0];
        struct sl_stall stall = sl_stall_of(
            port, sl_hierarchy_fetch(h, (first_line + w.step.place) << port->line_log2, 1));
        return (struct sl_in_order_answer){.walk = stall.walk, .data = stall.rest};
    }
    h->pc = e->op[e->reference[w.step.place].op].pc;
    return sl_in_order_access(c, e, w.step.place, w.step.n, beside->under_way);
}

/* Asks what a step asks for. Returns the step that comes next, or 0 for an answer that is new. */
static __attribute__((noinline)) uint32_t step_after(struct sl_in_order *c,
                                                     const struct sl_executed *e, uint32_t at,
                                                     uint64_t first_line)
{
    struct sl_in_order_paths *p = c->paths;
    struct sl_in_order_answer a = ask(c, e, at, first_line);
    if (is_hit(&a))
        return at + 1;
    uint8_t question = p->word[at].step.question;
    p->questions.question[question].answer = a;
    p->stalled[p->n_stalled++] = question;
    uint32_t f = p->beside[at].fork;
    while (f && (p->fork[f].answer.walk != a.walk || p->fork[f].answer.data != a.data ||
                 p->fork[f].answer.waits != a.waits))
        f = p->fork[f].next;
    return f ? p->fork[f].word : 0;
}

/* Follows a way; where it ends without an exit, `end` says where that is. Answers other than hits
 * are kept for that. */
static inline bool follow(struct sl_in_order *c, const struct sl_executed *e, uint32_t at,
                          struct end_of_way *end, uint64_t happened[SL_HAPPENINGS])
{
    const union word *word = c->paths->word;
    uint64_t first_line;
    memcpy(&first_line, word + at, sizeof first_line);
    at += sizeof first_line / sizeof *word;
    for (;;) {
        union word w = word[at];
        if (w.step.kind >= FETCH) {
            if (is_there(c->hierarchy, e, w, first_line)) {
                at++;
                continue;
            }
            uint32_t next = step_after(c, e, at, first_line);
            if (!next) {
                *end = (struct end_of_way){.word = at, .n_known = w.step.question + 1u,
                                           .at_answer = true};
                return false;
            }
            at = next;
        } else if (w.step.kind == JUMP) {
            at = word[at + 1].index;
        } else {
            *end = (struct end_of_way){.word = at, .n_known = w.step.question};
            if (w.step.kind == END)
                leave(c, e, word[at + 1].index, happened);
            return w.step.kind == END;
        }
    }
}

bool sl_in_order_follow(struct sl_in_order *c, const struct sl_executed *e,
                        uint64_t happened[SL_HAPPENINGS])
{
    struct sl_in_order_paths *p = c->paths;
    struct end_of_way end = {0};
    uint32_t entry = entry_of(e);
    uint32_t at = p && p->left_by ? way_after(&p->exit[p->left_by], entry) : 0;
    if (!at && !(e->shape < SHAPES_MAX && prepare(c) && look_up(c, e, entry, &at, &end)))
        return false;
    if (!at || !follow(c, e, at, &end, happened))
        go_new_way(c, e, end, happened);
    else if (c->paths->n_stalled)
        forget_answers(c->paths);
    return true;
}
