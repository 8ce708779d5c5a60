/* SPDX-License-Identifier: MIT */
/* Unit tests of the call stack that sluice tracks for each thread. It is compared with a simple
 * model, an array that keeps every return address. */
#include "call_stack.h"

#include <stdlib.h>

#include "random.h"
#include "tap.h"

#define N_MAX 200000u

static struct sl_call all[N_MAX];
static size_t n_all, n_dropped;

/* The latest first; those that were dropped are the first n_dropped. */
static bool same(const struct sl_call_stack *stack)
{
    bool good = stack->depth == n_all - n_dropped;
    for (uint32_t i = 0; good && i < stack->depth; i++)
        good = sl_call_stack_at(stack, i)->function == all[n_all - 1 - i].function &&
               sl_call_stack_at(stack, i)->returns_to == all[n_all - 1 - i].returns_to;
    return good;
}

static bool push(struct sl_call_stack *stack, uint64_t returns_to, uint32_t function)
{
    struct sl_call dropped;
    bool drops, full = stack->depth == stack->limit;
    all[n_all++] = (struct sl_call){.returns_to = returns_to, .function = function};
    bool good = sl_call_stack_push(stack, all[n_all - 1], &dropped, &drops) && drops == full;
    if (drops)
        good = good && dropped.function == all[n_dropped++].function;
    return good;
}

static void random_calls(uint32_t limit)
{
    struct sl_call_stack stack;
    uint64_t seed = limit;
    bool good = true;
    unsigned found = 0;
    sl_call_stack_init(&stack, limit);
    n_all = n_dropped = 0;
    for (uint32_t step = 0; good && step < 3000; step++) {
        uint32_t n = (uint32_t)sl_random_below(&seed, 2 * limit > 100 ? 100 : 2 * limit);
        for (uint32_t i = 0; good && i < n; i++)
            good = push(&stack, sl_random_below(&seed, 50), step * 100 + i);
        /* Back to the latest call that returns there, if any. */
        uint64_t to = sl_random_below(&seed, 60);
        uint32_t wanted = 0;
        while (wanted < stack.depth && all[n_all - 1 - wanted].returns_to != to)
            wanted++;
        good = good && same(&stack) && sl_call_stack_find(&stack, to, SL_CALL_BY_RETURN) == wanted;
        uint32_t caller = step * 100 + (uint32_t)sl_random_below(&seed, 100), made = 0;
        while (made < stack.depth && all[n_all - 1 - made].function != caller)
            made++;
        good = good && sl_call_stack_find(&stack, caller, SL_CALL_BY_CALLER) == made;
        if (wanted < stack.depth) {
            found++;
            sl_call_stack_pop(&stack, wanted + 1);
            n_all -= wanted + 1;
        }
        if (n_all > N_MAX / 2 || step % 500 == 499) {
            sl_call_stack_pop(&stack, stack.depth);
            n_all = n_dropped = 0;
        }
    }
    ok(good && same(&stack) && found > 20, "%u calls: the latest are there, the oldest dropped",
       limit);
    sl_call_stack_free(&stack);
}

/* Deep stacks of calls of which few are alike, left by many at a time, or by none. */
static void far_calls(uint32_t limit)
{
    struct sl_call_stack stack;
    uint64_t seed = limit;
    bool good = true;
    unsigned far = 0, nowhere = 0;
    sl_call_stack_init(&stack, limit);
    n_all = n_dropped = 0;
    for (uint32_t step = 0; good && step < 200; step++) {
        uint32_t n = (uint32_t)sl_random_below(&seed, 4000);
        for (uint32_t i = 0; good && i < n && n_all < N_MAX; i++)
            good = push(&stack, sl_random_below(&seed, N_MAX),
                        (uint32_t)sl_random_below(&seed, N_MAX));
        uint64_t to = sl_random_below(&seed, 2 * N_MAX);
        uint32_t wanted = 0, made = 0;
        while (wanted < stack.depth && all[n_all - 1 - wanted].returns_to != to)
            wanted++;
        while (made < stack.depth && all[n_all - 1 - made].function != to)
            made++;
        good = good && sl_call_stack_find(&stack, to, SL_CALL_BY_RETURN) == wanted &&
               sl_call_stack_find(&stack, (uint32_t)to, SL_CALL_BY_CALLER) == made;
        far += wanted < stack.depth && wanted > 65536;
        nowhere += wanted == stack.depth;
        if (wanted < stack.depth && (wanted < 5000 || n_all == N_MAX)) {
            sl_call_stack_pop(&stack, wanted + 1);
            n_all -= wanted + 1;
        }
        if (n_all == N_MAX && step % 10 == 0) {
            sl_call_stack_pop(&stack, stack.depth);
            n_all = n_dropped = 0;
        }
    }
    ok(good && nowhere > 20 && (far || limit < N_MAX),
       "%u calls: one is found however far down (%u below 65536 others)", limit, far);
    sl_call_stack_free(&stack);
}

int main(void)
{
    static const uint32_t limits[] = {1, 2, 3, 31, 32, 33, 1000, SL_CALL_STACK_MAX};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        random_calls(limits[i]);
    far_calls(SL_CALL_STACK_MAX);
    far_calls(3000);
    far_calls(100);
    struct sl_call_stack stack;
    struct sl_call dropped;
    bool drops = true, good = true;
    sl_call_stack_init(&stack, SL_CALL_STACK_MAX);
    for (uint32_t i = 0; i < SL_CALL_STACK_MAX; i++)
        good = good && sl_call_stack_push(&stack, (struct sl_call){i, i, 0, 0}, &dropped, &drops) &&
               !drops;
    sl_call_stack_push(&stack, (struct sl_call){0}, &dropped, &drops);
    ok(good && drops && dropped.function == 0, "a million calls fit, and one more does not");
    sl_call_stack_free(&stack);
    return done_testing();
}
