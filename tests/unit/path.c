/* SPDX-License-Identifier: MIT */
/* Unit tests of the path detector on examples: small RISC-V programs, the blocks that they execute,
 * and the expected paths, written by hand. The tests also check which values of the options are
 * refused, in particular the lists of operations for calls, returns and branches.
 *
 *     main    m0: call f                 f   f0: if (..) goto f2          g   g0: return
 *             m1: if (..) goto m0 (back)     f1: call g
 *             m2: jump through t1            f2: if (..) goto f1 (back)
 *             m3: return                     f3: return */
#include <string.h>

#include "../support/random_walk.h"
#include "path.h"
#include "tap.h"

enum { M0, M1, M2, M3, F0, F1, F2, F3, G0, HANDLER, RESTORE, N_BLOCKS };
static const char *const names[N_BLOCKS] = {"m0", "m1", "m2", "m3", "f0", "f1",
                                            "f2", "f3", "g0", "h",  "r"};
static const uint64_t pc[N_BLOCKS] = {0x1000, 0x1008, 0x1010, 0x1018, 0x2000, 0x2008,
                                      0x2010, 0x2018, 0x3000, 0x4000, 0x5000};

static struct tiny *make_program(void)
{
    struct tiny *t = tiny_new(SL_ARCH_RISCV64);
    const uint32_t nop = 0x13, ret = 0x8067, jump = 0x30067, ecall = 0x73;
    const uint32_t last[N_BLOCKS] = {[M0] = walk_jal(1, 0x2000 - 0x1004),
                                     [M1] = walk_beq(0x1000 - 0x100c),
                                     [M2] = jump,
                                     [M3] = ret,
                                     [F0] = walk_beq(0x2010 - 0x2004),
                                     [F1] = walk_jal(1, 0x3000 - 0x200c),
                                     [F2] = walk_beq(0x2008 - 0x2014),
                                     [F3] = ret,
                                     [G0] = ret,
                                     [HANDLER] = ret,
                                     [RESTORE] = ecall};
    for (int i = 0; i < N_BLOCKS; i++)
        tiny_words(t, pc[i], 2, (uint32_t[]){nop, last[i]});
    tiny_sync(t);
    return t;
}

static bool parse(struct sl_path_config *config, const char *text, struct sl_failure *f)
{
    struct sl_spec spec;
    return sl_spec_split(&spec, text, 0, f) >= 0 &&
           sl_options_parse(sl_path_options, &spec, config, f) >= 0 &&
           sl_path_check(config, f) >= 0;
}

static uint32_t block_of(const char *word, size_t length)
{
    for (uint32_t i = 0; i < N_BLOCKS; i++)
        if (strlen(names[i]) == length && !memcmp(names[i], word, length))
            return i;
    abort();
}

/* Appends "m1:10*8 ", a path with its outcomes and weight. */
static void print_path(char *out, size_t capacity, uint64_t start, uint64_t value, uint64_t weight)
{
    size_t used = strlen(out);
    for (int i = 0; i < N_BLOCKS; i++)
        if (pc[i] == start)
            used += (size_t)snprintf(out + used, capacity - used, "%s:", names[i]);
    for (unsigned i = 0; i < sl_path_length(value); i++)
        used += (size_t)snprintf(out + used, capacity - used, "%d", sl_path_taken(value, i));
    snprintf(out + used, capacity - used, "*%d ", (int)weight);
}

static double lost; /* as the detector's figure has it, of what the next makes */

/* What the blocks make of `spec`; each weighs 1. */
static void paths(const char *spec, const char *blocks, char *out, size_t capacity,
                  struct sl_path_counts *counts)
{
    static uint32_t block[64], tuple_id[SL_EVENTS_MAX];
    static uint64_t one[64], weight[SL_EVENTS_MAX];
    struct sl_path_config config;
    struct sl_failure f;
    struct sl_selection selection;
    struct tiny *t = make_program();
    struct sl_detector_env watch = {
        .statics = &t->statics, .code = &t->code, .selection = &selection};
    struct sl_events events = {.tuple_id = tuple_id, .weight = weight};
    struct sl_chunk chunk = {.block = block};
    struct sl_tuple_names tuples;
    void *state = calloc(1, sl_detector_path.state_size);
    for (const char *at = blocks; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        one[chunk.n_blocks] = 1;
        block[chunk.n_blocks++] = block_of(at, length);
        at += length;
    }
    struct sl_slice slice = {
        .chunk = &chunk, .block_high = chunk.n_blocks, .active = true, .block_weight = one};
    *out = 0;
    sl_selection_init(&selection, NULL, NULL, &f);
    if (!parse(&config, spec, &f) || sl_selection_sync(&selection, &t->code, NULL, &f) < 0 ||
        sl_detector_path.init(state, &config, &watch, &f) < 0 ||
        sl_detector_path.sync(state, &f) < 0 ||
        sl_detector_path.feed(state, &slice, &events, &f) < 0)
        abort();
    sl_detector_path.names(state, &tuples);
    for (size_t i = 0; i < events.n; i++)
        print_path(out, capacity, tuples.pc[tuple_id[i]], tuples.value[tuple_id[i]], weight[i]);
    sl_path_count(state, counts);
    lost = sl_detector_path.facts->statistic(state, "lost");
    sl_detector_path.close(state);
    free(state);
    sl_selection_free(&selection);
    tiny_free(t);
}

static struct sl_path_counts counts;

static void are(const char *spec, const char *blocks, const char *wanted, const char *what)
{
    char got[1024];
    paths(spec, blocks, got, sizeof got, &counts);
    if (!ok(!strcmp(got, wanted), "%s: %s", spec, what))
        printf("# of %s\n# got    %s\n# wanted %s\n", blocks, got, wanted);
}

static void test_kinds(void)
{
    const char *run = "m0 f0 f2 f3 m1 m0 f0 f1 g0 f2 f1 g0 f2 f3 m1 m0";
    are("path", run, "f0:10*2 f3:*1 g0:*1 f0:01*3 g0:*1 f1:0*2 f3:*1 m0:1*2 ",
        "one for each procedure, ended by backward branches, taken or not");
    ok(counts.unfinished == 1 && !counts.lost && !counts.unwound && !counts.purged,
       "main's last is unfinished, and nothing else happened");
    are("path(wpp)", run,
        "f0:10*2 f3:*1 m1:1*1 m0:*1 f0:0*2 g0:*1 f2:1*1 f1:*1 g0:*1 f2:0*1 f3:*1 m1:1*1 ",
        "calls and returns end them, too");
    are("path(loop)", run, "f0:10*3 g0:*1 g0:*1 f0:010*5 f3:*1 ",
        "they go on through one backward branch");
    are("path(loop,extend=2)", run, "f0:10*3 g0:*1 g0:*1 f0:010*6 ", "or through two");
    are("path(procedure)", run, "f0:10*2 f3:*1 g0:*1 m0:101*4 g0:*1 f1:0*2 f3:11*2 ",
        "they go on into one call, not into one in it, and back");
    are("path(procedure,extend=2)", run, "f0:10*2 f3:*1 m0:10111*5 f1:110*3 f3:11*2 ",
        "or into both");
    are("path(call=none,return=none,forward=update_count)", run, "f3:1*1 m0:1*2 f1:0*1 f3:1*1 ",
        "as programmed: branches that do nothing take the events before them with them");
}

static void test_limits(void)
{
    are("path(length=1)", "m0 f0 f1 g0 f2 f3 m1", "g0:*1 f0:0*2 f2:0*1 f3:*1 ",
        "a path at its longest is finished, and one with the next branch starts after the last");
    are("path(stack=1)", "m0 f0 f1 g0 f2 f3 m1", "g0:*1 f3:*1 ", "the oldest entry is lost");
    ok(counts.lost == 1 && lost == 1 && counts.spilled == 0, "which is counted");
    are("path(stack=1,overflow=spill)", "m0 f0 f1 g0 f2 f3 m1", "g0:*1 f0:00*3 f3:*1 ",
        "nothing is lost where the stack spills");
    ok(counts.lost == 0 && lost == 0 && counts.spilled == 1, "which is counted, too");
    are("path(bits=1)", "m0 f0 f1 g0 f2 f3 m1", "g0:*1 f0:00*1 f3:*1 ", "event counters saturate");
}

static void test_repair(void)
{
    are("path", "g0 f2 f3 m1", "f2:0*1 f3:*1 ", "a return with an empty stack starts a path");
    are("path", "g0 m0 f0 f1 g0 m1 m2 m3", "f0:0*3 m0:0*2 m2:1*1 ",
        "a return over two procedures unwinds to the entry that it fits");
    ok(counts.unwound == 1 && counts.purged == 0, "what was above it is gone");
    are("path(repair=0)", "g0 m0 f0 f1 g0 m1 m2 m3", "g0:*1 f0:00*3 m2:1*1 ",
        "without repair, branches of one procedure get into another's path");
    are("path", "g0 m0 f0 f1 g0 m3 m1 m2", "m3:*1 ", "a return that fits none empties the stack");
    ok(counts.unwound == 0 && counts.purged == 3, "of all entries");
    are("path(procedure)", "g0 m0 f0 f1 g0 m1 m2 m3", "m0:1010*5 m2:1*1 ",
        "an extended path is unwound to the call that the return fits");
}

static void test_signals(void)
{
    are("path", "g0 m0 f0 h r f2 f3 m1", "h:*1 f0:10*2 f3:*1 ",
        "a signal handler has paths of its own, and the interrupted one goes on");
    are("path(wpp)", "g0 m0 f0 h r f2 f3 m1", "m0:*1 h:*1 f0:10*2 f3:*1 ",
        "so it does in a whole program path");
    ok(counts.dropped == 1, "where the handler's last is dropped");
    are("path", "g0 m0 f0 f2 f0 f1 g0 m1 m2 m3", "f0:1*2 m0:0*2 m2:1*1 ",
        "a handler that is left by a jump is unwound with what it called");
    ok(counts.unwound == 2 && counts.unfinished == 1, "and is out of the way");
}

/* ---- texts ---- */

static void test_texts(void)
{
    struct sl_path_config config;
    struct sl_failure f;
    char text[512];
    static const struct {
        const char *spec, *says, *where;
    } wrong[] = {
        {"path(call=push+pop)", "wrong order", "character 6 of \"push+pop\""},
        {"path(return=pop+update)", "wrong order", "character 5 of"},
        {"path(forward=update+update_count)", "cannot be combined", "character 8 of"},
        {"path(forward=update_count+update)", "cannot be combined", "character 14 of"},
        {"path(backward=pop+pop)", "given twice", "character 5 of"},
        {"path(indirect=update+)", "unknown operation", "character 8 of"},
        {"path(indirect=Pop)", "unknown operation", "character 1 of"},
        {"path(call=update pop)", "unknown operation", "character 1 of"},
        {"path(call=none+pop)", "unknown operation", "character 1 of"},
        {"path(call=)", "1 to 23 characters", "character 11"},
        {"path(length=33)", "1 to 32", "character 13"},
        {"path(kind=ball)", "bl, wpp, loop or procedure", "character 11"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        bool refused = !parse(&config, wrong[i].spec, &f);
        if (!ok(refused && strstr(f.text, wrong[i].says) && strstr(f.text, wrong[i].where),
                "%s is refused: %s", wrong[i].spec, wrong[i].says))
            printf("# %s\n", refused ? f.text : "it was not");
    }
    ok(parse(&config, "path(wpp,forward=none,call=update+push)", &f) &&
           sl_path_operations(&config, SL_PATH_CALL) == (SL_PATH_UPDATE | SL_PATH_PUSH) &&
           sl_path_operations(&config, SL_PATH_FORWARD) == 0 &&
           sl_path_operations(&config, SL_PATH_RETURN) ==
               (SL_PATH_UPDATE_COUNT | SL_PATH_POP | SL_PATH_PUSH),
       "what is given is done; the rest is what the kind does");
    sl_options_print(sl_path_options, "path", &config, text, sizeof text);
    ok(strstr(text, "call=update+push,return=update_count+pop+push,forward=none,"
                    "backward=update+pop+push,indirect=update+pop+push") != NULL,
       "the resolved text says all operations");
    char again[512];
    ok(parse(&config, text, &f) &&
           sl_options_print(sl_path_options, "path", &config, again, sizeof again) < sizeof again &&
           !strcmp(text, again),
       "it is read as the same");
}

int main(void)
{
    test_kinds();
    test_limits();
    test_repair();
    test_signals();
    test_texts();
    return done_testing();
}
