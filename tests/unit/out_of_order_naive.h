/* SPDX-License-Identifier: MIT */
/* Simple model of an out-of-order core for its unit test, simulated cycle by cycle. Every waiting
 * instruction searches for a free unit in every cycle, the oldest instruction first. The rules are
 * those of src/machine/cores/out_of_order.c.
 *
 * The memory hierarchy is accessed in program order, as in the core; the replies are recorded
 * before the first cycle. */
#ifndef SL_TESTS_OUT_OF_ORDER_NAIVE_H
#define SL_TESTS_OUT_OF_ORDER_NAIVE_H

#include "calendar.h"
#include "out_of_order_program.h"

#define NOT_YET UINT64_MAX
#define FILL_ASKED 64
#define OLDER_MAX 16 /* producers of an instruction; stores that a load meets */

/* ---- the program as the plain machine sees it ---- */

/* A line that was missed, for those that find it in the cache: how long it takes, and
 * who has requested it when. An instruction gains nothing from younger ones that asked. */
struct fill {
    uint64_t cycles;
    struct {
        size_t by;
        uint64_t comes;
    } asked[FILL_ASKED];
    unsigned n_asked;
};

struct plain_reference {
    const struct sl_reference *r;
    uint64_t port, data; /* cycles */
    uint64_t hit, cycles;
    bool miss, asked, forwarded;
    struct fill *fill[9]; /* of its lines; its own if it misses */
    unsigned n_fills;
    size_t store[OLDER_MAX]; /* the latest older instructions that wrote to its bytes */
    unsigned n_stores;
};

/* The last writer of a register: an instruction's number, and whether it only counted an
 * address up. */
struct writer {
    size_t n;
    bool update;
};

struct plain {
    const struct sl_op *op;
    const struct sl_block_execution *first_of; /* block */
    uint32_t hold;                             /* after it */
    size_t branch;                             /* number of the latest branch before; SIZE_MAX */
    uint64_t stall;                            /* cycles of fetching beyond L1 */
    bool stalled;
    struct plain_reference reference[OP_REFERENCES];
    unsigned n_references;
    struct writer source[SL_OP_SOURCES];
    unsigned n_sources;
    uint64_t fetch, dispatch, issue, complete, commit;
};

struct machine {
    struct sl_out_of_order_config c;
    struct sl_hierarchy *h;
    struct plain *all;
    size_t n;
    /* How far each stage has come. */
    size_t fetched, dispatched, committed;
    uint64_t cycle, fetch_waits, held;
    uint64_t busy[SL_SLOTS][64]; /* until then, by unit */
    uint64_t base, halves;
};

static struct fill *note_line(struct plain_reference *p, const struct sl_access *got,
                              struct fill **of_line)
{
    if (got->events & SL_ACCESS_L1_MISS) {
        *of_line = malloc(sizeof **of_line);
        **of_line = (struct fill){.cycles = got->cycles};
    }
    if (*of_line)
        p->fill[p->n_fills++] = *of_line;
    return *of_line;
}

/* Everything about memory that does not depend on time. */
static void note_references(struct machine *m, struct plain *i, const struct sl_reference *r,
                            unsigned n, struct fill **fill_of, size_t *store_of)
{
    const struct sl_hierarchy_port *port = &m->h->port[1];
    for (unsigned k = 0; k < n; k++) {
        struct plain_reference *p = &i->reference[k];
        struct sl_access got = sl_hierarchy_access(
            m->h, r[k].store ? SL_ACCESS_STORE : SL_ACCESS_LOAD, r[k].address, r[k].size);
        *p = (struct plain_reference){.r = &r[k],
                                      .port = NOT_YET,
                                      .data = NOT_YET,
                                      .hit = port->hit_cycles,
                                      .cycles = got.cycles,
                                      .miss = got.events & SL_ACCESS_L1_MISS};
        uint64_t end = r[k].address + r[k].size - 0x10000000;
        for (uint64_t at = r[k].address - 0x10000000; at < end; at = (at / 32 + 1) * 32)
            note_line(p, &got, &fill_of[at / 32]);
        for (uint64_t at = r[k].address - 0x10000000; at < end; at = (at / 8 + 1) * 8)
            if (!r[k].store && store_of[at / 8] != SIZE_MAX)
                p->store[p->n_stores++] = store_of[at / 8];
    }
    for (unsigned k = 0; k < n; k++)
        for (uint64_t at = r[k].address - 0x10000000;
             r[k].store && at < r[k].address + r[k].size - 0x10000000; at = (at / 8 + 1) * 8)
            store_of[at / 8] = (size_t)(i - m->all);
    i->n_references = n;
}

static void note_lines(struct machine *m, struct plain *i, uint64_t *line)
{
    uint64_t last = (i->op->pc + i->op->size - 1) / 32;
    if (i->first_of && (i->first_of->taken || i->first_of->prediction != SL_PREDICTED))
        *line = UINT64_MAX;
    for (uint64_t l = i->op->pc / 32; l <= last; l++)
        if (l != *line)
            i->stall += sl_hierarchy_access(m->h, SL_ACCESS_FETCH, l * 32, 1).cycles -
                        m->h->port[0].hit_cycles;
    *line = last;
}

static void note_program(struct machine *m, const struct program *program, uint64_t data)
{
    struct writer writer[SL_OP_REGISTERS];
    size_t branch = SIZE_MAX, n = 0;
    struct fill **fill_of = zeroed((data + 64) / 32 * sizeof *fill_of);
    size_t *store_of = zeroed((data + 64) / 8 * sizeof *store_of);
    uint64_t line = UINT64_MAX;
    memset(writer, 255, sizeof writer);
    memset(store_of, 255, (data + 64) / 8 * sizeof *store_of);
    size_t n_ops = 0;
    for (size_t b = 0; b < program->n_executed; b++)
        n_ops += program->executed[b].n_ops;
    m->all = zeroed(n_ops * sizeof *m->all);
    for (size_t b = 0; b < program->n_executed; b++) {
        const struct sl_block_execution *e = &program->executed[b];
        const struct sl_reference *r = e->reference;
        for (uint32_t o = 0; o < e->n_ops; o++) {
            struct plain *i = &m->all[n];
            unsigned n_references = 0;
            *i = (struct plain){.op = &e->op[o],
                                .first_of = o ? NULL : e,
                                .branch = branch,
                                .hold = o + 1 == e->n_ops ? program->hold[b] : 0,
                                .fetch = NOT_YET,
                                .dispatch = NOT_YET,
                                .issue = NOT_YET,
                                .complete = NOT_YET,
                                .commit = NOT_YET};
            note_lines(m, i, &line);
            while (r + n_references < e->reference + e->n_references && r[n_references].op == o)
                n_references++;
            note_references(m, i, r, n_references, fill_of, store_of);
            r += n_references;
            for (unsigned s = 0; s < i->op->n_sources; s++)
                if (writer[i->op->source[s]].n != SIZE_MAX)
                    i->source[i->n_sources++] = writer[i->op->source[s]];
            for (unsigned s = 0; s < i->op->n_results; s++)
                writer[i->op->result[s]] = (struct writer){n, s + i->op->n_updates >=
                                                                  i->op->n_results};
            if (i->op->branch != SL_BRANCH_NONE)
                branch = n;
            n++;
        }
    }
    m->n = n;
    free(fill_of);
    free(store_of);
}

/* ---- commit ---- */

static bool by_now(const struct machine *m, uint64_t cycle)
{
    return cycle <= m->cycle;
}

static void commit(struct machine *m)
{
    uint64_t n = 0;
    while (m->committed < m->dispatched && n < m->c.commit && m->held <= m->cycle) {
        struct plain *i = &m->all[m->committed];
        if (i->complete == NOT_YET || !by_now(m, i->complete + 1))
            break;
        i->commit = m->cycle;
        if (i->hold) /* nothing was held, or this could not have been committed */
            m->held = m->cycle + 1 + i->hold;
        m->committed++;
        n++;
    }
    m->base += n != 0;
}

/* ---- issue ---- */

static unsigned idle(const struct machine *m, enum sl_slot kind, uint64_t there_are)
{
    unsigned n = 0;
    for (uint64_t i = 0; i < there_are; i++)
        n += m->busy[kind][i] <= m->cycle;
    return n;
}

static void take(struct machine *m, enum sl_slot kind, uint64_t cycles)
{
    unsigned i = 0;
    while (m->busy[kind][i] > m->cycle)
        i++;
    m->busy[kind][i] = m->cycle + cycles;
}

struct kind {
    enum sl_slot slot; /* SL_SLOT_ISSUE: no other */
    uint64_t there_are, latency, occupied;
};

static struct kind kind_of(const struct machine *m, const struct sl_op *op)
{
    const struct sl_out_of_order_config *c = &m->c;
    switch (op->unit) {
    case SL_UNIT_ALU:
        return (struct kind){SL_SLOT_ALU, c->alu, 1, 1};
    case SL_UNIT_MULTIPLY:
        return (struct kind){SL_SLOT_MULTIPLY, c->mul, c->multiply, 1};
    case SL_UNIT_DIVIDE:
        return (struct kind){SL_SLOT_MULTIPLY, c->mul, c->divide, c->divide};
    case SL_UNIT_FLOAT_DIVIDE:
        return (struct kind){SL_SLOT_FLOAT_MULTIPLY, c->fpmul, c->float_divide, c->float_divide};
    case SL_UNIT_FLOAT:
        return (struct kind){SL_SLOT_FLOAT, c->fpu, c->float_add, 1};
    case SL_UNIT_FLOAT_MULTIPLY:
        return (struct kind){SL_SLOT_FLOAT_MULTIPLY, c->fpmul, c->float_multiply, 1};
    default:
        return (struct kind){SL_SLOT_ISSUE, c->issue, op->unit == SL_UNIT_MEMORY ? 0 : 1, 1};
    }
}

static bool sources_ready(const struct machine *m, const struct plain *i)
{
    for (unsigned s = 0; s < i->n_sources; s++) {
        const struct plain *from = &m->all[i->source[s].n];
        uint64_t there = !i->source[s].update     ? from->complete
                         : from->issue == NOT_YET ? NOT_YET
                                                  : from->issue + 1;
        if (!by_now(m, there))
            return false;
    }
    return i->dispatch != NOT_YET && i->dispatch < m->cycle;
}

static void issue(struct machine *m, struct plain *i)
{
    struct kind k = kind_of(m, i->op);
    if (!sources_ready(m, i) || !idle(m, SL_SLOT_ISSUE, m->c.issue) ||
        (k.slot != SL_SLOT_ISSUE && !idle(m, k.slot, k.there_are)) ||
        (i->n_references && !idle(m, SL_SLOT_PORT, m->c.ports)))
        return;
    i->issue = m->cycle;
    take(m, SL_SLOT_ISSUE, 1);
    if (k.slot != SL_SLOT_ISSUE)
        take(m, k.slot, k.occupied);
    if (!i->n_references)
        i->complete = m->cycle + (k.latency ? k.latency : 1);
}

static uint64_t ask_line(struct fill *f, size_t by, uint64_t cycle)
{
    uint64_t comes = cycle + f->cycles;
    bool sooner = true;
    for (unsigned i = 0; i < f->n_asked; i++)
        if (f->asked[i].by <= by && f->asked[i].comes <= comes) {
            comes = f->asked[i].comes;
            sooner = false;
        }
    if (sooner) {
        if (f->n_asked == FILL_ASKED)
            abort();
        f->asked[f->n_asked].by = by;
        f->asked[f->n_asked++].comes = comes;
    }
    return comes;
}

/* The hierarchy is asked: is there a store to take the data from, is the line there? */
static void ask(struct machine *m, const struct plain *i, struct plain_reference *p)
{
    p->asked = true;
    p->data = m->cycle + (p->r->store ? 0 : p->cycles);
    for (unsigned f = 0; f < p->n_fills && (p->miss || !p->r->store); f++) {
        uint64_t comes = ask_line(p->fill[f], (size_t)(i - m->all), m->cycle);
        if (!p->miss && comes > p->data)
            p->data = comes;
    }
    for (unsigned s = 0; s < p->n_stores; s++)
        p->forwarded |= m->all[p->store[s]].commit == NOT_YET;
    if (!p->forwarded)
        return;
    p->data = m->cycle;
    /* Those in the queue only; the others count for nothing. */
    unsigned kept = 0;
    for (unsigned s = 0; s < p->n_stores; s++)
        if (m->all[p->store[s]].commit == NOT_YET)
            p->store[kept++] = p->store[s];
    p->n_stores = kept;
}

static uint64_t data_of(const struct machine *m, const struct plain_reference *p)
{
    uint64_t data = p->data;
    if (!p->asked || !p->forwarded)
        return data;
    for (unsigned s = 0; s < p->n_stores; s++) {
        uint64_t complete = m->all[p->store[s]].complete;
        if (complete > data) /* NOT_YET is */
            data = complete;
    }
    return data == NOT_YET ? data : data + m->c.forwarding;
}

static void go_on(struct machine *m, struct plain *i)
{
    struct kind k = kind_of(m, i->op);
    uint64_t data = 0;
    bool loads = false;
    for (unsigned r = 0; r < i->n_references; r++) {
        struct plain_reference *p = &i->reference[r];
        if (p->port == NOT_YET && idle(m, SL_SLOT_PORT, m->c.ports)) {
            p->port = m->cycle;
            take(m, SL_SLOT_PORT, 1);
        }
        if (p->port != NOT_YET && p->port + m->c.address == m->cycle)
            ask(m, i, p);
        if (data_of(m, p) > data)
            data = data_of(m, p);
        loads |= !p->r->store;
    }
    if (data == NOT_YET)
        return;
    i->complete = loads ? data + k.latency : data;
    if (i->complete < i->issue + (k.latency ? k.latency : 1))
        i->complete = i->issue + (k.latency ? k.latency : 1);
}

static void execute(struct machine *m)
{
    for (size_t n = m->committed; n < m->dispatched; n++) {
        struct plain *i = &m->all[n];
        if (i->issue == NOT_YET)
            issue(m, i);
        if (i->issue != NOT_YET && i->complete == NOT_YET)
            go_on(m, i);
    }
    unsigned accesses = (unsigned)m->c.ports - idle(m, SL_SLOT_PORT, m->c.ports);
    m->halves += accesses == 1 ? 2 : accesses;
}

/* ---- dispatch and fetch ---- */

static void dispatch(struct machine *m)
{
    uint64_t in_queue = 0;
    for (size_t n = m->committed; n < m->dispatched; n++)
        in_queue += m->all[n].n_references != 0;
    for (uint64_t n = 0; n < m->c.dispatch && m->dispatched < m->fetched; n++) {
        struct plain *i = &m->all[m->dispatched];
        bool empty = m->committed == m->dispatched;
        if (!by_now(m, i->fetch + 1) || m->dispatched - m->committed == m->c.rob ||
            (i->n_references && in_queue == m->c.lsq) ||
            (!empty && (i->op->unit == SL_UNIT_SYSTEM || (i - 1)->op->unit == SL_UNIT_SYSTEM)))
            break;
        i->dispatch = m->cycle;
        if (i->op->unit == SL_UNIT_NONE) {
            i->issue = m->cycle + 1;
            i->complete = m->cycle + 2;
        }
        in_queue += i->n_references != 0;
        m->dispatched++;
    }
}

/* Fetching is a pipeline as long as L1's latency; it has to be filled again. */
static uint64_t refill(const struct machine *m)
{
    uint64_t latency = m->h->port[0].hit_cycles;
    return latency > 1 ? latency - 1 : 0;
}

/* Whether fetching knows by now that it goes on with this instruction. */
static bool found(const struct machine *m, const struct plain *i)
{
    if (!i->first_of)
        return true;
    if (i > m->all && i->first_of->taken && (i - 1)->fetch == m->cycle)
        return false;
    if (i->first_of->prediction == SL_PREDICTED || i->branch == SIZE_MAX)
        return true;
    const struct plain *branch = &m->all[i->branch];
    if (i->first_of->prediction == SL_MISFETCHED)
        return branch->dispatch != NOT_YET &&
               by_now(m, branch->dispatch + m->c.misfetch_penalty + refill(m));
    return branch->complete != NOT_YET &&
           by_now(m, branch->complete + m->c.branch_penalty + refill(m));
}

static void fetch(struct machine *m)
{
    for (uint64_t n = 0; n < m->c.fetch && m->fetched < m->n && m->fetch_waits <= m->cycle; n++) {
        struct plain *i = &m->all[m->fetched];
        if (!found(m, i) || m->fetched - m->dispatched == m->c.ifq)
            break;
        if (i->stall && !i->stalled) {
            i->stalled = true;
            m->fetch_waits = m->cycle + i->stall;
            break;
        }
        i->fetch = m->cycle;
        m->fetched++;
    }
}

static uint64_t simulate(struct machine *m)
{
    m->fetch_waits = 1 + refill(m);
    while (m->committed < m->n) {
        m->cycle++;
        commit(m);
        execute(m);
        dispatch(m);
        fetch(m);
    }
    return m->cycle;
}

/* Its memory of lines is shared by many references: each is freed by the one that missed. */
static void close_machine(struct machine *m)
{
    for (size_t n = 0; n < m->n; n++)
        for (unsigned r = 0; r < m->all[n].n_references; r++)
            for (unsigned f = 0; m->all[n].reference[r].miss && f < m->all[n].reference[r].n_fills;
                 f++)
                free(m->all[n].reference[r].fill[f]);
    free(m->all);
    free(m->h);
}

#endif
