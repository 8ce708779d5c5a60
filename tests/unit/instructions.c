/* SPDX-License-Identifier: MIT */
/* Unit tests of the iterator over the instructions of a stream. It is compared with a simple
 * expansion of the stream's chunks: for each thread, the instructions of its blocks in order, with
 * their memory accesses. */
#include <string.h>

#include "../support/synthetic_stream.h"
#include "isa.h"
#include "source.h"
#include "tap.h"

enum { CHUNKS = 60, THREADS = 3, MOST = 400000 };

/* ---- a source of invented chunks ---- */

struct made_source {
    struct sl_source source;
    struct made *made;
    unsigned left;
    uint64_t random;
};

/* What was given, by thread: a line for each instruction. */
struct line {
    uint64_t pc, sum; /* sum: over its accesses */
    uint32_t n;
};
static struct line *expected[THREADS];
static size_t n_expected[THREADS];

static void add_access(struct line *line, uint64_t value, uint64_t address, bool store)
{
    line->sum = line->sum * 31 + (store ? 0 : value) * 7 + address + store;
    line->n++;
}

/* Appends the chunk to the lines of its thread. Mem events go to the instruction that they name, in
 * the block that caused them; those of other instructions are not expected in a walk. */
static void expand(const struct sl_statics *s, const struct sl_chunk *c)
{
    uint32_t t = c->thread;
    for (uint32_t b = 0; b < c->n_blocks; b++) {
        const struct sl_block *block = &s->block[c->block[b]];
        uint32_t end = b + 1 < c->n_blocks ? c->block_mem[b + 1] : c->n_mems;
        uint32_t m = c->block_mem[b];
        for (uint32_t i = 0; i < block->n_insns; i++) {
            uint32_t number = s->block_insn[block->insns_at + i];
            struct line *line = &expected[t][n_expected[t]++];
            *line = (struct line){.pc = s->insn[number].pc};
            for (; m < end && (c->mem_insn[m] & SL_MEM_INSN_MASK) == number; m++)
                add_access(line, c->mem_value[m], c->mem_addr[m], c->mem_insn[m] & SL_MEM_STORE);
        }
    }
}

static int made_next(struct sl_source *source, struct sl_chunk *chunk, struct sl_failure *f)
{
    struct made_source *s = (struct made_source *)source;
    (void)f;
    if (!s->left--)
        return 0;
    do
        made_chunk(s->made, MADE_WALK, chunk);
    while (chunk->block_mem[0]); /* no lead: it would name any instruction */
    chunk->thread = (uint32_t)sl_random_below(&s->random, THREADS);
    chunk->flags = 0;
    expand(&source->statics, chunk);
    return 1;
}

static void made_close(struct sl_source *source)
{
    made_free(((struct made_source *)source)->made);
}

static struct sl_source *made_source(unsigned needs)
{
    static const struct sl_source_ops ops = {.next = made_next, .close = made_close};
    struct made_source *s = calloc(1, sizeof *s);
    struct sl_failure f;
    s->source.ops = &ops;
    s->made = made_new(5, needs);
    s->left = tap_rounds(CHUNKS, 20);
    s->random = 1;
    made_program(s->made);
    made_blocks(s->made, 300);
    if (sl_source_records(&s->source, s->made->records, s->made->n_records, &f) < 0)
        abort();
    return &s->source;
}

int main(void)
{
    unsigned needs = SL_NEED_VALUES | SL_NEED_ADDRESSES | SL_NEED_STORES;
    struct sl_source *source = made_source(needs);
    struct sl_instructions *instructions;
    struct sl_instruction i;
    struct sl_failure f = {.text = ""};
    struct line *got[THREADS];
    size_t n_got[THREADS] = {0}, all = 0;
    uint64_t promised[THREADS]; /* where the thread goes next */
    bool known[THREADS] = {false}, followed = true, flow = true;
    for (int t = 0; t < THREADS; t++) {
        got[t] = malloc(MOST * sizeof **got);
        expected[t] = malloc(MOST * sizeof **expected);
    }
    ok(!sl_instructions_open(&instructions, source, &f), "the source is opened: %s", f.text);
    while (sl_instructions_next(instructions, &i, &f) > 0) {
        struct line *line = &got[i.thread][n_got[i.thread]++];
        *line = (struct line){.pc = i.pc};
        for (size_t k = 0; k < i.n_accesses; k++)
            add_access(line, i.access[k].value, i.access[k].address, i.access[k].store);
        flow &= !known[i.thread] || promised[i.thread] == i.pc;
        followed &= known[i.thread] || n_got[i.thread] == 1;
        known[i.thread] = i.followed;
        promised[i.thread] = i.next;
        flow &= i.size == 4 && i.bytes;
    }
    bool same = true;
    for (int t = 0; t < THREADS; t++) {
        same &= n_got[t] == n_expected[t] && n_got[t] > 0;
        for (size_t k = 0; k < n_got[t] && same; k++)
            same = got[t][k].pc == expected[t][k].pc && got[t][k].n == expected[t][k].n &&
                   got[t][k].sum == expected[t][k].sum;
        all += n_got[t];
        free(got[t]);
        free(expected[t]);
    }
    ok(same, "the %zu instructions of %d threads are those of their blocks, with their accesses",
       all, THREADS);
    ok(flow, "`next` is the address of the thread's next instruction");
    ok(followed, "it is known for all but the last of a thread");
    sl_instructions_close(instructions);
    sl_instructions_close(NULL);
    sl_source_close(source);
    return done_testing();
}
