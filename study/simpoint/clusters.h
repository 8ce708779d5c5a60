/* SPDX-License-Identifier: MIT */
/* Intervals that are alike, as SimPoint 3.0 finds them (Hamerly, Perelman, Lau and Calder, 2005):
 *
 *   1. Each vector is divided by its sum and projected to 15 dimensions by a random matrix.
 *   2. For each k up to the most: k-means from several seeds; the tightest counts.
 *   3. Each k gets a score, the Bayesian information criterion of Pelleg and Moore: how likely the
 *      points are, if each cluster is a Gaussian with the variance of all, less what its
 *      parameters cost. The least k counts whose score is nine tenths of the way from the worst
 *      to the best.
 *
 * Departures: SimPoint lets the interval nearest to a cluster's middle stand for all of it.
 * Intervals here are short, and those that execute the same blocks still differ, by what they find
 * in caches; the nearest is not the usual one. So a cluster is a stratum of a sample: its
 * intervals, in the order of time, are cut into groups, more of them where it is large and wide,
 * and one of each group is drawn, with the group's part of all instructions as its weight. First
 * middles are drawn by k-means++ (Arthur and Vassilvitskii, 2007), and intervals weigh what they
 * executed, which matters for the last one only. Numbers are drawn from seeds, so that the same
 * vectors give the same clusters. */
#ifndef SL_CLUSTERS_H
#define SL_CLUSTERS_H

#include "vectors.h"

#define SL_CLUSTER_DIMENSIONS 15u
#define SL_CLUSTERS_MAX 1000u

/* A group of a cluster. */
struct sl_cluster {
    size_t interval; /* that stands for it */
    double weight;   /* all together 1 */
};

struct sl_clusters {
    struct sl_cluster *cluster; /* by their intervals, ascending */
    size_t n;
};

/* At most so many, with so many groups, but one for each at least; SL_EUSAGE without an interval,
 * or for more than SL_CLUSTERS_MAX. */
int sl_clusters_find(struct sl_clusters *clusters, const struct sl_vectors *vectors, size_t most,
                     size_t slices, uint64_t seed, struct sl_failure *f);

void sl_clusters_free(struct sl_clusters *clusters);

#endif
