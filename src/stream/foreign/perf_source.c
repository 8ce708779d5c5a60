/* SPDX-License-Identifier: MIT */
/* Converts branch stacks (LBR) to a stream of events. The input is the output of `perf script -F
 * brstack` (perf-script(1)). Each sample contains about 30 taken branches, the latest branch first.
 *
 *     0x401136/0x401120/P/-/-/1  0x40112e/0x401130/M/-/-/3/COND  ...
 *       from     to     predicted, and other fields; the last may be the type of the branch
 *
 * Other words of a line (times, symbols) are ignored. Between two branches of a stack, execution
 * was sequential: the code from the target of one to the next one is a block. A sample of n
 * branches has n edges and n + 1 blocks; of the first block only the branch is known, of the last
 * one only the start. There is a gap between samples.
 *
 * Instructions of a block are not known: pieces of up to 255 bytes represent them, and a branch has
 * one byte. Branches that were not taken are missing. Counts are those of the samples, not of the
 * run; a warning in the report says so. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "describer.h"
#include "foreign_file.h"

#define LINE_BYTES (1u << 16)
#define BLANKS " \t\r"
#define BRANCHES 1024u /* of a sample; more are ignored */
#define PIECE 255u
#define PIECES (SL_DESCRIBED_INSNS - 1)

struct perf {
    struct sl_source source;
    struct sl_foreign_file *file;
    struct sl_describer describer;
    char line[LINE_BYTES];
    size_t n, at; /* bytes in `line`; index of the next one */
    uint64_t n_lines, samples, branches, odd;
    struct branch {
        uint64_t from, to;
        uint8_t kind;
    } branch[BRANCHES];
    uint32_t block[BRANCHES + 1];
    bool begun, drained;
};

/* ---- lines ---- */

/* Returns the next line, with NUL instead of its newline; NULL at the end of the file or after an
 * error, which is in *error. */
static char *next_line(struct perf *p, int *error, struct sl_failure *f)
{
    for (;;) {
        char *line = p->line + p->at, *end = memchr(line, '\n', p->n - p->at);
        if (!end && p->drained && p->at < p->n)
            end = p->line + p->n; /* the buffer has one byte more */
        if (end) {
            p->n_lines++;
            *end = 0;
            p->at = (size_t)(end - p->line) + 1;
            p->at = p->at < p->n ? p->at : p->n;
            return line;
        }
        if (p->drained)
            return NULL;
        memmove(p->line, line, p->n -= p->at);
        p->at = 0;
        if (p->n == LINE_BYTES - 1) {
            *error = sl_fail(f, SL_EFORMAT,
                             "%s: line %llu is longer than %u bytes: "
                             "the file is not output of perf script",
                             p->source.name, (unsigned long long)p->n_lines + 1, LINE_BYTES);
            return NULL;
        }
        int64_t n = sl_foreign_read(p->file, p->line + p->n, LINE_BYTES - 1 - p->n, f);
        if (n < 0) {
            *error = (int)n;
            return NULL;
        }
        p->drained = (size_t)n < LINE_BYTES - 1 - p->n;
        p->n += (size_t)n;
    }
}

/* Parses a hexadecimal address and the slash after it. */
static bool read_address(const char **at, uint64_t *to)
{
    char *c;
    if ((*at)[0] != '0' || (*at)[1] != 'x' || !isxdigit((unsigned char)(*at)[2]))
        return false;
    errno = 0;
    *to = strtoull(*at, &c, 16);
    if (errno)
        return false;
    if (*c == '(') /* some versions print the object here */
        c += strcspn(c, ") \t"), c += *c == ')';
    if (*c != '/')
        return false;
    *at = c + 1;
    return true;
}

static uint8_t kind_of(const char *words)
{
    static const struct {
        const char *name;
        enum sl_branch kind;
    } kinds[] = {
        /* clang-format off */
        {"COND", SL_BRANCH_CONDITIONAL},
        {"UNCOND", SL_BRANCH_JUMP},
        {"IND", SL_BRANCH_INDIRECT},
        {"CALL", SL_BRANCH_CALL},
        {"IND_CALL", SL_BRANCH_INDIRECT_CALL},
        {"RET", SL_BRANCH_RETURN},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t n = strlen(kinds[i].name);
        for (const char *at = words; (at = strstr(at, kinds[i].name)); at += n)
            if (at[-1] == '/' && (!at[n] || at[n] == '/'))
                return (uint8_t)kinds[i].kind;
    }
    return SL_BRANCH_INDIRECT; /* unknown: may go anywhere */
}

/* Parses the branches of a line into p->branch, the latest first. Returns their number. */
static size_t read_branches(struct perf *p, char *line)
{
    size_t n = 0;
    char *rest;
    for (char *word = strtok_r(line, BLANKS, &rest); word; word = strtok_r(NULL, BLANKS, &rest)) {
        const char *at = word;
        struct branch b;
        if (!read_address(&at, &b.from) || !read_address(&at, &b.to) || !strchr("MPN-", *at) ||
            !*at)
            continue;
        b.kind = kind_of(at);
        if (n < BRANCHES)
            p->branch[n++] = b;
    }
    return n;
}

/* ---- blocks ---- */

static bool add(struct perf *p, uint64_t pc, uint64_t size, const struct sl_description *is)
{
    return sl_describer_insn(&p->describer, pc, (uint8_t)size, is) != SL_NO_INDEX;
}

/* Code that is not a branch. */
static const struct sl_description some = {.kind = SL_CLASS_OTHER};

/* The block from `first` to the branch that ends it; the branch alone unless `known`. */
static uint32_t make_block(struct perf *p, bool known, uint64_t first, const struct branch *b)
{
    bool direct = b->kind == SL_BRANCH_CONDITIONAL || b->kind == SL_BRANCH_JUMP ||
                  b->kind == SL_BRANCH_CALL;
    struct sl_description is = {.kind = b->kind == SL_BRANCH_CONDITIONAL ? SL_CLASS_BRANCH
                                                                         : SL_CLASS_JUMP,
                                .branch = b->kind,
                                .target = direct ? b->to : 0};
    bool added = true;
    if (known && (b->from < first || b->from - first > (uint64_t)PIECE * PIECES)) {
        p->odd++; /* not sequential: an interrupt, or code that was modified */
        known = false;
    }
    for (uint64_t pc = first; known && pc < b->from && added;) {
        uint64_t size = b->from - pc < PIECE ? b->from - pc : PIECE;
        added = add(p, pc, size, &some);
        pc += size;
    }
    return added && add(p, b->from, 1, &is) ? sl_describer_block(&p->describer) : SL_NO_INDEX;
}

static int make_sample(struct perf *p, size_t n, struct sl_chunk *chunk, struct sl_failure *f)
{
    bool added = true;
    for (size_t i = 0; i < n && added; i++) {
        const struct branch *b = &p->branch[n - 1 - i];
        p->block[i] = make_block(p, i > 0, i ? b[1].to : 0, b);
        added = p->block[i] != SL_NO_INDEX;
    }
    if (!added || !add(p, p->branch[0].to, 1, &some) ||
        (p->block[n] = sl_describer_block(&p->describer)) == SL_NO_INDEX)
        return sl_out_of_memory(f);
    if (sl_describer_full(&p->describer))
        return sl_fail(f, SL_EFORMAT,
                       "%s has more than %u different branches: it is probably not output of perf "
                       "script",
                       p->source.name, SL_DESCRIBED_MAX);
    *chunk = (struct sl_chunk){.flags = p->begun ? SL_CHUNK_GAP : SL_CHUNK_START,
                               .n_blocks = (uint32_t)n + 1,
                               .block = p->block};
    p->begun = true;
    p->samples++;
    p->branches += n;
    int error = sl_records_apply(&p->describer.records, &p->source, f);
    return error < 0 ? error : 1;
}

static int end(struct perf *p, struct sl_failure *f)
{
    if (!p->samples)
        return sl_fail(f, SL_EFORMAT,
                       "%s has no branch stacks: record with perf record -b, "
                       "and print with perf script -F brstack",
                       p->source.name);
    snprintf(
        p->source.warning, sizeof p->source.warning,
        "%llu samples with %llu taken branches: counts refer to the samples, "
        "not to the whole run; instructions are unknown%s%s",
        (unsigned long long)p->samples, (unsigned long long)p->branches, p->odd ? "; " : "",
        p->odd
            ? "the code between some branches of a sample is not sequential and therefore unknown"
            : "");
    return sl_describer_end(&p->describer, &p->source, f);
}

static int perf_next(struct sl_source *source, struct sl_chunk *chunk, struct sl_failure *f)
{
    struct perf *p = (struct perf *)source;
    int error = 0;
    char *line;
    while ((line = next_line(p, &error, f))) {
        size_t n = read_branches(p, line);
        if (n)
            return make_sample(p, n, chunk, f);
    }
    return error < 0 ? error : end(p, f);
}

/* ---- beginning and end ---- */

static void perf_close(struct sl_source *source)
{
    struct perf *p = (struct perf *)source;
    sl_foreign_close(p->file);
    sl_describer_free(&p->describer);
}

static int perf_open(struct sl_source *source, struct sl_failure *f)
{
    struct perf *p = (struct perf *)source;
    int error = sl_foreign_open(&p->file, source->name, f);
    return error < 0 ? error : sl_describer_program(&p->describer, source, source->name, 0, f);
}

const struct sl_source_ops sl_perf_ops = {
    .size = sizeof(struct perf),
    .open = perf_open,
    .next = perf_next,
    .close = perf_close,
};
