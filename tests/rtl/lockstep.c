/* SPDX-License-Identifier: MIT */
/* Lockstep test: sends the same events to a table's RTL, translated by Verilator, and to the
 * table's C model (its function `step`), and checks that both have the same contents and messages.
 *
 *     lockstep SPEC STREAM EVENTS [EVERY [SEED [CYCLES [changed]]]]
 *
 * Ends after EVENTS events, or earlier after CYCLES cycles. STREAM is a synthetic one (mixed,
 * alias, different, one, weights) or a trace. The RTL gets each event with random pauses of valid
 * and ready. The messages of both must be the same in the same order, and after every event (or
 * each EVERY events) every readable word of the RTL is compared with the model. With `changed`, the
 * test also waits for the end of each event and compares the words that it changed in the model;
 * words that it changed only in the RTL are found when all words are compared.
 *
 * Tables by function use the functions of the file $LOCKSTEP_PROGRAM.
 *
 * Prints "agrees: ..." and exits with 0, or prints the first difference and exits with 1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "function_table.h"
#include "random.h"
#include "spec.h"
#include "rtl_model.h"
#include "rtl_ports.h"

#define QUEUE 65536u
#define CYCLES_MAX 100000000u /* without a response */

struct message {
    unsigned kind;
    struct sl_tuple tuple;
    uint64_t count;
};

struct word {
    uint32_t address;
    uint64_t value;
};

struct lockstep {
    struct sl_rtl_model model;
    struct rtl_ports ports;
    uint64_t random, events, limit, every, cycles, cycles_limit, messages, words;
    struct message expected[QUEUE]; /* sent by the model, not yet by the RTL */
    size_t first, n;
    uint64_t part[SL_PARTS]; /* of a synthetic event */
    struct word *word;       /* of the model, as last compared, in its order */
    size_t n_words, capacity, at;
    uint64_t words_read; /* words of the model, compared or not */
    bool changed, all; /* options: compare changed words after every event; compare all words now */
    bool differs;
};

static void add_expected(void *context, unsigned kind, struct sl_tuple tuple, uint64_t count)
{
    struct lockstep *l = context;
    if (l->n == QUEUE)
        abort();
    l->expected[(l->first + l->n++) % QUEUE] = (struct message){kind, tuple, count};
}

static void check_message(struct lockstep *l)
{
    const struct rtl_ports *p = &l->ports;
    const struct message *m = &l->expected[l->first];
    if (!l->n || m->kind != p->out_kind || m->tuple.pc != p->out_pc ||
        m->tuple.value != p->out_value || m->count != p->out_count) {
        printf("differs: at event %llu, message %llu is %d %llx %llx %llx, expected %s%u %llx %llx "
               "%llx\n",
               (unsigned long long)l->events, (unsigned long long)l->messages, p->out_kind,
               (unsigned long long)p->out_pc, (unsigned long long)p->out_value,
               (unsigned long long)p->out_count, l->n ? "" : "none; not ", m->kind,
               (unsigned long long)m->tuple.pc, (unsigned long long)m->tuple.value,
               (unsigned long long)m->count);
        l->differs = true;
        return;
    }
    l->first = (l->first + 1) % QUEUE;
    l->n--;
    l->messages++;
}

static void cycle(struct lockstep *l)
{
    l->ports.out_ready = sl_random_next(&l->random) >> 62;
    rtl_cycle(&l->ports);
    l->cycles++;
    if (l->ports.out_valid && l->ports.out_ready)
        check_message(l);
}

static void report_hang(struct lockstep *l, const char *what)
{
    printf("differs: at event %llu, %s\n", (unsigned long long)l->events, what);
    l->differs = true;
}

/* True if the next word of the model has changed since it was last compared. */
static bool has_changed(struct lockstep *l, uint32_t address, uint64_t value)
{
    l->words_read++;
    if (l->at == l->capacity) {
        l->capacity = l->capacity * 2 + 64;
        l->word = realloc(l->word, l->capacity * sizeof *l->word);
        if (!l->word)
            abort();
    }
    struct word *w = &l->word[l->at++];
    if (l->at <= l->n_words && w->address == address && w->value == value)
        return false;
    *w = (struct word){address, value};
    return true;
}

static void compare_word(void *context, uint32_t address, uint64_t word)
{
    struct lockstep *l = context;
    struct rtl_ports *p = &l->ports;
    if (l->differs || (l->changed && !has_changed(l, address, word) && !l->all))
        return;
    p->rd_valid = true;
    p->rd_address = address;
    p->rd_done = false;
    for (unsigned waited = 0; !p->rd_done && waited < 1000; waited++)
        cycle(l);
    p->rd_valid = false;
    l->words++;
    if (p->rd_done && p->rd_data == word)
        return;
    printf("differs: after event %llu, word %x holds %llx, expected %llx\n",
           (unsigned long long)l->events, address, (unsigned long long)p->rd_data,
           (unsigned long long)word);
    l->differs = true;
}

static void wait_until_idle(struct lockstep *l)
{
    unsigned waited = 0, quiet = 0;
    while (!l->differs && quiet < 3 && waited++ < CYCLES_MAX) {
        cycle(l);
        quiet = l->ports.idle && !l->ports.out_valid ? quiet + 1 : 0;
    }
    if (!l->differs && quiet < 3)
        report_hang(l, "the RTL does not become idle");
    if (!l->differs && l->n)
        report_hang(l, "a message is missing");
}

static void compare_words(struct lockstep *l, bool all)
{
    wait_until_idle(l);
    l->all = all;
    l->at = 0;
    l->model.rtl->state(l->model.state, l->model.config, compare_word, l);
    l->n_words = l->at;
}

static void run_event(struct lockstep *l, const struct sl_event *event)
{
    struct rtl_ports *p = &l->ports;
    struct sl_rtl_input input[SL_PARTS];
    unsigned n = sl_rtl_inputs(&l->model, event, input);
    for (unsigned i = 0; i < n; i++) {
        while (!l->differs && !(sl_random_next(&l->random) >> 62))
            cycle(l);
        p->in_valid = true;
        p->in_pc = input[i].tuple.pc;
        p->in_value = input[i].tuple.value;
        p->in_weight = (uint32_t)input[i].weight;
        p->in_ready = false;
        for (unsigned waited = 0; !l->differs && !p->in_ready; waited++) {
            cycle(l);
            if (waited == CYCLES_MAX)
                report_hang(l, "the RTL accepts no event");
        }
        p->in_valid = false;
    }
    /* Only after the RTL accepted the event, because it sends the messages of the previous one
     * first. */
    sl_rtl_model_step(&l->model, event);
    l->events++;
    bool all = l->events % l->every == 0;
    if (all || l->changed)
        compare_words(l, all);
}

static bool continues(const struct lockstep *l)
{
    /* Reading eight words of the model takes as long as simulating a cycle of the RTL. */
    return l->events < l->limit && l->cycles + l->words_read / 8 < l->cycles_limit && !l->differs;
}

/* ---- streams ---- */

static struct sl_event synthetic_event(struct lockstep *l, const char *stream, uint64_t *random)
{
    struct sl_event e = sl_rtl_synthetic_event(&l->model, random, l->events, l->part);
    if (!strcmp(stream, "one"))
        e.tuple_id = 1, e.tuple = (struct sl_tuple){0x400000, 42};
    else if (!strcmp(stream, "different"))
        e.tuple = (struct sl_tuple){l->events, sl_random_next(random)};
    else if (!strcmp(stream, "alias")) /* values that differ in one byte only */
        e.tuple = (struct sl_tuple){0x400000 + (e.tuple_id & 1), UINT64_C(1)
                                                                     << 8 * (e.tuple_id >> 1 & 7)};
    else if (!strcmp(stream, "weights") &&
             l->model.weight_bits > 1) /* the smallest and the largest */
        e.weight = e.tuple_id & 1 ? e.tuple_id >> 2 & 1
                                  : ~UINT64_C(0) >> (64 - l->model.weight_bits);
    return e;
}

static void run_batch(void *context, const struct sl_batch *batch)
{
    struct lockstep *l = context;
    for (size_t i = 0; i < batch->n && continues(l); i++) {
        uint32_t tuple_id = batch->tuple_id[i];
        uint64_t second = batch->value          ? batch->value[i]
                          : batch->names->value ? batch->names->value[tuple_id]
                                                : 0;
        struct sl_event event = {.tuple_id = tuple_id,
                                 .tuple = {batch->names->pc[tuple_id], second},
                                 .weight = batch->weight ? batch->weight[i] : 1,
                                 .part = batch->part ? batch->part[i] : NULL};
        run_event(l, &event);
    }
}

static int run_stream(struct lockstep *l, const char *spec, const char *stream,
                      struct sl_failure *f)
{
    uint64_t random = l->random + 1;
    struct sl_session *session;
    struct sl_source *source;
    struct sl_session_config config = {.size = sizeof config,
                                       .spec = &spec,
                                       .n_specs = 1,
                                       .observe = run_batch,
                                       .observe_context = l};
    if (!strchr(stream, '.') && !strchr(stream, ':')) {
        while (continues(l)) {
            struct sl_event event = synthetic_event(l, stream, &random);
            run_event(l, &event);
        }
        return 0;
    }
    if (sl_session_open(&session, &config, f) < 0 || sl_source_open(&source, stream, f) < 0 ||
        sl_session_run(session, source, NULL, NULL, f) < 0)
        return -1;
    sl_source_close(source);
    sl_session_close(session);
    return 0;
}

int main(int argc, char **argv)
{
    static struct lockstep l;
    struct sl_failure f = {0};
    struct sl_profile_spec spec = {0};
    if (argc < 4) {
        fputs("usage: lockstep SPEC STREAM EVENTS [EVERY [SEED [CYCLES [changed]]]]\n", stderr);
        return 2;
    }
    l.limit = strtoull(argv[3], NULL, 10);
    l.every = argc > 4 ? strtoull(argv[4], NULL, 10) : 1;
    l.random = argc > 5 ? strtoull(argv[5], NULL, 10) : 1;
    l.cycles_limit = argc > 6 ? strtoull(argv[6], NULL, 10) : UINT64_MAX;
    l.changed = argc > 7;
    const char *program = getenv("LOCKSTEP_PROGRAM");
    struct sl_function_list functions = {0};
    if (sl_profile_spec_parse(&spec, argv[1], &f) < 0 ||
        (program && sl_rtl_functions(program, &functions, &f) < 0) ||
        sl_rtl_model_open(&l.model, &spec, &functions, add_expected, &l, &f) < 0) {
        printf("differs: %s\n", f.text);
        return 1;
    }
    l.ports.rst = true;
    for (int i = 0; i < 4; i++)
        cycle(&l);
    l.ports.rst = false;
    if (run_stream(&l, argv[1], argv[2], &f) < 0) {
        printf("differs: %s\n", f.text);
        return 1;
    }
    compare_words(&l, true);
    if (!l.differs)
        printf("agrees: %llu events of %s in %llu cycles, %llu messages, %llu words compared\n",
               (unsigned long long)l.events, argv[2], (unsigned long long)l.cycles,
               (unsigned long long)l.messages, (unsigned long long)l.words);
    free(l.word);
    sl_rtl_model_close(&l.model);
    sl_function_list_free(&functions);
    sl_profile_spec_free(&spec);
    return l.differs;
}
