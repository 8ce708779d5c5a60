/* SPDX-License-Identifier: MIT */
/* Unit tests of the log in which a CPU model records the machine events of a chunk (machine_log.h),
 * and of sets of machine events (event_set.h). The entries of the log add up to the events of each
 * block and instruction, and the printed name of a set is parsed as the same set. */
#include "machine_log.h"

#include <string.h>

#include "op.h"
#include "random.h"
#include "tap.h"

#define BLOCKS 200u

/* Adds random events; about one in four changes. */
static void add_events(uint64_t *totals, uint64_t *seed)
{
    for (unsigned i = 0; i < SL_MACHINE_EVENTS; i++)
        if (!sl_random_below(seed, 4))
            totals[i] += 1 + sl_random_below(seed, 100);
}

static void event_log(void)
{
    static uint64_t wanted[BLOCKS][SL_FABRIC_COUNTERS];
    struct sl_event_log log = {0};
    uint64_t totals[SL_MACHINE_EVENTS] = {0}, before[SL_MACHINE_EVENTS], seed = 3;
    bool same = true, sparse = true;
    for (unsigned chunk = 0; chunk < 3; chunk++) {
        memset(wanted, 0, sizeof wanted);
        if (!sl_event_log_begin(&log, BLOCKS))
            abort();
        for (uint32_t b = 0; b < BLOCKS; b++) {
            memcpy(before, totals, sizeof before);
            add_events(totals, &seed);
            sl_event_log_add(&log, totals, b);
            for (unsigned i = 0; i < SL_FABRIC_COUNTERS; i++)
                wanted[b][i] = totals[sl_fabric[i]] - before[sl_fabric[i]];
            if (b % 3 == 0) { /* its branch was mispredicted, which is known only now */
                sl_event_log_add_late(&log, SL_MACHINE_WRONG_DIRECTION);
                totals[SL_MACHINE_WRONG_DIRECTION]++;
                for (unsigned i = 0; i < SL_FABRIC_COUNTERS; i++)
                    wanted[b][i] += sl_fabric[i] == SL_MACHINE_WRONG_DIRECTION;
            }
        }
        log.first[BLOCKS] = log.n;
        for (uint32_t b = 0; b < BLOCKS; b++) {
            uint64_t got[SL_FABRIC_COUNTERS] = {0};
            for (uint32_t i = log.first[b]; i < log.first[b + 1]; i++) {
                got[log.number[i]] += log.weight[i];
                sparse &= log.weight[i] != 0;
            }
            same &= !memcmp(got, wanted[b], sizeof got);
        }
    }
    ok(same, "event log: the entries of each block add up to its events, over several chunks");
    ok(sparse, "event log: no entry is zero");
    sl_event_log_free(&log);
}

static void op_log(void)
{
    struct sl_op_log log = {0};
    uint64_t totals[SL_MACHINE_EVENTS] = {0}, before[SL_MACHINE_EVENTS], seed = 4;
    bool same = true;
    if (!sl_op_log_begin(&log, 1))
        abort();
    for (uint32_t insn = 0; insn < 500; insn++) {
        size_t n = log.n;
        uint64_t got[SL_COST_KINDS] = {0};
        memcpy(before, totals, sizeof before);
        add_events(totals, &seed);
        sl_op_log_add(&log, totals, insn);
        for (; n < log.n; n++) {
            got[log.cost[n].kind] += log.cost[n].n;
            same &= log.cost[n].insn == insn && log.cost[n].n;
        }
        for (unsigned i = 0; i < SL_COST_KINDS; i++)
            same &= got[i] == totals[sl_cost_kinds[i]] - before[sl_cost_kinds[i]];
    }
    ok(same && !log.full, "op log: the entries of each instruction are its costs");
    size_t n = log.n;
    ok(sl_op_log_begin(&log, 0) && !log.n && sl_op_log_begin(&log, 1) && !log.n && n,
       "op log: each chunk begins empty");
    sl_op_log_begin(&log, 0);
    totals[SL_MACHINE_DMISS]++;
    sl_op_log_add(&log, totals, 7);
    ok(sl_op_log_begin(&log, 1) && log.n == 1 && log.cost[0].insn == 7,
       "op log: entries of a chunk without blocks go to the next chunk");
    sl_op_log_free(&log);
    bool named = true;
    for (unsigned i = 0; i < SL_COST_KINDS; i++)
        named &= !strcmp(sl_cause_name(i), sl_machine_event_names[sl_cost_kinds[i]].name);
    ok(named && !strcmp(sl_cause_name(SL_COST_KINDS), "?"), "op log: each kind of cost has a name");
}

/* Commits in order, at random times; the cycles since the previous commit add up to all cycles. */
static void commit_log(void)
{
    uint64_t seed = 5, before = 0, sum = 0, empty = 0;
    bool in_bounds = true;
    for (unsigned i = 0; i < 10000; i++) {
        uint64_t dispatched = before + sl_random_below(&seed, 6);
        uint64_t cycle = dispatched + 1 + sl_random_below(&seed, 9);
        bool flushed = sl_random_below(&seed, 2);
        struct sl_commit commit;
        sl_commit_record(&commit, before, dispatched, cycle, flushed);
        sum += commit.after;
        empty += commit.flushed;
        in_bounds &= commit.early == cycle - dispatched && commit.flushed < commit.after &&
                     (flushed || !commit.flushed);
        before = cycle;
    }
    ok(sum == before && empty && in_bounds,
       "commits: the cycles since the previous one add up, and contain those after a flush");
    uint32_t block[] = {1, 0, 1}, block_at[] = {0, 2, 7};
    struct sl_ops ops = {.block_at = block_at};
    struct sl_chunk chunk = {.n_blocks = 3, .block = block};
    struct sl_commit_log log = {0};
    ok(sl_commit_log_begin(&log, &ops, &chunk) && log.first[0] == 0 && log.first[1] == 5 &&
           log.first[2] == 7 && log.first[3] == 12 && log.commits_capacity >= 12,
       "commit log: every instruction of every block has an entry");
    sl_commit_log_free(&log);
}

static void event_set(void)
{
    uint64_t seed = 6, all = (UINT64_C(1) << SL_MACHINE_EVENTS) - 1;
    bool same = true, cut = true;
    for (unsigned i = 0; i < 2000; i++) {
        uint64_t set = sl_random_next(&seed) & sl_random_next(&seed) & all, back = 0;
        char name[2000], small[20];
        set |= UINT64_C(1) << sl_random_below(&seed, SL_MACHINE_EVENTS);
        sl_event_set_name(SL_EVENT_SET_PC | set, name, sizeof name);
        same &= sl_event_set_parse(&back, name, NULL) == 0 && back == set;
        sl_event_set_name(set, small, sizeof small);
        cut &= !strncmp(small, name, strlen(small)) && strlen(small) < sizeof small;
    }
    ok(same, "event sets: names parse back to the same set");
    ok(cut, "event sets: a name that does not fit is cut");
    struct sl_failure f = {0};
    uint64_t set;
    ok(sl_event_set_parse(&set, "dmiss+", &f) == SL_EUSAGE &&
           sl_event_set_parse(&set, "", &f) == SL_EUSAGE &&
           sl_event_set_parse(&set, "imiss+nosuch", &f) == SL_EUSAGE && strstr(f.text, "nosuch") &&
           strstr(f.text, "dmiss"),
       "event sets: an unknown name is refused with the known ones");
}

int main(void)
{
    event_log();
    op_log();
    commit_log();
    event_set();
    return done_testing();
}
