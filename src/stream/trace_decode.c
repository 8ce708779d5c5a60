/* From a raw payload to the arrays of a frame: docs/trace-format.md, EVENTS.
 *
 * The payload may be hostile. Streams that end too early do not stop a loop: the
 * reader of tokens then gives hits, the reader of numbers zeros, both without
 * touching anything outside, and the fault is seen when the pass is over. So the
 * loops have no exits, and nothing of a bad frame is ever given out. */
#include "grow.h"
#include "trace_codec.h"

struct span {
    const uint8_t *at, *end;
};

/* False at the end of the span or if it is no varint of 32 bits. */
static bool get_varint(struct span *s, uint32_t *out)
{
    uint32_t value = 0;
    for (unsigned shift = 0; s->at < s->end && shift < 35; shift += 7) {
        uint32_t byte = *s->at++;
        if (shift == 28 && byte > 15)
            return false;
        value |= (byte & 127) << shift;
        if (byte < 128) {
            *out = value;
            return true;
        }
    }
    return false;
}

/* ---- tokens ----------------------------------------------------------------- */

struct token_reader {
    struct span runs, literals;
    uint32_t hits; /* to give out before the next token that is none */
    uint32_t miss; /* that one is a miss, not a second */
    bool bad;
};

#define ALL_HITS UINT32_MAX /* more than any run has, and than a frame has tokens */

static void next_run(struct token_reader *r)
{
    uint32_t run = 0;
    if (r->runs.at == r->runs.end) {
        r->hits = ALL_HITS;
    } else if (!get_varint(&r->runs, &run)) {
        r->bad = true;
        r->hits = ALL_HITS;
    } else {
        r->hits = run / 2;
        r->miss = run % 2;
    }
}

/* The next token is no hit: returns it (`base` + unzigzagged literal, or the plain
 * literal) and brings the slot and the run up to date. */
static uint32_t not_a_hit(struct token_reader *r, struct sl_trace_slot *slot, uint32_t base,
                          bool zigzag)
{
    uint32_t token = slot->b, literal = 0;
    if (r->miss) {
        r->bad |= !get_varint(&r->literals, &literal);
        token = zigzag ? base + sl_trace_unzigzag(literal) : literal;
    }
    slot->b = slot->a;
    slot->a = token;
    next_run(r);
    return token;
}

/* `base` is evaluated only where it is needed. */
#define GET_TOKEN(r, slot, base, zigzag) \
    ((r)->hits ? (r)->hits--, (slot)->a : not_a_hit((r), (slot), (base), (zigzag)))

/* A pass went well if both streams were used up, and no hits stay announced. */
static bool used_up(const struct token_reader *r)
{
    return !r->bad && r->runs.at == r->runs.end && r->literals.at == r->literals.end &&
           r->hits >= ALL_HITS - SL_TRACE_FRAME_EVENTS;
}

/* Returns the greatest block number. */
static uint32_t get_blocks(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                           struct token_reader *reader)
{
    struct token_reader r = *reader;
    uint32_t history = 0, previous = 0, greatest = 0;
    memset(codec->by_history, 0, sizeof codec->by_history);
    for (uint32_t i = 0; i < frame->n_blocks; i++) {
        struct sl_trace_slot *slot = &codec->by_history[history % SL_TRACE_SLOTS];
        uint32_t block = previous + 1 + GET_TOKEN(&r, slot, 0, true);
        frame->block[i] = block;
        greatest = block > greatest ? block : greatest;
        history = sl_trace_history(history, block);
        previous = block;
    }
    *reader = r;
    return greatest;
}

/* Fills block_mem and each chunk's n_mems. Returns false if a chunk has too many,
 * or all together are not n_mems. */
static bool get_counts(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                       struct token_reader *reader)
{
    struct token_reader r = *reader;
    uint32_t i = 0;
    uint64_t all = 0;
    bool fits = true;
    memset(codec->count, 0, sizeof codec->count);
    for (uint32_t c = 0; c < frame->n_chunks; c++) {
        uint64_t n_mems = frame->chunk[c].lead;
        for (uint32_t end = i + frame->chunk[c].n_blocks; i < end; i++) {
            struct sl_trace_slot *slot = &codec->count[frame->block[i] % SL_TRACE_SLOTS];
            frame->block_mem[i] = (uint32_t)n_mems;
            n_mems += GET_TOKEN(&r, slot, 0, false);
        }
        fits &= n_mems <= SL_CHUNK_MEMS;
        frame->chunk[c].n_mems = (uint32_t)n_mems;
        all += n_mems;
    }
    *reader = r;
    return fits && all == frame->n_mems;
}

/* Returns the greatest instruction number. */
static uint32_t get_words(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                          const struct sl_statics *statics, struct token_reader *reader)
{
    struct token_reader r = *reader;
    uint32_t *word = frame->mem_insn;
    unsigned shift = sl_trace_word_shift(frame->wants);
    uint32_t i = 0, before = 0, greatest = 0;
    memset(codec->first, 0, sizeof codec->first);
    memset(codec->next, 0, sizeof codec->next);
    for (uint32_t c = 0; c < frame->n_chunks; c++) {
        uint32_t end = i + frame->chunk[c].n_blocks, left = frame->chunk[c].lead;
        for (;; i++) {
            for (; left; left--) {
                struct sl_trace_slot *slot = &codec->next[sl_trace_fold(before)];
                before = GET_TOKEN(&r, slot, before, true);
                *word++ = sl_trace_rotate(before, (32 - shift) & 31);
                greatest = before > greatest ? before : greatest;
            }
            if (i == end)
                break;
            left = (i + 1 < end ? frame->block_mem[i + 1] : frame->chunk[c].n_mems) -
                   frame->block_mem[i];
            if (!left)
                continue;
            left--;
            uint32_t block = frame->block[i];
            struct sl_trace_slot *slot = &codec->first[block % SL_TRACE_SLOTS];
            before = GET_TOKEN(&r, slot, sl_trace_first(statics, block) << shift, true);
            *word++ = sl_trace_rotate(before, (32 - shift) & 31);
            greatest = before > greatest ? before : greatest;
        }
    }
    *reader = r;
    return greatest >> shift;
}

/* ---- numbers ---------------------------------------------------------------- */

/* True if there is a code for each number, none is unknown, and all literals
 * together are as long as the stream of bytes. */
static bool codes_agree(const struct span *codes, const struct span *bytes, size_t n)
{
    uint64_t sum = 0;
    unsigned highest = 0;
    for (const uint8_t *c = codes->at; c < codes->end; c++) {
        highest = *c > highest ? *c : highest;
        sum += *c > SL_TRACE_LITERAL_CODE ? *c - SL_TRACE_LITERAL_CODE : 0;
    }
    return (size_t)(codes->end - codes->at) == n && highest <= SL_TRACE_LITERAL_CODE + 8 &&
           sum == (uint64_t)(bytes->end - bytes->at);
}

/* Codes and lengths have been checked; what is read past the last literal lies in
 * the slack behind the payload. Without branches, as codes are hard to predict. */
static inline void get_column(uint64_t *number, size_t n, bool zigzag, struct span *codes,
                              struct span *bytes)
{
    static const uint64_t mask[] = {
        0,
        0,
        0,
        UINT64_C(0xff),
        UINT64_C(0xffff),
        UINT64_C(0xffffff),
        UINT64_C(0xffffffff),
        UINT64_C(0xffffffffff),
        UINT64_C(0xffffffffffff),
        UINT64_C(0xffffffffffffff),
        UINT64_MAX,
    };
    static const uint8_t size[] = {0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    const uint8_t *code = codes->at, *at = bytes->at;
    uint64_t last = 0, before = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned c = code[i];
        uint64_t literal = sl_get64(at) & mask[c];
        at += size[c];
        if (zigzag)
            literal = last + (literal >> 1 ^ (0 - (literal & 1)));
        uint64_t v = c == 1 ? 2 * last - before : literal;
        v = c == 0 ? last : v;
        number[i] = v;
        before = last;
        last = v;
    }
    codes->at += n;
    bytes->at = at;
}

static bool get_numbers(struct sl_trace_codec *codec, const struct sl_trace_frame *frame,
                        uint64_t *number, bool zigzag, struct span codes, struct span bytes)
{
    if (!codes_agree(&codes, &bytes, frame->n_mems))
        return false;
    if (!frame->n_mems)
        return true;
    sl_trace_columns(codec, frame);
    for (uint32_t c = 0; c < SL_TRACE_COLUMNS; c++) {
        uint64_t *column = codec->column + codec->column_at[c];
        size_t n = codec->column_at[c + 1] - codec->column_at[c];
        if (!n)
            continue;
        if (zigzag)
            get_column(column, n, true, &codes, &bytes);
        else
            get_column(column, n, false, &codes, &bytes);
    }
    for (uint32_t i = 0; i < frame->n_mems; i++)
        number[i] = codec->column[codec->column_at[sl_trace_fold(frame->mem_insn[i])]++];
    return true;
}

/* ---- the payload -------------------------------------------------------------- */

/* NULL, or what is wrong. */
static const char *get_chunks(struct sl_trace_frame *frame, struct span s)
{
    uint64_t blocks = 0;
    for (uint32_t c = 0; c < frame->n_chunks; c++) {
        struct sl_trace_chunk *chunk = &frame->chunk[c];
        chunk->n_mems = 0;
        if (!get_varint(&s, &chunk->thread) || !get_varint(&s, &chunk->flags) ||
            !get_varint(&s, &chunk->n_blocks) || !get_varint(&s, &chunk->lead))
            return "its chunk table is cut";
        if (chunk->flags & ~(uint32_t)SL_CHUNK_FLAGS ||
            chunk->n_blocks > SL_CHUNK_BLOCKS || chunk->lead > (frame->wants ? SL_CHUNK_MEMS : 0))
            return "its chunk table is wrong";
        blocks += chunk->n_blocks;
    }
    return s.at != s.end || blocks != frame->n_blocks ? "its chunk table does not fit its head"
                                                     : NULL;
}

static bool split(const uint8_t *raw, size_t raw_size, struct span stream[SL_STREAMS])
{
    const uint8_t *at = raw + 4 * SL_STREAMS;
    if (raw_size < 4 * SL_STREAMS)
        return false;
    size_t left = raw_size - 4 * SL_STREAMS;
    for (int i = 0; i < SL_STREAMS; i++) {
        uint32_t size = sl_get32(raw + 4 * i);
        if (size > left)
            return false;
        stream[i] = (struct span){at, at + size};
        at += size;
        left -= size;
    }
    return !left;
}

static struct token_reader token_reader(const struct span *runs)
{
    struct token_reader r = {.runs = runs[0], .literals = runs[1]};
    next_run(&r);
    return r;
}

static const char *decode(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                          const struct sl_statics *statics, const struct span *stream)
{
    const char *why = get_chunks(frame, stream[SL_STREAM_CHUNKS]);
    if (why)
        return why;
    struct token_reader r = token_reader(&stream[SL_STREAM_BLOCK_RUNS]);
    uint32_t greatest = get_blocks(codec, frame, &r);
    if (!used_up(&r))
        return "its blocks cannot be decoded";
    if (frame->n_blocks && greatest >= statics->n_blocks)
        return "it enters a block that no record describes";
    if (!frame->wants) {
        for (int i = SL_STREAM_COUNT_RUNS; i < SL_STREAMS; i++)
            if (stream[i].at != stream[i].end)
                return "it has mem events, which its header denies";
        return frame->n_mems ? "it has mem events, which its header denies" : NULL;
    }
    r = token_reader(&stream[SL_STREAM_COUNT_RUNS]);
    if (!get_counts(codec, frame, &r) || !used_up(&r))
        return "its counts of mem events cannot be decoded";
    r = token_reader(&stream[SL_STREAM_WORD_RUNS]);
    greatest = get_words(codec, frame, statics, &r);
    if (!used_up(&r))
        return "its mem events cannot be decoded";
    if (frame->n_mems && greatest >= statics->n_insns)
        return "it executes an instruction that no record describes";
    const struct span *values = &stream[SL_STREAM_VALUE_CODES];
    const struct span *addrs = &stream[SL_STREAM_ADDR_CODES];
    if (sl_trace_has_values(frame->wants)
            ? !get_numbers(codec, frame, frame->mem_value, false, values[0], values[1])
            : values[0].at != values[1].end)
        return "its values cannot be decoded";
    if (sl_trace_has_addresses(frame->wants)
            ? !get_numbers(codec, frame, frame->mem_addr, true, addrs[0], addrs[1])
            : addrs[0].at != addrs[1].end)
        return "its addresses cannot be decoded";
    return NULL;
}

int sl_trace_decode(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                    const struct sl_statics *statics, const struct sl_trace_head *head,
                    const uint8_t *raw, const char **why)
{
    struct span stream[SL_STREAMS];
    if (!sl_trace_frame_reserve(frame, head->items, head->blocks, head->mems) ||
        !SL_GROW(codec->column, codec->room_column, head->mems)) {
        *why = "out of memory";
        return SL_ENOMEM;
    }
    frame->n_chunks = head->items;
    frame->n_blocks = head->blocks;
    frame->n_mems = head->mems;
    if (!split(raw, head->raw_size, stream))
        *why = "its streams are longer than it is";
    else if (!(*why = decode(codec, frame, statics, stream)) &&
             sl_trace_frame_instructions(frame, statics) != head->instructions)
        *why = "its instructions are not as many as its head says";
    return *why ? SL_EFORMAT : 0;
}
