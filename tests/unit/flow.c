/* SPDX-License-Identifier: MIT */
/* Unit tests of the control-flow tracker (flow.h). Each pair of consecutive blocks is classified
 * once and the result is cached. Entering a signal handler, repeating an instruction and executing
 * a delay slot do not count as transfers. */
#include "flow.h"

#include "../support/tiny_program.h"
#include "tap.h"

#define BNE_16 0x00629863u /* bne t0, t1, .+16 */
#define JALR 0x00050067u   /* jr a0: to an unknown address */
#define ECALL 0x00000073u
#define NOP 0x00000013u

static unsigned asked;

/* A meaning that no other pair has. */
static uint32_t meaning(void *context, const struct sl_block_end *end, uint32_t from, uint32_t next)
{
    (void)context, (void)end;
    asked++;
    return from * 1000 + next;
}

struct flowing {
    struct tiny *t;
    struct sl_flow flow;
    struct sl_flow_thread thread;
};

static struct flowing *flowing(enum sl_arch arch)
{
    struct flowing *w = calloc(1, sizeof *w);
    w->t = tiny_new(arch);
    w->thread.block = SL_FLOW_NONE;
    asked = 0;
    return w;
}

static void sync_all(struct flowing *w)
{
    if (!w->flow.code)
        sl_flow_init(&w->flow, &w->t->code, meaning, NULL);
    tiny_sync(w->t);
    if (sl_flow_sync(&w->flow, NULL) < 0)
        abort();
}

static void ended(struct flowing *w)
{
    sl_flow_free(&w->flow);
    tiny_free(w->t);
    free(w);
}

static uint32_t step(struct flowing *w, uint32_t block)
{
    w->thread.signal = SL_FLOW_NO_SIGNAL;
    return sl_flow_step(&w->flow, &w->thread, block);
}

static uint32_t block_of(struct flowing *w, uint64_t pc, uint32_t word)
{
    return tiny_words(w->t, pc, 1, &word);
}

/* More successors than are kept with a block or lately used. */
static void many_successors(void)
{
    enum { BLOCKS = 300, STEPS = 200000 };
    struct flowing *w = flowing(SL_ARCH_RISCV64);
    static bool seen[BLOCKS][BLOCKS];
    uint64_t random = 5;
    unsigned distinct = 0;
    bool right = true;
    for (uint32_t i = 0; i < BLOCKS; i++)
        block_of(w, 0x1000 + 4 * i, JALR);
    sync_all(w);
    ok(step(w, 0) == SL_FLOW_NOTHING, "the first block of a thread: it came from nowhere");
    for (uint32_t i = 0, at = 0; i < STEPS; i++) {
        uint32_t next = (uint32_t)sl_random_below(&random, 1 + sl_random_below(&random, BLOCKS));
        right &= step(w, next) == at * 1000 + next && w->thread.block == next;
        distinct += !seen[at][next];
        seen[at][next] = true;
        at = next;
    }
    ok(right, "%d steps between %d blocks: each has the meaning of its pair", STEPS, BLOCKS);
    ok(asked == distinct, "and each of the %u pairs was requested once", distinct);
    ended(w);
}

static void grows(void)
{
    struct flowing *w = flowing(SL_ARCH_RISCV64);
    uint32_t a = block_of(w, 0x1000, JALR);
    sync_all(w);
    step(w, a);
    uint32_t b = block_of(w, 0x2000, JALR);
    sync_all(w);
    ok(step(w, b) == a * 1000 + b && step(w, a) == b * 1000 + a,
       "blocks that come later are followed as well");
    ended(w);
}

/* branch: falls through to 0x1004 or goes to 0x1010; handler, with its return to the kernel. */
static void signals(void)
{
    struct flowing *w = flowing(SL_ARCH_RISCV64);
    uint32_t branch = block_of(w, 0x1000, BNE_16), next = block_of(w, 0x1004, NOP);
    uint32_t taken = block_of(w, 0x1010, NOP), handler = block_of(w, 0x8000, ECALL);
    uint32_t long_one = tiny_words(w->t, 0x2000, 3, (uint32_t[]){NOP, NOP, ECALL});
    uint32_t inside = tiny_words(w->t, 0x2004, 2, (uint32_t[]){NOP, ECALL});
    sync_all(w);
    step(w, branch);
    ok(step(w, handler) == SL_FLOW_NOTHING && w->thread.signal == SL_FLOW_BEGAN &&
           w->thread.n_interrupted == 1 && w->thread.interrupted[0].block == branch,
       "a block that the branch cannot lead to is a handler's: no transfer, the branch waits");
    ok(step(w, taken) == branch * 1000 + taken && w->thread.signal == SL_FLOW_ENDED &&
           w->thread.n_interrupted == 0,
       "when the handler has ended, the transfer that it interrupted counts");
    w->thread.block = branch;
    step(w, handler);
    step(w, next);
    w->thread.block = branch;
    asked = 0;
    ok(step(w, handler) == SL_FLOW_NOTHING && step(w, next) == branch * 1000 + next && !asked,
       "a pair that signals came between keeps its meaning");
    w->thread.block = long_one;
    step(w, handler);
    ok(step(w, inside) == SL_FLOW_NOTHING && w->thread.signal == SL_FLOW_ENDED &&
           w->thread.n_interrupted == 0 && w->thread.block == inside,
       "back inside the block: a fault, whose instruction is tried again, and no transfer");
    ended(w);
}

/* Handlers that interrupt handlers, more of them than can wait: the outermost is forgotten. */
static void nested(void)
{
    enum { DEEP = SL_FLOW_INTERRUPTED_MAX + 3 };
    struct flowing *w = flowing(SL_ARCH_RISCV64);
    uint32_t block[DEEP + 1];
    for (uint32_t i = 0; i <= DEEP; i++)
        block[i] = block_of(w, 0x1000 * (i + 1), BNE_16);
    uint32_t resumed[DEEP];
    for (uint32_t i = 0; i < DEEP; i++)
        resumed[i] = block_of(w, 0x1000 * (i + 1) + 16, ECALL);
    sync_all(w);
    for (uint32_t i = 0; i <= DEEP; i++)
        step(w, block[i]);
    ok(w->thread.n_interrupted == SL_FLOW_INTERRUPTED_MAX &&
           w->thread.interrupted[0].block == block[DEEP - SL_FLOW_INTERRUPTED_MAX],
       "%d handlers inside one another: the %u innermost wait", DEEP, SL_FLOW_INTERRUPTED_MAX);
    bool right = true;
    for (uint32_t i = DEEP; i-- > DEEP - SL_FLOW_INTERRUPTED_MAX;)
        right &= step(w, resumed[i]) == block[i] * 1000 + resumed[i];
    ok(right && w->thread.n_interrupted == 0, "and each goes on where it was, from inside out");
    ended(w);
}

static void repeated(void)
{
    struct flowing *w = flowing(SL_ARCH_X86_64);
    uint32_t rep = tiny_bytes(w->t, 0x1000, 1, (uint8_t[]){2},
                              (uint8_t[]){0xf3, 0xa4}); /* rep movsb */
    uint32_t next = tiny_bytes(w->t, 0x1002, 1, (uint8_t[]){1}, (uint8_t[]){0xc3});
    sync_all(w);
    step(w, rep);
    bool nothing = true;
    for (int i = 0; i < 5; i++)
        nothing &= step(w, rep) == SL_FLOW_NOTHING;
    ok(nothing && !asked && !w->thread.n_interrupted,
       "rounds of a repeated instruction are no transfers");
    ok(step(w, next) == rep * 1000 + next, "its end is one");
    ended(w);
}

static void delay_slots(void)
{
    struct flowing *w = flowing(SL_ARCH_MIPSEL);
    uint32_t branch = block_of(w, 0x1ffc, 0x15090003); /* bne t0, t1, 0x200c: the page's last */
    uint32_t slot = block_of(w, 0x2000, 0), taken = block_of(w, 0x200c, 0);
    uint32_t next = block_of(w, 0x2004, 0);
    sync_all(w);
    step(w, branch);
    ok(step(w, slot) == SL_FLOW_NOTHING && !w->thread.n_interrupted && w->thread.block > next,
       "a branch and its delay slot in blocks of their own are joined to a further block");
    uint32_t joined = w->thread.block;
    ok(step(w, taken) == joined * 1000 + taken, "and the transfer is from that one");
    w->thread.block = branch;
    step(w, slot);
    ok(w->thread.block == joined && step(w, next) == joined * 1000 + next,
       "which is the same each time, taken or not");
    ended(w);
}

int main(void)
{
    many_successors();
    grows();
    signals();
    nested();
    repeated();
    delay_slots();
    return done_testing();
}
