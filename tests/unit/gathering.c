/* SPDX-License-Identifier: MIT */
/* Unit tests of the gathering sampler, component G of a compressor, which sends several samples of
 * a frequent tuple as one message. The transitions of one entry are compared with results worked
 * out by hand, and the messages on random streams with those of a plain implementation that keeps a
 * list of unsent samples. No event is lost, and on a stream with one very frequent tuple, gathering
 * saves more than half of the messages. */
#include "tagged.h"

#include <stdlib.h>

#include "random.h"
#include "tap.h"

enum { A = 5, B = 9 };

static struct sl_gathering_config config(uint64_t rate, uint64_t samples)
{
    return (struct sl_gathering_config){
        .rate = rate, .entries = 1, .tag_bits = 4, .samples = samples};
}

static bool goes(struct sl_gathering_entry before, uint16_t tag, uint64_t sent,
                 struct sl_gathering_entry after)
{
    struct sl_gathering_config c = config(10, 3);
    return sl_gathering_step(&c, &before, tag, 1) == sent && before.count == after.count &&
           before.tag == after.tag && before.samples == after.samples &&
           before.gathered == after.gathered;
}

#define ENTRY(...) ((struct sl_gathering_entry){__VA_ARGS__})

static void transitions(void)
{
    ok(goes(ENTRY(.count = 8, .tag = A), B, 0, ENTRY(.count = 9, .tag = A)),
       "below r an event only counts, whosever it is");
    ok(goes(ENTRY(.count = 9, .tag = A), B, 10, ENTRY(.tag = B)),
       "a sample of another is sent, and has the tag if none was gathered");
    ok(goes(ENTRY(.count = 9, .tag = A), A, 0, ENTRY(.tag = A, .samples = 1, .gathered = 10)),
       "one of its own is gathered");
    ok(goes(ENTRY(.count = 9, .tag = A, .samples = 1, .gathered = 10), B, 10,
            ENTRY(.tag = A, .samples = 1, .gathered = 10)),
       "what is gathered keeps the tag, and belongs to no other entry");
    ok(goes(ENTRY(.count = 9, .tag = A, .samples = 2, .gathered = 20), A, 30, ENTRY(.tag = A)),
       "the k-th is sent for all of them");
    struct sl_gathering_config c = config(10, 3);
    struct sl_gathering_entry e = {.count = 9, .tag = A};
    ok(!sl_gathering_step(&c, &e, B, 0) && e.count == 9, "what weighs nothing changes nothing");
}

/* The words of the head, by a list: samples first, then what becomes of each. */
static void plainly(uint64_t seed, uint64_t rate, uint64_t samples, bool weights)
{
    enum { N = 20000 };
    struct sl_gathering_config c = config(rate, samples);
    struct sl_gathering_entry e = {0};
    uint64_t pending[64] = {0}, n_pending = 0, since = 0, all = 0, sent = 0;
    uint16_t tag = 0;
    bool same = true;
    for (unsigned i = 0; i < N; i++) {
        uint16_t its = (uint16_t)(sl_random_below(&seed, 3) ? A : sl_random_below(&seed, 16));
        uint64_t weight = weights ? sl_random_below(&seed, 5) : 1, message = 0;
        all += weight;
        since += weight;
        if (weight && since >= rate) {
            if (its != tag) {
                message = since;
                if (!n_pending)
                    tag = its;
            } else {
                pending[n_pending++] = since;
                for (uint64_t k = 0; n_pending == samples && k < samples; k++)
                    message += pending[k];
                n_pending = n_pending == samples ? 0 : n_pending;
            }
            since = 0;
        }
        same &= sl_gathering_step(&c, &e, its, weight) == message;
        sent += message;
    }
    ok(same, "r = %d, k = %d, %s: each message as by a list of samples", (int)rate, (int)samples,
       weights ? "weights" : "units");
    ok(sent + e.count + e.gathered == all, "and nothing is lost");
}

/* One tuple is nine of ten events: how many messages, and whose counts. */
static void saves(void)
{
    struct sl_gathering_config gathers = config(16, 8), samples = config(16, 1);
    struct sl_gathering_entry a = {0}, b = {0};
    uint64_t seed = 3, n_gathers = 0, n_samples = 0, frequent = 0, others = 0, exact = 0;
    for (unsigned i = 0; i < 200000; i++) {
        uint16_t its = sl_random_below(&seed, 10) ? A : (uint16_t)(6 + sl_random_below(&seed, 3));
        exact += its == A;
        uint64_t message = sl_gathering_step(&gathers, &a, its, 1);
        n_gathers += message != 0;
        *(its == A ? &frequent : &others) += message;
        n_samples += sl_gathering_step(&samples, &b, its, 1) != 0;
    }
    ok(5 * n_gathers < 2 * n_samples,
       "of a tuple that is 9 of 10, messages are less than two fifths");
    ok(100 * frequent > 97 * exact && 100 * frequent < 103 * exact &&
           100 * others > 85 * (200000 - exact) && 100 * others < 115 * (200000 - exact),
       "and the counts are those of the stream");
}

int main(void)
{
    transitions();
    for (uint64_t k = 1; k <= 8; k++)
        plainly(k, 3 + 7 * k, k, k % 2);
    saves();
    return done_testing();
}
