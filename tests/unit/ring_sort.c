/* SPDX-License-Identifier: MIT */
/* Unit tests of converting the ring's words directly to frames of a trace. Each frame equals, byte
 * by byte, the frame made from chunks that were decoded from the same words. If a word is invalid,
 * the events before that word still form a frame. */
#include "../support/synthetic_ring.h"
#include "tap.h"
#include "trace_encode.h"

static struct sl_trace_encoder *encoder;

/* One way to a frame: a sorter, and the payload that came of it. */
struct way {
    struct sl_trace_sorter sorter;
    struct sl_trace_sorted *sorted;
    uint8_t *raw;
    size_t size;
};

static struct way *new_way(const struct program *p)
{
    struct way *w = calloc(1, sizeof *w);
    w->sorter.needs = p->needs;
    w->sorter.statics = &p->statics;
    w->sorted = calloc(1, sizeof *w->sorted);
    w->raw = malloc(SL_TRACE_ENCODE_BYTES);
    sl_sort_begin(&w->sorter, w->sorted);
    return w;
}

static void free_way(struct way *w)
{
    sl_trace_sorted_free(w->sorted);
    free(w->raw);
    free(w);
}

static void encode(struct way *w)
{
    w->size = sl_trace_encode(encoder, w->sorted, w->sorter.needs, w->raw);
}

static bool same_frames(struct way *a, struct way *b)
{
    encode(a);
    encode(b);
    return a->size == b->size && !memcmp(a->raw, b->raw, a->size) &&
           a->sorted->instructions == b->sorted->instructions &&
           a->sorted->n_chunks == b->sorted->n_chunks &&
           a->sorted->n_blocks == b->sorted->n_blocks && a->sorted->n_mems == b->sorted->n_mems;
}

/* All chunks of the words, both ways; returns whether both said the same. */
static bool sort_both(struct program *p, struct sl_ring_words a, struct way *chunks,
                      struct way *straight)
{
    struct sl_ring_words b = a;
    struct sl_chunk c, d;
    bool same = true;
    while (same && sl_ring_more(&a))
        same = sl_ring_decode(&p->decoder, &a, NULL, &c, NULL) == 1 &&
               sl_sort_chunk(&chunks->sorter, &c) &&
               sl_ring_sort(&p->decoder, &b, &straight->sorter, &d, NULL) == 1 &&
               c.n_blocks == d.n_blocks && c.n_mems == d.n_mems && c.flags == d.flags &&
               a.word == b.word && a.data == b.data && a.named_left == b.named_left;
    return same && !sl_ring_more(&b);
}

/* Another list for a block, of the same length. */
static void send_again(struct program *p)
{
    uint32_t block = below(BLOCKS);
    for (uint32_t k = 0; k < p->n_loads[block]; k++)
        p->load[block][k] = (p->load[block][k] & SL_LOAD_LAYOUT_WIDE) |
                            below((uint32_t)p->statics.n_insns);
    if (p->n_loads[block] && send_load_layout(p, block, p->n_loads[block], p->load[block]) < 0)
        abort();
}

static void alike(bool plain)
{
    enum { FRAMES = 12, SLOTS = 5 };
    struct program *p = program(SL_NEED_VALUES);
    struct stream *s = calloc(1, sizeof *s);
    struct way *chunks = new_way(p), *straight = new_way(p);
    size_t good = 0, size = 0;
    p->decoder.plain = plain;
    for (int frame = 0; frame < FRAMES; frame++) {
        bool same = true;
        for (int slot = 0; slot < SLOTS; slot++) {
            s->n_words = s->n_data = s->n_blocks = s->n_mems = 0;
            for (uint32_t i = 0, n = below(EVENTS / 2); i < n; i++)
                put_block(p, s);
            same &= sort_both(p, words_in(s), chunks, straight);
            send_again(p);
        }
        good += same && same_frames(chunks, straight);
        size += straight->size;
        sl_sort_begin(&chunks->sorter, chunks->sorted);
        sl_sort_begin(&straight->sorter, straight->sorted);
    }
    ok(good == FRAMES, "%zu frames, %zu bytes%s: those of chunks", good, size,
       plain ? ", plain" : "");
    free_way(chunks);
    free_way(straight);
    free(s);
    program_free(p);
}

/* A block with more events than a chunk has space for, and what goes on after it. */
static void long_block(void)
{
    enum { MANY = 2 * SL_CHUNK_MEMS + 5 };
    struct program *p = program(SL_NEED_VALUES);
    struct way *chunks = new_way(p), *straight = new_way(p);
    const uint32_t word[] = {0, 2 | SL_WORD_OPEN, SL_WORD_CONTINUED | SL_WORD_OPEN, 3};
    uint32_t *data = calloc(1 + 3 * MANY + 1 + 3, sizeof *data), *at = data;
    *at++ = MANY;
    for (uint32_t i = 0; i < MANY; i++, at += 3)
        at[0] = i % 7, at[1] = i, at[2] = ~i;
    *at++ = 1;
    at += 3;
    struct sl_ring_words in = {word, word + 4, data, at, 3, SL_CHUNK_START | SL_CHUNK_END, 0};
    ok(sort_both(p, in, chunks, straight) && same_frames(chunks, straight) &&
           straight->sorted->n_mems == MANY + 1,
       "a block with %u accesses", MANY);
    free(data);
    free_way(chunks);
    free_way(straight);
    program_free(p);
}

/* Whether a reader takes the frame. */
static bool is_frame(const struct program *p, struct way *w, struct sl_trace_codec *codec)
{
    struct sl_trace_frame frame = {.needs = p->needs};
    const struct sl_trace_sorted *o = w->sorted;
    encode(w);
    struct sl_trace_head head = {.raw_size = (uint32_t)w->size,
                                 .items = o->n_chunks,
                                 .blocks = o->n_blocks,
                                 .mems = o->n_mems,
                                 .instructions = o->instructions};
    bool is = !sl_trace_unpack(codec, &frame, &head, w->raw, NULL) &&
              !sl_trace_resolve(codec, &frame, &p->statics, &head);
    sl_trace_frame_free(&frame);
    return is;
}

/* Anything at all, much of it nearly right: as sl_ring_decode says it, and always a frame. */
static void anything(void)
{
    enum { ROUNDS = 3000 };
    struct program *p = program(SL_NEED_VALUES);
    struct way *w = new_way(p);
    struct sl_trace_codec *codec = calloc(1, sizeof *codec);
    unsigned refused = 0, same = 0, frames = 0;
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t word[400], data[400 * 2 * LOADS_MAX];
        size_t n = 1 + below(400), n_data = 0;
        for (size_t i = 0; i < n; i++) {
            uint32_t block = below(BLOCKS), words = words_of(p, block, p->n_loads[block]);
            word[i] = below(600) ? sl_block_word(block, words) : (uint32_t)sl_random_next(&seed);
            for (uint32_t k = below(1000) ? 0 : 1; k < words; k++)
                data[n_data++] = below(6);
        }
        struct exact_words exact = exact_words(word, n, data, n_data);
        struct sl_ring_words a = exact.in, b = a;
        struct sl_chunk c;
        int decoded = 1, sorted = 1;
        while (sl_ring_more(&a) && decoded == 1)
            decoded = sl_ring_decode(&p->decoder, &a, NULL, &c, NULL);
        while (sl_ring_more(&b) && sorted == 1)
            sorted = sl_ring_sort(&p->decoder, &b, &w->sorter, &c, NULL);
        same += decoded == sorted;
        refused += sorted == SL_EFORMAT;
        if (round % 100 == 99) {
            frames += is_frame(p, w, codec);
            sl_sort_begin(&w->sorter, w->sorted);
        }
        exact_words_free(&exact);
    }
    ok(same == ROUNDS && refused > ROUNDS / 10 && refused < ROUNDS,
       "words of any kind are refused as by those who decode them (%u of %u)", refused, ROUNDS);
    ok(frames == ROUNDS / 100, "what is before them is a frame (%u times)", frames);
    sl_trace_codec_free(codec);
    free_way(w);
    program_free(p);
}

int main(void)
{
    encoder = calloc(1, sizeof *encoder);
    alike(false);
    alike(true);
    encoder->plain = true;
    long_block();
    anything();
    sl_trace_encoder_free(encoder);
    return done_testing();
}
