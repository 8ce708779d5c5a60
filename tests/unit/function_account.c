/* SPDX-License-Identifier: MIT */
/* Unit tests of inclusive function costs. The weight of each event is charged once to every
 * function on the call stack. With the option `twice`, a function that is on the stack several
 * times (recursion) is charged several times. */
#include "function_account.h"

#include <stdlib.h>
#include <string.h>

#include "index_map.h"
#include "random.h"
#include "tap.h"

#define N_FUNCTIONS 40u
#define DEPTH_MAX 200u

static uint32_t tuple_id[SL_EVENTS_MAX];
static uint64_t weight[SL_EVENTS_MAX];
static uint64_t wanted[N_FUNCTIONS], got[N_FUNCTIONS], n_events;

/* Adds the new events to the counts, then leaves only `capacity` free slots in `out`. */
static void count_events(struct sl_events *out, size_t from, size_t capacity)
{
    for (size_t i = from; i < out->n; i++)
        got[tuple_id[i]] += weight[i];
    n_events += out->n - from;
    out->n = SL_EVENTS_MAX - capacity;
}

enum payers { EXECUTING, ONCE, TWICE };
static const char *const payers_name[] = {"the one that executes", "those that called, too",
                                          "those that called, each time"};

static void execute(const uint32_t *stack, size_t depth, uint64_t w, enum payers payers)
{
    bool charged[N_FUNCTIONS] = {false};
    for (size_t i = payers ? 0 : depth - 1; i < depth; i++) {
        wanted[stack[i]] += charged[stack[i]] && payers != TWICE ? 0 : w;
        charged[stack[i]] = true;
    }
}

/* Compares random calls, returns over several levels and changes of function with the definition.
 * There is space for `capacity` events in each step. */
static void compare(enum payers payers, size_t capacity)
{
    uint32_t stack[DEPTH_MAX] = {0};
    size_t depth = 1;
    struct sl_account a = {.inclusive = payers != EXECUTING, .twice = payers == TWICE};
    struct sl_account_thread t = {0};
    struct sl_events out = {.n = SL_EVENTS_MAX - capacity, .tuple_id = tuple_id, .weight = weight};
    struct sl_account_out to = {&out, 0};
    uint64_t seed = 17, all = 0;
    memset(wanted, 0, sizeof wanted);
    memset(got, 0, sizeof got);
    n_events = 0;
    sl_account_enter(&a, &t, 0);
    for (unsigned step = 0; step < 100000; step++) {
        uint64_t w = sl_random_below(&seed, 10);
        uint32_t other = (uint32_t)sl_random_below(&seed, N_FUNCTIONS), now = stack[depth - 1];
        size_t levels = 1 + sl_random_below(&seed, step % 100 ? 1 : 150);
        execute(stack, depth, w, payers);
        t.weight += w;
        all += w;
        sl_account_charge(&a, &t, now, to);
        switch (sl_random_below(&seed, 3)) {
        case 0:
            if (depth < DEPTH_MAX) {
                sl_account_enter(&a, &t, other);
                stack[depth++] = other;
            }
            break;
        case 1:
            for (; levels && depth > 1; levels--)
                sl_account_leave(&a, &t, stack[--depth], to);
            break;
        default:
            sl_account_enter(&a, &t, other);
            sl_account_leave(&a, &t, now, to);
            stack[depth - 1] = other;
        }
        count_events(&out, SL_EVENTS_MAX - capacity, capacity);
    }
    while (depth)
        sl_account_leave(&a, &t, stack[--depth], to);
    bool held = a.n_held > 0;
    do {
        sl_account_finish(&a, to);
        count_events(&out, SL_EVENTS_MAX - capacity, capacity);
    } while (a.n_held);
    ok(!memcmp(wanted, got, sizeof got) && wanted[1] && n_events < 110000,
       "%s, space for %zu events: every function is charged its weight", payers_name[payers],
       capacity);
    ok(held == (payers && capacity < 2), "%s had to wait", held ? "some" : "none");
    ok(!payers || t.weight == all, "all is known");
    free(a.held);
    free(t.presence);
}

int main(void)
{
    for (enum payers payers = EXECUTING; payers <= TWICE; payers++) {
        compare(payers, SL_EVENTS_MAX);
        compare(payers, 1);
    }

    struct sl_account a = {.inclusive = true};
    struct sl_account_thread t = {.weight = 5};
    struct sl_events out = {.tuple_id = tuple_id, .weight = weight};
    sl_account_enter(&a, &t, SL_NO_INDEX);
    sl_account_leave(&a, &t, SL_NO_INDEX, (struct sl_account_out){&out, 0});
    sl_account_leave(&a, &t, 3, (struct sl_account_out){&out, 0});
    ok(!out.n && !t.presence, "an absent function is charged nothing");
    return done_testing();
}
