/* SPDX-License-Identifier: MIT */
/* Unit tests of the function profiler SnoopP. Its counts are compared with a linear search of all
 * its address ranges, and the address ranges with the symbols from which they are derived. */
#include <string.h>

#include "image.h"
#include "support/function_list.h"
#include "support/placed_table.h"
#include "table.h"
#include "tap.h"

#define N_FUNCTIONS 200u
#define N_TUPLES 3000u
#define N_EVENTS 100000u

static struct sl_function_list list;
static uint64_t pc[N_TUPLES], second[N_TUPLES];
static uint32_t tuple_id[N_EVENTS];
static uint64_t weight[N_EVENTS];
static uint64_t sum[N_FUNCTIONS], all, strangers, of_strangers;
static const struct sl_tuple_names names = {pc, second, N_TUPLES};

/* The function that has the address; list.n if none has. */
static size_t function_of(uint64_t address)
{
    for (size_t i = 0; i < list.n_pieces; i++)
        if (list.piece[i].start <= address && address < list.piece[i].end)
            return list.piece[i].function;
    return list.n;
}

static void make_events(void)
{
    uint64_t seed = 5;
    list = make_list(N_FUNCTIONS, 0x10000, 3);
    uint64_t end = list.piece[list.n_pieces - 1].end;
    for (size_t i = 0; i < N_TUPLES; i++)
        pc[i] = 0xf000 + sl_random_below(&seed, end + 0x1000 - 0xf000);
    pc[0] = list.piece[0].start;
    pc[1] = list.piece[0].start - 1;
    pc[2] = end - 1;
    pc[3] = end;
    pc[4] = 0;
    pc[5] = UINT64_MAX;
    for (size_t i = 0; i < N_EVENTS; i++) {
        tuple_id[i] = (uint32_t)sl_random_below(&seed, N_TUPLES);
        weight[i] = sl_random_below(&seed, 90);
        size_t function = function_of(pc[tuple_id[i]]);
        all += weight[i];
        if (function < list.n) {
            sum[function] += weight[i];
        } else {
            strangers++;
            of_strangers += weight[i];
        }
    }
}

static struct placed open_table(const char *spec, size_t n_names,
                                const struct sl_function_list *functions)
{
    struct sl_table_host host = {.functions = functions, .names = n_names};
    return place(spec, &host);
}

static void observe_all(struct placed *p)
{
    uint64_t seed = 9;
    for (size_t at = 0; at < N_EVENTS;) {
        size_t n = uneven(&seed, N_EVENTS - at);
        struct sl_batch batch = {n, tuple_id + at, NULL, weight + at, &names, NULL, 0, NULL};
        sl_table_observe(p->table, &batch);
        at += n;
    }
}

static void plain_sums(size_t n_names)
{
    struct sl_table_status s;
    struct placed p = open_table("snoopp", n_names, &list);
    observe_all(&p);
    sl_table_status(p.table, &s);
    struct entries got = drained(p.table, NULL);
    size_t busy = 0, right = 0;
    for (size_t i = 0; i < list.n; i++)
        busy += sum[i] != 0;
    for (size_t i = 0; i < got.n; i++) {
        size_t function = function_of(got.entry[i].tuple.pc);
        right += function < list.n && list.start[function] == got.entry[i].tuple.pc &&
                 got.entry[i].count == sum[function];
    }
    ok(got.n == busy && right == busy && s.distinct == busy && busy > 100,
       "space for %zu names: every function has what happened between its first and last address",
       n_names);
    ok(strangers && s.drops == strangers && s.drops_weight == of_strangers &&
           counted(&got) + of_strangers == all && s.weight == all,
       "space for %zu names: what happened in no function is dropped and counted", n_names);
    free(got.entry);
    unplace(&p);
}

static void same_by_steps(const char *spec)
{
    struct sl_table_status s, stepped;
    struct placed p = open_table(spec, N_TUPLES, &list), q = open_table(spec, 0, &list);
    struct sl_batch batch = {N_EVENTS, tuple_id, NULL, weight, &names, NULL, 0, NULL};
    observe_all(&p);
    for (size_t i = 0; i < N_EVENTS; i++) {
        struct sl_event event = sl_batch_event(&batch, i);
        sl_table_step(q.table, &event);
    }
    sl_table_status(p.table, &s);
    sl_table_status(q.table, &stepped);
    ok(same_drained(p.table, q.table, NULL) && same_status(&s, &stepped),
       "%s: a batch is its events one by one", spec);
    unplace(&p);
    unplace(&q);
}

static void filled_later(void)
{
    static struct sl_function_list late;
    struct sl_table_status s;
    struct placed p = open_table("snoopp", N_TUPLES, &late);
    observe_all(&p);
    late = list;
    observe_all(&p);
    sl_table_status(p.table, &s);
    struct entries got = drained(p.table, NULL);
    ok(counted(&got) == all - of_strangers && s.drops == N_EVENTS + strangers,
       "functions that come later are counted from then on");
    free(got.entry);
    unplace(&p);
}

static void storage(void)
{
    struct sl_table_status s;
    struct placed p = open_table("snoopp(bits=20)", 0, &list);
    sl_table_status(p.table, &s);
    ok(s.storage_bits == list.n_pieces * (2 * 32 + 20), "two comparators and a counter a range");
    unplace(&p);
    struct sl_function_list high = make_list(10, UINT64_C(0x4000000000), 3);
    p = open_table("snoopp", 0, &high);
    sl_table_status(p.table, &s);
    ok(s.storage_bits == high.n_pieces * (2 * 64 + 32), "above 4 GB these are wider");
    unplace(&p);
    free_list(&high);
}

/* What a file's symbols report of an address is what its list says, at every instruction that
 * may begin or end something. */
static void real_list(void)
{
    struct sl_elf_reader reader = {0};
    struct sl_image *image = sl_image_open(&reader, "/proc/self/exe");
    struct sl_function_table *functions = sl_image_functions(image);
    const uint64_t bias = 0x5000000000;
    free_list(&list);
    bool good = sl_functions_list(functions, bias, &list) && list.n > 100;
    for (size_t i = 1; good && i < list.n; i++)
        good = list.start[i - 1] < list.start[i];
    for (size_t i = 1; good && i < list.n_pieces; i++)
        good = list.piece[i - 1].end <= list.piece[i].start;
    for (size_t i = 0; good && i < functions->n; i++)
        for (int k = 0; k < 6; k++) {
            uint64_t at = (k < 3 ? functions->function[i].start : functions->function[i].end) +
                          (uint64_t)(k % 3) - 1;
            const struct sl_function *there = sl_function_at(functions, at);
            size_t found = function_of(at + bias);
            good = good && (there ? found < list.n && list.start[found] == there->start + bias
                                  : found == list.n);
        }
    ok(good, "the list of this program's functions reports of addresses what its symbols say");
    ok(!sl_image_stripped(image) && list.n_pieces >= list.n, "which it has all of");
    sl_image_close(image);
    sl_elf_reader_free(&reader);
}

int main(void)
{
    make_events();
    plain_sums(0);
    plain_sums(N_TUPLES / 2);
    plain_sums(N_TUPLES);
    same_by_steps("snoopp");
    same_by_steps("snoopp(bits=8)");
    same_by_steps("snoopp(bits=8,shift=1)");
    filled_later();
    storage();
    real_list();
    free_list(&list);
    return done_testing();
}
