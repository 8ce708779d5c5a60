/* SPDX-License-Identifier: MIT */
/* Unit tests of the detector of calling contexts. The inclusive costs of functions, of calls
 * between two functions and of sets of functions are derived from the recorded contexts alone, and
 * equal those of a plain model with an explicit call stack, for any depth of recursion. */
#include "detector.h"

#include <stdlib.h>
#include <string.h>

#include "../support/tiny_program.h"
#include "activation.h"
#include "context_name.h"
#include "symbol.h"
#include "tap.h"

extern const struct sl_detector_kind sl_detector_context;

/* ---- a program: functions that call one another in any way ---- */

#define N 12u /* functions */
#define DEPTH 60u
#define JUMP UINT32_C(0x00050067) /* jr a0 */
#define CALL UINT32_C(0x000500e7) /* jalr a0 */
#define RETURN UINT32_C(0x00008067)

/* Each function: a jump to its call or its return, and another after the call. */
struct function {
    uint32_t enter, call, back, leave;
};

static struct tiny *t;
static struct function function[N];
static struct sl_selection selection;
static struct sl_detector_env env;

static uint64_t start_of(uint32_t f)
{
    return 0x10000 + 0x100 * (uint64_t)f;
}

static void open_program(void)
{
    struct sl_failure f;
    t = tiny_new(SL_ARCH_RISCV64);
    for (uint32_t i = 0; i < N; i++) {
        function[i].enter = tiny_words(t, start_of(i), 1, (uint32_t[]){JUMP});
        function[i].call = tiny_words(t, start_of(i) + 0x10, 1, (uint32_t[]){CALL});
        function[i].back = tiny_words(t, start_of(i) + 0x14, 1, (uint32_t[]){JUMP});
        function[i].leave = tiny_words(t, start_of(i) + 0x20, 1, (uint32_t[]){RETURN});
    }
    tiny_sync(t);
    if (sl_selection_init(&selection, NULL, NULL, &f) < 0 ||
        sl_selection_sync(&selection, &t->code, NULL, &f) < 0)
        abort();
    env = (struct sl_detector_env){.statics = &t->statics,
                                   .code = &t->code,
                                   .symbols = sl_symbols_open(&t->statics),
                                   .selection = &selection};
}

/* ---- the plain definition ---- */

static uint32_t stack[DEPTH], depth;
static uint64_t self[N], inclusive[N], arc_self[N][N], arc_inclusive[N][N], together, all, calls;
static bool chosen[N];

static void execute(uint64_t weight)
{
    bool there[N] = {false}, arc[N][N] = {{false}}, some = false;
    all += weight;
    self[stack[depth - 1]] += weight;
    if (depth > 1)
        arc_self[stack[depth - 2]][stack[depth - 1]] += weight;
    for (uint32_t i = 0; i < depth; i++) {
        inclusive[stack[i]] += there[stack[i]] ? 0 : weight;
        there[stack[i]] = true;
        some = some || chosen[stack[i]];
        if (i) {
            arc_inclusive[stack[i - 1]][stack[i]] += arc[stack[i - 1]][stack[i]] ? 0 : weight;
            arc[stack[i - 1]][stack[i]] = true;
        }
    }
    together += some ? weight : 0;
}

/* ---- the detector ---- */

static void *state;
static uint32_t tuple_id[SL_EVENTS_MAX];
static uint64_t weight[SL_EVENTS_MAX], got[1 << 16], block_weight[SL_CHUNK_BLOCKS];
static struct sl_tuple_names names;

static void open_detector(uint64_t limit)
{
    struct sl_context_config config = {.repair = true, .limit = limit};
    struct sl_failure f;
    state = calloc(1, sl_detector_context.state_size);
    if (sl_detector_context.init(state, &config, &env, &f) < 0 ||
        sl_detector_context.sync(state, &f) < 0)
        abort();
    memset(got, 0, sizeof got);
}

static void close_detector(void)
{
    sl_detector_context.close(state);
    free(state);
}

static void take(struct sl_events *out)
{
    for (size_t i = 0; i < out->n; i++)
        got[tuple_id[i]] += weight[i];
    out->n = 0;
}

static void feed(bool first)
{
    struct sl_events out = {.tuple_id = tuple_id, .weight = weight};
    struct sl_chunk chunk;
    struct sl_failure f;
    tiny_cut(t, &chunk);
    struct sl_slice slice = {.chunk = &chunk,
                             .block_high = chunk.n_blocks,
                             .joined = !first,
                             .active = true,
                             .block_weight = block_weight};
    if (sl_detector_context.feed(state, &slice, &out, &f) < 0)
        abort();
    take(&out);
}

/* ---- runs ---- */

static uint64_t seed;

static void enter(uint32_t block)
{
    block_weight[t->n_blocks] = 1 + sl_random_below(&seed, 9);
    execute(block_weight[t->n_blocks]);
    tiny_enter(t, block);
}

/* Calls and returns at random; functions call those near them, so that many calls recur. */
static void run(unsigned steps)
{
    memset(self, 0, sizeof self);
    memset(inclusive, 0, sizeof inclusive);
    memset(arc_self, 0, sizeof arc_self);
    memset(arc_inclusive, 0, sizeof arc_inclusive);
    together = all = calls = 0;
    stack[0] = 0;
    depth = 1;
    bool first = true;
    enter(function[0].enter);
    for (unsigned i = 0; i < steps; i++) {
        uint32_t now = stack[depth - 1];
        uint64_t r = sl_random_below(&seed, 1000);
        if (depth == 1 || (depth < DEPTH && r % 100 < 50)) {
            enter(function[now].call);
            stack[depth++] = (uint32_t)((now + 1 + r % 3) % N);
            enter(function[stack[depth - 1]].enter);
            calls++;
        } else {
            enter(function[now].leave);
            depth--;
            enter(function[stack[depth - 1]].back);
        }
        if (t->n_blocks > 1000) {
            feed(first);
            first = false;
        }
    }
    feed(first);
    struct sl_events out = {.tuple_id = tuple_id, .weight = weight};
    do {
        out.n = 0;
        sl_detector_context.finish(state, &out);
        for (size_t i = 0; i < out.n; i++)
            got[tuple_id[i]] += weight[i];
    } while (out.n);
    sl_detector_context.names(state, &names);
}

/* ---- the tree, from the tuples alone ---- */

static size_t parent_of(size_t context)
{
    size_t i = 0;
    while (i < names.n && sl_context_name(names.value[i], names.pc[i]) != names.value[context])
        i++;
    return i;
}

static uint32_t function_of(size_t context)
{
    return (uint32_t)((names.pc[context] - start_of(0)) / 0x100);
}

static void compare(const char *name)
{
    static uint64_t f_self[N], f_inclusive[N], a_self[N][N], a_inclusive[N][N];
    uint64_t some_cost = 0, sum = 0;
    memset(f_self, 0, sizeof f_self);
    memset(f_inclusive, 0, sizeof f_inclusive);
    memset(a_self, 0, sizeof a_self);
    memset(a_inclusive, 0, sizeof a_inclusive);
    for (size_t c = 0; c < names.n; c++) {
        bool there[N] = {false}, arc[N][N] = {{false}}, some = false;
        sum += got[c];
        f_self[function_of(c)] += got[c];
        for (size_t at = c, above; at < names.n; at = above) {
            uint32_t f = function_of(at);
            above = names.value[at] ? parent_of(at) : names.n;
            f_inclusive[f] += there[f] ? 0 : got[c];
            there[f] = true;
            some = some || chosen[f];
            if (above == names.n)
                continue;
            uint32_t g = function_of(above);
            a_self[g][f] += at == c ? got[c] : 0;
            a_inclusive[g][f] += arc[g][f] ? 0 : got[c];
            arc[g][f] = true;
        }
        some_cost += some ? got[c] : 0;
    }
    ok(sum == all, "%s: every event is charged, to %zu contexts of %llu calls", name, names.n,
       (unsigned long long)calls);
    ok(!memcmp(f_self, self, sizeof self) && !memcmp(a_self, arc_self, sizeof arc_self),
       "%s: functions have what they executed themselves, by caller", name);
    ok(!memcmp(f_inclusive, inclusive, sizeof inclusive),
       "%s: and what they called, once however often they are on the stack", name);
    ok(!memcmp(a_inclusive, arc_inclusive, sizeof arc_inclusive),
       "%s: and so have the calls of one function by another", name);
    ok(some_cost == together, "%s: several functions together are charged once", name);
}

static void limited(void)
{
    char message[400] = "";
    uint64_t sum = 0, own[N] = {0}, beyond = 0;
    open_detector(50);
    run(20000);
    sl_detector_context.facts->warning(state, message, sizeof message);
    for (size_t c = 0; c < names.n; c++) {
        sum += got[c];
        own[function_of(c)] += got[c];
        beyond += names.value[c] == SL_CONTEXT_BEYOND;
    }
    ok(names.n <= 50 + N && beyond && strstr(message, "more than 50 contexts"),
       "there are no more contexts than the limit, and a warning reports that");
    ok(sum == all && !memcmp(own, self, sizeof self),
       "beyond, functions still have what they executed themselves");
    close_detector();
}

int main(void)
{
    open_program();
    chosen[3] = chosen[4] = chosen[9] = true;
    for (seed = 1; seed < 4; seed++) {
        char name[40];
        snprintf(name, sizeof name, "run %llu", (unsigned long long)seed);
        uint64_t kept = seed;
        open_detector(1 << 16);
        run(3000);
        compare(name);
        close_detector();
        seed = kept;
    }
    limited();
    sl_symbols_close(env.symbols);
    sl_selection_free(&selection);
    tiny_free(t);
    return done_testing();
}
