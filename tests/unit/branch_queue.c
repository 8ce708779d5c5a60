/* SPDX-License-Identifier: MIT */
/* Unit tests of the branch queue between a core and a hardware profiler attached to it. On random
 * streams, its delays equal those of a cycle-by-cycle simulation, and a longer queue never costs
 * more cycles. In both core models, a profiler that is slower than the program delays the commit of
 * branches. */
#include "branch_queue.h"

#include "../support/checkout_data.h"
#include "../support/tiny_program.h"
#include "machine.h"
#include "random.h"
#include "tap.h"

#define N 3000

/* Branches: how many cycles after the one before, at least, it can commit, 0 for the same
 * cycle; and what the profiler has to do with it. */
struct stream {
    uint32_t gap[N], work[N];
};

static void make_stream(struct stream *s, uint64_t most_gap, uint64_t most_work, uint64_t *seed)
{
    for (size_t i = 0; i < N; i++) {
        bool burst = sl_random_below(seed, 100) < 10;
        s->gap[i] = (uint32_t)sl_random_below(seed, burst ? 20 * most_gap + 1 : most_gap + 1);
        s->work[i] = (uint32_t)sl_random_below(seed, most_work + 1);
    }
}

/* ---- cycle by cycle ---- */

struct plain {
    uint32_t waiting[SL_BRANCH_QUEUE_MAX + 1];
    size_t n;
    uint32_t left; /* cycles that the profiler needs for what it is at, this one included */
};

/* The profiler's part of a cycle comes first: what commit puts there in a cycle can be taken
 * in the next one. */
static void profile_cycle(struct plain *p)
{
    if (p->left)
        p->left--;
    if (!p->left && p->n) {
        p->left = p->waiting[0];
        memmove(p->waiting, p->waiting + 1, --p->n * sizeof *p->waiting);
    }
}

/* Whether a branch has space. Without a queue it goes to a latch of the profiler, if that will
 * have nothing else to do in the next cycle. */
static bool has_space(const struct plain *p, uint64_t entries)
{
    return entries ? p->n < entries : !p->n && p->left <= 1;
}

/* Cycles until the last branch is out of commit; `out` gets the cycle of each. */
static void simulate(const struct stream *s, uint64_t entries, uint64_t *out)
{
    static struct plain p;
    uint64_t cycle = 0, may_commit = 0;
    size_t next = 0;
    p = (struct plain){.n = 0};
    may_commit = s->gap[0];
    for (; next < N; cycle++) {
        profile_cycle(&p);
        while (next < N && cycle >= may_commit && (!s->work[next] || has_space(&p, entries))) {
            if (s->work[next])
                p.waiting[p.n++] = s->work[next];
            out[next++] = cycle;
            may_commit = next < N ? cycle + s->gap[next] : 0;
        }
    }
}

static void run_model(const struct stream *s, uint64_t entries, uint64_t *out)
{
    struct sl_branch_queue q;
    struct sl_profiler_config config = {.queue = entries};
    uint64_t cycle = 0;
    if (!sl_branch_queue_init(&q, &config))
        abort();
    for (size_t i = 0; i < N; i++)
        out[i] = cycle = sl_branch_queue_put(&q, cycle + s->gap[i], s->work[i]);
    sl_branch_queue_free(&q);
}

static const uint64_t sizes[] = {0, 1, 2, 3, 4, 7, 8, 16, 100, SL_BRANCH_QUEUE_MAX};
#define N_SIZES (sizeof sizes / sizeof *sizes)

static void streams(void)
{
    static struct stream s;
    static uint64_t plain[N], model[N];
    uint64_t seed = 1;
    size_t differing = 0, slower = 0, waiting = 0, held = 0;
    for (uint64_t most_work = 1; most_work < 12; most_work++)
        for (uint64_t most_gap = 0; most_gap < 16; most_gap += 5) {
            uint64_t before = UINT64_MAX, gaps = 0;
            make_stream(&s, most_gap, most_work, &seed);
            for (size_t i = 0; i < N; i++)
                gaps += s.gap[i];
            for (size_t k = 0; k < N_SIZES; k++) {
                simulate(&s, sizes[k], plain);
                run_model(&s, sizes[k], model);
                differing += memcmp(plain, model, sizeof plain) != 0;
                slower += model[N - 1] > before;
                before = model[N - 1];
                held += model[N - 1] > gaps;
            }
            waiting += model[N - 1] != gaps;
        }
    ok(!differing,
       "every branch of 44 random streams leaves commit in the cycle of the plain "
       "simulation, for each of %zu sizes",
       N_SIZES);
    ok(!slower, "no stream takes longer with more entries");
    ok(!waiting && held > 100, "with space for all branches of the run nothing ever waits");
}

static void plain_cases(void)
{
    struct sl_branch_queue q;
    sl_branch_queue_init(&q, &(struct sl_profiler_config){.queue = 0});
    ok(sl_branch_queue_put(&q, 10, 4) == 10 && sl_branch_queue_put(&q, 11, 4) == 14 &&
           sl_branch_queue_put(&q, 30, 4) == 30,
       "without a queue a branch waits for the one before it");
    sl_branch_queue_free(&q);
    sl_branch_queue_init(&q, &(struct sl_profiler_config){.queue = 2});
    ok(sl_branch_queue_put(&q, 10, 9) == 10 && sl_branch_queue_put(&q, 10, 9) == 10 &&
           sl_branch_queue_put(&q, 10, 9) == 11 && sl_branch_queue_put(&q, 11, 9) == 20,
       "with two entries the third of a cycle waits until the first is taken");
    ok(sl_branch_queue_put(&q, 20, 0) == 20, "a branch without work takes no entry");
    sl_branch_queue_free(&q);
}

/* ---- machines ---- */

#define ROUNDS 4000u

/* A loop of additions that ends with a branch; each round the profiler has that much to do. */
static uint64_t loop_cycles(const char *spec, uint32_t work, bool attached, uint64_t *lost)
{
    enum { BODY = 15 };
    static uint32_t of_block[ROUNDS];
    struct tiny *t = tiny_new(SL_ARCH_RISCV64);
    struct sl_machine *m;
    struct sl_failure f;
    struct sl_chunk chunk;
    uint32_t word[BODY + 1];
    for (unsigned i = 0; i < BODY; i++)
        word[i] = 0x00b50533; /* add a0, a0, a1 */
    word[BODY] = 0xfc0612e3;  /* bne a2, zero, -60 */
    uint32_t loop = tiny_words(t, 0x1000, BODY + 1, word);
    tiny_sync(t);
    if (sl_machine_open(&m, spec, &f) || sl_machine_sync(m, &t->code, &f) ||
        (attached && sl_machine_attach(m, of_block, &f))) {
        printf("# gives up: %s\n", f.text);
        exit(1);
    }
    for (unsigned i = 0; i < ROUNDS; i++) {
        of_block[i] = i ? work : 0;
        tiny_enter(t, loop);
    }
    tiny_cut(t, &chunk);
    sl_machine_run(m, &chunk, &f);
    const uint64_t *total = sl_machine_totals(m);
    uint64_t cycles = total[SL_MACHINE_CYCLES], sum = total[SL_MACHINE_BASE];
    for (unsigned i = SL_MACHINE_STALL_FIRST; i <= SL_MACHINE_STALL_LAST; i++)
        sum += total[i];
    *lost = sum == cycles ? total[SL_MACHINE_STALL_PROFILER] : UINT64_MAX;
    sl_machine_close(m);
    tiny_free(t);
    return cycles;
}

/* The chain of additions is 15 cycles long in either core, and 16 with the branch in order. */
static void machines(const char *preset, uint64_t round)
{
    char spec[100];
    uint64_t lost, without, before = UINT64_MAX;
    bool monotone = true, sums = true, bounded = true;
    snprintf(spec, sizeof spec, "%s,profiler.queue=2", preset);
    without = loop_cycles(spec, 20, false, &lost);
    ok(lost == 0, "%s: without an attached profiler nothing waits", preset);
    ok(loop_cycles(spec, (uint32_t)round - 1, true, &lost) == without && lost == 0,
       "%s: a profiler that is done before the next branch costs nothing", preset);
    for (uint64_t queue = 0; queue <= 16; queue++) {
        snprintf(spec, sizeof spec, "%s,profiler.queue=%u", preset, (unsigned)queue);
        uint64_t cycles = loop_cycles(spec, (uint32_t)round + 9, true, &lost);
        monotone &= cycles <= before;
        sums &= lost != UINT64_MAX;
        /* After the last that finds the queue full are as many as it has entries. */
        bounded &= cycles >= (ROUNDS - queue - 2) * (round + 9) && cycles <= without + ROUNDS * 9 &&
                   cycles <= without + lost;
        before = cycles;
    }
    ok(sums, "%s: the causes add up to the cycles", preset);
    ok(monotone, "%s: more entries never cost more", preset);
    ok(bounded, "%s: a profiler that is slower than the program sets the pace", preset);
}

int main(void)
{
    use_checkout_data();
    plain_cases();
    streams();
    machines("rocket", 16);
    machines("ss4", 15);
    return done_testing();
}
