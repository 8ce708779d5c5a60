/* SPDX-License-Identifier: MIT */
/* Unit tests of reconstructing the blocks of a path from the outcomes of its branches. The tests
 * use small synthetic examples, and random procedures whose paths are computed by a simple
 * implementation of Ball-Larus paths and of whole program paths. The reconstructed blocks must be
 * the executed blocks. */
#include "path_walk.h"

#include <string.h>

#include "path_descriptor.h"
#include "random.h"
#include "tap.h"

#define SIZE 0x10u
#define MOST 64

static struct sl_block block[MOST];
static struct sl_block_end end[MOST];
static struct sl_statics statics = {.block = block};
static struct sl_code code = {.statics = &statics, .end = end};
static struct sl_path_config config;

static void add(uint64_t pc, enum sl_branch branch, uint64_t target)
{
    size_t n = code.n_blocks++;
    block[n] = (struct sl_block){.pc = pc, .n_bytes = SIZE, .n_insns = 1};
    end[n] = (struct sl_block_end){
        .branch = (uint8_t)branch, .branch_pc = pc + SIZE - 4, .target = target, .next = pc + SIZE};
    end[n].branch_insn = branch == SL_BRANCH_NONE ? SL_NO_INDEX : (uint32_t)n;
}

static uint64_t value_of(const char *outcomes)
{
    uint64_t trail = 1;
    for (; *outcomes; outcomes++)
        trail = trail << 1 | (*outcomes == 'T');
    return sl_path_value(trail);
}

static void set_options(const char *text)
{
    struct sl_spec spec;
    struct sl_failure f;
    if (sl_spec_split(&spec, text, 0, &f) ||
        sl_options_parse(sl_path_options, &spec, &config, &f) || sl_path_check(&config, &f))
        printf("# %s\n", f.text);
}

static void walk(const struct sl_path_walker *walker, uint64_t pc, const char *outcomes,
                 const char *wanted, const char *name)
{
    struct sl_path_walk got;
    char text[1024] = "";
    size_t used = 0;
    sl_path_walk(walker, &config, pc, value_of(outcomes), &got);
    for (size_t i = 0; i < got.n && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%llx", i ? " " : "",
                                 (unsigned long long)block[got.block[i]].pc);
    if (!got.whole)
        snprintf(text + used, sizeof text - used, "%s...", used ? " " : "");
    if (!ok(!strcmp(text, wanted), "%s", name))
        printf("# got:      %s\n# expected: %s\n", text, wanted);
}

static void test_kinds(void)
{
    struct sl_failure f;
    struct sl_path_walker walker;
    code.n_blocks = 0;
    add(0x1000, SL_BRANCH_CONDITIONAL, 0x1020);
    add(0x1010, SL_BRANCH_CALL, 0x2000);
    add(0x1020, SL_BRANCH_NONE, 0);
    add(0x1030, SL_BRANCH_CONDITIONAL, 0x1000);
    add(0x1040, SL_BRANCH_RETURN, 0);
    add(0x2000, SL_BRANCH_CONDITIONAL, 0x2020);
    add(0x2010, SL_BRANCH_INDIRECT_CALL, 0);
    add(0x2020, SL_BRANCH_RETURN, 0);
    add(0x3000, SL_BRANCH_JUMP, 0x3020);
    add(0x3020, SL_BRANCH_JUMP, 0x9000);
    sl_path_walker_init(&walker, &code, &f);

    set_options("path");
    walk(&walker, 0x1000, "NT", "1000 1010 1020 1030", "a call is passed over, a back edge ends");
    walk(&walker, 0x1000, "TN", "1000 1020 1030", "a taken branch skips what is between");
    walk(&walker, 0x1040, "", "1040", "a path without branches is the block that returns");
    walk(&walker, 0x2010, "", "2010 2020", "an indirect call is passed over, too");
    walk(&walker, 0x1000, "NTT", "...", "outcomes after the end fit no code");
    walk(&walker, 0x3000, "N", "...", "nor does a jump that was not taken");
    walk(&walker, 0x3000, "TT", "3000 3020 ...", "a walk stops where the code is not there");
    walk(&walker, 0x8000, "T", "...", "and is empty if all of it is not");

    set_options("path(length=1)");
    walk(&walker, 0x1000, "N", "1000 1010",
         "a path that was split ends with the last branch, a call, before the next one");
    set_options("path(wpp)");
    walk(&walker, 0x1000, "N", "1000 1010", "a whole program path ends at a call");
    set_options("path(loop)");
    walk(&walker, 0x1000, "TTTT", "1000 1020 1030 1000 1020 1030", "a loop path goes around once");
    walk(&walker, 0x1030, "T", "1030", "and ends at once if the one that was split from it had");
    set_options("path(procedure)");
    walk(&walker, 0x1000, "NTTTT", "1000 1010 2000 2020 1020 1030",
         "a procedure path goes into what is called, and back");
    walk(&walker, 0x1000, "NN", "1000 1010 1020 1030",
         "or waits, if the outcomes rule out that it went on");
    walk(&walker, 0x1000, "NT", "1000 1010 1020 1030", "or its length does");
    walk(&walker, 0x2020, "T", "2020 ...", "where it returns to its caller's caller is not known");
    set_options("path(forward=none)");
    walk(&walker, 0x1000, "T", "1000 ...", "a branch that is not recorded may go either way");
    set_options("path(call=none,return=none)");
    walk(&walker, 0x1000, "NTT", "1000 1010 2000 2020 1020 1030",
         "a path that calls do not stop goes through them");
    sl_path_walker_free(&walker);
}

/* ---- random procedures ---- */

#define PROCEDURES 4u
#define BLOCKS 12u /* of each */
#define DEEPEST (PROCEDURES + 1)

struct naive {
    uint64_t start, outcomes;
    unsigned length;
    uint32_t passed[512];
    size_t n, n_at_branch;
};

static struct {
    struct sl_path_walker walker;
    struct naive stack[DEEPEST];
    uint32_t back[DEEPEST];
    size_t depth;
    unsigned checked, wrong;
} run;

static uint64_t pc_of(uint64_t procedure, uint64_t number)
{
    return 0x1000 * (procedure + 1) + number * SIZE;
}

static void make_program(uint64_t *seed)
{
    code.n_blocks = 0;
    for (uint64_t p = 0; p < PROCEDURES; p++)
        for (uint64_t b = 0; b < BLOCKS; b++) {
            uint64_t any = pc_of(p, sl_random_below(seed, BLOCKS));
            uint64_t kind = b == BLOCKS - 1 ? 9 : sl_random_below(seed, 9);
            if (kind < 4)
                add(pc_of(p, b), SL_BRANCH_CONDITIONAL, any);
            else if (kind < 5)
                add(pc_of(p, b), SL_BRANCH_NONE, 0);
            else if (kind < 6)
                add(pc_of(p, b), SL_BRANCH_JUMP, pc_of(p, BLOCKS - 1));
            else if (kind < 8 && p + 1 < PROCEDURES)
                add(pc_of(p, b), SL_BRANCH_CALL, pc_of(p + 1, 0));
            else
                add(pc_of(p, b), kind == 9 ? SL_BRANCH_RETURN : SL_BRANCH_INDIRECT, 0);
        }
}

static void start(struct naive *path, uint32_t at)
{
    *path = (struct naive){.start = block[at].pc};
}

/* The path ends with its first n blocks. */
static void finish(const struct naive *path, size_t n)
{
    struct sl_path_walk walked;
    sl_path_walk(&run.walker, &config, path->start, (uint64_t)path->length << 32 | path->outcomes,
                 &walked);
    bool same = walked.whole && walked.n == n &&
                !memcmp(walked.block, path->passed, n * sizeof *path->passed);
    run.checked++;
    run.wrong += n <= SL_PATH_WALK_MAX && !same;
}

static void record(struct naive *path, bool taken)
{
    if (path->length == config.length) {
        struct naive whole = *path;
        finish(path, path->n_at_branch);
        start(path, whole.passed[whole.n_at_branch]);
        path->n = whole.n - whole.n_at_branch;
        memcpy(path->passed, whole.passed + whole.n_at_branch, path->n * sizeof *path->passed);
    }
    path->outcomes = path->outcomes << 1 | taken;
    path->length++;
}

static uint32_t at(uint64_t pc)
{
    uint32_t b = 0;
    while (block[b].pc != pc)
        b++;
    return b;
}

/* Executes a block; returns the next. */
static uint32_t execute(uint32_t b, uint64_t *seed)
{
    struct naive *path = &run.stack[run.depth];
    bool wpp = config.kind == SL_PATH_WPP, taken = sl_random_next(seed) & 1;
    path->passed[path->n++] = b;
    uint32_t next = b + 1;
    switch ((enum sl_branch)end[b].branch) {
    case SL_BRANCH_NONE:
        return next;
    case SL_BRANCH_CALL:
        path->n_at_branch = path->n;
        next = at(end[b].target);
        if (wpp)
            finish(path, path->n);
        run.back[++run.depth] = b + 1;
        start(&run.stack[run.depth], next);
        return next;
    case SL_BRANCH_RETURN:
        finish(path, path->n);
        if (!run.depth) {
            start(path, 0);
            return 0;
        }
        next = run.back[run.depth--];
        if (wpp)
            start(&run.stack[run.depth], next);
        return next;
    case SL_BRANCH_CONDITIONAL:
        taken |= end[b].target == end[b].next;
        next = taken ? at(end[b].target) : next;
        break;
    case SL_BRANCH_JUMP:
        taken = true;
        next = at(end[b].target);
        break;
    default:
        taken = true;
        next = at(pc_of(block[b].pc / 0x1000 - 1, sl_random_below(seed, BLOCKS)));
    }
    record(path, taken);
    path->n_at_branch = path->n;
    if (end[b].branch == SL_BRANCH_INDIRECT || end[b].target <= end[b].branch_pc) {
        finish(path, path->n);
        start(path, next);
    }
    return next;
}

static void test_random(const char *options)
{
    struct sl_failure f;
    set_options(options);
    run.checked = run.wrong = 0;
    for (uint64_t program = 1; program <= 200; program++) {
        uint64_t seed = program;
        make_program(&seed);
        sl_path_walker_init(&run.walker, &code, &f);
        run.depth = 0;
        start(&run.stack[0], 0);
        uint32_t b = 0;
        for (int i = 0; i < 2000; i++)
            b = execute(b, &seed);
        sl_path_walker_free(&run.walker);
    }
    ok(!run.wrong && run.checked > 10000,
       "%s: each of %u paths of random programs is walked through what was executed", options,
       run.checked);
}

int main(void)
{
    test_kinds();
    test_random("path");
    test_random("path(length=1)");
    test_random("path(length=3)");
    test_random("path(wpp)");
    test_random("path(wpp,length=2)");
    return done_testing();
}
