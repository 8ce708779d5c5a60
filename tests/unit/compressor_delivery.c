/* SPDX-License-Identifier: MIT */
/* Unit tests of the delivery of messages from a compressor to software: the queues before and after
 * the compressor, the check by which software finds instructions whose profile no longer changes
 * (has converged), and the filter that removes the events of these instructions. All are compared
 * with simple models that simulate every cycle. */
#include <stdint.h>

#include "../support/placed_table.h"
#include "random.h"
#include "tap.h"
#include "compressor.h"

#define N_EVENTS 6000u

static struct sl_event event[N_EVENTS];

/* Bursts of events, and pauses between them. */
static void make_stream(uint64_t seed, uint64_t values, unsigned pause)
{
    uint64_t now = 0;
    for (size_t i = 0; i < N_EVENTS; i++) {
        now += sl_random_below(&seed, 8) ? sl_random_below(&seed, 2)
                                         : sl_random_below(&seed, pause);
        event[i] = (struct sl_event){
            .tuple = {0x1000 + 4 * sl_random_below(&seed, 6), sl_random_below(&seed, values)},
            .weight = 1 + sl_random_below(&seed, 3),
            .time = now + 1};
    }
}

/* ---- a queue, cycle by cycle ---- */

/* Each cycle: who is done leaves; the next is begun; then those of this cycle come. */
struct plain_queue {
    uint64_t place[N_EVENTS]; /* when it came, in order */
    size_t head, n;           /* waiting */
    uint64_t busy;            /* cycles that the one in progress still takes */
    uint64_t now;
    struct sl_table_queue seen;
};

static void begin_next(struct plain_queue *q)
{
    if (q->busy || !q->n)
        return;
    uint64_t wait = q->now - q->place[q->head++];
    q->n--;
    q->seen.wait += wait;
    q->seen.wait_max = wait > q->seen.wait_max ? wait : q->seen.wait_max;
    q->busy = q->seen.service;
}

static void pass_to(struct plain_queue *q, uint64_t now)
{
    for (; q->now < now; q->now++) {
        if (q->busy)
            q->busy--;
        uint64_t next = q->now + 1, was = q->now;
        q->now = next;
        begin_next(q);
        q->now = was;
    }
}

static void come(struct plain_queue *q, uint64_t now, uint64_t weight)
{
    pass_to(q, now);
    q->seen.arrived++;
    if (!q->busy) {
        q->busy = q->seen.service;
    } else if (q->n == q->seen.capacity) {
        q->seen.lost++;
        q->seen.lost_weight += weight;
    } else {
        q->place[q->head + q->n++] = now;
        q->seen.late++;
        q->seen.max_length = q->n > q->seen.max_length ? q->n : q->seen.max_length;
    }
}

static bool same_queue(const struct sl_table_queue *a, const struct sl_table_queue *b)
{
    return a->capacity == b->capacity && a->service == b->service && a->arrived == b->arrived &&
           a->late == b->late && a->lost == b->lost && a->lost_weight == b->lost_weight &&
           a->max_length == b->max_length && a->wait == b->wait && a->wait_max == b->wait_max;
}

static void queues(void)
{
    static const uint64_t rooms[] = {1, 2, 5, 100}, services[] = {1, 2, 7, 40};
    bool same = true, late = false, lost = false;
    for (size_t i = 0; i < 16; i++) {
        static struct plain_queue plain;
        struct sl_service_queue fast = {
            .seen = {.capacity = rooms[i % 4], .service = services[i / 4]}};
        plain = (struct plain_queue){.seen = fast.seen};
        make_stream(i + 1, 9, 30);
        for (size_t k = 0; k < N_EVENTS; k++) {
            uint64_t turn;
            come(&plain, event[k].time, event[k].weight);
            sl_service_queue_arrive(&fast, event[k].time, event[k].weight, &turn);
        }
        pass_to(&plain, plain.now + 1000000); /* until no event waits */
        same &= same_queue(&plain.seen, &fast.seen);
        late |= fast.seen.late > 0;
        lost |= fast.seen.lost > 0;
    }
    ok(same && late && lost, "a queue is what it is cycle by cycle: late, lost, waits, places");
}

/* ---- in a compressor ---- */

static struct sl_table_status run(const char *spec, bool timed, struct entries *found)
{
    struct sl_table_host host = {.memory_bytes = 1 << 26};
    struct placed p = place(spec, &host);
    struct sl_table_status status;
    for (size_t i = 0; i < N_EVENTS; i++) {
        struct sl_event e = event[i];
        e.time = timed ? e.time : 0;
        sl_table_step(p.table, &e);
    }
    sl_table_finish(p.table);
    sl_table_status(p.table, &status);
    if (found)
        *found = drained(p.table, NULL);
    unplace(&p);
    return status;
}

static uint64_t accounted(const struct sl_table_status *s)
{
    return s->message_weight + s->residue + s->input.lost_weight + s->passed_weight;
}

static void conservation(void)
{
    static const char *const specs[] = {
        "P7(input=3)",
        "P7(input=2,pick=3)",
        "H[P5]16(input=4,service=9,queue=2)",
        "T2/16x64(input=3)",
        "A8(service=5,queue=1)",
        "CR5(input=1,pick=4)",
        "H[P3]64+A4(converge=5%,check=4,filter=3,input=2)",
        "P3(converge=50%,check=2,filter=2)",
    };
    bool kept = true, lost = false, passed = false;
    make_stream(5, 4, 30);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        struct sl_table_status s = run(specs[i], true, NULL);
        if (accounted(&s) != s.weight || !s.clocked)
            printf("# %s: %llu of %llu\n", specs[i], (unsigned long long)accounted(&s),
                   (unsigned long long)s.weight);
        kept &= accounted(&s) == s.weight;
        lost |= s.input.lost > 0;
        passed |= s.passed > 0;
    }
    ok(kept && lost && passed, "what is sent, held, lost and passed by is what came");
}

/* What is lost on the way to software is missing there, and nothing else. */
static void slow_software(void)
{
    struct entries all, some;
    make_stream(9, 4, 60);
    struct sl_table_status fast = run("P3", true, &all);
    struct sl_table_status slow = run("P3(service=40,queue=2)", true, &some);
    ok(slow.messages == fast.messages && slow.message_weight == fast.message_weight &&
           !slow.interrupts && fast.interrupts && slow.output.arrived == slow.messages,
       "slow software: the same is sent, without interrupts");
    ok(slow.output.lost && slow.output.late && slow.output.max_length == 2 &&
           counted(&all) - counted(&some) == slow.output.lost_weight,
       "slow software: what it lacks is what was lost");
    ok(slow.bounds == SL_BOUNDS_NONE && fast.bounds == SL_BOUNDS_95,
       "slow software: where something was lost there are no bounds");
    free(all.entry);
    free(some.entry);
}

/* By definition, from all times at which something was sent. */
static void gaps(void)
{
    uint64_t want[2][SL_GAPS] = {{0}}, last[2] = {0}, n = 0;
    make_stream(3, 4, 500);
    for (size_t i = 0; i < N_EVENTS; i++)
        event[i].weight = 1;
    for (size_t i = 6; i < N_EVENTS; i += 7, n++) /* what P7 selects */
        for (int timed = 0; timed < 2; timed++) {
            uint64_t now = timed ? event[i].time : i + 1, gap = now - last[timed], bits = 0;
            for (; gap; gap >>= 1)
                bits++;
            want[timed][bits] += n > 0;
            last[timed] = now;
        }
    for (int timed = 0; timed < 2; timed++) {
        struct sl_table_status s = run("P7", timed, NULL);
        ok(s.messages == n && s.clocked == timed && !memcmp(s.gap, want[timed], sizeof s.gap),
           "gaps between messages are counted in %s", timed ? "cycles" : "events");
    }
}

/* ---- convergence ---- */

#define SITES 6u

/* P1 and a queue without waiting: each event is a message that is read at once. */
static void convergence(double near, const char *spec)
{
    uint64_t count[SITES][4] = {{0}};
    uint64_t messages[SITES] = {0}, all[SITES] = {0}, passed[SITES] = {0}, n_filtered = 0;
    uint64_t n_converged = 0, by[SITES][4] = {{0}};
    double share[SITES];
    bool checked[SITES] = {false}, converged[SITES] = {false}, filtered[SITES] = {false};
    make_stream(11, 4, 30);
    for (size_t i = 0; i < N_EVENTS; i++) {
        size_t at = (event[i].tuple.pc - 0x1000) / 4, v = event[i].tuple.value;
        event[i].weight = 1;
        if (filtered[at]) {
            passed[at]++;
            continue;
        }
        count[at][v]++;
        all[at]++;
        if (++messages[at] % 32 || converged[at])
            continue;
        uint64_t largest = 0;
        for (size_t k = 0; k < 4; k++)
            largest = count[at][k] > largest ? count[at][k] : largest;
        double now = (double)largest / (double)all[at];
        converged[at] = checked[at] && now - share[at] <= near && share[at] - now <= near;
        n_converged += converged[at];
        filtered[at] = converged[at] && n_filtered < 4;
        n_filtered += filtered[at];
        checked[at] = true;
        share[at] = now;
    }
    struct entries got;
    struct sl_table_status s = run(spec, false, &got);
    uint64_t sum = 0;
    bool right = s.converged == n_converged && s.filtered == n_filtered && n_filtered == 4;
    for (size_t at = 0; at < SITES; at++)
        sum += passed[at];
    for (size_t i = 0; i < got.n; i++) {
        size_t at = (got.entry[i].tuple.pc - 0x1000) / 4, v = got.entry[i].tuple.value;
        by[at][v] = got.entry[i].count;
    }
    for (size_t at = 0; at < SITES; at++)
        for (size_t v = 0; v < 4; v++)
            right &= by[at][v] == count[at][v] + passed[at] * count[at][v] / all[at];
    ok(right && s.passed == sum && sum > 0,
       "%s: instructions converge and are filtered, and shared out, as the plain form has it",
       spec);
    ok(n_converged > n_filtered, "a filter that is full leaves the others in");
    free(got.entry);
}

/* ---- by batches ---- */

static bool same_by_batch(const char *spec)
{
    static uint32_t tuple_id[N_EVENTS];
    static uint64_t pc[N_EVENTS], value[N_EVENTS], weight[N_EVENTS], time[N_EVENTS];
    struct sl_table_host host = {.memory_bytes = 1 << 26, .names = N_EVENTS};
    struct placed steps = place(spec, &host), batches = place(spec, &host);
    struct sl_table_status a, b;
    uint64_t seed = 3;
    struct sl_tuple_names names = {pc, NULL, N_EVENTS};
    for (uint32_t i = 0; i < N_EVENTS; i++) {
        tuple_id[i] = i;
        pc[i] = event[i].tuple.pc;
        value[i] = event[i].tuple.value;
        weight[i] = event[i].weight;
        time[i] = event[i].time;
        event[i].tuple_id = i;
    }
    step_all(&steps, event, N_EVENTS);
    for (size_t at = 0, n; at < N_EVENTS; at += n) {
        n = uneven(&seed, N_EVENTS - at);
        struct sl_batch batch = {n,      tuple_id + at, value + at, weight + at,
                                 &names, NULL,          0,          time + at};
        sl_table_observe(batches.table, &batch);
    }
    sl_table_status(steps.table, &a);
    sl_table_status(batches.table, &b);
    bool same = same_status(&a, &b) && same_queue(&a.input, &b.input) && a.clocked && b.clocked &&
                same_queue(&a.output, &b.output) && !memcmp(a.gap, b.gap, sizeof a.gap) &&
                a.passed == b.passed && same_drained(steps.table, batches.table, NULL);
    unplace(&steps);
    unplace(&batches);
    return same;
}

static void by_batch(void)
{
    static const char *const specs[] = {
        "P7",
        "R7",
        "H[P5]16+A4",
        "T2/16x64",
        "A8",
        "P7(input=3)",
        "H[P5]16(service=9,queue=2)",
        "H[P3]64(converge=5%,check=4,filter=3,input=2)",
    };
    bool same = true;
    make_stream(21, 4, 30);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        if (!same_by_batch(specs[i])) {
            printf("# %s\n", specs[i]);
            same = false;
        }
    ok(same, "batches with times are their events one by one");
}

int main(void)
{
    queues();
    conservation();
    slow_software();
    gaps();
    convergence(0.01, "P1(service=1,queue=1000,converge=1%,check=32,filter=4)");
    convergence(0.6, "P1(service=1,queue=1000,converge=60%,check=32,filter=4)");
    by_batch();
    return done_testing();
}
