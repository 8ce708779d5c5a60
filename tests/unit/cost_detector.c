/* SPDX-License-Identifier: MIT */
/* Unit tests of the detector `cost`, which splits the cycles of a CPU model by instruction and
 * cause. The weights of its events equal the sums of the entries in the CPU model's log, and cache
 * misses add up to the total of the CPU model. With --range, it counts the costs of the selected
 * instructions only. */
#include "detector.h"

#include <string.h>

#include "../support/checkout_data.h"
#include "../support/tiny_program.h"
#include "machine.h"
#include "tap.h"

#define LOAD UINT32_C(0x00053283) /* ld t0, 0(a0) */
#define ADD UINT32_C(0x00b50533)  /* add a0, a0, a1 */
#define SKIP UINT32_C(0x00528463) /* beq t0, t0, +8 */
#define MULTIPLY UINT32_C(0x02b50533)
#define STORE UINT32_C(0x00553423) /* sd t0, 8(a0) */
#define BACK UINT32_C(0xfe5296e3)  /* bne t0, t0, -20 */
#define INSNS 6u

static struct tiny *program;
static struct sl_selection selection;
static struct sl_failure f;
static uint64_t logged[INSNS][SL_COST_KINDS], counted[INSNS][SL_COST_KINDS];

static void open_program(const char *range)
{
    program = tiny_new(SL_ARCH_RISCV64);
    tiny_words(program, 0x10000, 3, (uint32_t[]){LOAD, ADD, SKIP});
    tiny_words(program, 0x1000c, 1, (uint32_t[]){MULTIPLY});
    tiny_words(program, 0x10010, 2, (uint32_t[]){STORE, BACK});
    tiny_sync(program);
    if (sl_selection_init(&selection, range, NULL, &f) < 0 ||
        sl_selection_sync(&selection, &program->code, NULL, &f) < 0)
        abort();
    memset(logged, 0, sizeof logged);
    memset(counted, 0, sizeof counted);
}

static void run_loop(uint64_t *random, unsigned rounds, struct sl_chunk *chunk)
{
    for (unsigned i = 0; i < rounds; i++) {
        uint64_t r = sl_random_next(random);
        tiny_enter(program, 0);
        tiny_access(program, 0, 'r', 3, 0x100000 + r % 100000 * 8);
        if (r >> 63)
            tiny_enter(program, 1);
        tiny_enter(program, 2);
        tiny_access(program, 0, 'w', 3, 0x100000 + r % 1000 * 8);
    }
    tiny_cut(program, chunk);
}

/* Adds the events of a slice to counted[]. Returns false if a tuple has two events. */
static bool feed(void *state, const struct sl_chunk *chunk, uint32_t low, uint32_t high)
{
    static uint32_t tuple_id[SL_EVENTS_MAX];
    static uint64_t weight[SL_EVENTS_MAX];
    struct sl_events out = {.tuple_id = tuple_id, .weight = weight};
    struct sl_slice slice = {.chunk = chunk,
                             .block_low = low,
                             .block_high = high,
                             .mem_high = chunk->n_mems,
                             .active = true};
    bool seen[INSNS * SL_COST_KINDS] = {false}, once = true;
    struct sl_tuple_names names;
    if (sl_detector_cost.feed(state, &slice, &out, &f) < 0)
        abort();
    sl_detector_cost.names(state, &names);
    for (size_t i = 0; i < out.n; i++) {
        uint32_t id = out.tuple_id_in_place[i];
        uint64_t insn = (names.pc[id] - 0x10000) / 4, kind = names.value[id];
        if (id >= names.n || insn >= INSNS || kind >= SL_COST_KINDS || seen[id])
            return false;
        seen[id] = true;
        counted[insn][kind] += out.weight_in_place[i];
        once = once && out.weight_in_place[i];
    }
    return once;
}

static void add_log(struct sl_machine *machine, uint32_t n_blocks)
{
    const struct sl_op_log *log = sl_machine_need_op_log(machine);
    for (uint32_t i = log->first[0]; i < log->first[n_blocks]; i++)
        logged[log->cost[i].insn][log->cost[i].kind] += log->cost[i].n;
}

/* Runs the program. Returns false if a slice had two events of one tuple. */
static bool run(struct sl_machine **machine)
{
    struct sl_detector_env env = {
        .statics = &program->statics, .code = &program->code, .selection = &selection};
    void *state = calloc(1, sl_detector_cost.state_size);
    struct sl_chunk chunk;
    uint64_t random = 5;
    bool once = true;
    if (sl_machine_open(machine, "rocket", &f) < 0)
        abort();
    env.machine = *machine;
    if (sl_detector_cost.init(state, NULL, &env, &f) < 0)
        abort();
    for (unsigned n = 1; n < 20; n++) {
        run_loop(&random, n * 50, &chunk);
        if (sl_machine_sync(*machine, &program->code, &f) < 0 ||
            sl_machine_run(*machine, &chunk, &f) < 0 || sl_detector_cost.sync(state, &f) < 0)
            abort();
        add_log(*machine, chunk.n_blocks);
        uint32_t cut = (uint32_t)sl_random_below(&random, chunk.n_blocks + 1);
        once = feed(state, &chunk, 0, cut) && once;
        once = feed(state, &chunk, cut, chunk.n_blocks) && once;
    }
    sl_detector_cost.close(state);
    free(state);
    return once;
}

static void sums(void)
{
    struct sl_machine *machine;
    uint64_t misses = 0;
    open_program(NULL);
    bool once = run(&machine);
    const uint64_t *totals = sl_machine_totals(machine);
    for (unsigned i = 0; i < INSNS; i++)
        for (unsigned kind = 0; kind < SL_COST_KINDS; kind++)
            misses += sl_cost_kinds[kind] == SL_MACHINE_DMISS ? counted[i][kind] : 0;
    ok(once, "a slice has one event for each instruction and cause that has a cost");
    ok(!memcmp(logged, counted, sizeof logged), "the weights are the sums of the log");
    ok(misses > 1000 && misses == totals[SL_MACHINE_DMISS],
       "cache misses add up to those of the CPU model (%llu)", (unsigned long long)misses);
    sl_machine_close(machine);
    sl_selection_free(&selection);
    tiny_free(program);
}

static void of_a_range(void)
{
    struct sl_machine *machine;
    uint64_t inside = 0, outside = 0;
    open_program("1000c");
    run(&machine);
    for (unsigned i = 0; i < INSNS; i++)
        for (unsigned kind = 0; kind < SL_COST_KINDS; kind++)
            *(i == 3 ? &inside : &outside) += counted[i][kind];
    ok(inside > 0 && !outside && !memcmp(logged[3], counted[3], sizeof logged[3]),
       "with a range, only the costs of its instructions are counted");
    sl_machine_close(machine);
    sl_selection_free(&selection);
    tiny_free(program);
}

int main(void)
{
    use_checkout_data();
    sums();
    of_a_range();
    return done_testing();
}
