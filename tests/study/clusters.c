/* SPDX-License-Identifier: MIT */
/* Unit tests of the clusters into which SimPoint divides the intervals of a run: intervals of
 * clearly different kinds are in different clusters, the weights of the clusters add up to 1, and
 * equal input with an equal seed gives equal clusters. */
#include "clusters.h"

#include <math.h>
#include <string.h>

#include "random.h"
#include "tap.h"

#define INTERVALS 300u
#define KINDS 3u
#define BLOCKS 8u /* of each kind */

static size_t first[INTERVALS + 1];
static struct sl_vector_entry entry[INTERVALS * BLOCKS];

/* Interval i executes the blocks of kind i % KINDS only, with random counts. */
static struct sl_vectors make_vectors(uint64_t seed)
{
    static uint64_t begin[INTERVALS + 1];
    size_t n = 0;
    uint64_t total = 0;
    for (size_t i = 0; i < INTERVALS; i++) {
        first[i] = n;
        begin[i] = total;
        for (uint32_t b = 0; b < BLOCKS; b++) {
            uint64_t count = 1000 + sl_random_below(&seed, 50);
            entry[n++] = (struct sl_vector_entry){(uint32_t)(i % KINDS) * BLOCKS + b, count};
            total += count;
        }
    }
    first[INTERVALS] = n;
    begin[INTERVALS] = total;
    return (struct sl_vectors){
        .interval = 10000, .n = INTERVALS, .begins = begin, .first = first, .entry = entry};
}

int main(void)
{
    struct sl_clusters a = {0}, b = {0};
    struct sl_failure f = {.text = ""};
    struct sl_vectors vectors = make_vectors(1);
    double weight[KINDS] = {0}, sum = 0;
    bool sorted = true;
    bool found = !sl_clusters_find(&a, &vectors, 10, 12, 1, &f);
    ok(found && a.n <= 12 && a.n >= KINDS,
       "there is a group for each kind of interval, and not more than requested: %zu", a.n);
    for (size_t i = 0; i < a.n; i++) {
        weight[a.cluster[i].interval % KINDS] += a.cluster[i].weight;
        sum += a.cluster[i].weight;
        sorted &= !i || a.cluster[i].interval > a.cluster[i - 1].interval;
    }
    ok(sorted && a.cluster[a.n - 1].interval < INTERVALS, "groups are sorted by their interval");
    ok(fabs(sum - 1) < 1e-9, "the weights add up to 1");
    bool thirds = true;
    for (unsigned kind = 0; kind < KINDS; kind++)
        thirds &= fabs(weight[kind] - 1.0 / 3) < 0.01;
    ok(thirds, "three kinds of intervals get a third of the weight each");
    ok(!sl_clusters_find(&b, &vectors, 10, 12, 1, &f) && b.n == a.n &&
           !memcmp(a.cluster, b.cluster, a.n * sizeof *a.cluster),
       "the same vectors and seed give the same clusters");
    sl_clusters_free(&b);
    ok(!sl_clusters_find(&b, &vectors, 1, 1, 7, &f) && b.n == 1 &&
           fabs(b.cluster->weight - 1) < 1e-9,
       "one cluster has all the weight");
    sl_clusters_free(&b);
    ok(sl_clusters_find(&b, &vectors, 0, 1, 1, &f) == SL_EUSAGE, "no cluster at all is refused");
    sl_clusters_free(&b);
    ok(sl_clusters_find(&b, &vectors, SL_CLUSTERS_MAX + 1, 1, 1, &f) == SL_EUSAGE,
       "too many clusters are refused");
    sl_clusters_free(&b);
    vectors.n = 0;
    ok(sl_clusters_find(&b, &vectors, 10, 12, 1, &f) == SL_EUSAGE,
       "a run without intervals is refused");
    sl_clusters_free(&b);
    sl_clusters_free(&a);
    return done_testing();
}
