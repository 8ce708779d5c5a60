/* SPDX-License-Identifier: MIT */
/* Unit tests of the tagged table, component T of a compressor, which counts events by short tags
 * instead of whole tuples. The transitions of one entry, and the choice of an entry in a set, are
 * compared with results worked out by hand. On random and adversarial streams, all messages and
 * entries equal those of a plain implementation, and no event is lost or counted twice. */
#include <string.h>

#include <math.h>

#include "random.h"
#include "tagged.h"
#include "tap.h"

#define EMPTY(hits_) ((struct sl_tagged_entry){.hits = (hits_)})
#define ENTRY(tag_, hits_, misses_) \
    ((struct sl_tagged_entry){.tag = (tag_), .hits = (hits_), .misses = (misses_), .valid = true})

enum { A = 5, B = 9, C = 12 }; /* tags */

static bool same(const struct sl_tagged_entry *a, const struct sl_tagged_entry *b)
{
    return a->valid == b->valid && a->hits == b->hits && a->misses == b->misses &&
           (!a->valid || a->tag == b->tag);
}

/* In a table with r = 256 and one way: the entry before, an event, the message's count,
 * the entry after. */
static bool goes(struct sl_tagged_entry before, uint16_t tag, uint64_t weight, uint64_t sent,
                 struct sl_tagged_entry after)
{
    struct sl_tagged_config config = {.rate = 256, .entries = 1, .ways = 1, .tag_bits = 4};
    return sl_tagged_step(&config, &before, tag, weight) == sent && same(&before, &after);
}

static void transitions(void)
{
    ok(goes(EMPTY(0), A, 1, 0, ENTRY(A, 1, 0)), "an empty entry is taken with one hit");
    ok(goes(EMPTY(6), A, 1, 0, ENTRY(A, 7, 0)),
       "carried hits go to the tuple that replaces the entry");
    ok(goes(ENTRY(A, 254, 0), A, 1, 0, ENTRY(A, 255, 0)), "a hit below r is counted");
    ok(goes(ENTRY(A, 255, 0), A, 1, 256, EMPTY(0)),
       "a hit that reaches r sends them all; nothing is carried");

    ok(goes(ENTRY(A, 62, 6), A, 1, 0, ENTRY(A, 63, 6)),
       "a hit after misses is only counted while hits < r/4");
    ok(goes(ENTRY(A, 63, 4), A, 1, 64, EMPTY(4)),
       "at hits = r/4 and misses = r/hits the entry is evicted and carries its misses");
    ok(goes(ENTRY(A, 63, 3), A, 1, 0, ENTRY(A, 64, 3)),
       "a hit after misses is only counted while misses < r/hits");
    ok(goes(ENTRY(A, 99, 2), A, 1, 0, ENTRY(A, 100, 2)),
       "r/hits is no integer division: 2 misses are less than 256/100");
    ok(goes(ENTRY(A, 126, 2), A, 1, 0, ENTRY(A, 127, 2)) &&
           goes(ENTRY(A, 127, 2), A, 1, 128, EMPTY(2)),
       "fewer misses wait for more hits");
    ok(goes(ENTRY(A, 255, 1), A, 1, 256, EMPTY(1)), "one miss waits for r hits");

    ok(goes(ENTRY(A, 100, 0), B, 1, 0, ENTRY(A, 100, 1)), "a first miss is counted");
    ok(goes(ENTRY(A, 100, 5), B, 1, 0, ENTRY(A, 100, 6)), "a sixth miss is counted");
    ok(goes(ENTRY(A, 100, 6), B, 1, 0, ENTRY(B, 107, 0)),
       "a seventh fills the counter: the new tuple takes the entry with all its counts");
    ok(goes(ENTRY(A, 1, 0), B, 1, 0, ENTRY(B, 2, 0)), "a single hit is replaced by the first miss");
    ok(goes(ENTRY(A, 2, 0), B, 1, 0, ENTRY(A, 2, 1)), "two hits outlive one miss");
    ok(goes(ENTRY(A, 3, 1), B, 1, 0, ENTRY(B, 5, 0)), "hits < 2 misses are replaced");
    ok(goes(ENTRY(A, 4, 1), B, 1, 0, ENTRY(A, 4, 2)), "hits = 2 misses are not");
    ok(goes(ENTRY(A, 249, 6), B, 1, 256, EMPTY(0)),
       "a replacement that reaches r is sent for the new tuple; nothing is carried");
    ok(goes(ENTRY(A, 248, 6), B, 1, 0, ENTRY(B, 255, 0)), "one below it is not");
}

static void weights(void)
{
    ok(goes(EMPTY(3), A, 10, 0, ENTRY(A, 13, 0)), "weight: allocation adds it");
    ok(goes(EMPTY(3), A, 1000, 1003, EMPTY(0)), "weight: allocation that reaches r is sent");
    ok(goes(ENTRY(A, 200, 0), A, 100, 300, EMPTY(0)), "weight: a hit sends what is beyond r too");
    ok(goes(ENTRY(A, 10, 1), A, 1000, 1010, EMPTY(1)), "weight: an eviction sends all hits");
    ok(goes(ENTRY(A, 100, 1), B, 5, 0, ENTRY(A, 100, 6)), "weight: a miss adds it");
    ok(goes(ENTRY(A, 100, 1), B, 50, 0, ENTRY(B, 151, 0)),
       "weight: one beyond the miss counter is not cut, the new tuple gets it");
    ok(goes(ENTRY(A, 100, 1), B, 1000, 1101, EMPTY(0)), "weight: and is sent if it reaches r");
    ok(goes(EMPTY(3), A, 0, 0, EMPTY(3)) && goes(ENTRY(A, 64, 6), A, 0, 0, ENTRY(A, 64, 6)) &&
           goes(ENTRY(A, 1, 0), B, 0, 0, ENTRY(A, 1, 0)),
       "weight: an event that weighs nothing changes nothing");
}

/* The other ways to read the figure. */
static void readings(void)
{
    struct sl_tagged_config config = {
        .rate = 256, .entries = 1, .ways = 1, .tag_bits = 4, .integer = true, .first_counts = true};
    struct sl_tagged_entry integer = ENTRY(A, 99, 2), early = ENTRY(A, 98, 1);
    struct sl_tagged_entry once = ENTRY(A, 1, 0);
    ok(sl_tagged_step(&config, &integer, A, 1) == 100 && same(&integer, &EMPTY(2)),
       "with quotients rounded down, 2 misses are 256/100");
    ok(sl_tagged_step(&config, &early, A, 1) == 0 && same(&early, &ENTRY(A, 99, 1)),
       "and 1 is not");
    ok(sl_tagged_step(&config, &once, B, 1) == 0 && same(&once, &ENTRY(A, 1, 1)),
       "where a first miss only counts, a single hit outlives it");
    ok(sl_tagged_step(&config, &once, B, 1) == 0 && same(&once, &ENTRY(B, 3, 0)),
       "and not the second");
}

/* ---- sets ---- */

/* In a set of four: which way an event of tag C changes. */
static int way_of(struct sl_tagged_entry w0, struct sl_tagged_entry w1, struct sl_tagged_entry w2,
                  struct sl_tagged_entry w3)
{
    struct sl_tagged_config config = {.rate = 256, .entries = 4, .ways = 4, .tag_bits = 4};
    struct sl_tagged_entry set[4] = {w0, w1, w2, w3}, before[4];
    int way = -1;
    memcpy(before, set, sizeof set);
    sl_tagged_step(&config, set, C, 1);
    for (int i = 0; i < 4; i++)
        if (!same(&set[i], &before[i]))
            way = way < 0 ? i : 4;
    return way;
}

static void sets(void)
{
    struct sl_tagged_entry stale = {.tag = C, .hits = 9};
    ok(way_of(EMPTY(0), ENTRY(A, 1, 0), ENTRY(C, 90, 1), EMPTY(0)) == 2,
       "set: the way with the tag is chosen, before empty ones and those with fewer hits");
    ok(way_of(ENTRY(A, 1, 0), EMPTY(6), ENTRY(B, 2, 0), EMPTY(0)) == 1,
       "set: else the lowest empty way, whatever it carries");
    ok(way_of(ENTRY(A, 9, 0), EMPTY(0), stale, ENTRY(C, 8, 0)) == 3,
       "set: the tag of an empty way does not match");
    ok(way_of(ENTRY(A, 9, 0), ENTRY(B, 8, 0), ENTRY(A, 7, 0), ENTRY(B, 8, 0)) == 2,
       "set: else the way with the fewest hits takes the miss");
    ok(way_of(ENTRY(A, 9, 1), ENTRY(B, 8, 6), ENTRY(A, 9, 0), ENTRY(B, 8, 0)) == 1,
       "set: the lowest of these on a tie, whatever its misses");
}

/* ---- properties ---- */

/* From every state that has misses: the hit that makes hits = r evicts. */
static void always_at_r(void)
{
    bool evicts = true, bounded = true;
    for (uint64_t r = 1; r <= 5000; r++) {
        struct sl_tagged_config config = {.rate = r, .entries = 1, .ways = 1, .tag_bits = 4};
        for (uint8_t misses = 1; misses < 7; misses++) {
            struct sl_tagged_entry e = ENTRY(A, r - 1, misses);
            evicts = evicts && sl_tagged_step(&config, &e, A, 1) == r;
            bounded = bounded && same(&e, &EMPTY(misses));
        }
    }
    ok(evicts && bounded, "at hits = r the eviction condition always holds, for r = 1 to 5,000");
}

enum stream { RANDOM, SKEWED, DISTINCT, SINGLE, ALTERNATE, BURSTS, N_STREAMS };
static const char *const stream_names[] = {"random",       "skewed",      "all distinct",
                                           "single tuple", "two in turn", "bursts of 7"};

static struct sl_tuple draw(enum stream stream, uint64_t at, uint64_t *random)
{
    uint64_t r = sl_random_next(random), t = 0;
    switch (stream) {
    case RANDOM:
        t = r % 1000;
        break;
    case SKEWED:
        t = r % (1 + (r >> 32) % (1 + (r >> 48) % 500));
        break;
    case DISTINCT:
        t = at;
        break;
    case ALTERNATE: /* a miss for each hit, at the worst moments */
        t = at % 2;
        break;
    case BURSTS:
        t = at % 70 < 63 ? 0 : at / 7;
        break;
    default:
        break;
    }
    return (struct sl_tuple){0x400000 + 4 * t, t * t};
}

/* The page, word for word, with real quotients and no short cuts. */
static uint64_t plain_step(const struct sl_tagged_config *c, struct sl_tagged_entry *set,
                           uint16_t tag, uint64_t weight)
{
    double r = (double)c->rate;
    struct sl_tagged_entry *match = NULL, *empty = NULL, *fewest = set;
    uint64_t misses, count = 0;
    for (uint64_t w = c->ways; w-- > 0;) {
        if (set[w].valid && set[w].tag == tag)
            match = &set[w];
        if (!set[w].valid)
            empty = &set[w];
        if (set[w].hits <= fewest->hits)
            fewest = &set[w];
    }
    if (match && match->misses) {
        match->hits += weight;
        double hits = (double)match->hits;
        double quarter = c->integer ? floor(r / 4) : r / 4;
        double quotient = c->integer ? floor(r / hits) : r / hits;
        if (hits >= quarter && match->misses >= quotient) {
            count = match->hits;
            *match = EMPTY(match->misses);
        }
        return count;
    }
    struct sl_tagged_entry *e = match ? match : empty ? empty : fewest;
    if (match || empty) {
        *e = ENTRY(tag, e->hits + weight, 0);
    } else {
        misses = e->misses + weight;
        if (misses < 7 && c->first_counts && e->misses == 0)
            e->misses = (uint8_t)misses;
        else if (misses >= 7 || e->hits == 1 || (e->hits > 1 && e->hits < 2 * misses))
            *e = ENTRY(tag, e->hits + misses, 0);
        else
            e->misses = (uint8_t)misses;
    }
    if (e->hits >= c->rate) {
        count = e->hits;
        *e = EMPTY(0);
    }
    return count;
}

/* Sum of (hits + misses); false if an entry holds what its counters cannot. */
static bool add_up(const struct sl_tagged_entry *entry, const struct sl_tagged_config *c,
                   uint64_t *sum)
{
    bool fits = true;
    *sum = 0;
    for (uint64_t i = 0; i < c->entries; i++) {
        const struct sl_tagged_entry *e = &entry[i];
        *sum += e->hits + e->misses;
        fits = fits && e->misses < 7 && (!e->valid || (e->hits && e->hits < c->rate)) &&
               (e->valid || (e->hits < 7 && !e->misses)) && e->tag >> c->tag_bits == 0;
    }
    return fits;
}

static bool run(const struct sl_tagged_config *c, enum stream stream, uint64_t weight_max,
                uint64_t *messages)
{
    const uint64_t sets = c->entries / c->ways;
    struct sl_tagged_entry entry[64] = {0}, plain[64] = {0};
    uint64_t random = c->rate + c->entries + weight_max, given = 0, sent = 0, held;
    bool good = true;
    for (uint64_t i = 0; i < 3000 && good; i++) {
        struct sl_tuple tuple = draw(stream, i, &random);
        uint64_t weight = 1 + sl_random_below(&random, weight_max);
        size_t set = (tuple.pc / 4 ^ tuple.value) % sets * c->ways;
        uint16_t tag = sl_tagged_tag((unsigned)c->tag_bits, tuple, 64);
        uint64_t count = sl_tagged_step(c, entry + set, tag, weight);
        good = plain_step(c, plain + set, tag, weight) == count;
        for (size_t w = 0; w < c->ways; w++)
            good = good && same(&entry[set + w], &plain[set + w]);
        given += weight;
        sent += count;
        *messages += count != 0;
        good = good && add_up(entry, c, &held) && sent + held == given;
    }
    return good;
}

static void on_streams(const struct sl_tagged_config *c, uint64_t weight_max)
{
    uint64_t messages = 0;
    const char *bad = NULL;
    for (enum stream s = 0; s < N_STREAMS && !bad; s++)
        bad = run(c, s, weight_max, &messages) ? NULL : stream_names[s];
    ok(!bad,
       "T%u/%llux%llu w%llu, weights to %llu%s%s: as the page says, and messages + hits + "
       "misses = events, at every step (%llu sent)%s%s",
       (unsigned)c->tag_bits, (unsigned long long)c->rate, (unsigned long long)c->entries,
       (unsigned long long)c->ways, (unsigned long long)weight_max, c->integer ? ", rounded" : "",
       c->first_counts ? ", first misses count" : "", (unsigned long long)messages,
       bad ? "; not so: " : "", bad ? bad : "");
}

static void tags(void)
{
    struct sl_tagged_config c = {.tag_bits = 2};
    struct sl_tuple t = {0x12, 0x30}; /* 0x22 = 10 00 10 in pairs of bits */
    bool two = sl_tagged_tag((unsigned)c.tag_bits, t, 64) == 0;
    c.tag_bits = 4;
    bool four = sl_tagged_tag((unsigned)c.tag_bits, t, 64) == (0x2 ^ 0x2);
    c.tag_bits = 5;
    bool five = sl_tagged_tag((unsigned)c.tag_bits, t, 64) == (0x2 ^ 0x1);
    t = (struct sl_tuple){UINT64_C(1) << 63, UINT64_C(5) << 32};
    c.tag_bits = 16;
    bool sixteen = sl_tagged_tag((unsigned)c.tag_bits, t, 64) == 0x8005;
    t = (struct sl_tuple){UINT64_C(0xffff) << 32 | 0x50000, UINT64_C(1) << 63 | 3};
    ok(sl_tagged_tag((unsigned)c.tag_bits, t, 32) == 6, "of words of 32 bits, of their low halves");
    ok(two && four && five && sixteen, "a tag is the exclusive or of the chunks of pc ^ value");
}

int main(void)
{
    static const struct {
        uint64_t rate, entries, ways;
        unsigned tag_bits;
    } geometry[] = {
        {256, 1, 1, 2},  {256, 16, 1, 2}, {256, 64, 2, 2}, {16, 32, 4, 4},
        {100, 24, 3, 1}, {8, 8, 8, 16},   {5, 8, 2, 3},    {1, 4, 1, 2},
    };
    transitions();
    weights();
    sets();
    tags();
    always_at_r();
    readings();
    for (size_t g = 0; g < sizeof geometry / sizeof *geometry; g++)
        for (uint64_t weight = 1; weight <= 400; weight *= 20)
            for (unsigned reading = 0; reading < 4; reading++) {
                struct sl_tagged_config config = {geometry[g].rate, geometry[g].entries,
                                                  geometry[g].ways, geometry[g].tag_bits,
                                                  reading & 1,      reading & 2};
                on_streams(&config, weight);
            }
    return done_testing();
}
