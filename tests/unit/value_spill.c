/* SPDX-License-Identifier: MIT */
/* Unit tests of the exact table that moves entries to a file when its memory is full. It returns
 * the same entries as a table with enough memory, however small its memory is and whenever it is
 * read. Events that cannot be written to the file are dropped and counted. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "random.h"
#include "support/placed_table.h"
#include "tap.h"
#include "value_counts.h"

#define N 120000u
#define N_INSNS 50u

static uint32_t tuple_id[N];
static uint64_t value[N], weight[N], pc[N_INSNS];
static const struct sl_tuple_names names = {pc, NULL, N_INSNS};
static char directory[4096];

static void make_stream(void)
{
    uint64_t seed = 7;
    for (size_t i = 0; i < N_INSNS; i++)
        pc[i] = 0x400000 + 4 * i;
    for (size_t i = 0; i < N; i++) {
        uint64_t draw = sl_random_below(&seed, 10);
        tuple_id[i] = (uint32_t)sl_random_below(&seed, N_INSNS);
        value[i] = draw < 3   ? 0
                   : draw < 6 ? sl_random_below(&seed, 3000)
                              : sl_random_next(&seed) >> 20;
        weight[i] = sl_random_below(&seed, 5);
    }
    weight[17] = weight[N - 17] = UINT64_C(1) << 40; /* more than a slot can hold */
    tuple_id[N - 17] = tuple_id[17];
    value[N - 17] = value[17];
}

static struct placed open_exact(uint64_t memory, const char *spill_directory)
{
    return place("exact", &(struct sl_table_host){.memory_bytes = memory,
                                                  .spill_directory = spill_directory});
}

/* In uneven batches; it is drained on the way after each `every` of them. */
static void feed(struct sl_table *table, bool weights, size_t every)
{
    size_t batches = 0;
    for (size_t at = 0, n; at < N; at += n) {
        n = 1 + at % 3777;
        n = n < N - at ? n : N - at;
        struct sl_batch batch = {.n = n,
                                 .tuple_id = tuple_id + at,
                                 .value = value + at,
                                 .weight = weights ? weight + at : NULL,
                                 .names = &names};
        sl_table_observe(table, &batch);
        if (every && ++batches % every == 0) {
            struct entries some = drained(table, &names);
            free(some.entry);
        }
    }
    sl_table_finish(table);
}

static void compare(uint64_t memory, bool weights, size_t every)
{
    struct placed all = open_exact(UINT64_C(1) << 30, NULL), little = open_exact(memory, directory);
    struct sl_table_status wanted, status;
    feed(all.table, weights, 0);
    feed(little.table, weights, every);
    struct entries a = drained(all.table, &names), b = drained(little.table, &names);
    struct entries again = drained(little.table, &names);
    sl_table_status(all.table, &wanted);
    sl_table_status(little.table, &status);
    ok(same_entries(&a, &b), "%llu bytes, %s, %s: every tuple and count is as without a limit",
       (unsigned long long)memory, weights ? "weights" : "units",
       every ? "drained on the way" : "drained at the end");
    ok(same_entries(&b, &again), "and the same when it is drained again");
    ok(status.distinct == wanted.distinct && status.events == wanted.events &&
           status.weight == wanted.weight && !status.drops && !status.failed && !status.note[0],
       "and so is its status");
    free(a.entry);
    free(b.entry);
    free(again.entry);
    unplace(&all);
    unplace(&little);
}

/* As on a full disk: files may not grow beyond a limit. */
static void limit_files(rlim_t most)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = most;
    setrlimit(RLIMIT_FSIZE, &limit);
}

static void refused(uint64_t bytes)
{
    struct placed all = open_exact(UINT64_C(1) << 30, NULL), little = open_exact(100000, directory);
    struct sl_table_status status;
    uint64_t kept = 0;
    size_t unknown = 0, j = 0;
    feed(all.table, true, 0);
    limit_files(bytes);
    feed(little.table, true, bytes ? 20 : 0);
    limit_files(RLIM_INFINITY);
    struct entries a = drained(all.table, &names), b = drained(little.table, &names);
    for (size_t i = 0; i < b.n; i++) {
        while (j < a.n && memcmp(&a.entry[j].tuple, &b.entry[i].tuple, sizeof(struct sl_tuple)))
            j++;
        unknown += j == a.n || b.entry[i].count > a.entry[j].count;
        kept += b.entry[i].count;
    }
    sl_table_status(little.table, &status);
    ok(status.failed && status.drops && strstr(status.note, directory) &&
           strstr(status.note, strerror(EFBIG)),
       "files of %llu bytes: it says what was refused", (unsigned long long)bytes);
    ok(kept + status.drops_weight == status.weight, "what is kept and dropped is everything");
    ok(!unknown, "no tuple is invented or counted too often");
    ok(b.n * sizeof(struct sl_value_slot) > bytes,
       "what was written and what is in memory is there");
    free(a.entry);
    free(b.entry);
    unplace(&all);
    unplace(&little);
}

static void sorts(void)
{
    uint64_t n = 5000, wrong = 0;
    struct sl_value_slot *slot = calloc(n, sizeof *slot);
    for (uint64_t i = 0; i < n; i++) /* the last are the lowest, and some are equal in value */
        slot[i] = (struct sl_value_slot){(n - i) / 2, (i % 2 + 1) << SL_VALUE_COUNT_BITS | i};
    sl_spill_sort(slot, n);
    for (uint64_t i = 1; i < n; i++)
        wrong += sl_value_hash(sl_value_insn(&slot[i - 1]), slot[i - 1].value) >
                 sl_value_hash(sl_value_insn(&slot[i]), slot[i].value);
    ok(!wrong, "slots are sorted by hash");
    free(slot);
}

int main(void)
{
    const char *parent = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%.3000s/sluice-spill-XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(directory))
        return 1;
    signal(SIGXFSZ, SIG_IGN);
    make_stream();
    sorts();
    ok(!sl_spill_try(directory), "a directory can be tried");
    ok(sl_spill_try("/nowhere/at/all") == ENOENT, "and one that is not there is refused");
    compare(0, false, 0); /* the least there is: many runs, which become one now and then */
    compare(100000, true, 0);
    compare(300000, false, 7);
    compare(100000, true, 1);
    compare(1 << 20, true, 3);
    refused(0);
    refused(400000);
    ok(!rmdir(directory), "no file is left in the directory");
    return done_testing();
}
