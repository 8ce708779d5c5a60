/* SPDX-License-Identifier: MIT */
/* Clusters of similar intervals of a run, found by their basic-block vectors as in SimPoint 3.0
 * (Hamerly, Perelman, Lau and Calder, 2005). The method has three steps, which are listed below.
 *
 *   1. Each vector is divided by its sum and projected to 15 dimensions by a random matrix.
 *   2. For each k up to the maximum: k-means from several seeds; the tightest result counts.
 *   3. Each k gets a score, the Bayesian information criterion of Pelleg and Moore: the likelihood
 *      of the points if each cluster is a Gaussian with the variance of all, minus a penalty for
 *      the parameters. The smallest k counts whose score reaches nine tenths of the way from the
 *      worst to the best.
 *
 * Departures from the paper
 *
 *   1. SimPoint selects the interval nearest to a cluster's center. Intervals here are short, and
 *      those that execute the same blocks still differ by the content of caches; the nearest one is
 *      not typical. A cluster is therefore a stratum of a sample: its intervals, in the order of
 *      time, are divided into groups, more of them if the cluster is large and wide, and one
 *      interval of each group is drawn. Its weight is the group's part of all instructions.
 *   2. Initial centers are drawn by k-means++ (Arthur and Vassilvitskii, 2007).
 *   3. Intervals are weighted by their instructions, which matters for the last one only.
 *
 * Random numbers depend on the seed alone, so that the same vectors give the same clusters. */
#ifndef SL_CLUSTERS_H
#define SL_CLUSTERS_H

#include "vectors.h"

#define SL_CLUSTER_DIMENSIONS 15u
#define SL_CLUSTERS_MAX 1000u

/* A group of a cluster. */
struct sl_cluster {
    size_t interval; /* the interval that represents it */
    double weight;   /* the sum of all weights is 1 */
};

struct sl_clusters {
    struct sl_cluster *cluster; /* sorted by interval */
    size_t n;
};

/* Finds at most `most` clusters and divides them into `slices` groups, at least one per cluster.
 * Returns 0, SL_ENOMEM, or SL_EUSAGE if there is no interval or `most` is not 1 ..
 * SL_CLUSTERS_MAX. Call sl_clusters_free() in any case. */
int sl_clusters_find(struct sl_clusters *clusters, const struct sl_vectors *vectors, size_t most,
                     size_t slices, uint64_t seed, struct sl_failure *f);

void sl_clusters_free(struct sl_clusters *clusters);

#endif
