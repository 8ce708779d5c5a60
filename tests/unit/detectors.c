/* SPDX-License-Identifier: MIT */
/* Unit tests of the list of detectors: each detector has the required functions, and the type of
 * the second field of a tuple, if it has one, identifies its detector. The detectors of loads
 * (value, load, stride) are compared with a plain implementation on random accesses of several
 * threads. Tuples are numbered in the order of first appearance. */
#include "detector.h"

#include <string.h>

#include "../support/tiny_program.h"
#include "detector_state.h"
#include "metric.h"
#include "random.h"
#include "tap.h"

/* ---- the list ---- */

static bool has_core(const struct sl_detector_kind *k)
{
    return k->name && k->plural && k->summary && k->first != SL_FIELD_NOTHING &&
           !k->second.name == (k->second.type == SL_FIELD_NOTHING) &&
           sl_metric_find(k->default_metric, strlen(k->default_metric)) && k->state_size &&
           !k->options == !k->config_size && k->init && k->feed && k->names && k->close;
}

/* A derivation needs totals of both detectors. */
static bool has_whole_abilities(const struct sl_detector_kind *k)
{
    const struct sl_detector_derivation *d = k->derivation;
    return (!k->exits || (k->exits->usable && !k->exits->keep_totals == !k->exits->emit_totals)) &&
           (!k->pair_totals || k->pair_totals->emit) &&
           (!d || (d->from && d->usable && d->emit && k->exits && k->exits->keep_totals &&
                   d->from->exits && d->from->exits->keep_totals));
}

static void list(void)
{
    bool found = true, core = true, abilities = true, fields = true;
    size_t n = 0;
    for (; sl_detectors[n]; n++) {
        const struct sl_detector_kind *k = sl_detectors[n];
        found = found && sl_detector_find(k->name, strlen(k->name)) == k &&
                !sl_detector_find(k->name, strlen(k->name) - 1) &&
                sl_detector_with_fields(k->first, k->second.type) == k;
        core = core && has_core(k);
        abilities = abilities && has_whole_abilities(k);
        for (size_t i = 0; i < n; i++)
            fields = fields && (k->second.type == SL_FIELD_NOTHING ||
                                k->second.type != sl_detectors[i]->second.type);
    }
    ok(n >= 14 && found, "each of %zu detectors is found by its name and by its fields", n);
    ok(core, "each has the members that every detector needs");
    ok(abilities, "optional abilities are complete");
    ok(fields, "no two have the same type of second field");
    ok(!sl_detector_find("", 0) && !sl_detector_with_fields(SL_FIELD_NOTHING, SL_FIELD_CODE),
       "what is not there is not found");
}

/* ---- tuple ids ---- */

static void ids(void)
{
    enum { N = 3000 };
    static uint64_t pc[N], value[N];
    struct sl_dictionary d = {0};
    struct sl_tuple_names names;
    uint64_t random = 5;
    size_t n = 0;
    bool right = true;
    for (int i = 0; i < N; i++) {
        uint64_t a = sl_random_below(&random, 40), b = sl_random_below(&random, 40);
        size_t at = 0;
        while (at < n && (pc[at] != a || value[at] != b))
            at++;
        pc[at] = a;
        value[at] = b;
        n += at == n;
        right = right && sl_dictionary_add(&d, a, b) == at;
    }
    sl_dictionary_names(&d, &names);
    ok(right && names.n == n && !memcmp(names.pc, pc, n * sizeof *pc) &&
           !memcmp(names.value, value, n * sizeof *value),
       "%zu tuples have dense ids in the order of their first use", n);
    sl_dictionary_free(&d);
}

/* ---- loads ---- */

#define INSNS 8
#define THREADS 3

struct bench {
    struct tiny *tiny;
    struct sl_selection selection;
    struct sl_detector_env env;
    uint64_t last[THREADS][INSNS];
    bool known[THREADS][INSNS];
};

static struct sl_failure f;

static void open_bench(struct bench *b)
{
    uint32_t words[INSNS];
    *b = (struct bench){.tiny = tiny_new(SL_ARCH_RISCV64)};
    for (unsigned i = 0; i < INSNS; i++)
        words[i] = 0x00053503; /* ld a0, 0(a0) */
    tiny_words(b->tiny, 0x1000, INSNS, words);
    tiny_sync(b->tiny);
    b->env = (struct sl_detector_env){
        .statics = &b->tiny->statics, .code = &b->tiny->code, .selection = &b->selection};
    if (sl_selection_init(&b->selection, NULL, NULL, &f) < 0 ||
        sl_selection_sync(&b->selection, &b->tiny->code, NULL, &f) < 0)
        abort();
}

/* The second field of access i, by the definition of the detector; false: no event. */
static bool plainly(struct bench *b, const struct sl_detector_kind *kind,
                    const struct sl_chunk *chunk, uint32_t i, bool active, uint64_t *second)
{
    uint32_t word = chunk->mem_insn[i], insn = word & SL_MEM_INSN_MASK;
    uint64_t *last = &b->last[chunk->thread][insn], address = chunk->mem_addr[i];
    bool *known = &b->known[chunk->thread][insn], event = active;
    if (word & (SL_MEM_STORE | SL_MEM_MORE))
        return false;
    *second = kind == &sl_detector_value  ? chunk->mem_value[i]
              : kind == &sl_detector_load ? address / 64 * 64
                                          : address - *last;
    event = event && (kind != &sl_detector_stride || *known);
    *last = address;
    *known = true;
    return event;
}

static void loads(const struct sl_detector_kind *kind)
{
    enum { N = 500, CHUNKS = 200 };
    static uint32_t tuple_id[SL_EVENTS_MAX], insn[N], block[1], block_mem[1] = {0};
    static uint64_t value[SL_EVENTS_MAX], weight[SL_EVENTS_MAX], loaded[N], address[N];
    const uint64_t config = 64; /* line= */
    struct bench b;
    uint64_t random = 7, events = 0;
    bool right = true, begun[THREADS] = {false};
    void *state = calloc(1, kind->state_size);
    open_bench(&b);
    if (kind->init(state, &config, &b.env, &f) < 0 || (kind->sync && kind->sync(state, &f) < 0))
        abort();
    for (unsigned k = 0; k < CHUNKS; k++) {
        uint32_t n = (uint32_t)sl_random_below(&random, N), thread = k % THREADS, at = 0;
        for (uint32_t i = 0; i < n; i++) {
            static const uint32_t flags[] = {0, 0, 0, SL_MEM_STORE, SL_MEM_MORE};
            insn[i] = (uint32_t)sl_random_below(&random, INSNS) |
                      flags[sl_random_below(&random, 5)];
            loaded[i] = sl_random_below(&random, 5);
            address[i] = 0x8000 + sl_random_below(&random, 1000);
        }
        struct sl_chunk chunk = {thread, 0, 1, n, block, block_mem, insn, loaded, address};
        struct sl_slice slice = {.chunk = &chunk,
                                 .block_high = 1,
                                 .mem_high = n,
                                 .active = kind->feed_inactive ? k % 5 != 0 : true,
                                 .joined = begun[thread] && k % 7};
        struct sl_events out = {.tuple_id = tuple_id, .value = value, .weight = weight};
        if (!slice.joined)
            memset(b.known[thread], 0, sizeof b.known[thread]);
        begun[thread] = true;
        if (kind->feed(state, &slice, &out, &f) < 0)
            abort();
        for (uint32_t i = 0; i < n; i++) {
            uint64_t second;
            if (!plainly(&b, kind, &chunk, i, slice.active, &second))
                continue;
            right = right && at < out.n && tuple_id[at] == (insn[i] & SL_MEM_INSN_MASK) &&
                    value[at] == second;
            at++;
        }
        right = right && at == out.n;
        events += at;
    }
    ok(right && events > 1000, "%s: %llu events, as defined", kind->name,
       (unsigned long long)events);
    kind->close(state);
    free(state);
    sl_selection_free(&b.selection);
    tiny_free(b.tiny);
}

int main(void)
{
    list();
    ids();
    loads(&sl_detector_value);
    loads(&sl_detector_load);
    loads(&sl_detector_stride);
    return done_testing();
}
