/* SPDX-License-Identifier: MIT */
/* Unit tests of the path stack of a thread. After any sequence of calls, returns, signals and gaps,
 * it has the same entries as a simple list. Both kinds of stacks are tested: a full stack of one
 * kind drops its oldest entries, and a full stack of the other kind moves them to memory. */
#include "path_stack.h"

#include <string.h>

#include "random.h"
#include "tap.h"

#define STEPS 30000u
#define LIST_MAX (2 * STEPS)
#define ADDRESSES 12u

/* The plain list. Entries before `first` are lost. A handler starts at an index of the list. */
static struct {
    uint32_t block[LIST_MAX], expects[LIST_MAX];
    size_t first, n, size;
    bool spills;
    size_t handler[SL_FLOW_INTERRUPTED_MAX];
    bool left[SL_FLOW_INTERRUPTED_MAX]; /* by a jump */
    uint32_t n_handlers;
    struct sl_path_counts counts;
} list;

/* Index of the first entry that the code now running may remove. */
static size_t list_floor(void)
{
    size_t floor = list.first;
    for (uint32_t i = 0; i < list.n_handlers; i++)
        if (!list.left[i] && list.handler[i] > floor)
            floor = list.handler[i];
    return floor;
}

static void list_push(uint32_t block, uint32_t expects)
{
    if (list.n - list.first >= list.size) {
        if (list.spills) {
            list.counts.spilled++;
        } else {
            list.first++;
            list.counts.lost++;
        }
    }
    list.block[list.n] = block;
    list.expects[list.n++] = expects;
}

static void list_unwind(uint32_t address)
{
    size_t at = list.n;
    while (at > list.first && list.expects[at - 1] != address)
        at--;
    if (at == list.first) { /* no entry expects it */
        list.counts.purged += list.n - list_floor();
        list.n = list_floor();
        return;
    }
    list.counts.unwound += list.n - at;
    bool below = at <= list_floor();
    list.n = at;
    for (uint32_t i = 0; i < list.n_handlers && below; i++)
        list.left[i] |= list.handler[i] >= at;
}

static void list_resume(uint32_t level)
{
    size_t base = list.handler[level] > list.first ? list.handler[level] : list.first;
    list.n_handlers = level;
    if (list.left[level])
        return;
    list.counts.dropped += list.n - base;
    list.n = base;
}

static bool same(const struct sl_path_stack *s)
{
    size_t n = list.n - list.first;
    bool right = s->top - s->bottom == n && s->top - s->floor == list.n - list_floor() &&
                 sl_path_stack_empty(s) == (list.n == list_floor()) &&
                 !memcmp(&s->counts, &list.counts, sizeof s->counts);
    for (size_t i = 0; i < n && right; i++) {
        const struct sl_path_entry *e = &s->entry[(s->bottom + i) & s->mask];
        right = e->path == sl_path_begin(list.block[list.first + i]) &&
                e->expects == list.expects[list.first + i];
    }
    return right;
}

static void step(struct sl_path_stack *s, uint64_t *seed, unsigned calls)
{
    uint32_t address = (uint32_t)sl_random_below(seed, ADDRESSES);
    uint64_t r = sl_random_below(seed, 100);
    if (r < calls) {
        sl_path_stack_push(s, address + 100, address);
        list_push(address + 100, address);
    } else if (r < 90) { /* the return that is expected */
        if (!sl_path_stack_empty(s)) {
            s->top--;
            list.n--;
        }
    } else if (r < 94) {
        sl_path_stack_unwind(s, address);
        list_unwind(address);
    } else if (r < 97 && list.n_handlers < SL_FLOW_INTERRUPTED_MAX) {
        list.handler[list.n_handlers] = list.n;
        list.left[list.n_handlers++] = false;
        sl_path_stack_interrupt(s, address);
        list_push(address, SL_PATH_ANYWHERE);
    } else if (r < 99 && list.n_handlers) {
        uint32_t level = (uint32_t)sl_random_below(seed, list.n_handlers);
        sl_path_stack_resume(s, level);
        list_resume(level);
    } else if (!sl_random_below(seed, 50)) {
        sl_path_stack_cut(s);
        list.counts.dropped += list.n - list.first;
        list.n = list.first = list.n_handlers = 0;
    }
}

static void test_stack(size_t size, bool spills, unsigned calls)
{
    struct sl_path_config config = {.stack = size, .overflow = spills};
    struct sl_path_stack stack;
    uint64_t seed = size + calls, steps = 0;
    size_t deepest = 0;
    memset(&list, 0, sizeof list);
    list.size = size;
    list.spills = spills;
    if (!sl_path_stack_init(&stack, &config))
        return;
    bool right = same(&stack);
    while (right && steps++ < STEPS) {
        step(&stack, &seed, calls);
        right = same(&stack);
        deepest = list.n - list.first > deepest ? list.n - list.first : deepest;
    }
    ok(right, "%zu entries%s, %u%% calls: as a plain list (%llu steps, depth %zu)", size,
       spills ? ", spilling" : "", calls, (unsigned long long)steps, deepest);
    ok(stack.out_of_memory == false && (spills || deepest <= size),
       "%zu entries%s: no more than fit", size, spills ? ", spilling" : "");
    sl_path_stack_free(&stack);
}

/* A signal handler has the state of the interrupted code again at its end. */
static void test_handler(void)
{
    struct sl_path_config config = {.stack = 8};
    struct sl_path_stack s;
    if (!sl_path_stack_init(&s, &config))
        return;
    sl_path_stack_push(&s, 1, 10);
    s.since = 5;
    s.from = 77;
    sl_path_stack_interrupt(&s, 200);
    ok(s.since == 0 && s.from == 200 && !sl_path_stack_empty(&s) &&
           *sl_path_stack_expected(&s) == SL_PATH_ANYWHERE,
       "a handler begins with its own path, which any return ends");
    s.since = 3;
    sl_path_stack_resume(&s, 0);
    ok(s.since == 5 && s.from == 77 && *sl_path_stack_expected(&s) == 10 && s.counts.dropped == 1,
       "at its end, the interrupted path continues");
    sl_path_stack_interrupt(&s, 200);
    sl_path_stack_unwind(&s, 10);
    s.since = 9;
    sl_path_stack_resume(&s, 0);
    ok(s.since == 9 && *sl_path_stack_expected(&s) == 10,
       "a handler that was left by a jump restores nothing");
    sl_path_stack_free(&s);
}

int main(void)
{
    static const size_t sizes[] = {1, 2, 5, 8, 33};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned spills = 0; spills < 2; spills++) {
            test_stack(sizes[i], spills, 45);
            test_stack(sizes[i], spills, 50);
        }
    test_handler();
    return done_testing();
}
