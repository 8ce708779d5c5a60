/* SPDX-License-Identifier: MIT */
/* Unit tests of decoding the words of the shared-memory ring. The decoder returns the events that a
 * simple encoder wrote, wherever chunks begin and end. It refuses invalid words and never reads
 * beyond them. */
#include "../support/synthetic_ring.h"
#include "tap.h"

/* ---- what must hold ---- */

static bool same_chunk(const struct program *p, const struct stream *s, const struct sl_chunk *c,
                       uint32_t block, uint32_t mem)
{
    bool right = c->n_blocks <= SL_CHUNK_BLOCKS && c->n_mems <= SL_CHUNK_MEMS &&
                 block + c->n_blocks <= s->n_blocks && mem + c->n_mems <= s->n_mems;
    for (uint32_t i = 0; i < c->n_blocks && right; i++)
        right = c->block[i] == s->block[block + i] &&
                (!p->needs || c->block_mem[i] + mem == s->block_mem[block + i]);
    for (uint32_t i = 0; i < c->n_mems && right; i++)
        right = c->mem_insn[i] == s->insn[mem + i] &&
                (!(p->needs & SL_NEED_VALUES) || c->mem_value[i] == s->value[mem + i]) &&
                (!(p->needs & ~(unsigned)SL_NEED_VALUES) || c->mem_addr[i] == s->addr[mem + i]);
    return right;
}

/* Every other chunk into arrays that were given, where all of it then has to be. */
static bool is_there(const struct sl_chunk_arrays *into, const struct sl_chunk *c)
{
    return !into || (c->block == into->block && (!c->n_mems || c->mem_insn == into->mem_insn));
}

static void comes_out(unsigned needs, bool plain, const char *what)
{
    struct program *p = program(needs);
    p->decoder.plain = plain;
    struct stream *s = calloc(1, sizeof *s);
    struct sl_chunk_arrays *given = malloc(sizeof *given);
    for (uint32_t i = 0; i < EVENTS; i++)
        put_block(p, s);
    struct sl_ring_words words = words_in(s);
    uint32_t block = 0, mem = 0, chunks = 0;
    bool right = true;
    while (sl_ring_more(&words) && right) {
        struct sl_chunk_arrays *into = chunks % 2 ? given : NULL;
        struct sl_chunk c;
        right = sl_ring_decode(&p->decoder, &words, into, &c, NULL) == 1 &&
                same_chunk(p, s, &c, block, mem) && is_there(into, &c) && c.thread == 3 &&
                (c.flags & ~(unsigned)SL_CHUNK_END) == (chunks ? 0 : SL_CHUNK_START) &&
                (c.flags & SL_CHUNK_END ? words.word == words.end : sl_ring_more(&words)) &&
                c.n_blocks + c.n_mems;
        block += c.n_blocks;
        mem += c.n_mems;
        chunks++;
    }
    ok(right && block == s->n_blocks && mem == s->n_mems && chunks > 1,
       "%s: %u blocks and %u accesses in %u chunks are those that were written", what, block, mem,
       chunks);
    free(given);
    free(s);
    program_free(p);
}

static int decode_words(struct program *p, const uint32_t *word, size_t n, const uint32_t *data,
                        size_t n_data)
{
    struct exact_words exact = exact_words(word, n, data, n_data);
    struct sl_chunk c;
    int result = 1;
    while (sl_ring_more(&exact.in) && result == 1)
        result = sl_ring_decode(&p->decoder, &exact.in, NULL, &c, NULL);
    exact_words_free(&exact);
    return result;
}

static void nonsense(void)
{
    struct program *p = program(SL_NEED_VALUES);
    uint32_t loads = 1;
    while (!p->n_loads[loads])
        loads++;
    uint32_t length = words_of(p, loads, p->n_loads[loads]);
    const struct {
        uint32_t word, data[3];
        size_t n_data;
        const char *what;
    } cases[] = {
        {BLOCKS, {0}, 0, "a block that is not known"},
        {BLOCKS | SL_WORD_OPEN, {0}, 1, "an open one that is not"},
        {sl_block_word(loads, length), {0}, 0, "a block without its loads"},
        {sl_block_word(loads, 1 + length), {0}, 3, "a block with another length than its list"},
        {sl_block_word(0, 1), {0}, 1, "a length where there is no list"},
        {sl_block_word(SL_WORD_VARIANT, 0), {0}, 0, "a variant that is not known"},
        {SL_WORD_OPEN, {0}, 0, "an open block without its count"},
        {SL_WORD_OPEN, {3}, 1, "a count without its events"},
        {SL_WORD_OPEN, {1, SL_MEM_INSN_MASK, 0}, 3, "an event cut short"},
        {loads | SL_WORD_OPEN,
         {4 * LOADS_MAX | SL_WORD_CUT, 0, 0},
         3,
         "more loads than the list has"},
        {SL_WORD_CONTINUED | SL_WORD_OPEN, {0 | SL_WORD_CUT}, 1, "loads of no block"},
        {SL_WORD_OPEN, {0x7fffffff}, 1, "more events than there can be"},
        {0, {7}, 1, "data of no block"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ok(decode_words(p, &cases[i].word, 1, cases[i].data, cases[i].n_data) == SL_EFORMAT,
           "%s is refused", cases[i].what);
    ok(decode_words(p, &loads, 1, NULL, 0) == 1,
       "a block without any loads, and no length, is not");
    const uint32_t more = SL_WORD_CONTINUED | SL_WORD_OPEN, nothing = 0;
    ok(decode_words(p, &more, 1, &nothing, 1) == 1,
       "a block that goes on with nothing, as a kill may leave it, is not");
    uint32_t unknown = (uint32_t)p->statics.n_insns, many[SL_LOAD_LAYOUT_MAX + 1] = {0};
    ok(send_load_layout(p, 0, 1, &unknown) == SL_EFORMAT &&
           send_load_layout(p, BLOCKS, 1, many) == SL_EFORMAT &&
           send_load_layout(p, 0, SL_LOAD_LAYOUT_MAX + 1, many) == SL_EFORMAT,
       "lists of unknown instructions or blocks, and too long ones, are refused");
    program_free(p);
}

/* Anything at all, much of it nearly right: blocks with as many data as they need, or some less or
 * more. */
static void anything(unsigned needs)
{
    struct program *p = program(needs);
    uint32_t word[40], data[40 * 2 * LOADS_MAX + 8] = {0};
    unsigned refused = 0;
    bool right = true;
    for (int round = 0; round < 100000; round++) {
        size_t n = 1 + below(40), n_data = below(4) ? 0 : below(4);
        for (size_t i = 0; i < n; i++) {
            uint32_t block = below(BLOCKS), length = words_of(p, block, p->n_loads[block]);
            word[i] = below(30) ? sl_block_word(block, length) : (uint32_t)sl_random_next(&seed);
            word[i] |= below(20) ? 0 : SL_WORD_OPEN;
            for (uint32_t k = 0; k < length; k++)
                data[n_data++] = below(10) ? below(6) : (uint32_t)sl_random_next(&seed);
        }
        n_data -= below(4) || !n_data ? 0 : 1;
        int result = decode_words(p, word, n, data, n_data);
        right &= result == 1 || result == SL_EFORMAT;
        refused += result != 1;
    }
    ok(right && refused && refused < 100000,
       "words of any kind, needs %u: read or refused (%u of 100000)", needs, refused);
    program_free(p);
}

/* One block with more events than a chunk has space for, between others. */
static void long_block(void)
{
    enum { MANY = 3 * SL_CHUNK_MEMS + 5, SIZE = 5 };
    struct program *p = program(SL_NEED_ADDRESSES | SL_NEED_STORES | SL_NEED_VALUES);
    const uint32_t word[] = {1 | SL_WORD_OPEN, 2 | SL_WORD_OPEN, 3 | SL_WORD_OPEN};
    uint32_t *data = calloc(3 + MANY * SIZE, sizeof *data), *at = data;
    *at++ = 0;
    *at++ = MANY;
    for (uint32_t i = 0; i < MANY; i++, at += SIZE)
        at[0] = i % 7, at[1] = i, at[3] = ~i;
    *at++ = 0;
    struct sl_ring_words words = {word, word + 3, data, at, 3, SL_CHUNK_START | SL_CHUNK_END, 0};
    struct sl_chunk c;
    uint32_t mem = 0, n_blocks = 0, chunks = 0, block[4] = {0};
    bool right = true;
    for (; sl_ring_more(&words) && right; chunks++) {
        right = sl_ring_decode(&p->decoder, &words, NULL, &c, NULL) == 1 &&
                n_blocks + c.n_blocks <= 3;
        for (uint32_t i = 0; right && i < c.n_mems; i++, mem++)
            right = c.mem_insn[i] == mem % 7 && c.mem_addr[i] == mem &&
                    c.mem_value[i] == (uint32_t)~mem;
        for (uint32_t i = 0; right && i < c.n_blocks; i++)
            block[n_blocks++] = c.block[i];
    }
    ok(right && mem == MANY && n_blocks == 3 && block[0] == 1 && block[1] == 2 && block[2] == 3 &&
           chunks == 4,
       "a block with %u accesses comes out in %u chunks, whole", mem, chunks);
    free(data);
    program_free(p);
}

/* What a thread has left that was killed between any two of its stores: up to the last block that
 * was begun, all that was there. */
static void unfinished(void)
{
    struct program *p = program(SL_NEED_VALUES);
    struct stream *s = calloc(1, sizeof *s);
    uint32_t loads = 1;
    while (p->n_loads[loads] < 2)
        loads++;
    uint32_t length = words_of(p, loads, p->n_loads[loads]);
    for (uint32_t i = 0; i < 1000; i++)
        put_block(p, s);
    size_t n = s->n_words, n_data = s->n_data;
    uint32_t blocks = s->n_blocks, mems = s->n_mems;
    const struct {
        uint32_t word, data[8];
        size_t n_data;
        bool running;
        uint32_t blocks, mems;
        const char *what;
    } cases[] = {
        {sl_block_word(loads, length), {0}, 0, true, 1, 0, "before its data have their place"},
        {sl_block_word(loads, length), {0}, length, true, 1, 0, "before its values are there"},
        {loads, {1, 2, 3}, 3, true, 1, 0, "after data of a block that has none"},
        {loads | SL_WORD_OPEN, {0}, 0, true, 1, 0, "before a count"},
        {loads | SL_WORD_OPEN, {1, 0, 5, 6}, 4, true, 1, 0, "in an open block"},
        {SL_WORD_CONTINUED | SL_WORD_OPEN, {0}, 0, true, 0, 0, "before a count of what goes on"},
        {SL_WORD_CONTINUED | SL_WORD_OPEN,
         {1, 0, 5, 6},
         4,
         true,
         0,
         1,
         "after an event that goes on"},
        {SL_WORD_CONTINUED | SL_WORD_OPEN,
         {2, 0, 5, 6},
         4,
         true,
         0,
         1,
         "between an event's count and its place"},
        {sl_block_word(loads, length),
         {0},
         length,
         false,
         1,
         p->n_loads[loads],
         "in a system call"},
        {0, {1, 2, 3}, 3, false, 1, 0, "between counts of the slot"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sl_chunk c;
        uint32_t n_blocks = 0, n_mems = 0;
        int result = 1;
        s->n_words = n, s->n_data = n_data;
        put_word(s, cases[i].word);
        for (size_t k = 0; k < cases[i].n_data; k++)
            put(s, k < 8 ? cases[i].data[k] : 0);
        struct sl_ring_words words = words_in(s);
        sl_ring_repair(&p->decoder, &words, s->word, s->data, cases[i].running);
        while (sl_ring_more(&words) && result == 1) {
            result = sl_ring_decode(&p->decoder, &words, NULL, &c, NULL);
            n_blocks += c.n_blocks;
            n_mems += c.n_mems;
        }
        ok(result == 1 && n_blocks == blocks + cases[i].blocks && n_mems == mems + cases[i].mems,
           "killed %s: %u blocks and %u accesses", cases[i].what, n_blocks, n_mems);
    }
    free(s);
    program_free(p);
}

/* A thread's last slot may be empty, and its flags anything. */
static void ending(unsigned needs)
{
    struct program *p = program(needs);
    uint32_t none[1];
    struct sl_ring_words words = {none, none, none, none, 3, ~SL_CHUNK_START, 0};
    struct sl_chunk c;
    ok(sl_ring_more(&words) && sl_ring_decode(&p->decoder, &words, NULL, &c, NULL) == 1 &&
           !c.n_blocks && !c.n_mems && c.thread == 3 && c.flags == (SL_CHUNK_GAP | SL_CHUNK_END) &&
           !sl_ring_more(&words),
       "a thread's end is reported without events, too");
    program_free(p);
}

/* A guest that publishes words before any block is known. */
static void no_blocks(uint32_t first)
{
    static uint32_t word[SL_CHUNK_BLOCKS + 10], data[64 * SL_WORD_LONG];
    bool refused = true;
    for (int plain = 0; plain < 2; plain++) {
        struct sl_statics statics = {.program.needs = SL_NEED_VALUES};
        struct sl_ring_decoder decoder;
        for (size_t i = 0; i < sizeof word / sizeof *word; i++)
            word[i] = first;
        struct sl_ring_words in = {.word = word,
                                   .end = word + sizeof word / sizeof *word,
                                   .data = data,
                                   .data_end = data + sizeof data / sizeof *data};
        struct sl_chunk chunk;
        if (sl_ring_decoder_init(&decoder, &statics, NULL) < 0 || sl_ring_sync(&decoder, NULL) < 0)
            abort();
        decoder.plain = plain;
        refused &= sl_ring_decode(&decoder, &in, NULL, &chunk, NULL) == SL_EFORMAT;
        sl_ring_decoder_free(&decoder);
    }
    ok(refused, "words %#x are refused while no block is known", first);
}

int main(void)
{
    long_block();
    no_blocks(0);
    no_blocks(SL_WORD_OPEN);
    no_blocks(UINT32_MAX);
    comes_out(0, false, "blocks");
    comes_out(SL_NEED_VALUES, true, "values, without long vectors");
    comes_out(SL_NEED_VALUES, false, "values, with long vectors");
    comes_out(SL_NEED_ADDRESSES | SL_NEED_STORES, false, "addresses");
    comes_out(SL_NEED_VALUES | SL_NEED_ADDRESSES | SL_NEED_STORES, false, "both");
    unfinished();
    ending(0);
    ending(SL_NEED_VALUES);
    nonsense();
    anything(0);
    anything(SL_NEED_VALUES);
    anything(SL_NEED_VALUES | SL_NEED_ADDRESSES);
    return done_testing();
}
