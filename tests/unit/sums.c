/* SPDX-License-Identifier: MIT */
/* Unit tests of combining the events of a batch that have the same tuple into one event with the
 * sum of the weights. No event is lost, no sum exceeds the limit, and an event whose own weight
 * exceeds the limit is not combined. Approximate counters give exactly the same result as with the
 * original events. */
#include "evaluator.h"

#include <string.h>

#include "approximate.h"
#include "random.h"
#include "support/counter_trials.h"
#include "tap.h"

enum { BATCH = 700, NAMES = 40 };

static uint32_t tuple_id[BATCH];
static uint64_t weight[BATCH], pc[NAMES];
static const struct sl_tuple_names names = {pc, NULL, NAMES};

static struct sl_batch random_batch(uint64_t *random, uint64_t most)
{
    bool weighed = sl_random_below(random, 4);
    for (size_t i = 0; i < BATCH; i++) {
        uint64_t draw = sl_random_below(random, 100);
        tuple_id[i] = (uint32_t)sl_random_below(random, 1 + sl_random_below(random, NAMES));
        weight[i] = draw == 0   ? most + 1 + sl_random_below(random, 1000)
                    : draw < 5  ? most - sl_random_below(random, 3)
                    : draw < 10 ? 0
                                : sl_random_below(random, most / 10);
    }
    return (struct sl_batch){BATCH, tuple_id, NULL, weighed ? weight : NULL, &names, NULL, 0, NULL};
}

static uint64_t weight_of(const struct sl_batch *batch, size_t i)
{
    return batch->weight ? batch->weight[i] : 1;
}

/* What is above `most` in both, in the same order, with the same sums of each tuple between. */
static bool agree(const struct sl_batch *plain, const struct sl_batch *summed, uint64_t most)
{
    size_t i = 0, k = 0;
    for (;;) {
        uint64_t a[NAMES] = {0}, b[NAMES] = {0};
        for (; i < plain->n && weight_of(plain, i) <= most; i++)
            a[plain->tuple_id[i]] += weight_of(plain, i);
        for (; k < summed->n && summed->weight[k] <= most; k++)
            b[summed->tuple_id[k]] += summed->weight[k];
        if (memcmp(a, b, sizeof a) || (i == plain->n) != (k == summed->n))
            return false;
        if (i == plain->n)
            return true;
        if (plain->tuple_id[i] != summed->tuple_id[k] || weight_of(plain, i) != summed->weight[k])
            return false;
        i++;
        k++;
    }
}

static void nothing_lost(uint64_t most)
{
    struct sl_sums sums = {0};
    uint64_t random = 3, given = 0, made = 0;
    bool same = true;
    for (unsigned round = 0; round < 300; round++) {
        struct sl_batch batch = random_batch(&random, most);
        same &= sl_sums_make(&sums, &batch, most) && agree(&batch, &sums.batch, most);
        given += batch.n;
        made += sums.batch.n;
    }
    ok(same, "sums up to %llu: what came is what is there, what is larger stays in its place",
       (unsigned long long)most);
    ok(made < given / 2, "sums up to %llu: and there is less of it (%llu of %llu)",
       (unsigned long long)most, (unsigned long long)made, (unsigned long long)given);
    sl_sums_free(&sums);
}

static void same_counters(const char *spec)
{
    struct trials plain = trials_open(spec), summed = trials_open(spec);
    struct sl_sums sums = {0};
    uint64_t random = 17, most = plain.kind->totals->sums_up_to(plain.config);
    bool same = true;
    for (unsigned round = 0; round < 40; round++) {
        struct sl_batch batch = random_batch(&random, most);
        sl_sums_make(&sums, &batch, most);
        plain.kind->observe(plain.state, &batch);
        summed.kind->observe(summed.state, &sums.batch);
        for (uint32_t i = 0; i < NAMES; i++) {
            uint32_t a[SL_APPROXIMATE_GROUP_MAX], b[SL_APPROXIMATE_GROUP_MAX];
            sl_approximate_values(plain.state, i, a);
            sl_approximate_values(summed.state, i, b);
            same &= !memcmp(a, b, plain.config->group * sizeof *a);
        }
    }
    ok(same, "%s: counters take sums for the events that are in them", spec);
    sl_sums_free(&sums);
    trials_close(&plain);
    trials_close(&summed);
}

int main(void)
{
    for (size_t i = 0; i < NAMES; i++)
        pc[i] = 1000 + i;
    nothing_lost(50);
    nothing_lost(SL_APPROXIMATE_SKIP_ABOVE);
    same_counters("morris(counters=40)");
    same_counters("morris(counters=40,steps=1,lfsr=16)");
    same_counters("morris(counters=40,base=1.1,bits=8,group=2)");
    same_counters("fpc(counters=40)");
    return done_testing();
}
