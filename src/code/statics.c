/* SPDX-License-Identifier: MIT */
/* Static table of a program (statics.h): reads the records of its blocks, instructions and mapped
 * files, and writes PROGRAM and END records. Records can come from a hostile file: lengths, ids and
 * sizes are checked, and an invalid record adds nothing to the table. */
#include "statics.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"

const char *sl_arch_name(enum sl_arch arch)
{
    static const char *const name[SL_ARCH_COUNT] = {
        /* clang-format off */
        [SL_ARCH_NONE] = "none",
        [SL_ARCH_X86_64] = "x86-64",
        [SL_ARCH_AARCH64] = "aarch64",
        [SL_ARCH_RISCV64] = "riscv64",
        [SL_ARCH_RISCV32] = "riscv32",
        [SL_ARCH_MIPSEL] = "mipsel",
        [SL_ARCH_MIPS] = "mips",
        [SL_ARCH_DESCRIBED] = "described",
        /* clang-format on */
    };
    return (unsigned)arch < SL_ARCH_COUNT ? name[arch] : "unknown";
}

/* ---- reading ---- */

/* Reads past the end return 0 and set short_of_bytes. */
struct cursor {
    const uint8_t *at, *end;
    bool short_of_bytes;
};

static uint64_t read_uint(struct cursor *c, unsigned n_bytes)
{
    uint64_t value = 0;
    if ((size_t)(c->end - c->at) < n_bytes) {
        c->short_of_bytes = true;
        c->at = c->end;
        return 0;
    }
    for (unsigned i = 0; i < n_bytes; i++)
        value |= (uint64_t)c->at[i] << 8 * i;
    c->at += n_bytes;
    return value;
}

static uint32_t take32(struct cursor *c)
{
    return (uint32_t)read_uint(c, 4);
}

/* A copy of the next n bytes as a string; NULL if there are fewer or if out of memory. */
static char *take_string(struct cursor *c, size_t n)
{
    if ((size_t)(c->end - c->at) < n) {
        c->short_of_bytes = true;
        return NULL;
    }
    char *copy = strndup((const char *)c->at, n);
    c->at += n;
    return copy;
}

static void free_strings(char **argv)
{
    for (size_t i = 0; argv && argv[i]; i++)
        free(argv[i]);
    free(argv);
}

static int apply_program(struct sl_statics *s, struct cursor *c, struct sl_failure *f)
{
    struct sl_program program = {.arch = (enum sl_arch)take32(c), .needs = take32(c)};
    uint32_t n = take32(c);
    if (s->program.path)
        return sl_fail(f, SL_EFORMAT, "the stream has a second program record");
    if ((unsigned)program.arch >= SL_ARCH_COUNT)
        return sl_fail(
            f, SL_EFORMAT,
            "unknown architecture %u: the stream may come from a newer version of sluice",
            (unsigned)program.arch);
    /* The number of bytes per instruction depends on it: sl_insn_stored(). */
    if (program.arch == SL_ARCH_DESCRIBED && s->n_blocks)
        return sl_fail(
            f, SL_EFORMAT,
            "the program record follows a block record, but must precede all block records");
    if (n < 1 || n > SL_RECORD_MAX / 4)
        return sl_fail(f, SL_EFORMAT, "the program record has an invalid number of strings: %u", n);
    char **strings = calloc((size_t)n + 1, sizeof *strings);
    if (!strings)
        return sl_out_of_memory(f);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t length = take32(c);
        if (!(strings[i] = take_string(c, length))) {
            free_strings(strings);
            return sl_fail(f, SL_EFORMAT, "the program record is truncated");
        }
    }
    program.path = strings[0];
    memmove(strings, strings + 1, (size_t)n * sizeof *strings);
    program.argv = strings;
    s->program = program;
    return 0;
}

static int apply_object(struct sl_statics *s, struct cursor *c, struct sl_failure *f)
{
    struct sl_object object = {
        .start = read_uint(c, 8), .end = read_uint(c, 8), .offset = read_uint(c, 8)};
    if (c->short_of_bytes || object.start >= object.end)
        return sl_fail(f, SL_EFORMAT, "the record of a mapped file is invalid");
    if (!SL_GROW(s->object, s->objects_capacity, s->n_objects + 1) ||
        !(object.path = take_string(c, (size_t)(c->end - c->at))))
        return sl_out_of_memory(f);
    s->object[s->n_objects++] = object;
    return 0;
}

static int apply_block(struct sl_statics *s, struct cursor *c, struct sl_failure *f)
{
    struct sl_block block = {.pc = read_uint(c, 8), .insns_at = (uint32_t)s->n_block_insns};
    uint32_t number = take32(c);
    block.mark = (uint8_t)read_uint(c, 1);
    block.n_insns = (uint16_t)read_uint(c, 2);
    size_t heads = 5 * (size_t)block.n_insns;
    if (c->short_of_bytes || (size_t)(c->end - c->at) < heads)
        return sl_fail(f, SL_EFORMAT, "the record of block %u is truncated", number);
    if (number != s->n_blocks || block.n_insns < 1 || block.n_insns > SL_BLOCK_INSNS_MAX ||
        block.mark > SL_MARK_END)
        return sl_fail(f, SL_EFORMAT, "the record of block %u is invalid", number);

    struct cursor code = {c->at + heads, c->end, false};
    size_t n_code = (size_t)(code.end - code.at);
    if (!SL_GROW(s->block, s->blocks_capacity, s->n_blocks + 1) ||
        !SL_GROW(s->block_size, s->block_size_capacity, s->n_blocks + 1) ||
        !SL_GROW(s->block_insn, s->block_insns_capacity, s->n_block_insns + block.n_insns) ||
        !SL_GROW(s->insn, s->insns_capacity, s->n_insns + block.n_insns) ||
        !SL_GROW(s->bytes, s->bytes_capacity, s->n_bytes + n_code))
        return sl_out_of_memory(f);
    if (s->n_bytes + n_code > UINT32_MAX)
        return sl_fail(f, SL_EFORMAT,
                       "the program has more than 4 GB of code, which is not supported");

    /* The counts of the table change only if the whole record is valid. */
    size_t n_insns = s->n_insns, n_bytes = s->n_bytes;
    uint64_t pc = block.pc;
    for (unsigned i = 0; i < block.n_insns; i++) {
        uint32_t insn = take32(c);
        struct sl_insn new = {pc, (uint32_t)n_bytes, (uint8_t)read_uint(c, 1)};
        uint8_t size = new.size, stored = sl_insn_stored(s, &new);
        if (size < 1 || (size_t)(code.end - code.at) < stored || insn > n_insns ||
            insn > SL_INSN_MAX)
            return sl_fail(f, SL_EFORMAT, "instruction %u of block %u is invalid", i, number);
        if (insn == n_insns) {
            s->insn[n_insns++] = new;
            memcpy(s->bytes + n_bytes, code.at, stored);
            n_bytes += stored;
        } else if (s->insn[insn].pc != pc || s->insn[insn].size != size ||
                   memcmp(s->bytes + s->insn[insn].bytes_at, code.at, stored)) {
            return sl_fail(
                f, SL_EFORMAT,
                "instruction %u of block %u has id %u, but differs from the earlier record "
                "with this id",
                i, number, insn);
        }
        s->block_insn[s->n_block_insns + i] = insn;
        code.at += stored;
        pc += size;
    }
    if (pc - block.pc > UINT16_MAX)
        return sl_fail(f, SL_EFORMAT, "block %u is longer than the maximum of %u bytes", number,
                       UINT16_MAX);
    if (code.at != code.end)
        return sl_fail(f, SL_EFORMAT, "the record of block %u has unused bytes at its end", number);
    block.n_bytes = (uint16_t)(pc - block.pc);
    s->block_size[s->n_blocks] = block.n_insns;
    s->block[s->n_blocks++] = block;
    s->n_block_insns += block.n_insns;
    s->n_insns = n_insns;
    s->n_bytes = n_bytes;
    return 0;
}

const char *sl_tap_name(enum sl_tap tap)
{
    static const char *const names[] = {NULL, "plugin", "engine"};
    return (size_t)tap < sizeof names / sizeof *names ? names[tap] : NULL;
}

static int apply_end(struct sl_statics *s, struct cursor *c, struct sl_failure *f)
{
    struct sl_program *p = &s->program;
    uint32_t word[4];
    for (int i = 0; i < 4; i++)
        word[i] = take32(c);
    uint64_t dropped_blocks = read_uint(c, 8), dropped_mems = read_uint(c, 8);
    uint32_t tap = c->at < c->end ? take32(c) : SL_TAP_UNKNOWN;
    if (c->short_of_bytes || p->ended)
        return sl_fail(f, SL_EFORMAT, "the record of the program's end is invalid");
    p->status = (int)word[0];
    p->exec = word[1] != 0;
    p->forks = word[2];
    p->threads = word[3];
    p->dropped_blocks = dropped_blocks;
    p->dropped_mems = dropped_mems;
    p->tap = tap <= SL_TAP_ENGINE ? (enum sl_tap)tap : SL_TAP_UNKNOWN;
    p->ended = true;
    return 0;
}

int64_t sl_statics_apply(struct sl_statics *statics, const uint8_t *data, size_t size,
                         struct sl_failure *f)
{
    static int (*const apply[])(struct sl_statics *, struct cursor *, struct sl_failure *) = {
        [SL_RECORD_PROGRAM] = apply_program,
        [SL_RECORD_OBJECT] = apply_object,
        [SL_RECORD_BLOCK] = apply_block,
        [SL_RECORD_END] = apply_end,
    };
    size_t used = 0;
    while (size - used >= SL_RECORD_HEAD) {
        struct cursor head = {data + used, data + size, false};
        uint32_t length = take32(&head), type = take32(&head);
        if (length > SL_RECORD_MAX || type >= sizeof apply / sizeof *apply || !apply[type])
            return sl_fail(f, SL_EFORMAT, "unknown static record: type %u, length %u", type,
                           length);
        if (size - used - SL_RECORD_HEAD < length)
            break;
        struct cursor payload = {head.at, head.at + length, false};
        int error = apply[type](statics, &payload, f);
        if (error < 0)
            return error;
        used += SL_RECORD_HEAD + length;
    }
    return (int64_t)used;
}

/* ---- writing ---- */

static void put(uint8_t **at, uint64_t value, unsigned n_bytes)
{
    for (unsigned i = 0; i < n_bytes; i++)
        *(*at)++ = (uint8_t)(value >> 8 * i);
}

static void put_head(uint8_t **at, size_t length, enum sl_record type)
{
    put(at, length, 4);
    put(at, type, 4);
}

static void put_string(uint8_t **at, const char *string)
{
    size_t length = strlen(string);
    put(at, length, 4);
    memcpy(*at, string, length);
    *at += length;
}

size_t sl_statics_program_record(const struct sl_statics *statics, uint8_t *out, size_t capacity)
{
    const struct sl_program *p = &statics->program;
    if (!p->path)
        return 0;
    size_t length = 12 + 4 + strlen(p->path);
    uint32_t n = 0;
    while (p->argv[n])
        length += 4 + strlen(p->argv[n++]);
    if (length > SL_RECORD_MAX || SL_RECORD_HEAD + length > capacity)
        return 0;
    put_head(&out, length, SL_RECORD_PROGRAM);
    put(&out, p->arch, 4);
    put(&out, p->needs, 4);
    put(&out, n + 1, 4);
    put_string(&out, p->path);
    for (uint32_t i = 0; i < n; i++)
        put_string(&out, p->argv[i]);
    return SL_RECORD_HEAD + length;
}

size_t sl_statics_end_record(const struct sl_statics *statics, uint8_t *out, size_t capacity)
{
    const struct sl_program *p = &statics->program;
    if (capacity < SL_RECORD_HEAD + 36)
        return 0;
    put_head(&out, 36, SL_RECORD_END);
    put(&out, (uint32_t)p->status, 4);
    put(&out, p->exec, 4);
    put(&out, p->forks, 4);
    put(&out, p->threads, 4);
    put(&out, p->dropped_blocks, 8);
    put(&out, p->dropped_mems, 8);
    put(&out, p->tap, 4);
    return SL_RECORD_HEAD + 36;
}

void sl_statics_free(struct sl_statics *s)
{
    for (size_t i = 0; i < s->n_objects; i++)
        free(s->object[i].path);
    free(s->object);
    free(s->block);
    free(s->block_size);
    free(s->insn);
    free(s->block_insn);
    free(s->bytes);
    free(s->program.path);
    free_strings(s->program.argv);
    memset(s, 0, sizeof *s);
}
