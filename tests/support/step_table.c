/* SPDX-License-Identifier: MIT */
/* Test program that checks that a table counts batches of events correctly: on the events of a
 * recorded trace, its function for batches (`observe`) gives bit-identical results to its function
 * for single events (`step`). Usage: step_table TRACE SPEC...
 *
 * Every table counts the trace twice, event by event and in batches of varying size: the load
 * values; and blocks, static tuples <pc, end>, weighted by their instructions. It does so once with
 * capacity for the hashes of all names and with messages kept by the table, and once with a small
 * capacity and messages taken by the host.
 *
 * Messages and intervals must be the same in the same order; entries and status at many points of
 * the run. Prints a line for each comparison, "same: ..." or the difference, and exits with 1 if
 * there is one. The trace has values and no addresses (sluice record -p value). */
#include <stdlib.h>

#include "../support/interval_log.h"
#include "../support/placed_table.h"
#include "grow.h"
#include "source.h"
#include "table.h"

#define NAMES_ALL ((size_t)1 << 20)
#define NAMES_FEW ((size_t)500)
#define CHUNKS_BETWEEN 50u

enum kind { VALUES, BLOCKS, KINDS };

/* What one chunk has of a kind of tuples. */
struct words {
    struct sl_tuple_names names;
    struct sl_batch batch;
    uint64_t *pc, *second, *weight;
    size_t pc_capacity, second_capacity, weight_capacity;
};

struct reported {
    struct inbox inbox;
    struct interval_log log;
};

/* One table twice: [0] is stepped, [1] observes. */
struct pair {
    const char *spec;
    enum kind kind;
    bool delivers; /* the host takes the messages, and there is space for few names */
    struct placed placed[2];
    struct reported reported[2];
    const char *differs; /* what does; NULL: nothing */
};

/* ---- the stream ---- */

static bool take_values(struct words *w, const struct sl_chunk *c, const struct sl_statics *s)
{
    if (!SL_GROW(w->pc, w->pc_capacity, s->n_insns))
        return false;
    for (; w->names.n < s->n_insns; w->names.n++)
        w->pc[w->names.n] = s->insn[w->names.n].pc;
    w->names.pc = w->pc;
    w->batch = (struct sl_batch){c->n_mems, c->mem_insn, c->mem_value, NULL, &w->names,
                                 NULL,      0,           NULL};
    return true;
}

static bool take_blocks(struct words *w, const struct sl_chunk *c, const struct sl_statics *s)
{
    if (!SL_GROW(w->pc, w->pc_capacity, s->n_blocks) ||
        !SL_GROW(w->second, w->second_capacity, s->n_blocks) ||
        !SL_GROW(w->weight, w->weight_capacity, c->n_blocks))
        return false;
    for (; w->names.n < s->n_blocks; w->names.n++) {
        const struct sl_block *block = &s->block[w->names.n];
        w->pc[w->names.n] = block->pc;
        w->second[w->names.n] = block->pc + block->n_bytes;
    }
    for (uint32_t i = 0; i < c->n_blocks; i++)
        w->weight[i] = s->block_size[c->block[i]];
    w->names.pc = w->pc;
    w->names.value = w->second;
    w->batch = (struct sl_batch){c->n_blocks, c->block, NULL, w->weight, &w->names, NULL, 0, NULL};
    return true;
}

static struct sl_batch part_of(const struct sl_batch *b, size_t from, size_t n)
{
    return (struct sl_batch){n,
                             b->tuple_id + from,
                             b->value ? b->value + from : NULL,
                             b->weight ? b->weight + from : NULL,
                             b->names,
                             NULL,
                             0,
                             NULL};
}

static void feed(struct pair *p, const struct sl_batch *all, uint64_t *seed)
{
    for (size_t i = 0; i < all->n; i++) {
        struct sl_event event = sl_batch_event(all, i);
        sl_table_step(p->placed[0].table, &event);
    }
    for (size_t at = 0; at < all->n;) {
        struct sl_batch part = part_of(all, at, uneven(seed, all->n - at));
        sl_table_observe(p->placed[1].table, &part);
        at += part.n;
    }
}

/* ---- what is reported ---- */

static void keep_told_messages(void *context, const struct sl_message *message, size_t n)
{
    keep_messages(&((struct reported *)context)->inbox, message, n);
}

static void log_told_interval(void *context, const struct sl_interval *interval)
{
    log_interval(&((struct reported *)context)->log, interval);
}

static bool same_logs(const struct interval_log *a, const struct interval_log *b)
{
    size_t i = 0;
    while (i < a->n && i < b->n && same_interval(&a->interval[i], &b->interval[i]))
        i++;
    return a->n == b->n && i == a->n && a->n_entries == b->n_entries &&
           (!a->n_entries || !memcmp(a->entry, b->entry, a->n_entries * sizeof *a->entry));
}

static void check(struct pair *p, const struct sl_tuple_names *names)
{
    const struct sl_table *a = p->placed[0].table, *b = p->placed[1].table;
    struct sl_table_status of_a, of_b;
    if (p->differs)
        return;
    sl_table_status(a, &of_a);
    sl_table_status(b, &of_b);
    if (!same_status(&of_a, &of_b))
        p->differs = "status";
    else if (!same_messages(&p->reported[0].inbox, &p->reported[1].inbox))
        p->differs = "messages";
    else if (!same_logs(&p->reported[0].log, &p->reported[1].log))
        p->differs = "intervals";
    else if (!same_drained(a, b, names))
        p->differs = "entries";
}

/* ---- all tables ---- */

static void open_pair(struct pair *p)
{
    for (int k = 0; k < 2; k++) {
        struct sl_table_host host = {.memory_bytes = UINT64_C(1) << 30,
                                     .names = p->delivers ? NAMES_FEW : NAMES_ALL,
                                     .deliver = p->delivers ? keep_told_messages : NULL,
                                     .interval = log_told_interval,
                                     .context = &p->reported[k]};
        p->placed[k] = place(p->spec, &host);
    }
}

static void close_pair(struct pair *p)
{
    for (int k = 0; k < 2; k++) {
        unplace(&p->placed[k]);
        free(p->reported[k].inbox.message);
        log_free(&p->reported[k].log);
    }
}

static int run(struct sl_source *source, struct pair *pair, size_t n_pairs, struct words *words,
               struct sl_failure *f)
{
    struct sl_chunk c;
    uint64_t seed = 1;
    int more;
    for (unsigned chunks = 1; (more = sl_source_next(source, &c, f)) > 0; chunks++) {
        if (!take_values(&words[VALUES], &c, &source->statics) ||
            !take_blocks(&words[BLOCKS], &c, &source->statics))
            abort();
        for (struct pair *p = pair; p < pair + n_pairs; p++) {
            feed(p, &words[p->kind].batch, &seed);
            if (chunks % CHUNKS_BETWEEN == 0)
                check(p, &words[p->kind].names);
        }
    }
    return more;
}

static bool end(struct pair *p, const struct sl_tuple_names *names)
{
    static const char *const kind[] = {"values", "blocks"};
    struct sl_table_status s;
    for (int k = 0; k < 2; k++)
        sl_table_finish(p->placed[k].table);
    check(p, names);
    sl_table_status(p->placed[0].table, &s);
    printf("%s: %s to %s%s: %llu events, %llu messages, %zu intervals\n",
           p->differs ? p->differs : "same", kind[p->kind], p->spec,
           p->delivers ? " that delivers" : "", (unsigned long long)s.events,
           (unsigned long long)s.messages, p->reported[0].log.n);
    return !p->differs;
}

int main(int argc, char **argv)
{
    struct sl_failure f = {0};
    struct sl_source *source;
    struct words words[KINDS] = {0};
    size_t n_pairs = argc > 2 ? 2 * KINDS * ((size_t)argc - 2) : 0;
    struct pair *pair = calloc(n_pairs + 1, sizeof *pair);
    bool same = true;
    if (!n_pairs || !pair || sl_source_open(&source, argv[1], &f) < 0 ||
        sl_source_contents(source) != SL_NEED_VALUES) {
        fprintf(stderr,
                "step_table: give a trace with values and no addresses, and specs of "
                "tables\n%s\n",
                f.text);
        return 2;
    }
    for (size_t i = 0; i < n_pairs; i++) {
        pair[i].spec = argv[2 + i / (2 * KINDS)];
        pair[i].kind = (enum kind)(i / 2 % KINDS);
        pair[i].delivers = i % 2;
        open_pair(&pair[i]);
    }
    if (run(source, pair, n_pairs, words, &f) < 0) {
        fprintf(stderr, "step_table: %s\n", f.text);
        return 2;
    }
    for (struct pair *p = pair; p < pair + n_pairs; p++) {
        same &= end(p, &words[p->kind].names);
        close_pair(p);
    }
    for (int k = 0; k < KINDS; k++) {
        free(words[k].pc);
        free(words[k].second);
        free(words[k].weight);
    }
    free(pair);
    sl_source_close(source);
    return !same;
}
