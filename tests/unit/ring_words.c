/* The ring's words by themselves: what a plain writer puts into them comes out as it was, however
 * chunks are cut, and words that make no sense are refused and never read beyond. */
#include "ring_words.h"

#include <string.h>

#include "../support/made_stream.h"
#include "ring.h"
#include "sluice.h"
#include "tap.h"

enum { BLOCKS = 60, INSNS_OF_BLOCK = 6, LOADS_MAX = 40, EVENTS = 60000 };

/* ---- a program whose blocks have implied loads ----------------------------- */

struct program {
    struct sl_statics statics;
    struct sl_ring_decoder decoder;
    unsigned wants;
    bool alike; /* many values look like words of blocks */
    uint32_t n_loads[BLOCKS];
    uint32_t load[BLOCKS][LOADS_MAX]; /* with SL_IMPLIED_WIDE */
};

static uint64_t seed = 7;

static uint32_t below(uint32_t n)
{
    return (uint32_t)sl_random_below(&seed, n);
}

/* The payload of an IMPLIED record. */
static int tell_implied(struct program *p, uint32_t block, uint32_t n, const uint32_t *load)
{
    uint32_t payload[2 + SL_IMPLIED_MAX + 8] = {block, block};
    memcpy(payload + 2, load, n * sizeof *load);
    return sl_ring_implied(&p->decoder, (const uint8_t *)payload, 4 * (2 + n), NULL);
}

static struct program *program(unsigned wants)
{
    struct program *p = calloc(1, sizeof *p);
    struct made *m = made_new(1, wants);
    made_program(m);
    made_blocks(m, BLOCKS);
    if (sl_statics_apply(&p->statics, m->records, m->n_records, NULL) != (int64_t)m->n_records ||
        sl_ring_decoder_init(&p->decoder, &p->statics, NULL) < 0 ||
        sl_ring_catch_up(&p->decoder, NULL) < 0)
        abort();
    made_free(m);
    p->wants = wants;
    for (uint32_t i = 0; i < BLOCKS && wants == SL_WANT_VALUES; i++) {
        p->n_loads[i] = i % 3 ? below(i % 7 ? 10 : LOADS_MAX + 1) : 0;
        for (uint32_t k = 0; k < p->n_loads[i]; k++)
            p->load[i][k] = below((uint32_t)p->statics.n_insns) | (below(3) ? 0 : SL_IMPLIED_WIDE);
        if (p->n_loads[i] && tell_implied(p, i, p->n_loads[i], p->load[i]) < 0)
            abort();
    }
    return p;
}

static void program_free(struct program *p)
{
    sl_ring_decoder_free(&p->decoder);
    sl_statics_free(&p->statics);
    free(p);
}

/* ---- a plain writer, and what it wrote -------------------------------------- */

struct stream {
    uint32_t word[32 * EVENTS];
    size_t n_words;
    uint32_t block[EVENTS], block_mem[EVENTS], n_blocks;
    uint32_t insn[16 * EVENTS];
    uint64_t value[16 * EVENTS], addr[16 * EVENTS];
    uint32_t n_mems;
};

static void put(struct stream *s, uint32_t word)
{
    s->word[s->n_words++] = word;
}

static void put_long(struct stream *s, uint64_t value)
{
    put(s, (uint32_t)value);
    put(s, (uint32_t)(value >> 32));
}

static void expect(struct stream *s, uint32_t insn, uint64_t addr, uint64_t value)
{
    s->insn[s->n_mems] = insn;
    s->addr[s->n_mems] = addr;
    s->value[s->n_mems++] = value;
}

static uint32_t words_of(const struct program *p, uint32_t block, uint32_t n)
{
    uint32_t words = n;
    for (uint32_t i = 0; i < n; i++)
        words += p->load[block][i] >> 31;
    return words;
}

static uint64_t some_value(const struct program *p)
{
    uint32_t block = below(BLOCKS);
    return p->alike && below(2) ? sl_block_word(block, words_of(p, block, p->n_loads[block]))
                                : sl_random_next(&seed);
}

/* A block with all its implied loads, or `words` of them. */
static void put_implied(const struct program *p, struct stream *s, uint32_t block, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        bool wide = p->load[block][i] & SL_IMPLIED_WIDE;
        uint64_t value = some_value(p);
        value = wide ? value : (uint32_t)value;
        put(s, (uint32_t)value);
        if (wide)
            put(s, (uint32_t)(value >> 32));
        expect(s, p->load[block][i] & ~SL_IMPLIED_WIDE, 0, value);
    }
}

static void put_named(const struct program *p, struct stream *s, uint32_t n)
{
    bool addresses = p->wants & (SL_WANT_ADDRESSES | SL_WANT_STORES);
    bool values = p->wants & SL_WANT_VALUES;
    put(s, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t insn = below((uint32_t)p->statics.n_insns) |
                        (addresses ? below(8) << SL_MEM_SIZE_SHIFT | below(4) << 30 : 0);
        uint64_t addr = sl_random_next(&seed), value = some_value(p);
        put(s, insn);
        if (addresses)
            put_long(s, addr);
        if (values)
            put_long(s, value);
        expect(s, insn, addr, value);
    }
}

/* Bare blocks come many in a row, or one by one. */
static bool is_bare(const struct program *p)
{
    static uint32_t left;
    if (!left && p->wants == SL_WANT_VALUES && !below(100))
        left = 1 + (below(2) ? below(40) : below(4000));
    return left && left--;
}

static void put_block(const struct program *p, struct stream *s)
{
    uint32_t block = below(BLOCKS), kind = p->wants ? below(20) : 0, n = p->n_loads[block];
    s->block[s->n_blocks] = block;
    s->block_mem[s->n_blocks++] = s->n_mems;
    if (is_bare(p)) {
        put(s, block);
    } else if (kind == 0 && p->wants) { /* it was left early */
        n = below(n + 1);
        put(s, block | SL_WORD_OPEN);
        put(s, words_of(p, block, n) | SL_WORD_CUT);
        put_implied(p, s, block, n);
    } else if (kind < 4 && p->wants) {
        put(s, block | SL_WORD_OPEN);
        put_named(p, s, below(200) ? below(5) : below(3000));
        if (kind == 1) {
            put(s, SL_WORD_CONTINUED | SL_WORD_OPEN);
            put_named(p, s, below(5));
        }
    } else {
        put(s, sl_block_word(block, words_of(p, block, n)));
        put_implied(p, s, block, n);
    }
}

/* ---- what must hold ---------------------------------------------------------- */

static bool same_chunk(const struct program *p, const struct stream *s, const struct sl_chunk *c,
                       uint32_t block, uint32_t mem)
{
    bool right = c->n_blocks <= SL_CHUNK_BLOCKS && c->n_mems <= SL_CHUNK_MEMS &&
                 block + c->n_blocks <= s->n_blocks && mem + c->n_mems <= s->n_mems;
    for (uint32_t i = 0; i < c->n_blocks && right; i++)
        right = c->block[i] == s->block[block + i] &&
                (!p->wants || c->block_mem[i] + mem == s->block_mem[block + i]);
    for (uint32_t i = 0; i < c->n_mems && right; i++)
        right = c->mem_insn[i] == s->insn[mem + i] &&
                (!(p->wants & SL_WANT_VALUES) || c->mem_value[i] == s->value[mem + i]) &&
                (!(p->wants & ~(unsigned)SL_WANT_VALUES) || c->mem_addr[i] == s->addr[mem + i]);
    return right;
}

/* Every other chunk into arrays that were given, where all of it then has to be. */
static bool is_there(const struct sl_chunk_arrays *into, const struct sl_chunk *c)
{
    return !into || (c->block == into->block && (!c->n_mems || c->mem_insn == into->mem_insn));
}

static void comes_out(unsigned wants, enum sl_ring_form form, bool alike, const char *what)
{
    struct program *p = program(wants);
    p->decoder.form = form;
    p->alike = alike;
    struct stream *s = calloc(1, sizeof *s);
    struct sl_chunk_arrays *given = malloc(sizeof *given);
    for (uint32_t i = 0; i < EVENTS; i++)
        put_block(p, s);
    struct sl_ring_words words = {s->word, s->word + s->n_words, 3, SL_CHUNK_START | SL_CHUNK_END, 0};
    uint32_t block = 0, mem = 0, chunks = 0;
    bool right = true;
    while (sl_ring_more(&words) && right) {
        struct sl_chunk_arrays *into = chunks % 2 ? given : NULL;
        struct sl_chunk c;
        right = sl_ring_decode(&p->decoder, &words, into, &c, NULL) == 1 &&
                same_chunk(p, s, &c, block, mem) && is_there(into, &c) && c.thread == 3 &&
                (c.flags & ~(unsigned)SL_CHUNK_END) == (chunks ? 0 : SL_CHUNK_START) &&
                (c.flags & SL_CHUNK_END ? words.word == words.end : words.word < words.end) &&
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

static int decode_words(struct program *p, const uint32_t *word, size_t n)
{
    /* In memory of just that size, so that sanitizers see a step beyond. */
    uint32_t *exact = calloc(n + SL_RING_WORDS_MARGIN, sizeof *exact);
    struct sl_ring_words words = {exact, exact + n, 0, 0, 0};
    struct sl_chunk c;
    int result = 1;
    memcpy(exact, word, n * sizeof *exact);
    while (words.word < words.end && result == 1)
        result = sl_ring_decode(&p->decoder, &words, NULL, &c, NULL);
    free(exact);
    return result;
}

static void nonsense(void)
{
    struct program *p = program(SL_WANT_VALUES);
    uint32_t loads = 1;
    while (!p->n_loads[loads])
        loads++;
    const struct {
        uint32_t word[4];
        size_t n;
        const char *what;
    } cases[] = {
        {{BLOCKS}, 1, "a block that is not known"},
        {{BLOCKS | SL_WORD_OPEN, 0}, 2, "an open one that is not"},
        {{sl_block_word(loads, words_of(p, loads, p->n_loads[loads]))}, 1, "a block without its loads"},
        {{sl_block_word(loads, 1 + words_of(p, loads, p->n_loads[loads])), 0, 0, 0}, 4,
         "a block with another length than its list"},
        {{sl_block_word(0, 1), 0}, 2, "a length where there is no list"},
        {{sl_block_word(SL_WORD_VARIANT, 0)}, 1, "a variant that is not known"},
        {{SL_WORD_OPEN}, 1, "an open block without its count"},
        {{SL_WORD_OPEN, 3}, 2, "a count without its events"},
        {{SL_WORD_OPEN, 1, SL_MEM_INSN_MASK, 0}, 4, "an event cut short"},
        {{loads | SL_WORD_OPEN, 4 * LOADS_MAX | SL_WORD_CUT, 0, 0}, 4, "more loads than the list has"},
        {{SL_WORD_CONTINUED | SL_WORD_OPEN, 0 | SL_WORD_CUT}, 2, "implied loads of no block"},
        {{SL_WORD_OPEN, 0x7fffffff}, 2, "more events than there can be"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ok(decode_words(p, cases[i].word, cases[i].n) == SL_EFORMAT, "%s is refused", cases[i].what);
    ok(decode_words(p, &loads, 1) == 1, "a block without any loads, and no length, is not");
    const uint32_t nothing[] = {SL_WORD_CONTINUED | SL_WORD_OPEN, 0};
    ok(decode_words(p, nothing, 2) == 1, "a block that goes on with nothing, as a kill may leave it, is not");
    uint32_t unknown = (uint32_t)p->statics.n_insns, many[SL_IMPLIED_MAX + 1] = {0};
    ok(tell_implied(p, 0, 1, &unknown) == SL_EFORMAT && tell_implied(p, BLOCKS, 1, many) == SL_EFORMAT &&
           tell_implied(p, 0, SL_IMPLIED_MAX + 1, many) == SL_EFORMAT,
       "lists of unknown instructions or blocks, and too long ones, are refused");
    program_free(p);
}

/* Anything at all, much of it nearly right. */
static void anything(unsigned wants)
{
    struct program *p = program(wants);
    uint32_t word[40];
    unsigned refused = 0;
    bool right = true;
    for (int round = 0; round < 100000; round++) {
        size_t n = 1 + below(40);
        for (size_t i = 0; i < n; i++)
            word[i] = (below(3) ? sl_block_word(below(BLOCKS + 2), below(6)) : (uint32_t)sl_random_next(&seed)) |
                      (below(4) ? 0 : SL_WORD_OPEN);
        int result = decode_words(p, word, n);
        right &= result == 1 || result == SL_EFORMAT;
        refused += result != 1;
    }
    ok(right && refused, "words of any kind, wants %u: read or refused (%u of 100000)", wants, refused);
    program_free(p);
}

/* One block with more events than a chunk has room for, between others. */
static void long_block(void)
{
    enum { MANY = 3 * SL_CHUNK_MEMS + 5, SIZE = 5 };
    struct program *p = program(SL_WANT_ADDRESSES | SL_WANT_STORES | SL_WANT_VALUES);
    uint32_t *word = calloc(2 + 2 + MANY * SIZE + 2 + SL_RING_WORDS_MARGIN, sizeof *word), *at = word;
    *at++ = 1 | SL_WORD_OPEN;
    *at++ = 0;
    *at++ = 2 | SL_WORD_OPEN;
    *at++ = MANY;
    for (uint32_t i = 0; i < MANY; i++, at += SIZE)
        at[0] = i % 7, at[1] = i, at[3] = ~i;
    *at++ = 3 | SL_WORD_OPEN;
    *at++ = 0;
    struct sl_ring_words words = {word, at, 3, SL_CHUNK_START | SL_CHUNK_END, 0};
    struct sl_chunk c;
    uint32_t mem = 0, n_blocks = 0, chunks = 0, block[4] = {0};
    bool right = true;
    for (; sl_ring_more(&words) && right; chunks++) {
        right = sl_ring_decode(&p->decoder, &words, NULL, &c, NULL) == 1 && n_blocks + c.n_blocks <= 3;
        for (uint32_t i = 0; right && i < c.n_mems; i++, mem++)
            right = c.mem_insn[i] == mem % 7 && c.mem_addr[i] == mem && c.mem_value[i] == (uint32_t)~mem;
        for (uint32_t i = 0; right && i < c.n_blocks; i++)
            block[n_blocks++] = c.block[i];
    }
    ok(right && mem == MANY && n_blocks == 3 && block[0] == 1 && block[1] == 2 && block[2] == 3 && chunks == 4,
       "a block with %u accesses comes out in %u chunks, whole", mem, chunks);
    free(word);
    program_free(p);
}

/* A thread's last slot may be empty, and its flags anything. */
static void ending(unsigned wants)
{
    struct program *p = program(wants);
    uint32_t none[SL_RING_WORDS_MARGIN] = {0};
    struct sl_ring_words words = {none, none, 3, ~SL_CHUNK_START, 0};
    struct sl_chunk c;
    ok(sl_ring_more(&words) && sl_ring_decode(&p->decoder, &words, NULL, &c, NULL) == 1 && !c.n_blocks &&
           !c.n_mems && c.thread == 3 && c.flags == (SL_CHUNK_GAP | SL_CHUNK_END) &&
           !sl_ring_more(&words), "a thread's end is told without events, too");
    program_free(p);
}

int main(void)
{
    static const char *const names[] = {"values, without long vectors", "values, AVX2", "values, AVX-512"};
    long_block();
    comes_out(0, SL_RING_FORMS, false, "blocks");
    for (enum sl_ring_form form = SL_RING_PLAIN; form < SL_RING_FORMS; form++) {
        comes_out(SL_WANT_VALUES, form, false, names[form]);
        comes_out(SL_WANT_VALUES, form, true, names[form]);
    }
    comes_out(SL_WANT_ADDRESSES | SL_WANT_STORES, SL_RING_FORMS, false, "addresses");
    comes_out(SL_WANT_VALUES | SL_WANT_ADDRESSES | SL_WANT_STORES, SL_RING_FORMS, true, "both");
    ending(0);
    ending(SL_WANT_VALUES);
    nonsense();
    anything(0);
    anything(SL_WANT_VALUES);
    anything(SL_WANT_VALUES | SL_WANT_ADDRESSES);
    return done_testing();
}
