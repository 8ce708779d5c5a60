/* SPDX-License-Identifier: MIT */
/* Unit tests of branch predictors: sequences worked out by hand, patterns that a predictor must
 * learn, and patterns that it cannot learn. */
#include "predictor.h"

#include <string.h>

#include "random.h"
#include "tap.h"

static struct sl_predictor_config defaults(void)
{
    struct sl_predictor_config c;
    sl_options_defaults(sl_direction_options, &c.direction);
    sl_options_defaults(sl_btb_options, &c.btb);
    sl_options_defaults(sl_return_stack_options, &c.stack);
    return c;
}

static struct sl_predictor_config of_kind(unsigned kind)
{
    struct sl_predictor_config c = defaults();
    c.direction.kind = kind;
    return c;
}

/* Exactly as large as requested, so that a sanitizer sees what is beyond it. */
static struct sl_predictor *open(const struct sl_predictor_config *c)
{
    size_t bytes = (sl_predictor_bytes(c) + 63) / 64 * 64;
    struct sl_predictor *p = aligned_alloc(64, bytes);
    memset(p, 0xa5, bytes);
    sl_predictor_init(p, c);
    return p;
}

static enum sl_prediction step(struct sl_predictor *p, enum sl_branch kind, uint64_t pc,
                               uint64_t target, bool taken)
{
    return sl_predictor_step(
        p, &(struct sl_retired_branch){
               .pc = pc, .next = pc + 4, .target = target, .kind = kind, .taken = taken});
}

static bool misdirected(struct sl_predictor *p, uint64_t pc, bool taken)
{
    return step(p, SL_BRANCH_CONDITIONAL, pc, pc + 64, taken) == SL_MISDIRECTED;
}

/* ---- directions ---- */

/* `outcomes`, T and N, of one branch; '*' where it has to be mispredicted. */
static void follows(struct sl_predictor_config c, const char *name, const char *outcomes,
                    const char *expected)
{
    char found[64] = "";
    struct sl_predictor *p = open(&c);
    for (size_t i = 0; outcomes[i]; i++)
        found[i] = misdirected(p, 0x1000, outcomes[i] == 'T') ? '*' : '.';
    if (!ok(!strcmp(found, expected), "%s: %s", name, outcomes))
        printf("# expected %s\n#    found %s\n", expected, found);
    free(p);
}

static void by_hand(void)
{
    struct sl_predictor_config bimodal = of_kind(SL_DIRECTION_BIMODAL);
    struct sl_predictor_config gshare = of_kind(SL_DIRECTION_GSHARE);
    struct sl_predictor_config local = of_kind(SL_DIRECTION_TWO_LEVEL);
    struct sl_predictor_config combined = of_kind(SL_DIRECTION_COMBINED);
    gshare.direction.history = local.direction.local_history = 2;
    follows(of_kind(SL_DIRECTION_NONE), "nothing is predicted to be taken", "TNTTN", "*.**.");
    follows(of_kind(SL_DIRECTION_STATIC), "a forward branch is predicted not taken", "TNTTN",
            "*.**.");
    follows(bimodal, "bimodal starts weakly taken, goes down at once and up again", "TNNNNTTT",
            ".**..**.");
    follows(bimodal, "bimodal loses half of an alternating branch that starts taken", "TNTNTNTN",
            ".*.*.*.*");
    follows(bimodal, "bimodal loses all of one that starts not taken", "NTNTNTNT", "********");
    /* Histories 00 01 10 01 10: the counters after 00 and 01 and 10 learn apart. */
    follows(gshare, "gshare learns an alternating branch", "TNTNTNTN", ".*......");
    follows(local, "two-level learns an alternating branch", "NTNTNTNT", "***.....");
    /* Histories 00 01 11 | 10 01 11 | 10 01 11: 11 has to learn that N follows. */
    follows(gshare, "gshare learns a loop of three that its history spans", "TTNTTNTTN",
            "..*......");
    /* Both say T; then bimodal, believed at first, says T where gshare has learned N. */
    combined.direction.history = 1;
    follows(combined, "the chooser turns to the part that is right where they differ", "TNTNTNTN",
            ".*.*....");
}

static void backward(void)
{
    struct sl_predictor_config c = of_kind(SL_DIRECTION_STATIC);
    struct sl_predictor *p = open(&c);
    ok(step(p, SL_BRANCH_CONDITIONAL, 100, 40, true) == SL_MISFETCHED &&
           step(p, SL_BRANCH_CONDITIONAL, 100, 40, true) == SL_PREDICTED &&
           step(p, SL_BRANCH_CONDITIONAL, 100, 40, false) == SL_MISDIRECTED &&
           step(p, SL_BRANCH_CONDITIONAL, 100, 100, true) == SL_MISFETCHED,
       "static: a backward branch, or one to itself, is predicted taken");
    free(p);
}

static void loops(void)
{
    for (unsigned n = 2; n <= 10; n += 4) {
        struct sl_predictor_config c = of_kind(SL_DIRECTION_BIMODAL);
        struct sl_predictor *p = open(&c);
        unsigned wrong = 0, at_exit = 0, rounds = 100;
        for (unsigned i = 0; i < rounds * n; i++) {
            bool taken = i % n != n - 1, missed = misdirected(p, 0x40, taken);
            wrong += missed;
            at_exit += missed && !taken;
        }
        ok(wrong == rounds && at_exit == rounds,
           "bimodal mispredicts a loop of %u once for each exit", n);
        free(p);
    }
}

/* Mispredictions in the second half of a run in which branch B does as branch A did,
 * A is random, and C, between them, is always taken. */
static unsigned correlated(unsigned kind, unsigned history, unsigned *random)
{
    struct sl_predictor_config c = of_kind(kind);
    c.direction.history = c.direction.local_history = history;
    c.direction.local_entries = 1 << 16; /* so that A and B do not share counters */
    struct sl_predictor *p = open(&c);
    uint64_t seed = 1;
    unsigned wrong = 0;
    *random = 0;
    for (unsigned i = 0; i < 4000; i++) {
        bool a = sl_random_next(&seed) & 1, counts = i >= 2000;
        *random += misdirected(p, 0x100, a) && counts;
        misdirected(p, 0x208, true);
        wrong += misdirected(p, 0x310, a) && counts;
    }
    free(p);
    return wrong;
}

static void correlation(void)
{
    unsigned random;
    unsigned wrong = correlated(SL_DIRECTION_GSHARE, 4, &random);
    ok(wrong == 0 && random > 800,
       "gshare learns a branch that repeats an earlier one "
       "(%u of 2000 wrong; of the random one %u)",
       wrong, random);
    ok(correlated(SL_DIRECTION_GSHARE, 1, &random) > 800,
       "not if its history is too short to see that one");
    ok(correlated(SL_DIRECTION_BIMODAL, 4, &random) > 800, "bimodal cannot");
    ok(correlated(SL_DIRECTION_TWO_LEVEL, 4, &random) > 800, "nor can the branch's own history");
    ok(correlated(SL_DIRECTION_COMBINED, 4, &random) < 20,
       "combined, the chooser learns to use gshare there");
}

/* One branch that gshare knows and one that bimodal knows: random branches between
 * drown the second in history. */
static void better_of_two(void)
{
    unsigned wrong[SL_DIRECTION_COMBINED + 1];
    for (unsigned kind = SL_DIRECTION_BIMODAL; kind <= SL_DIRECTION_COMBINED; kind++) {
        struct sl_predictor_config c = of_kind(kind);
        c.direction.history = 12;
        c.direction.gshare_entries = 4096;
        struct sl_predictor *p = open(&c);
        uint64_t seed = 5;
        wrong[kind] = 0;
        for (unsigned i = 0; i < 20000; i++) {
            bool steady = sl_random_below(&seed, 10) != 0;
            wrong[kind] += misdirected(p, 0x80, i & 1) + misdirected(p, 0x84, steady);
            misdirected(p, 0x88, sl_random_next(&seed) & 1);
        }
        free(p);
    }
    ok(wrong[SL_DIRECTION_COMBINED] < wrong[SL_DIRECTION_BIMODAL] &&
           wrong[SL_DIRECTION_COMBINED] < wrong[SL_DIRECTION_GSHARE],
       "combined is better than each part where each has its branches (%u; bimodal %u, gshare %u)",
       wrong[SL_DIRECTION_COMBINED], wrong[SL_DIRECTION_BIMODAL], wrong[SL_DIRECTION_GSHARE]);
}

static void aliases(void)
{
    struct sl_predictor_config c = of_kind(SL_DIRECTION_BIMODAL);
    c.direction.bimodal_entries = 4;
    c.direction.shift = 1;
    struct sl_predictor *p = open(&c);
    misdirected(p, 0x100, false), misdirected(p, 0x100, false);
    ok(!misdirected(p, 0x101, false) && !misdirected(p, 0x108, false),
       "addresses that differ in bits below the shift or beyond the table share a counter");
    ok(misdirected(p, 0x102, false) && misdirected(p, 0x106, false), "others do not");
    free(p);
}

/* ---- targets ---- */

static void targets(void)
{
    struct sl_predictor_config c = defaults();
    struct sl_predictor *p = open(&c);
    ok(step(p, SL_BRANCH_JUMP, 8, 800, true) == SL_MISFETCHED &&
           step(p, SL_BRANCH_JUMP, 8, 800, true) == SL_PREDICTED,
       "a direct jump is misfetched the first time, then known");
    ok(step(p, SL_BRANCH_CALL, 16, 800, true) == SL_MISFETCHED &&
           step(p, SL_BRANCH_CALL, 16, 800, true) == SL_PREDICTED,
       "so is a direct call");
    ok(step(p, SL_BRANCH_CONDITIONAL, 24, 800, true) == SL_MISFETCHED &&
           step(p, SL_BRANCH_CONDITIONAL, 24, 800, true) == SL_PREDICTED,
       "so is a conditional branch that is rightly predicted taken");
    ok(step(p, SL_BRANCH_INDIRECT, 32, 800, true) == SL_MISTARGETED &&
           step(p, SL_BRANCH_INDIRECT, 32, 800, true) == SL_PREDICTED &&
           step(p, SL_BRANCH_INDIRECT, 32, 804, true) == SL_MISTARGETED &&
           step(p, SL_BRANCH_INDIRECT, 32, 804, true) == SL_PREDICTED,
       "an indirect jump is predicted to go where it went last");
    ok(step(p, SL_BRANCH_INDIRECT_CALL, 40, 800, true) == SL_MISTARGETED &&
           step(p, SL_BRANCH_INDIRECT_CALL, 40, 800, true) == SL_PREDICTED,
       "so is an indirect call");
    ok(step(p, SL_BRANCH_NONE, 48, 0, false) == SL_PREDICTED, "what is no branch is predicted");
    free(p);
    c.btb.entries = 0;
    p = open(&c);
    step(p, SL_BRANCH_JUMP, 8, 800, true), step(p, SL_BRANCH_INDIRECT, 32, 800, true);
    ok(step(p, SL_BRANCH_JUMP, 8, 800, true) == SL_MISFETCHED &&
           step(p, SL_BRANCH_INDIRECT, 32, 800, true) == SL_MISTARGETED,
       "without a target buffer no target is ever known");
    free(p);
}

/* Four sets of two ways: addresses 16 apart are in one set. */
static void conflicts(void)
{
    struct sl_predictor_config c = defaults();
    c.btb = (struct sl_btb_config){8, 2};
    struct sl_predictor *p = open(&c);
    step(p, SL_BRANCH_JUMP, 0x100, 1, true), step(p, SL_BRANCH_JUMP, 0x110, 2, true);
    ok(step(p, SL_BRANCH_JUMP, 0x100, 1, true) == SL_PREDICTED &&
           step(p, SL_BRANCH_JUMP, 0x110, 2, true) == SL_PREDICTED,
       "two branches fit in a set of two ways");
    step(p, SL_BRANCH_JUMP, 0x100, 1, true), step(p, SL_BRANCH_JUMP, 0x120, 3, true);
    ok(step(p, SL_BRANCH_JUMP, 0x100, 1, true) == SL_PREDICTED &&
           step(p, SL_BRANCH_JUMP, 0x120, 3, true) == SL_PREDICTED &&
           step(p, SL_BRANCH_JUMP, 0x110, 2, true) == SL_MISFETCHED,
       "a third takes the place of the one used longest ago");
    for (unsigned i = 0; i < 8; i++)
        step(p, SL_BRANCH_CONDITIONAL, 0x130 + 16 * i, 4, false);
    ok(step(p, SL_BRANCH_JUMP, 0x110, 2, true) == SL_PREDICTED,
       "branches that are not taken take no place");
    step(p, SL_BRANCH_JUMP, 0x114, 5, true);
    ok(step(p, SL_BRANCH_JUMP, 0x120, 3, true) == SL_PREDICTED, "other sets are left alone");
    free(p);
}

/* ---- returns ---- */

/* Of `depth` nested calls, how many returns are predicted. */
static unsigned returns_predicted(struct sl_predictor *p, unsigned depth)
{
    unsigned right = 0;
    for (uint64_t i = 1; i <= depth; i++)
        step(p, i & 1 ? SL_BRANCH_CALL : SL_BRANCH_INDIRECT_CALL, 0x1000 * i, 0x1000 * (i + 1),
             true);
    for (uint64_t i = depth; i; i--)
        right += step(p, SL_BRANCH_RETURN, 0x1000 * (i + 1) + 64, 0x1000 * i + 4, true) ==
                 SL_PREDICTED;
    return right;
}

static void returns(void)
{
    struct sl_predictor_config c = defaults();
    c.stack.depth = 5;
    struct sl_predictor *p = open(&c);
    ok(returns_predicted(p, 5) == 5, "returns of as many calls as the stack is deep are predicted");
    ok(returns_predicted(p, 8) == 5, "of more calls, those of the innermost are");
    ok(returns_predicted(p, 3) == 3, "and afterwards all goes on as before");
    ok(step(p, SL_BRANCH_RETURN, 64, 68, true) == SL_MISTARGETED,
       "a return without a call is mispredicted");
    ok(returns_predicted(p, 5) == 5, "and harms none of those that have one");
    free(p);
    c.stack.depth = 0;
    p = open(&c);
    step(p, SL_BRANCH_CALL, 100, 200, true);
    ok(step(p, SL_BRANCH_RETURN, 240, 104, true) == SL_MISTARGETED &&
           step(p, SL_BRANCH_RETURN, 240, 104, true) == SL_PREDICTED &&
           step(p, SL_BRANCH_RETURN, 240, 304, true) == SL_MISTARGETED,
       "without a stack a return is predicted to go where it went last");
    free(p);
}

static void refusals(void)
{
    struct sl_failure f;
    struct sl_predictor_config c = of_kind(SL_DIRECTION_COMBINED);
    ok(!sl_predictor_check(&c, &f), "the defaults are accepted");
    c.direction.second = SL_PART_BIMODAL;
    ok(sl_predictor_check(&c, &f) == SL_EUSAGE &&
           !strcmp(f.text, "bpred.first and bpred.second are both bimodal: combine two different "
                           "predictors, or set bpred.kind=bimodal"),
       "two of one kind are not combined: %s", f.text);
    c = defaults();
    c.btb = (struct sl_btb_config){28, 28};
    ok(!sl_predictor_check(&c, &f), "a target buffer of one set may have any number of entries");
    c.btb = (struct sl_btb_config){28, 3};
    ok(sl_predictor_check(&c, &f) == SL_EUSAGE &&
           strstr(f.text, "btb.entries=28 is not btb.ways=3"),
       "sets have to be whole: %s", f.text);
    c.btb = (struct sl_btb_config){12, 4};
    ok(sl_predictor_check(&c, &f) == SL_EUSAGE, "and a power of two");
}

int main(void)
{
    by_hand();
    backward();
    loops();
    correlation();
    better_of_two();
    aliases();
    targets();
    conflicts();
    returns();
    refusals();
    return done_testing();
}
