/* SPDX-License-Identifier: MIT */
/* Unit tests of the block counts that exports derive from the counts of edges and calls. The
 * derived counts are compared with the true ones of random walks through random programs with
 * calls. A program consists of
 * segments of a few instructions with an optional branch at the end. Branches also lead into the
 * middle of segments, so that blocks overlap. */
#include <inttypes.h>
#include <string.h>

#include "edge_counts.h"
#include "random.h"
#include "db_row.h"
#include "tap.h"

#define SEGMENTS 24u
#define NOPS 4u
#define CODE UINT64_C(0x400000)
#define STEPS 20000u
#define OUTSIDE UINT64_C(0x10) /* the caller of the program */

enum end { CONDITIONAL, JUMP, CALL, INDIRECT_CALL, INDIRECT, RETURN, NOTHING, ENDS };

static struct segment {
    enum end end;
    uint64_t start, last, next, target;
} segments[SEGMENTS];

static uint64_t seed = 7;
static struct sl_database opened, *const database = &opened;
static struct sl_failure f;
static char known[] = "x86-64", unknown[] = "pdp-11";

/* ---- a program ---- */

static void run_sql(const char *sql)
{
    if (sqlite3_exec(opened.sql, sql, NULL, NULL, NULL) != SQLITE_OK) {
        printf("# %s\n", sqlite3_errmsg(opened.sql));
        exit(1);
    }
}

static struct segment *segment_at(uint64_t pc)
{
    for (size_t i = 0; i < SEGMENTS; i++)
        if (pc >= segments[i].start && pc < segments[i].next)
            return &segments[i];
    return NULL;
}

static uint64_t somewhere(void)
{
    return segments[sl_random_below(&seed, SEGMENTS)].start + sl_random_below(&seed, NOPS);
}

static size_t encode(const struct segment *s, uint8_t *bytes)
{
    static const struct {
        uint8_t op[2];
        size_t n, relative;
    } code[ENDS] = {
        [CONDITIONAL] = {{0x0f, 0x84}, 2, 4},
        [JUMP] = {{0xe9}, 1, 4},
        [CALL] = {{0xe8}, 1, 4},
        [INDIRECT_CALL] = {{0xff, 0xd0}, 2, 0},
        [INDIRECT] = {{0xff, 0xe0}, 2, 0},
        [RETURN] = {{0xc3}, 1, 0},
        [NOTHING] = {{0x90}, 1, 0},
    };
    size_t n = code[s->end].n, relative = code[s->end].relative;
    uint32_t distance = (uint32_t)(s->target - (s->last + n + relative));
    memcpy(bytes, code[s->end].op, n);
    memcpy(bytes + n, &distance, relative);
    return n + relative;
}

/* Every tail of a segment is a block. */
static void make_program(void)
{
    sqlite3_stmt *row;
    uint64_t at = CODE;
    run_sql("DELETE FROM block");
    for (size_t i = 0; i < SEGMENTS; i++) {
        struct segment *s = &segments[i];
        uint8_t bytes[16];
        *s = (struct segment){
            .end = (enum end)sl_random_below(&seed, ENDS), .start = at, .last = at + NOPS};
        /* What decides little never ends. */
        s->end = sl_random_below(&seed, 2) ? CONDITIONAL : s->end;
        s->end = i == SEGMENTS - 1 ? RETURN : s->end;
        s->next = at += NOPS + encode(s, bytes);
    }
    sqlite3_prepare_v2(opened.sql,
                       "INSERT INTO block (id, pc, bytes, instruction_sizes) VALUES (?,?,?,?)", -1,
                       &row, NULL);
    for (size_t i = 0; i < SEGMENTS; i++) {
        uint8_t bytes[NOPS + 16];
        segments[i].target = somewhere();
        memset(bytes, 0x90, NOPS);
        size_t n = NOPS + encode(&segments[i], bytes + NOPS);
        uint8_t sizes[NOPS + 1];
        memset(sizes, 1, NOPS);
        sizes[NOPS] = (uint8_t)(n - NOPS);
        for (unsigned from = 0; from < NOPS; from++) {
            sqlite3_bind_int64(row, 1, (int64_t)(i * NOPS + from));
            sqlite3_bind_int64(row, 2, (int64_t)(segments[i].start + from));
            sqlite3_bind_blob(row, 3, bytes + from, (int)(n - from), SQLITE_STATIC);
            sqlite3_bind_blob(row, 4, sizes + from, (int)(NOPS + 1 - from), SQLITE_STATIC);
            sqlite3_step(row);
            sqlite3_reset(row);
        }
    }
    sqlite3_finalize(row);
}

/* ---- a walk ---- */

struct walk {
    struct sl_transfer_counts edges, calls, blocks;
    uint64_t stack[256];
    size_t depth;
};

static void note(struct sl_transfer_counts *list, uint64_t from, uint64_t to)
{
    sl_transfer_counts_add(list, from, to, 1);
}

/* Where control goes from this block; 0: the program has ended, or is too deep in calls. */
static uint64_t step(struct walk *w, uint64_t pc)
{
    const struct segment *s = segment_at(pc);
    uint64_t to = s->next;
    note(&w->blocks, pc, s->last);
    switch (s->end) {
    case CONDITIONAL:
        to = sl_random_below(&seed, 2) ? s->target : s->next;
        note(&w->edges, s->last, to);
        break;
    case INDIRECT:
        to = somewhere();
        note(&w->edges, s->last, to);
        break;
    case JUMP:
        to = s->target;
        break;
    case CALL:
    case INDIRECT_CALL:
        if (w->depth == sizeof w->stack / sizeof *w->stack)
            return 0;
        w->stack[w->depth++] = s->next;
        to = s->end == CALL ? s->target : somewhere();
        note(&w->calls, s->last, to);
        break;
    case RETURN:
        to = w->depth ? w->stack[--w->depth] : 0;
        break;
    case NOTHING:
    case ENDS:
        break;
    }
    return to;
}

/* True if the program came to its end. */
static bool walk(struct walk *w)
{
    uint64_t pc = somewhere();
    *w = (struct walk){0};
    note(&w->calls, OUTSIDE, pc);
    for (unsigned i = 0; i < STEPS && pc; i++) {
        const struct segment *s = segment_at(pc);
        pc = step(w, pc);
        if (!pc && s->end != RETURN)
            return false;
    }
    sl_transfer_counts_sort(&w->edges);
    sl_transfer_counts_sort(&w->calls);
    sl_transfer_counts_sort(&w->blocks);
    return !pc;
}

static void free_walk(struct walk *w)
{
    sl_transfer_counts_free(&w->edges);
    sl_transfer_counts_free(&w->calls);
    sl_transfer_counts_free(&w->blocks);
}

/* ---- what is to hold ---- */

static bool equals(const struct sl_db_code *code, const uint64_t *count,
                   const struct sl_transfer_counts *blocks)
{
    size_t found = 0;
    for (size_t b = 0; b < code->statics.n_blocks; b++) {
        uint64_t pc = code->statics.block[b].pc, wanted = 0;
        size_t at = sl_transfer_counts_from(blocks, pc);
        if (at < blocks->n && blocks->transfer[at].from == pc) {
            wanted = blocks->transfer[at].count;
            found++;
        }
        if (count[b] != wanted) {
            printf("# block 0x%" PRIx64 " is %" PRIu64 ", should be %" PRIu64 "\n", pc, count[b],
                   wanted);
            return false;
        }
    }
    return found == blocks->n;
}

/* Adds up what goes out of branches and what goes through the blocks that end there. */
static bool explains(const struct sl_db_code *code, const uint64_t *count,
                     const struct sl_transfer_counts *edges)
{
    for (size_t i = 0; i < edges->n; i++) {
        uint64_t out = 0, through = 0, from = edges->transfer[i].from;
        for (size_t k = 0; k < edges->n; k++)
            out += edges->transfer[k].from == from ? edges->transfer[k].count : 0;
        for (size_t b = 0; b < code->statics.n_blocks; b++)
            through += sl_db_code_last(code, b) == from ? count[b] : 0;
        if (through < out)
            return false;
    }
    return true;
}

static void try_programs(unsigned tries)
{
    unsigned ended = 0, derived = 0, kept = 0, explained = 0;
    uint64_t executed = 0;
    for (unsigned i = 0; i < tries; i++) {
        struct sl_db_code code;
        struct walk w;
        uint64_t count[SEGMENTS * NOPS];
        make_program();
        if (walk(&w) && w.edges.n > 3 && !sl_db_code(database, &code, &f)) {
            ended++;
            for (size_t b = 0; b < w.blocks.n; b++)
                executed += w.blocks.transfer[b].count;
            sl_block_counts(&code, &w.edges, &w.calls, NULL, count, &f);
            derived += equals(&code, count, &w.blocks);
            sl_block_counts(&code, &w.edges, &w.calls, &w.blocks, count, &f);
            kept += equals(&code, count, &w.blocks);
            sl_block_counts(&code, &w.edges, NULL, NULL, count, &f);
            explained += explains(&code, count, &w.edges);
            sl_db_code_free(&code);
        }
        free_walk(&w);
    }
    ok(ended > tries / 4 && executed > 30 * ended,
       "%u of %u programs end, after %" PRIu64 " blocks", ended, tries, executed);
    ok(derived == ended, "edges and calls give the executions of each block");
    ok(kept == ended, "a profile of blocks is taken as it is");
    ok(explained == ended, "without calls, no branch goes more often than its blocks are passed");
}

/* ---- what random programs do not have ---- */

static uint64_t count_at(const struct sl_db_code *code, const uint64_t *count, uint64_t pc)
{
    return count[sl_db_code_at(code, pc)];
}

/* 0x1000: nop; rep stosb   0x1003: call 0x1010   0x1008: jmp 0x1003 (a ring)
 * 0x1010: je 0x1010        0x1012: ret */
static void test_by_hand(void)
{
    struct sl_db_code code;
    struct sl_transfer_counts edges = {0}, blocks = {0};
    uint64_t count[8];
    run_sql(
        "DELETE FROM block; INSERT INTO block (id, pc, bytes, instruction_sizes) VALUES (0, 4096, "
        "x'90f3aa', "
        "x'0102'),"
        " (1, 4097, x'f3aa', x'02'), (2, 4099, x'e808000000', x'05'), (3, 4104, x'ebf9', x'02'),"
        " (4, 4112, x'74fe', x'02'), (5, 4114, x'c3', x'01')");
    ok(!sl_db_code(database, &code, &f) && code.statics.n_blocks == 6, "six blocks are read");
    sl_transfer_counts_add(&edges, 0x1010, 0x1010, 90);
    sl_transfer_counts_add(&edges, 0x1010, 0x1012, 10);
    sl_transfer_counts_add(&blocks, 0x1000, 0x1001, 2);
    sl_transfer_counts_add(&blocks, 0x1001, 0x1001, 500); /* rounds */
    sl_transfer_counts_add(&blocks, 0x1003, 0x1003, 10);
    sl_transfer_counts_add(&blocks, 0x1008, 0x1008, 8);
    sl_transfer_counts_add(&blocks, 0x1010, 0x1010, 100);
    sl_transfer_counts_add(&blocks, 0x1012, 0x1012, 10);
    sl_block_counts(&code, &edges, NULL, &blocks, count, &f);
    ok(!count_at(&code, count, 0x1001) && count_at(&code, count, 0x1000) == 2,
       "the rounds of a repeated instruction are not transfers");
    sl_transfer_counts_add(&edges, 0x1ff0, 0x1001, 3);
    sl_block_counts(&code, &edges, NULL, &blocks, count, &f);
    ok(count_at(&code, count, 0x1001) == 3, "coming to it from elsewhere is one");
    sl_block_counts(&code, &edges, NULL, NULL, count, &f);
    ok(count_at(&code, count, 0x1010) == 100 && count_at(&code, count, 0x1012) == 10 &&
           count_at(&code, count, 0x1001) == 3 && count_at(&code, count, 0x1003) == 3 &&
           count_at(&code, count, 0x1008) == 3,
       "a ring does not keep counts from going round once");
    edges.n = 0;
    sl_transfer_counts_add(&edges, 0x1ff0, 0x1010, 7);
    sl_block_counts(&code, &edges, NULL, NULL, count, &f);
    ok(count_at(&code, count, 0x1010) == 7 && count_at(&code, count, 0x1012) == 7,
       "a branch of which nothing is known goes straight on");
    sl_transfer_counts_free(&edges);
    sl_transfer_counts_free(&blocks);
    sl_db_code_free(&code);
}

static void test_damage(void)
{
    struct sl_db_code code;
    static const char *const damaged[] = {
        "(0, 4096, x'', x'')",
        "(0, 4096, x'90', x'')",
        "(0, 4096, x'90', x'02')",
        "(0, 4096, x'9090', x'0200')",
        "(0, 4096, zeroblob(65536), zeroblob(258))",
    };
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        char sql[200];
        snprintf(
            sql, sizeof sql,
            "DELETE FROM block; INSERT INTO block (id, pc, bytes, instruction_sizes) VALUES %s",
            damaged[i]);
        run_sql(sql);
        ok(sl_db_code(database, &code, &f) == SL_EFORMAT,
           "a block is damage if its bytes are not those of its instructions: %s", damaged[i]);
    }
    run_sql(
        "DELETE FROM block; INSERT INTO block (id, pc, bytes, instruction_sizes) VALUES (0, 4096, "
        "x'f3480f1ec8c3', x'0501'),"
        " (1, -2, x'0606060606', x'05'), (2, -1, x'c3', x'01')");
    ok(!sl_db_code(database, &code, &f) && sl_db_code_at(&code, UINT64_MAX) == 2 &&
           code.statics.block[1].n_insns == 1,
       "bytes that are no instruction are one, at the end of all addresses, too");
    ok(sl_db_code_last(&code, 0) == 4096 + 5, "what a disassembler does not know ends where it "
                                              "ended for the processor");
    sl_db_code_free(&code);
    opened.program.arch = unknown;
    ok(sl_db_code(database, &code, &f) == SL_EFORMAT, "so is an unknown architecture");
}

int main(void)
{
    sqlite3_open(":memory:", &opened.sql);
    opened.program.arch = known;
    run_sql("CREATE TABLE block (id INTEGER PRIMARY KEY, pc INTEGER, bytes BLOB, instruction_sizes "
            "BLOB, region_marker INTEGER)");
    try_programs(2000);
    test_by_hand();
    test_damage();
    sqlite3_close(opened.sql);
    return done_testing();
}
