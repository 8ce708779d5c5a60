/* SPDX-License-Identifier: MIT */
/* Benchmark of the reader of the shared-memory ring, through which QEMU sends events to sluice:
 * measures how fast the reader decodes the contents of the ring to arrays of events (chunks).
 *
 *     build/bench/ring [ROUNDS]
 *
 * Parts of two real runs are encoded in memory as words of the ring and decoded ROUNDS times, with
 * and without vector instructions. The fastest round counts. "summed" also adds up the contents of
 * the chunks, like the consumer of bench/cost. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "programs.h"
#include "ring.h"
#include "ring_words.h"
#include "source.h"
#include "timing.h"

#define BLOCKS_SKIPPED (40u << 20)
#define DATA_MAX ((size_t)16 << 20)

enum { UNKNOWN, NARROW, WIDE };

struct encoded {
    uint32_t *word, *data;
    size_t n, capacity, n_data, data_capacity;
    uint64_t n_blocks, n_mems;
    uint8_t *is_wide, *has_layout; /* by instruction, by block */
    size_t wide_capacity, layout_capacity;
    struct sl_ring_decoder decoder;
};

static void check(bool ok)
{
    if (!ok) {
        fprintf(stderr, "bench/ring: out of memory, or invalid words\n");
        exit(1);
    }
}

static uint32_t loads_end(const struct sl_chunk *c, uint32_t block)
{
    return block + 1 < c->n_blocks ? c->block_mem[block + 1] : c->n_mems;
}

/* Sends the load layout of a block: the loads of its first execution. An instruction that has not
 * loaded a wide value by then stays narrow, and later values are cut, which does not change the
 * work of the decoder. */
static void send_layout(struct encoded *w, const struct sl_chunk *c, uint32_t i)
{
    uint32_t payload[2 + SL_LOAD_LAYOUT_MAX] = {c->block[i], c->block[i]}, n = 0;
    for (uint32_t m = c->block_mem[i]; m < loads_end(c, i) && n < SL_LOAD_LAYOUT_MAX; m++, n++)
        payload[2 + n] = c->mem_insn[m] |
                         (w->is_wide[c->mem_insn[m]] == WIDE ? SL_LOAD_LAYOUT_WIDE : 0);
    check(sl_ring_load_layout(&w->decoder, (const uint8_t *)payload, 4 * (2 + n), NULL) >= 0);
    w->has_layout[c->block[i]] = (uint8_t)(1 + n);
}

static void encode_block(struct encoded *w, const struct sl_chunk *c, uint32_t i)
{
    uint32_t n = loads_end(c, i) - c->block_mem[i];
    size_t before = w->n_data;
    if (n + 1u != w->has_layout[c->block[i]]) /* its loads vary: the tap would name them */
        return;
    for (uint32_t m = c->block_mem[i]; m < loads_end(c, i); m++) {
        w->data[w->n_data++] = (uint32_t)c->mem_value[m];
        if (w->is_wide[c->mem_insn[m]] == WIDE)
            w->data[w->n_data++] = (uint32_t)(c->mem_value[m] >> 32);
    }
    w->word[w->n++] = sl_block_word(c->block[i], (uint32_t)(w->n_data - before));
    w->n_blocks++;
    w->n_mems += n;
}

static void encode_chunk(struct encoded *w, const struct sl_chunk *c, const struct sl_statics *s)
{
    check(SL_GROW(w->is_wide, w->wide_capacity, s->n_insns) &&
          SL_GROW(w->has_layout, w->layout_capacity, s->n_blocks) &&
          SL_GROW(w->word, w->capacity, w->n + c->n_blocks) &&
          SL_GROW(w->data, w->data_capacity, w->n_data + 2 * c->n_mems));
    check(sl_ring_sync(&w->decoder, NULL) >= 0);
    for (uint32_t m = 0; m < c->n_mems; m++)
        if (!w->is_wide[c->mem_insn[m]])
            w->is_wide[c->mem_insn[m]] = c->mem_value[m] >> 32 ? WIDE : UNKNOWN;
    for (uint32_t i = 0; i < c->n_blocks; i++) {
        if (!w->has_layout[c->block[i]]) {
            for (uint32_t m = c->block_mem[i]; m < loads_end(c, i); m++)
                if (!w->is_wide[c->mem_insn[m]])
                    w->is_wide[c->mem_insn[m]] = NARROW;
            send_layout(w, c, i);
        }
        encode_block(w, c, i);
    }
}

static void encode_program(struct encoded *w, char *const *program)
{
    struct sl_guest guest = {
        .size = sizeof guest, .argv = program, .needs = SL_NEED_VALUES, .tap_dir = "build"};
    struct sl_source *source;
    struct sl_chunk c;
    struct sl_failure f;
    uint64_t seen = 0;
    if (sl_source_run(&source, &guest, &f) < 0) {
        fprintf(stderr, "%s\n", f.text);
        exit(1);
    }
    check(sl_ring_decoder_init(&w->decoder, &source->statics, NULL) >= 0);
    while (w->n_data < DATA_MAX && sl_source_next(source, &c, &f) > 0)
        if ((seen += c.n_blocks) > BLOCKS_SKIPPED)
            encode_chunk(w, &c, &source->statics);
    sl_source_signal(source, SIGKILL); /* not closed, because the decoder uses its statics */
}

/* Decodes all words once; returns the CPU time. */
static double decode(struct encoded *w, bool summed)
{
    double start = cpu_seconds();
    uint64_t sum = 0;
    struct sl_ring_words in = {w->word, w->word + w->n, w->data, w->data + w->n_data, 0, 0, 0};
    struct sl_chunk c;
    while (sl_ring_more(&in)) {
        check(sl_ring_decode(&w->decoder, &in, NULL, &c, NULL) == 1);
        for (uint32_t i = 0; i < c.n_mems && summed; i++)
            sum += c.mem_value[i] ^ c.mem_insn[i];
    }
    if (sum == 42)
        fputc(' ', stderr); /* so that the loop is not optimized away */
    return cpu_seconds() - start;
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 20;
    struct program program[2];
    if (!programs_create(program))
        return 1;
    for (int i = 0; i < 2; i++) {
        struct encoded w = {.n = 0};
        encode_program(&w, program[i].argv);
        printf("%s: %.1f M blocks, %.1f M loads, %.1f M words\n", program[i].title,
               (double)w.n_blocks / 1e6, (double)w.n_mems / 1e6, (double)(w.n + w.n_data) / 1e6);
        for (int variant = 0; variant < 4; variant++) {
            double best = 1e9;
            w.decoder.plain = variant & 1;
            for (unsigned round = 0; round < rounds; round++) {
                double seconds = decode(&w, variant & 2);
                best = seconds < best ? seconds : best;
            }
            printf("  %s, %s: %.2f ns per block, %.0f M loads/s\n",
                   variant & 2 ? "summed" : "decoded", variant & 1 ? "plain" : "long vectors",
                   best * 1e9 / (double)w.n_blocks, (double)w.n_mems / 1e6 / best);
        }
        sl_ring_decoder_free(&w.decoder);
        free(w.word);
        free(w.data);
        free(w.is_wide);
        free(w.has_layout);
    }
    return 0;
}
