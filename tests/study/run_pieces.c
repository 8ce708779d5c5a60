/* SPDX-License-Identifier: MIT */
/* Unit tests of reading a stream in pieces of given numbers of instructions: all pieces together
 * contain the blocks and accesses of the whole stream, for any division into pieces, and each piece
 * ends with the block that reaches its number of instructions. */
#include "run_pieces.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "support/recorded_trace.h"
#include "tap.h"

static struct sl_failure f;

/* All blocks and values of a stream, in order, with the flags of its chunks. */
struct whole {
    uint32_t *block;
    uint64_t *value;
    size_t n_blocks, n_values, blocks_capacity, values_capacity;
    unsigned starts, ends, gaps;
};

static void append(struct whole *w, const struct sl_chunk *c)
{
    while (w->n_blocks + c->n_blocks > w->blocks_capacity) {
        w->blocks_capacity = 2 * w->blocks_capacity + 10000;
        w->block = realloc(w->block, w->blocks_capacity * sizeof *w->block);
    }
    while (w->n_values + c->n_mems > w->values_capacity) {
        w->values_capacity = 2 * w->values_capacity + 10000;
        w->value = realloc(w->value, w->values_capacity * sizeof *w->value);
    }
    for (uint32_t i = 0; i < c->n_blocks; i++)
        w->block[w->n_blocks++] = c->block[i];
    for (uint32_t i = 0; i < c->n_mems; i++)
        w->value[w->n_values++] = c->mem_value ? c->mem_value[i] : c->mem_insn[i];
    w->starts += (c->flags & SL_CHUNK_START) != 0;
    w->ends += (c->flags & SL_CHUNK_END) != 0;
    w->gaps += (c->flags & SL_CHUNK_GAP) != 0;
}

static bool same_whole(const struct whole *a, const struct whole *b)
{
    return a->n_blocks == b->n_blocks && a->n_values == b->n_values && a->starts == b->starts &&
           a->ends == b->ends && a->gaps == b->gaps &&
           (!a->n_blocks || !memcmp(a->block, b->block, a->n_blocks * sizeof *a->block)) &&
           (!a->n_values || !memcmp(a->value, b->value, a->n_values * sizeof *a->value));
}

static void free_whole(struct whole *w)
{
    free(w->block);
    free(w->value);
}

static uint64_t read_whole(const char *stream, struct whole *w)
{
    struct sl_source *source;
    struct sl_chunk chunk;
    uint64_t instructions = 0;
    if (sl_source_open(&source, stream, &f) < 0)
        return 0;
    while (sl_source_next(source, &chunk, &f) > 0) {
        append(w, &chunk);
        for (uint32_t i = 0; i < chunk.n_blocks; i++)
            instructions += source->statics.block_size[chunk.block[i]];
    }
    sl_source_close(source);
    return instructions;
}

/* Reads pieces of random lengths, at most `most` instructions. */
static void test_pieces(const char *name, const char *stream, const struct whole *wanted,
                        uint64_t instructions, uint64_t most)
{
    struct sl_run_pieces pieces;
    struct whole got = {0};
    uint64_t seed = most, until = 0, early = 0, late = 0, wrong = 0, done = 0;
    if (sl_run_pieces_open(&pieces, stream, &f) < 0) {
        ok(false, "%s: %s", name, f.text);
        return;
    }
    while (done < instructions) {
        struct sl_chunk piece;
        int more;
        until += 1 + sl_random_below(&seed, most);
        while ((more = sl_run_pieces_next(&pieces, until, &piece, &f)) > 0) {
            const uint16_t *size = pieces.source->statics.block_size;
            append(&got, &piece);
            for (uint32_t i = 0; i < piece.n_blocks; i++) {
                late += done >= until;
                done += size[piece.block[i]];
            }
            wrong += pieces.done != done;
        }
        early += done < until && done < instructions;
        if (more < 0 || (!more && done < until && done < instructions))
            break;
    }
    /* The end of the last thread may follow its last block. */
    struct sl_chunk piece;
    while (sl_run_pieces_next(&pieces, UINT64_MAX, &piece, &f) > 0)
        append(&got, &piece);
    ok(same_whole(&got, wanted), "%s, up to %llu instructions: all pieces are the whole stream",
       name, (unsigned long long)most);
    ok(!late && !early && !wrong, "%s, up to %llu instructions: each piece ends in time", name,
       (unsigned long long)most);
    free_whole(&got);
    sl_run_pieces_close(&pieces);
}

static void test_stream(const char *name, const char *stream)
{
    static const uint64_t most[] = {1, 17, 300, 5000, 1000000};
    struct whole wanted = {0};
    uint64_t instructions = read_whole(stream, &wanted);
    ok(instructions && wanted.n_blocks, "%s is read: %s", name, f.text);
    for (size_t i = 0; i < sizeof most / sizeof *most && instructions; i++)
        test_pieces(name, stream, &wanted, instructions, most[i]);
    free_whole(&wanted);
}

int main(void)
{
    struct memory_file file = memory_file();
    struct made *m = made_new(1, SL_NEED_VALUES);
    if (write_trace(file.path, m, "wwlrwe", 24, NULL, &f) < 0)
        return 1;
    made_free(m);
    test_stream("a trace", file.path);
    test_stream("a synthetic stream", "synth:zipf(events=30K)");
    close(file.fd);
    struct sl_run_pieces none = {0};
    sl_run_pieces_close(&none);
    ok(sl_run_pieces_open(&none, "/nonexistent.slt", &f) < 0, "a missing trace: %s", f.text);
    sl_run_pieces_close(&none);
    return done_testing();
}
