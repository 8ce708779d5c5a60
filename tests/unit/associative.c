/* SPDX-License-Identifier: MIT */
/* Unit tests of the compressor A, a small associative table of event counts: it sends the same
 * messages as a simple model (an array in the order of last use) and loses no event. */
#include <string.h>

#include "compressor.h"
#include "random.h"
#include "support/placed_table.h"
#include "tap.h"

/* ---- the plain definition: entry 0 is the one used last ---- */

struct plain {
    struct sl_message *entry;
    size_t capacity, n;
    uint64_t count_max;
};

static void plain_remove(struct plain *p, size_t i)
{
    memmove(&p->entry[i], &p->entry[i + 1], (--p->n - i) * sizeof *p->entry);
}

static void plain_insert(struct plain *p, struct sl_message m)
{
    memmove(&p->entry[1], &p->entry[0], p->n++ * sizeof m);
    p->entry[0] = m;
}

static bool plain_add(struct plain *p, struct sl_message m, struct sl_message *out)
{
    for (size_t i = 0; i < p->n; i++) {
        if (p->entry[i].tuple.pc != m.tuple.pc || p->entry[i].tuple.value != m.tuple.value)
            continue;
        m.count += p->entry[i].count;
        m.samples += p->entry[i].samples;
        plain_remove(p, i);
        break;
    }
    if (m.count > p->count_max) {
        *out = m;
        return true;
    }
    bool full = p->n == p->capacity;
    if (full)
        *out = p->entry[--p->n];
    plain_insert(p, m);
    return full;
}

/* ---- streams ---- */

enum stream { RANDOM, SKEWED, DISTINCT, SINGLE, SCAN, N_STREAMS };
static const char *const stream_names[] = {"random", "skewed", "all distinct", "single tuple",
                                           "a scan of k + 1 tuples"};

/* Tuples differ in pc or value only, now and then: both words have to be compared. */
static struct sl_message draw(enum stream stream, uint64_t k, uint64_t at, uint64_t *random,
                              uint64_t count_max)
{
    uint64_t t = 0, r = sl_random_next(random);
    switch (stream) {
    case RANDOM:
        t = r % (2 * k + 1);
        break;
    case SKEWED:
        t = r % (1 + (r >> 32) % (1 + (r >> 48) % (4 * k)));
        break;
    case DISTINCT:
        t = at;
        break;
    case SCAN:
        t = at % (k + 1);
        break;
    default:
        break;
    }
    struct sl_message m = {.tuple = {0x400000 + 4 * (t % 3), t / 3}, .samples = 1 + (r >> 20) % 2};
    m.stream = (uint32_t)t;
    /* Mostly small; now and then as wide as the counter, or wider. */
    uint64_t size = (r >> 8) % 64;
    m.count = size ? 1 + r % 3 : count_max - 1 + (r >> 16) % 3;
    if (m.count == 0 || m.count > UINT64_C(1) << 40)
        m.count = 1 + size;
    return m;
}

/* ---- comparison ---- */

struct walk {
    const struct plain *plain;
    size_t n;
    uint64_t sum;
    bool same;
};

static bool walk_one(void *context, const struct sl_message *resident)
{
    struct walk *w = context;
    w->same = w->same && w->n < w->plain->n &&
              same_message(resident, &w->plain->entry[w->plain->n - 1 - w->n]);
    w->n++;
    w->sum += resident->count;
    return true;
}

static bool walk_first(void *context, const struct sl_message *resident)
{
    walk_one(context, resident);
    return false;
}

static bool same_residents(const struct sl_associative *a, const struct plain *p)
{
    struct walk all = {.plain = p, .same = true}, first = all;
    bool one_by_one = true;
    for (size_t i = 0; i < p->n; i++) {
        struct sl_message found;
        one_by_one &= sl_associative_find(a, p->entry[i].tuple, &found) &&
                      same_message(&found, &p->entry[i]);
    }
    return sl_associative_each(a, walk_one, &all) && all.same && all.n == p->n &&
           all.sum == sl_associative_residue(a) && one_by_one &&
           sl_associative_each(a, walk_first, &first) == !p->n && first.n == (p->n != 0);
}

static struct sl_associative *make(uint64_t k, unsigned bits)
{
    struct sl_associative *a = calloc(1, sl_associative_bytes(k));
    sl_associative_init(a, k, bits);
    return a;
}

static void against_plain(enum stream stream, uint64_t k, unsigned bits, size_t n)
{
    struct sl_associative *a = make(k, bits);
    struct plain p = {calloc(k + 1, sizeof *p.entry), k, 0, UINT64_MAX >> (64 - bits)};
    uint64_t random = k + bits, in = 0, sent = 0, left = 0;
    bool equal = true, residents = true, balanced = true;
    for (size_t i = 0; i < n && equal; i++) {
        struct sl_message m = draw(stream, k, i, &random, p.count_max);
        struct sl_message wanted = {.count = 0}, out = {.count = 0};
        in += m.count;
        bool leaves = plain_add(&p, m, &wanted);
        equal = sl_associative_add(a, &m, &out) == leaves &&
                (!leaves ||
                 (same_message(&out, &wanted) && !sl_associative_find(a, out.tuple, &m)));
        sent += out.count;
        left += leaves;
        if (k <= 16 || i % 64 == 0)
            residents = residents && same_residents(a, &p);
        balanced = balanced && sent + sl_associative_residue(a) == in;
    }
    ok(equal && residents && same_residents(a, &p) && balanced,
       "A%llu, %u bits, %s: every message and the order of use are those of the plain "
       "definition, and sent + resident = in (%llu left)",
       (unsigned long long)k, bits, stream_names[stream], (unsigned long long)left);
    free(p.entry);
    free(a);
}

/* The largest k, where plain definitions take too long: of all-distinct tuples each
 * leaves, unchanged, when k more have come. */
static void largest(void)
{
    const uint64_t k = 65536;
    struct sl_associative *a = make(k, 8);
    bool good = true;
    for (uint64_t i = 0; i < 3 * k; i++) {
        struct sl_message m = {{i * 64, ~i}, 1 + i % 200, 1, (uint32_t)i}, out;
        bool leaves = sl_associative_add(a, &m, &out);
        uint64_t old = i - k;
        struct sl_message wanted = {{old * 64, ~old}, 1 + old % 200, 1, (uint32_t)old};
        good = good && leaves == (i >= k) && (!leaves || same_message(&out, &wanted));
    }
    ok(good, "A65536: of all-distinct tuples each leaves when 65,536 others have come");
    free(a);
}

/* ---- the transitions, one by one ---- */

static bool add(struct sl_associative *a, uint64_t t, uint64_t count, struct sl_message *out)
{
    struct sl_message m = {{t, t}, count, 1, (uint32_t)t};
    return sl_associative_add(a, &m, out);
}

static bool is(const struct sl_message *m, uint64_t t, uint64_t count, uint64_t samples)
{
    return same_message(m, &(struct sl_message){{t, t}, count, samples, (uint32_t)t});
}

static void transitions(void)
{
    struct sl_message out;
    struct sl_associative *a = make(2, 8);
    bool quiet = !add(a, 1, 10, &out) && !add(a, 2, 20, &out) && !add(a, 1, 245, &out);
    ok(quiet && sl_associative_residue(a) == 275, "a counter is kept up to all of its width");
    ok(add(a, 3, 1, &out) && is(&out, 2, 20, 1), "a full table sends what was used longest ago");
    ok(add(a, 1, 1, &out) && is(&out, 1, 256, 3) && sl_associative_residue(a) == 1,
       "a counter beyond its width is sent with all that was in it");
    ok(!add(a, 4, 1, &out) && add(a, 5, 1, &out) && is(&out, 3, 1, 1),
       "the entry it had is free for the next tuple");
    ok(add(a, 9, 256, &out) && is(&out, 9, 256, 1) && sl_associative_residue(a) == 2,
       "a count wider than the counter passes through, and no entry is evicted for it");
    ok(add(a, 6, 1, &out) && is(&out, 4, 1, 1), "nor does it count as a use");
    ok(add(a, 5, 256, &out) && is(&out, 5, 257, 2) && sl_associative_residue(a) == 1,
       "if its tuple has an entry, what is in it goes along");
    free(a);
}

int main(void)
{
    static const struct {
        uint64_t k;
        size_t n;
    } size[] = {{1, 20000}, {2, 20000}, {3, 20000}, {16, 20000}, {100, 20000}, {1000, 8000}};
    static const unsigned bits[] = {1, 3, 8, 16, 64};
    transitions();
    for (enum stream s = 0; s < N_STREAMS; s++)
        for (size_t i = 0; i < sizeof size / sizeof *size; i++)
            against_plain(s, size[i].k, bits[(s + i) % 5], size[i].n);
    for (size_t b = 0; b < 5; b++)
        against_plain(SKEWED, 16, bits[b], 20000);
    largest();
    return done_testing();
}
