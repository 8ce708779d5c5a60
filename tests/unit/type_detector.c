/* SPDX-License-Identifier: MIT */
/* Unit tests of the detector `type`, which finds the memory location (slot) from which an indirect
 * call loads its target. The slot is compared with the result of an interpreter that tracks the
 * contents of two registers, instruction by instruction. */
#include "detector.h"

#include <string.h>

#include "../support/tiny_program.h"
#include "random.h"
#include "tap.h"

#define LOAD_A5 UINT32_C(0x00053783)  /* ld a5, 0(a0) */
#define LOAD_A6 UINT32_C(0x00053803)  /* ld a6, 0(a0) */
#define WRITE_A5 UINT32_C(0x00078793) /* mv a5, a5 */
#define NOP UINT32_C(0x00000013)
#define CALL_A5 UINT32_C(0x000780e7) /* jalr ra, 0(a5) */
#define CALL_A6 UINT32_C(0x000800e7) /* jalr ra, 0(a6) */

#define BLOCKS 40u
#define BLOCK_INSNS 6u
#define THREADS 3u
#define CHUNKS 300u
#define CHUNK_BLOCKS 100u

static struct tiny *program;
static uint32_t word[BLOCKS][BLOCK_INSNS];
static unsigned size[BLOCKS];
static uint64_t slot[THREADS][2]; /* the interpreter's: of a5 and a6; 0: unknown */
static struct sl_failure f;

struct expected {
    uint64_t pc, slot;
};
static struct expected expected[CHUNK_BLOCKS];
static size_t n_expected;

static void make_program(uint64_t *random)
{
    static const uint32_t words[] = {NOP, LOAD_A5, LOAD_A6, WRITE_A5};
    program = tiny_new(SL_ARCH_RISCV64);
    for (unsigned b = 0; b < BLOCKS; b++) {
        size[b] = 1 + (unsigned)sl_random_below(random, BLOCK_INSNS);
        for (unsigned i = 0; i < size[b]; i++)
            word[b][i] = words[sl_random_below(random, 4)];
        if (sl_random_below(random, 2))
            word[b][size[b] - 1] = sl_random_below(random, 2) ? CALL_A5 : CALL_A6;
        tiny_words(program, 0x1000 * (b + 1), size[b], word[b]);
    }
    tiny_sync(program);
}

/* Executes a block, in the stream and in the interpreter. */
static void execute(unsigned b, uint32_t thread, uint64_t *random)
{
    tiny_enter(program, b);
    for (unsigned i = 0; i < size[b]; i++) {
        uint32_t w = word[b][i];
        if (w == LOAD_A5 || w == LOAD_A6) {
            uint64_t address = 0x8000 + 8 * sl_random_below(random, 20);
            tiny_access(program, i, 'r', 3, address);
            slot[thread][w == LOAD_A6] = address;
        } else if (w == WRITE_A5) {
            slot[thread][0] = 0;
        } else if (w == CALL_A5 || w == CALL_A6) {
            expected[n_expected++] = (struct expected){0x1000 * (b + 1) + 4 * i,
                                                       slot[thread][w == CALL_A6]};
        }
    }
}

/* Feeds a chunk in two slices. Returns true if the events are the expected ones. */
static bool feed(void *state, const struct sl_chunk *chunk, bool joined, uint64_t *random)
{
    static uint32_t tuple_id[SL_EVENTS_MAX], position[SL_EVENTS_MAX];
    uint32_t cut = (uint32_t)sl_random_below(random, chunk->n_blocks + 1), last = 0;
    struct sl_tuple_names names;
    size_t n = 0;
    bool right = true;
    for (unsigned part = 0; part < 2; part++) {
        struct sl_events out = {.tuple_id = tuple_id, .position = position};
        struct sl_slice slice = {.chunk = chunk,
                                 .block_low = part ? cut : 0,
                                 .block_high = part ? chunk->n_blocks : cut,
                                 .mem_high = chunk->n_mems,
                                 .joined = part || joined,
                                 .active = true};
        if (sl_detector_type.feed(state, &slice, &out, &f) < 0)
            abort();
        sl_detector_type.names(state, &names);
        for (size_t i = 0; i < out.n; i++, n++) {
            right = right && n < n_expected && names.pc[tuple_id[i]] == expected[n].pc &&
                    names.value[tuple_id[i]] == expected[n].slot && position[i] > last &&
                    position[i] > slice.block_low && position[i] <= slice.block_high;
            last = position[i];
        }
    }
    return right && n == n_expected;
}

static void follows_registers(void)
{
    struct sl_selection selection;
    uint64_t random = 3, calls = 0, unknown = 0;
    bool right = true, begun[THREADS] = {false};
    void *state = calloc(1, sl_detector_type.state_size);
    make_program(&random);
    struct sl_detector_env env = {
        .statics = &program->statics, .code = &program->code, .selection = &selection};
    if (sl_selection_init(&selection, NULL, NULL, &f) < 0 ||
        sl_selection_sync(&selection, &program->code, NULL, &f) < 0 ||
        sl_detector_type.init(state, NULL, &env, &f) < 0 || sl_detector_type.sync(state, &f) < 0)
        abort();
    for (unsigned k = 0; k < CHUNKS; k++) {
        struct sl_chunk chunk;
        uint32_t thread = program->thread = k % THREADS;
        bool joined = begun[thread] && sl_random_below(&random, 5);
        if (!joined)
            memset(slot[thread], 0, sizeof slot[thread]);
        begun[thread] = true;
        n_expected = 0;
        for (unsigned i = 0; i < CHUNK_BLOCKS; i++)
            execute((unsigned)sl_random_below(&random, BLOCKS), thread, &random);
        tiny_cut(program, &chunk);
        right = right && feed(state, &chunk, joined, &random);
        calls += n_expected;
        for (size_t i = 0; i < n_expected; i++)
            unknown += !expected[i].slot;
    }
    ok(right && calls > 5000 && unknown > 500 && unknown < calls / 2,
       "%llu indirect calls, %llu of them without a slot: as an interpreter finds them",
       (unsigned long long)calls, (unsigned long long)unknown);
    for (uint32_t thread = 0; thread < THREADS; thread++)
        sl_detector_type.end_thread(state, thread, NULL);
    sl_detector_type.close(state);
    free(state);
    sl_selection_free(&selection);
    tiny_free(program);
}

int main(void)
{
    follows_registers();
    return done_testing();
}
