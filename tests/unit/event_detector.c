/* SPDX-License-Identifier: MIT */
/* Unit tests of the detector `event`, which emits machine events (for example cache misses) as
 * tuples. The weights of its tuples add up to the totals of the CPU model, and its events are in
 * the order of the blocks. The event log of the CPU model contains the counts of each block.
 * Unknown event names are refused. */
#include "detector.h"

#include <string.h>

#include "../support/checkout_data.h"
#include "../support/tiny_program.h"
#include "machine.h"
#include "tap.h"

extern const struct sl_detector_kind sl_detector_event;

#define ALL ((UINT64_C(1) << SL_MACHINE_EVENTS) - 1)

/* ---- a program: a loop that loads far apart, an unpredictable branch ---- */

#define LOAD UINT32_C(0x00053283)  /* ld t0, 0(a0) */
#define STORE UINT32_C(0x00553423) /* sd t0, 8(a0) */
#define ADD UINT32_C(0x00b50533)   /* add a0, a0, a1 */
#define MULTIPLY UINT32_C(0x02b50533)
#define SKIP UINT32_C(0x00528463) /* beq t0, t0, +8 */
#define BACK UINT32_C(0xfe5296e3) /* bne t0, t0, -20 */

struct program {
    struct tiny *t;
    uint32_t head, odd, tail;
    uint64_t random;
    struct sl_selection selection;
    struct sl_detector_env env;
};

static void open_program(struct program *p, const char *range)
{
    struct sl_failure f;
    *p = (struct program){.t = tiny_new(SL_ARCH_RISCV64), .random = 9};
    p->head = tiny_words(p->t, 0x10000, 3, (uint32_t[]){LOAD, ADD, SKIP});
    p->odd = tiny_words(p->t, 0x1000c, 1, (uint32_t[]){MULTIPLY});
    p->tail = tiny_words(p->t, 0x10010, 2, (uint32_t[]){STORE, BACK});
    tiny_sync(p->t);
    if (sl_selection_init(&p->selection, range, NULL, &f) < 0 ||
        sl_selection_sync(&p->selection, &p->t->code, NULL, &f) < 0)
        abort();
    p->env = (struct sl_detector_env){
        .statics = &p->t->statics, .code = &p->t->code, .selection = &p->selection};
}

static void close_program(struct program *p)
{
    sl_selection_free(&p->selection);
    tiny_free(p->t);
}

static void run_loop(struct program *p, unsigned rounds, struct sl_chunk *chunk)
{
    for (unsigned i = 0; i < rounds; i++) {
        uint64_t r = sl_random_next(&p->random);
        tiny_enter(p->t, p->head);
        tiny_access(p->t, 0, 'r', 3, 0x100000 + r % 100000 * 8);
        if (r >> 63)
            tiny_enter(p->t, p->odd);
        tiny_enter(p->t, p->tail);
        tiny_access(p->t, 0, 'w', 3, 0x100000 + r % 1000 * 8);
    }
    tiny_cut(p->t, chunk);
}

static struct sl_machine *open_machine(uint64_t rows, bool log)
{
    struct sl_machine *m;
    struct sl_failure f;
    if (sl_machine_open(&m, "rocket", &f) < 0) {
        printf("# %s\n", f.text);
        abort();
    }
    if (log)
        sl_machine_need_event_log(m);
    sl_machine_need_events(m, rows);
    return m;
}

static void run(struct sl_machine *m, const struct program *p, const struct sl_chunk *chunk)
{
    struct sl_failure f;
    if (sl_machine_sync(m, &p->t->code, &f) < 0 || sl_machine_run(m, chunk, &f) < 0)
        abort();
}

/* ---- the log ---- */

static void log_and_rows(void)
{
    struct program p;
    struct sl_chunk chunk;
    struct sl_machine *rows = open_machine(ALL, false), *log = open_machine(0, true);
    bool same = true, clock = true;
    uint64_t entries = 0;
    open_program(&p, NULL);
    for (unsigned n = 0; n < 30; n++) {
        run_loop(&p, n * 40, &chunk);
        run(rows, &p, &chunk);
        run(log, &p, &chunk);
        const struct sl_event_log *l = sl_machine_need_event_log(log);
        for (uint32_t i = 0; i < chunk.n_blocks; i++) {
            uint64_t counted[SL_FABRIC_COUNTERS] = {0};
            for (uint32_t k = l->first[i]; k < l->first[i + 1]; k++) {
                counted[l->number[k]] += l->weight[k];
                same &= l->weight[k] > 0;
                entries++;
            }
            for (unsigned k = 0; k < SL_FABRIC_COUNTERS; k++)
                same &= counted[k] == sl_machine_block_counts(rows, sl_fabric[k])[i];
            clock &= l->number[l->first[i]] == 0;
        }
    }
    ok(same && entries > 10000, "the log has what the rows have, block by block (%llu entries)",
       (unsigned long long)entries);
    ok(clock, "and the cycles of each block first");
    ok(!memcmp(sl_machine_totals(rows), sl_machine_totals(log),
               SL_MACHINE_TOTALS * sizeof(uint64_t)),
       "who looks does not matter to the machine");
    sl_machine_close(rows);
    sl_machine_close(log);
    close_program(&p);
}

/* ---- the detector ---- */

struct detecting {
    void *config, *state;
    struct sl_events out;
};

static struct detecting open_detector(const char *text, struct program *p, bool places)
{
    struct detecting d = {
        calloc(1, sl_detector_event.config_size), calloc(1, sl_detector_event.state_size), {0}};
    struct sl_spec spec;
    struct sl_failure f;
    d.out = (struct sl_events){.tuple_id = calloc(SL_EVENTS_MAX, sizeof(uint32_t)),
                               .weight = calloc(SL_EVENTS_MAX, sizeof(uint64_t)),
                               .position = places ? calloc(SL_EVENTS_MAX, sizeof(uint32_t)) : NULL};
    if (sl_spec_split(&spec, text, 0, &f) < 0 ||
        sl_options_parse(sl_detector_event.options, &spec, d.config, &f) < 0 ||
        sl_detector_event.resolve(d.config, &f) < 0 ||
        sl_detector_event.init(d.state, d.config, &p->env, &f) < 0) {
        printf("# %s\n", f.text);
        abort();
    }
    sl_machine_need_events(p->env.machine, sl_detector_event.machine_events(d.config));
    return d;
}

static void close_detector(struct detecting *d)
{
    sl_detector_event.close(d->state);
    free(d->config);
    free(d->state);
    free(d->out.tuple_id);
    free(d->out.weight);
    free(d->out.position);
}

/* Feeds a chunk in slices and adds up what comes, by tuple id; false if places go back. */
static bool feed(struct detecting *d, const struct sl_chunk *chunk, uint64_t *sum)
{
    bool good = true;
    for (uint32_t low = 0; low < chunk->n_blocks;) {
        uint32_t high = low + 400 < chunk->n_blocks ? low + 400 : chunk->n_blocks, before = 0;
        struct sl_slice slice = {
            .chunk = chunk, .block_low = low, .block_high = high, .joined = true, .active = true};
        struct sl_events *out = &d->out;
        out->n = 0;
        out->tuple_id_in_place = NULL;
        out->weight_in_place = NULL;
        sl_detector_event.feed(d->state, &slice, out, NULL);
        for (size_t i = 0; i < out->n; i++) {
            uint32_t tuple_id = (out->tuple_id_in_place ? out->tuple_id_in_place
                                                        : out->tuple_id)[i];
            sum[tuple_id] += (out->weight_in_place ? out->weight_in_place : out->weight)[i];
            if (out->position) {
                good &= out->position[i] >= before && out->position[i] > low &&
                        out->position[i] <= high;
                before = out->position[i];
            }
        }
        low = high;
    }
    return good;
}

static uint64_t total(const struct program *p, uint64_t set)
{
    uint64_t sum = 0;
    for (; set; set &= set - 1)
        sum += sl_machine_totals(p->env.machine)[__builtin_ctzll(set)];
    return sum;
}

static void adds_up(const char *text, bool places)
{
    struct program p;
    struct sl_chunk chunk;
    struct sl_tuple_names names;
    uint64_t sum[SL_FABRIC_COUNTERS] = {0};
    bool same = true, ordered = true;
    open_program(&p, NULL);
    p.env.machine = open_machine(0, false);
    struct detecting d = open_detector(text, &p, places);
    for (unsigned n = 0; n < 10; n++) {
        run_loop(&p, n * 100, &chunk);
        run(p.env.machine, &p, &chunk);
        ordered &= feed(&d, &chunk, sum);
    }
    sl_detector_event.names(d.state, &names);
    for (size_t i = 0; i < names.n; i++)
        same &= names.pc[i] & SL_EVENT_SET_PC && !names.value[i] &&
                sum[i] == total(&p, names.pc[i] ^ SL_EVENT_SET_PC);
    ok(same && sum[0] > 0 && names.n == (strcmp(text, "event(all)") ? 1 : SL_FABRIC_COUNTERS),
       "%s%s: adds up to what happened", text, places ? ", with places" : "");
    ok(ordered, "%s%s: in the order of the blocks", text, places ? ", with places" : "");
    close_detector(&d);
    sl_machine_close(p.env.machine);
    close_program(&p);
}

/* Of one block only. */
static void selected(void)
{
    struct program p;
    struct sl_chunk chunk;
    uint64_t all[SL_FABRIC_COUNTERS] = {0}, one[1] = {0};
    open_program(&p, "1000c-10010");
    p.env.machine = open_machine(0, false);
    struct detecting d = open_detector("event", &p, false);
    struct detecting e = open_detector("event(multiply)", &p, false);
    run_loop(&p, 1000, &chunk);
    run(p.env.machine, &p, &chunk);
    feed(&d, &chunk, all);
    feed(&e, &chunk, one);
    uint64_t odd = total(&p, UINT64_C(1) << SL_MACHINE_MULTIPLY);
    uint64_t cycles = total(&p, UINT64_C(1) << SL_MACHINE_CYCLES);
    ok(odd > 400 && all[1] == odd && one[0] == odd && all[0] < cycles,
       "of a range, what happened in blocks that begin there");
    close_detector(&d);
    close_detector(&e);
    sl_machine_close(p.env.machine);
    close_program(&p);
}

/* ---- names ---- */

static void names_of_sets(void)
{
    struct sl_failure f;
    uint64_t set, seen = 0;
    char name[200], every[600] = "";
    for (unsigned i = 0; i < SL_FABRIC_COUNTERS; i++)
        seen |= UINT64_C(1) << sl_fabric[i];
    ok(__builtin_popcountll(seen) == SL_FABRIC_COUNTERS && sl_fabric[0] == SL_MACHINE_CYCLES,
       "the fabric has 29 counters, each for another event, the first for cycles");
    bool same = true;
    for (unsigned i = 0; i < SL_MACHINE_EVENTS; i++) {
        same &= sl_event_set_parse(&set, sl_machine_event_names[i].name, &f) == 0 &&
                set == UINT64_C(1) << i;
        snprintf(every + strlen(every), sizeof every - strlen(every), "%s%s", i ? "+" : "",
                 sl_machine_event_names[i].name);
    }
    ok(same, "every event has a name");
    ok(!sl_event_set_parse(&set, every, &f) && set == ALL, "all of them can be added");
    ok(!sl_event_set_parse(&set, "target+direction", &f) &&
           set ==
               (UINT64_C(1) << SL_MACHINE_WRONG_DIRECTION | UINT64_C(1) << SL_MACHINE_WRONG_TARGET),
       "a set is written in any order");
    sl_event_set_name(set | SL_EVENT_SET_PC, name, sizeof name);
    ok(!strcmp(name, "direction+target"), "and named in one");
    const char *wrong[] = {"", "dmis", "dmiss+", "+dmiss", "dmiss,imiss", "all+dmiss"};
    same = true;
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        same &= sl_event_set_parse(&set, wrong[i], &f) == SL_EUSAGE &&
                strstr(f.text, "stall-loaduse");
    ok(same, "what is no event is refused with a list of those that are");
}

int main(void)
{
    use_checkout_data();
    log_and_rows();
    adds_up("event(all)", false);
    adds_up("event(all)", true);
    adds_up("event(dmiss)", false);
    adds_up("event(direction+target)", true);
    selected();
    names_of_sets();
    return done_testing();
}
