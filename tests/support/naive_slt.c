/* SPDX-License-Identifier: MIT */
/* A second reader of trace files, written from docs/trace-format.md alone. It shares no code with
 * src/stream, is not optimized, and reads the file from its end: trailer, index, then the frames
 * that the index lists.
 *
 *     naive_slt FILE       prints all records and events, one per line
 *
 * tests/oracle/trace_readers.t compares its output with that of the library's reader (dump_slt.c).
 * It exits with status 1 if the file contradicts the page. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

static void require(int holds, const char *what)
{
    if (!holds) {
        printf("naive_slt: %s\n", what);
        exit(1);
    }
}

static uint64_t number(const uint8_t *at, int bytes)
{
    uint64_t n = 0;
    for (int i = bytes - 1; i >= 0; i--)
        n = n * 256 + at[i];
    return n;
}

static void *allocate(size_t n, size_t size)
{
    void *memory = calloc(n + 1, size);
    require(memory != NULL, "out of memory");
    return memory;
}

/* ---- streams ---- */

struct stream {
    const uint8_t *at, *end;
};

static uint32_t varint(struct stream *s)
{
    uint64_t value = 0;
    int group = 0, byte;
    do {
        require(s->at < s->end && group < 5, "a varint is cut or too long");
        byte = *s->at++;
        value += (uint64_t)(byte % 128) << (7 * group++);
    } while (byte >= 128);
    require(value < UINT64_C(1) << 32, "a varint is too large");
    return (uint32_t)value;
}

static uint32_t unzigzag32(uint32_t z)
{
    return z % 2 ? (uint32_t)-1 - z / 2 : z / 2;
}

static uint64_t unzigzag64(uint64_t z)
{
    return z % 2 ? (uint64_t)-1 - z / 2 : z / 2;
}

/* ---- static table: all that events need ---- */

static uint32_t *block_first, *block_insns; /* of each block: first instruction, size */
static uint32_t n_blocks, n_insns;

static void block_record(const uint8_t *payload)
{
    uint32_t n = (uint32_t)number(payload + 13, 2);
    require(number(payload + 8, 4) == n_blocks, "a block has the wrong number");
    block_first = realloc(block_first, (n_blocks + 1) * sizeof *block_first);
    block_insns = realloc(block_insns, (n_blocks + 1) * sizeof *block_insns);
    require(block_first && block_insns, "out of memory");
    block_first[n_blocks] = (uint32_t)number(payload + 15, 4);
    block_insns[n_blocks] = n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t insn = (uint32_t)number(payload + 15 + 5 * i, 4);
        require(insn <= n_insns, "an instruction number is skipped");
        n_insns += insn == n_insns;
    }
    n_blocks++;
}

static uint32_t records(const uint8_t *raw, size_t size)
{
    uint32_t n = 0;
    for (size_t at = 0; at < size; n++) {
        require(size - at >= 8, "a record's head is cut");
        uint32_t length = (uint32_t)number(raw + at, 4), type = (uint32_t)number(raw + at + 4, 4);
        require(size - at - 8 >= length, "a record is cut");
        printf("record %u ", type);
        for (uint32_t i = 0; i < length; i++)
            printf("%02x", raw[at + 8 + i]);
        printf("\n");
        if (type == 3)
            block_record(raw + at + 8);
        at += 8 + length;
    }
    return n;
}

/* ---- tokens ---- */

struct slot {
    uint32_t a, b;
};

enum outcome { HIT, SECOND, MISS };

struct tokens {
    struct stream runs, literals;
    uint32_t hits;
    enum outcome then; /* after the hits; HIT: only hits remain */
};

static void next_run(struct tokens *t)
{
    t->then = HIT;
    if (t->runs.at < t->runs.end) {
        uint32_t run = varint(&t->runs);
        t->hits = run / 2;
        t->then = run % 2 ? MISS : SECOND;
    }
}

static struct tokens start(struct stream runs, struct stream literals)
{
    struct tokens t = {runs, literals, 0, HIT};
    next_run(&t);
    return t;
}

/* What kind of token comes next. The caller applies it to the slot. */
static enum outcome next_outcome(struct tokens *t)
{
    if (t->then == HIT)
        return HIT;
    if (t->hits) {
        t->hits--;
        return HIT;
    }
    enum outcome outcome = t->then;
    next_run(t);
    return outcome;
}

static uint32_t apply(enum outcome outcome, struct slot *slot, uint32_t literal)
{
    uint32_t token = outcome == HIT ? slot->a : outcome == SECOND ? slot->b : literal;
    if (outcome != HIT) {
        slot->b = slot->a;
        slot->a = token;
    }
    return token;
}

static void require_end(const struct tokens *t)
{
    require(t->then == HIT && t->runs.at == t->runs.end && t->literals.at == t->literals.end,
            "a stream of tokens is not used up");
}

/* ---- numbers ---- */

/* A list of mem events, by its number in the frame: the first of its words, how many it has, how
 * often it was used, and its uses, consecutively, as the places of their first mem events.
 */
struct list {
    uint32_t word, n, uses;
    uint32_t *use;
};

static struct list *list;
static uint32_t n_lists, *list_word, n_list_words;

static void use_list(uint32_t number, uint32_t mem)
{
    struct list *l = &list[number];
    l->use = realloc(l->use, (l->uses + 1) * sizeof *l->use);
    require(l->use != NULL, "out of memory");
    l->use[l->uses++] = mem;
}

static uint32_t code_at(struct stream codes, uint64_t i)
{
    require(i / 2 < (uint64_t)(codes.end - codes.at), "a code is missing");
    return i % 2 ? codes.at[i / 2] / 16 : codes.at[i / 2] % 16;
}

/* Version 2: list by list, word by word, use by use. */
static uint64_t *numbers(struct stream codes, struct stream bytes, uint32_t n, int addresses)
{
    uint64_t *out = allocate(n, sizeof *out), at = 0;
    for (uint32_t l = 0; l < n_lists; l++)
        for (uint32_t k = 0; k < list[l].n; k++) {
            uint64_t last = 0, before = 0;
            for (uint32_t u = 0; u < list[l].uses; u++) {
                uint32_t code = code_at(codes, at++);
                require(code <= 10, "a code is unknown");
                uint64_t v = code == 0 ? last : last + (last - before);
                if (code >= 2) {
                    require(bytes.end - bytes.at >= (int)code - 2, "a literal is cut");
                    v = number(bytes.at, (int)code - 2);
                    bytes.at += code - 2;
                    if (addresses)
                        v = last + unzigzag64(v);
                }
                out[list[l].use[u] + k] = v;
                before = last;
                last = v;
            }
        }
    require(at == n && (uint64_t)(codes.end - codes.at) == (at + 1) / 2 && bytes.at == bytes.end,
            "a stream of numbers is not used up");
    require(at % 2 == 0 || code_at(codes, at) == 0, "something is after the last code");
    return out;
}

/* ---- frames of events ---- */

static uint32_t rotate_left(uint32_t x, int n)
{
    return n ? (x << n) | (x >> (32 - n)) : x;
}

static uint32_t *get_blocks(struct stream *s, uint32_t n)
{
    uint32_t *block = allocate(n, sizeof *block), previous = 0, history = 0;
    struct slot *slots = allocate(65536, sizeof *slots);
    struct tokens t = start(s[1], s[2]);
    for (uint32_t i = 0; i < n; i++) {
        enum outcome outcome = next_outcome(&t);
        uint32_t literal = outcome == MISS ? unzigzag32(varint(&t.literals)) : 0;
        uint32_t token = apply(outcome, &slots[history % 65536], literal);
        block[i] = previous + 1 + token;
        require(block[i] < n_blocks, "a block has no record");
        history = (history << 4) ^ ((block[i] * UINT32_C(0x9e3779b1)) >> 16);
        previous = block[i];
    }
    require_end(&t);
    free(slots);
    return block;
}

struct chunk {
    uint32_t thread, flags, blocks, lead, mems;
};

static void print_mem(uint32_t i, const uint32_t *word, const uint64_t *value, const uint64_t *addr)
{
    printf("m %08x", word[i]);
    if (value)
        printf(" v %llx", (unsigned long long)value[i]);
    if (addr)
        printf(" a %llx", (unsigned long long)addr[i]);
    printf("\n");
}

static uint32_t new_list(struct stream *words, uint32_t n, uint32_t before, int addresses,
                         uint32_t mems)
{
    require(n <= mems - n_list_words, "lists have more words than there are mem events");
    list[n_lists] = (struct list){.word = n_list_words, .n = n};
    for (uint32_t k = 0; k < n; k++) {
        before += unzigzag32(varint(words));
        uint32_t word = rotate_left(before, addresses ? 27 : 0);
        require((addresses ? word % (1u << 27) : word) < n_insns, "an instruction has no record");
        list_word[n_list_words++] = word;
    }
    return n_lists++;
}

/* The words of all mem events, by the lists of leads and blocks; fills in the counts. */
static uint32_t *get_lists(struct stream *s, struct chunk *chunk, uint32_t chunks,
                           const uint32_t *block, uint32_t blocks, uint32_t *count, uint32_t mems,
                           int addresses)
{
    struct slot *slots = allocate(65536, sizeof *slots);
    struct tokens t = start(s[3], s[4]);
    uint32_t *word = allocate(mems, sizeof *word), m = 0, b = 0;
    list = allocate((size_t)chunks + blocks + 1, sizeof *list);
    list_word = allocate(mems, sizeof *list_word);
    n_lists = 1;
    n_list_words = 0;
    for (uint32_t c = 0; c < chunks; c++)
        for (uint32_t i = 0; i <= chunk[c].blocks; i++) {
            uint32_t number = 0;
            if (i == 0 && chunk[c].lead)
                number = new_list(&s[5], chunk[c].lead, 0, addresses, mems);
            if (i > 0) {
                enum outcome outcome = next_outcome(&t);
                uint32_t literal = 0;
                if (outcome == MISS)
                    literal = new_list(&s[5], varint(&t.literals),
                                       block_first[block[b]] << (addresses ? 5 : 0), addresses,
                                       mems);
                number = apply(outcome, &slots[block[b] % 65536], literal);
                count[b++] = list[number].n;
                chunk[c].mems += list[number].n;
                require(chunk[c].mems <= 8192, "a chunk has too many mem events");
            }
            require(list[number].n <= mems - m, "there are more mem events than the head says");
            use_list(number, m);
            for (uint32_t k = 0; k < list[number].n; k++)
                word[m++] = list_word[list[number].word + k];
        }
    require(m == mems, "there are fewer mem events than the head says");
    require(s[5].at == s[5].end, "words are left behind the lists");
    require_end(&t);
    free(slots);
    return word;
}

static void free_lists(void)
{
    for (uint32_t l = 0; l < n_lists; l++)
        free(list[l].use);
    free(list);
    free(list_word);
    n_lists = 0;
    list = NULL;
    list_word = NULL;
}

static void events(const uint8_t *raw, size_t size, uint32_t needs, uint32_t chunks,
                   uint32_t blocks, uint32_t mems, uint64_t instructions)
{
    enum { STREAMS = 10 };
    struct stream s[STREAMS];
    require(size >= 4 * STREAMS, "there are no streams");
    const uint8_t *at = raw + 4 * STREAMS;
    for (int i = 0; i < STREAMS; i++) {
        uint64_t length = number(raw + 4 * i, 4);
        require((uint64_t)(raw + size - at) >= length, "a stream is cut");
        s[i] = (struct stream){at, at + length};
        at += length;
    }
    require(at == raw + size, "bytes are left behind the streams");

    struct chunk *chunk = allocate(chunks, sizeof *chunk);
    uint32_t sum = 0;
    for (uint32_t c = 0; c < chunks; c++) {
        chunk[c].thread = varint(&s[0]);
        chunk[c].flags = varint(&s[0]);
        chunk[c].blocks = varint(&s[0]);
        chunk[c].mems = chunk[c].lead = varint(&s[0]);
        require(chunk[c].flags < 8 && chunk[c].blocks <= 8192, "a chunk is wrong");
        sum += chunk[c].blocks;
    }
    require(s[0].at == s[0].end && sum == blocks, "the chunk table is wrong");

    int addresses = (needs & 6) != 0;
    uint32_t *block = get_blocks(s, blocks), *count = NULL, *word = NULL;
    uint64_t *value = NULL, *addr = NULL;
    for (uint32_t i = 0; i < blocks; i++)
        instructions -= block_insns[block[i]];
    require(instructions == 0, "the head counts other instructions");
    if (needs) {
        count = allocate(blocks, sizeof *count);
        word = get_lists(s, chunk, chunks, block, blocks, count, mems, addresses);
    }
    if (needs & 1)
        value = numbers(s[6], s[7], mems, 0);
    if (addresses)
        addr = numbers(s[8], s[9], mems, 1);
    if (needs)
        free_lists();

    uint32_t b = 0, m = 0;
    for (uint32_t c = 0; c < chunks; c++) {
        printf("chunk thread %u flags %u blocks %u mems %u\n", chunk[c].thread, chunk[c].flags,
               chunk[c].blocks, chunk[c].mems);
        for (uint32_t i = 0; i < chunk[c].lead; i++)
            print_mem(m++, word, value, addr);
        for (uint32_t i = 0; i < chunk[c].blocks; i++, b++) {
            printf("b %u\n", block[b]);
            for (uint32_t k = 0; needs && k < count[b]; k++)
                print_mem(m++, word, value, addr);
        }
    }
    free(chunk);
    free(block);
    free(count);
    free(word);
    free(value);
    free(addr);
}

/* ---- the file ---- */

static const uint8_t *file;
static uint64_t file_size;

struct frame {
    uint32_t kind, number, items, blocks, mems;
    uint64_t instructions;
    uint8_t *raw; /* to be freed */
    uint32_t raw_size;
    uint64_t end;
};

static struct frame frame_at(uint64_t at)
{
    require(at <= file_size && file_size - at >= 56, "a frame's head is outside of the file");
    const uint8_t *h = file + at;
    uint32_t stored = (uint32_t)number(h + 12, 4);
    struct frame f = {
        .kind = (uint32_t)number(h + 4, 4),
        .number = (uint32_t)number(h + 8, 4),
        .raw_size = (uint32_t)number(h + 16, 4),
        .items = (uint32_t)number(h + 20, 4),
        .blocks = (uint32_t)number(h + 24, 4),
        .mems = (uint32_t)number(h + 28, 4),
        .instructions = number(h + 32, 8),
        .end = at + 56 + stored,
    };
    require(!memcmp(h, "FTLS", 4) && number(h + 48, 8) == XXH64(h, 48, 0), "a head is damaged");
    require(file_size - at - 56 >= stored, "a frame's payload is outside of the file");
    require(number(h + 40, 8) == XXH64(h + 56, stored, 0), "a payload is damaged");
    require(ZSTD_getFrameContentSize(h + 56, stored) == f.raw_size, "a raw size is wrong");
    f.raw = allocate(f.raw_size, 1);
    require(ZSTD_decompress(f.raw, f.raw_size, h + 56, stored) == f.raw_size,
            "a payload cannot be decompressed");
    return f;
}

static void load(const char *path)
{
    FILE *in = fopen(path, "rb");
    require(in != NULL, "cannot open the file");
    fseek(in, 0, SEEK_END);
    file_size = (uint64_t)ftell(in);
    rewind(in);
    uint8_t *data = allocate(file_size, 1);
    require(fread(data, 1, file_size, in) == file_size, "cannot read the file");
    fclose(in);
    file = data;
}

int main(int argc, char **argv)
{
    require(argc == 2, "usage: naive_slt FILE");
    load(argv[1]);
    require(file_size >= 64 && !memcmp(file, "\x89SLT\r\n\x1a\n", 8), "this is no trace");
    require(number(file + 24, 8) == XXH64(file, 24, 0), "the header is damaged");
    require(number(file + 8, 4) == 2 && number(file + 16, 8) == 0, "the version is unknown");
    uint32_t needs = (uint32_t)number(file + 12, 4);
    printf("needs %u\n", needs);

    const uint8_t *trailer = file + file_size - 32;
    require(!memcmp(trailer, "SLT-end\n", 8) && number(trailer + 24, 8) == XXH64(trailer, 24, 0),
            "the trailer is damaged");
    struct frame index = frame_at(number(trailer + 8, 8));
    uint64_t n = number(trailer + 16, 8), expected = 32;
    require(index.kind == 3 && index.number == n && index.items == n && index.raw_size == 32 * n &&
                index.end == file_size - 32,
            "the index is wrong");
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t *entry = index.raw + 32 * (size_t)i;
        struct frame f = frame_at(number(entry, 8));
        require(f.number == i && number(entry, 8) == expected &&
                    number(entry + 8, 8) == f.instructions && number(entry + 16, 4) == f.kind &&
                    number(entry + 20, 4) == f.items && number(entry + 24, 4) == f.blocks &&
                    number(entry + 28, 4) == f.mems,
                "an entry of the index is wrong");
        expected = f.end;
        if (f.kind == 1)
            require(records(f.raw, f.raw_size) == f.items, "records are miscounted");
        else
            events(f.raw, f.raw_size, needs, f.items, f.blocks, f.mems, f.instructions);
        free(f.raw);
    }
    free(index.raw);
    require(number(trailer + 8, 8) == expected, "there is a gap before the index");
    printf("end\n");
    return 0;
}
