/* SPDX-License-Identifier: MIT */
/* Unit tests of the cursor, a structure for fast access to the top of a thread's call stack
 * (activation_cursor.h). Random calls and returns through the cursor leave the same call stack as
 * the functions of call_stack.h. */
#include "activation_cursor.h"

#include <stdlib.h>

#include "random.h"
#include "tap.h"

static unsigned n_fast;

/* A call, on the fast path if it applies. */
static void call_by_cursor(struct sl_activation *t, struct sl_activation_cursor *c,
                           uint64_t returns_to)
{
    struct sl_call dropped;
    bool drops;
    if (sl_cursor_push(c, returns_to)) {
        n_fast++;
        return;
    }
    sl_cursor_store(t, c);
    if (!sl_call_stack_push(&t->stack, (struct sl_call){returns_to, t->function, t->began, t->unit},
                            &dropped, &drops))
        abort();
    sl_cursor_load(t, c);
}

static void call_plainly(struct sl_activation *t, uint64_t returns_to)
{
    struct sl_call dropped;
    bool drops;
    if (!sl_call_stack_push(&t->stack, (struct sl_call){returns_to, t->function, t->began, t->unit},
                            &dropped, &drops))
        abort();
}

static void return_plainly(struct sl_activation *t)
{
    const struct sl_call *call = sl_call_stack_at(&t->stack, 0);
    t->function = call->function;
    t->began = call->began;
    t->unit = call->unit;
    sl_call_stack_pop(&t->stack, 1);
}

static bool same(const struct sl_activation *a, const struct sl_activation *b)
{
    bool good = a->stack.depth == b->stack.depth && a->function == b->function &&
                a->began == b->began && a->unit == b->unit;
    for (uint32_t i = 0; good && i < a->stack.depth; i++) {
        const struct sl_call *one = sl_call_stack_at(&a->stack, i);
        const struct sl_call *other = sl_call_stack_at(&b->stack, i);
        good = one->returns_to == other->returns_to && one->function == other->function &&
               one->began == other->began && one->unit == other->unit;
    }
    return good;
}

/* Also searches the stack now and then, so that it gets an index. */
static void compare(uint32_t limit)
{
    struct sl_activation a = {0}, b = {0};
    struct sl_activation_cursor c;
    uint64_t seed = limit;
    bool good = true;
    sl_call_stack_init(&a.stack, limit);
    sl_call_stack_init(&b.stack, limit);
    n_fast = 0;
    for (unsigned round = 0; round < 300 && good; round++) {
        uint64_t bias = 30 + sl_random_below(&seed, 40);
        sl_cursor_load(&a, &c);
        for (unsigned i = 0; i < 200; i++) {
            if (sl_random_below(&seed, 100) < bias || !c.depth) {
                uint64_t returns_to = sl_random_below(&seed, 50);
                call_by_cursor(&a, &c, returns_to);
                call_plainly(&b, returns_to);
                c.function = b.function = (uint32_t)sl_random_below(&seed, 20);
                c.began = c.unit = b.began = b.unit = i;
            } else {
                good &= sl_cursor_last(&c)->returns_to == sl_call_stack_at(&b.stack, 0)->returns_to;
                sl_cursor_return(&c);
                return_plainly(&b);
            }
        }
        sl_cursor_store(&a, &c);
        good &= same(&a, &b);
        if (round % 5 == 0) {
            uint64_t to = sl_random_below(&seed, 60);
            good &= sl_call_stack_find(&a.stack, to, SL_CALL_BY_RETURN) ==
                    sl_call_stack_find(&b.stack, to, SL_CALL_BY_RETURN);
        }
    }
    ok(good, "limit %u: the cursor and the plain functions leave the same stack", limit);
    if (limit >= 1000)
        ok(n_fast > 10000, "limit %u: most calls are on the fast path", limit);
    sl_call_stack_free(&a.stack);
    sl_call_stack_free(&b.stack);
}

int main(void)
{
    static const uint32_t limit[] = {1, 2, 7, 64, 1000, SL_CALL_STACK_MAX};
    for (unsigned i = 0; i < sizeof limit / sizeof *limit; i++)
        compare(limit[i]);
    return done_testing();
}
