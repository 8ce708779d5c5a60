/* SPDX-License-Identifier: MIT */
/* Unit tests of the compressors: every event is counted. On random, skewed and adversarial streams,
 * the events in the messages and those still in the compressor add up to all events at every
 * moment. The sampler P sends every n-th event, H[P] every n-th event of each substream, and the
 * table A counts exactly. A second table A after the first component changes no tuple's total
 * (pipeline.h has the notation). */
#include <math.h>
#include <stdint.h>

#include "../support/placed_table.h"
#include "byte_hash.h"
#include "random.h"
#include "tap.h"

#define N_EVENTS 20000u
#define N_SHORT 400u /* events after each of which all is added up */

static struct sl_event event[N_EVENTS];

/* ---- streams ---- */

static uint64_t seed;

static struct sl_tuple uniform(void)
{
    return (struct sl_tuple){0x1000 + 4 * sl_random_below(&seed, 50), sl_random_below(&seed, 20)};
}

/* Half of all one tuple, a quarter another, and so on. */
static struct sl_tuple skewed(void)
{
    uint64_t draw = sl_random_next(&seed) | UINT64_C(1) << 40;
    return (struct sl_tuple){0x1000, (uint64_t)__builtin_ctzll(draw)};
}

static struct sl_tuple single(void)
{
    return (struct sl_tuple){0x1000, 42};
}

static struct sl_tuple distinct(void)
{
    return (struct sl_tuple){0x1000, sl_random_next(&seed)};
}

/* Tuples of the same index in a table of 16 and the same low tag bits. */
static struct sl_tuple aliased(void)
{
    static struct sl_tuple found[64];
    static size_t n;
    uint8_t table[256];
    sl_byte_table(table, 1, 0);
    for (uint64_t value = 0; n < 64; value += 16)
        if (sl_byte_hash(table, 4, 0x1000, value) == 3)
            found[n++] = (struct sl_tuple){0x1000, value};
    return found[sl_random_below(&seed, 64)];
}

static const struct {
    const char *name;
    struct sl_tuple (*draw)(void);
} streams[] = {{"random", uniform},
               {"skewed", skewed},
               {"one tuple", single},
               {"all distinct", distinct},
               {"aliased", aliased}};
#define N_STREAMS (sizeof streams / sizeof *streams)

static void make_stream(size_t which, bool weights)
{
    seed = which + 1;
    for (size_t i = 0; i < N_EVENTS; i++)
        event[i] = (struct sl_event){
            .tuple = streams[which].draw(),
            .weight = weights ? sl_random_below(&seed, 40) * sl_random_below(&seed, 2) : 1};
}

/* ---- conservation ---- */

static const char *const exactly[] = {
    "P1",
    "P7",
    "P256",
    "CR1",
    "CR7",
    "CR64",
    "A1",
    "A5",
    "A64",
    "A3(width=3)",
    "T2/256x16",
    "T2/16x16w2",
    "G4/16x16",
    "G1/2x4k5",
    "G4/8x16+A4",
    "T4/8x16w4",
    "T1/2x4",
    "T1/3x1",
    "T16/65536x64w64",
    "H[P10]1",
    "H[P10]16",
    "H[P256]2048",
    "H[CR10]16",
    "H[A2]16",
    "H[A1]1",
    "P7+A4",
    "P7+A4+A2",
    "CR7+A4",
    "A4+A8",
    "H[P10]16+A4",
    "H[P10]16+A1+A1+A1+A1(width=5)",
    "H[CR10]16+A4",
    "H[A2]16+A16",
    "T2/16x16w2+A4",
};

static bool adds_up(const struct sl_table_status *s)
{
    return s->weight == s->message_weight + s->residue;
}

static void conserve(const char *spec)
{
    bool always = true, at_end = true, reported = true;
    for (size_t k = 0; k < 2 * N_STREAMS; k++) {
        struct sl_table_host host = {.memory_bytes = 1 << 26};
        struct placed p = place(spec, &host);
        struct sl_table_status s = {0};
        uint64_t weight = 0, sent = 0, resident = 0;
        make_stream(k / 2, k % 2);
        for (size_t i = 0; i < N_EVENTS; i++) {
            sl_table_step(p.table, &event[i]);
            weight += event[i].weight;
            if (i < N_SHORT) {
                sl_table_status(p.table, &s);
                always &= adds_up(&s) && s.events == i + 1 && s.weight == weight;
            }
        }
        sl_table_status(p.table, &s);
        at_end &= adds_up(&s) && s.weight == weight;
        struct entries all = drained(p.table, NULL);
        for (size_t i = 0; i < all.n; i++) {
            sent += all.entry[i].count - all.entry[i].resident;
            resident += all.entry[i].resident;
        }
        reported &= sent == s.message_weight && resident <= s.residue && all.n == s.distinct;
        free(all.entry);
        unplace(&p);
    }
    ok(always && at_end, "%s: messages and residue are the events, at every moment", spec);
    ok(reported, "%s: what is drained is what was sent, and what A holds", spec);
}

/* R and RD add up in expectation: within 5 standard deviations. */
static void conserve_on_average(const char *spec, double rate, double variance, double substreams)
{
    struct sl_table_status s;
    struct sl_table_host host = {.memory_bytes = 1 << 26};
    struct placed p = place(spec, &host);
    for (size_t k = 0; k < 2 * N_STREAMS; k++) {
        make_stream(k / 2, k % 2);
        step_all(&p, event, N_EVENTS);
    }
    sl_table_status(p.table, &s);
    double off = (double)s.message_weight - (double)s.weight;
    double sigma = sqrt(variance * (double)s.weight);
    ok(fabs(off) < 5 * sigma + substreams * rate,
       "%s: messages are the events within 5 standard deviations of %.0f (off by %.0f)", spec,
       sigma, off);
    unplace(&p);
}

/* ---- the plain definition of P and H[P] ---- */

static bool as_defined(size_t which, unsigned bits, uint64_t rate)
{
    char spec[60];
    struct inbox got = {0}, want = {0};
    struct sl_table_host host = {.deliver = keep_messages, .context = &got};
    uint64_t counter[256] = {0};
    uint8_t table[256];
    snprintf(spec, sizeof spec, "H[P%u]%u", (unsigned)rate, 1u << bits);
    struct placed p = place(bits ? spec : "P10", &host);
    make_stream(which, false);
    sl_byte_table(table, 1, 0);
    for (size_t i = 0; i < N_EVENTS; i++) {
        struct sl_tuple t = event[i].tuple;
        uint32_t stream = sl_byte_hash(table, bits, t.pc, t.value);
        sl_table_step(p.table, &event[i]);
        if (++counter[stream] % rate == 0)
            keep_messages(&want, &(struct sl_message){t, rate, 1, stream}, 1);
    }
    sl_table_finish(p.table);
    bool same = same_messages(&got, &want);
    free(got.message);
    free(want.message);
    unplace(&p);
    return same;
}

static void defined(void)
{
    bool plain = true, split = true;
    for (size_t k = 0; k < N_STREAMS; k++) {
        plain &= as_defined(k, 0, 10);
        split &= as_defined(k, 4, 10) && as_defined(k, 8, 3);
    }
    ok(plain, "P10 sends every tenth element");
    ok(split, "H[P] sends every r-th element of those with the same hash");
}

/* ---- A ---- */

static void lossless(const char *spec)
{
    bool exact = true;
    for (size_t k = 0; k < 2 * N_STREAMS; k++) {
        struct sl_table_host host = {.memory_bytes = 1 << 26};
        struct placed p = place(spec, &host), reference = place("exact", &host);
        struct sl_table_status s;
        make_stream(k / 2, k % 2);
        /* The exact table counts by tuple id: the pc's distance from the first. */
        static uint64_t pc[N_EVENTS], value[N_EVENTS];
        for (size_t i = 0; i < N_EVENTS; i++) {
            sl_table_step(p.table, &event[i]);
            struct sl_event numbered = event[i];
            numbered.tuple_id = (uint32_t)(event[i].tuple.pc - 0x1000);
            pc[numbered.tuple_id] = event[i].tuple.pc;
            if (event[i].weight)
                sl_table_step(reference.table, &numbered);
        }
        struct sl_tuple_names names = {pc, value, N_EVENTS};
        struct entries got = drained(p.table, NULL), want = drained(reference.table, &names);
        exact &= got.n == want.n;
        for (size_t i = 0; i < got.n && exact; i++)
            exact &= !by_tuple(&got.entry[i], &want.entry[i]) &&
                     got.entry[i].count == want.entry[i].count &&
                     got.entry[i].low == got.entry[i].count &&
                     got.entry[i].high == got.entry[i].low;
        sl_table_status(p.table, &s);
        exact &= s.bounds == SL_BOUNDS_CERTAIN;
        free(got.entry);
        free(want.entry);
        unplace(&p);
        unplace(&reference);
    }
    ok(exact, "%s: every count is exact, and said to be", spec);
}

static void no_sum_changes(const char *plain, const char *with)
{
    bool same = true, fewer = true;
    for (size_t k = 0; k < 2 * N_STREAMS; k++) {
        struct sl_table_host host = {.memory_bytes = 1 << 26};
        struct placed a = place(plain, &host), b = place(with, &host);
        struct sl_table_status sa, sb;
        make_stream(k / 2, k % 2);
        step_all(&a, event, N_EVENTS);
        step_all(&b, event, N_EVENTS);
        struct entries ea = drained(a.table, NULL), eb = drained(b.table, NULL);
        same &= ea.n == eb.n;
        for (size_t i = 0; i < ea.n && same; i++)
            same &= !by_tuple(&ea.entry[i], &eb.entry[i]) &&
                    ea.entry[i].count == eb.entry[i].count && !ea.entry[i].resident;
        sl_table_status(a.table, &sa);
        sl_table_status(b.table, &sb);
        fewer &= sb.messages <= sa.messages;
        free(ea.entry);
        free(eb.entry);
        unplace(&a);
        unplace(&b);
    }
    ok(same && fewer, "%s has the sums of %s, with no more messages", with, plain);
}

/* ---- seeds ---- */

static struct inbox sent_by(const char *notation, unsigned with_seed)
{
    char spec[80];
    struct inbox got = {0};
    struct sl_table_host host = {.deliver = keep_messages, .context = &got};
    snprintf(spec, sizeof spec, "%s(seed=%u)", notation, with_seed);
    struct placed p = place(spec, &host);
    step_all(&p, event, N_EVENTS);
    sl_table_finish(p.table);
    unplace(&p);
    return got;
}

static void seeds(void)
{
    const char *const depends[] = {"R10",      "RD10",    "CR10",      "H[P10]16",
                                   "H[R10]16", "H[A2]16", "T2/16x16w2"};
    make_stream(0, false);
    for (size_t i = 0; i < sizeof depends / sizeof *depends; i++) {
        struct inbox a = sent_by(depends[i], 1), b = sent_by(depends[i], 1);
        struct inbox c = sent_by(depends[i], 2);
        ok(a.n && same_messages(&a, &b) && !same_messages(&a, &c),
           "%s: the same messages from the same seed, others from another", depends[i]);
        free(a.message);
        free(b.message);
        free(c.message);
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof exactly / sizeof *exactly; i++)
        conserve(exactly[i]);
    conserve_on_average("R1", 1, 0, 1);
    conserve_on_average("R10", 10, 9, 0);
    conserve_on_average("R5000", 5000, 4999, 0);
    conserve_on_average("H[R10]16+A4", 10, 9, 4 * 149);
    conserve_on_average("RD10", 10, 3, 1);
    conserve_on_average("H[RD10]16", 10, 3, 16);
    defined();
    lossless("A1");
    lossless("A64");
    lossless("A3(width=3)");
    lossless("H[A2]16");
    lossless("A4+A8");
    no_sum_changes("P7", "P7+A16");
    no_sum_changes("R7", "R7+A16");
    no_sum_changes("CR7", "CR7+A4+A8");
    no_sum_changes("CR7(estimate=ratio)", "CR7+A16(estimate=ratio)");
    no_sum_changes("H[CR10]16(estimate=ratio)", "H[CR10]16+A4+A8(estimate=ratio)");
    no_sum_changes("H[P10]16", "H[P10]16+A16");
    no_sum_changes("H[RD10]16", "H[RD10]16+A16");
    no_sum_changes("T2/16x16w2", "T2/16x16w2+A16");
    seeds();
    return done_testing();
}
