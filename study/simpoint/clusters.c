/* SPDX-License-Identifier: MIT */
#include "clusters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "hash.h"
#include "random.h"

#define D SL_CLUSTER_DIMENSIONS
#define SEEDS 5u
#define ROUNDS 100u
#define SCORE_PART 0.9

typedef double point[D];

/* One clustering of n points, and room for it. */
struct means {
    size_t n, k;
    point *middle;
    double *distance; /* by point: squared, to its middle */
    uint32_t *of;
    size_t *size;
    double spread; /* sum of the distances */
};

static double squared(const point a, const point b)
{
    double sum = 0;
    for (unsigned d = 0; d < D; d++)
        sum += (a[d] - b[d]) * (a[d] - b[d]);
    return sum;
}

static double draw(uint64_t *state)
{
    return (double)(sl_random_next(state) >> 11) * 0x1p-53;
}

/* Element (block, d) of the random matrix, from -1 to 1. */
static double element(uint32_t block, unsigned d, uint64_t seed)
{
    return (double)(sl_mix_pair(seed, (uint64_t)block * D + d) >> 11) * 0x1p-52 - 1;
}

static void project(const struct sl_vectors *v, uint64_t seed, point *to)
{
    for (size_t i = 0; i < v->n; i++) {
        double all = (double)(v->begins[i + 1] - v->begins[i]);
        memset(to[i], 0, sizeof to[i]);
        for (size_t j = v->first[i]; j < v->first[i + 1]; j++)
            for (unsigned d = 0; d < D; d++)
                to[i][d] += (double)v->entry[j].instructions / all *
                            element(v->entry[j].block, d, seed);
    }
}

/* ---- k-means ---- */

/* A point with a chance that grows with its distance from all middles so far. */
static size_t far_one(const struct means *m, uint64_t *random)
{
    double sum = 0;
    for (size_t i = 0; i < m->n; i++)
        sum += m->distance[i];
    double left = draw(random) * sum;
    for (size_t i = 0; i + 1 < m->n; i++)
        if ((left -= m->distance[i]) < 0)
            return i;
    return m->n - 1;
}

static void draw_middles(struct means *m, const point *at, uint64_t *random)
{
    size_t first = (size_t)sl_random_below(random, m->n);
    for (size_t c = 0; c < m->k; c++) {
        size_t chosen = c ? far_one(m, random) : first;
        memcpy(m->middle[c], at[chosen], sizeof *at);
        for (size_t i = 0; i < m->n; i++) {
            double d = squared(at[i], m->middle[c]);
            m->distance[i] = c && m->distance[i] < d ? m->distance[i] : d;
        }
    }
}

/* Each point to its nearest middle; whether any has moved. */
static bool assign(struct means *m, const point *at)
{
    bool moved = false;
    m->spread = 0;
    for (size_t i = 0; i < m->n; i++) {
        uint32_t best = 0;
        m->distance[i] = squared(at[i], m->middle[0]);
        for (uint32_t c = 1; c < m->k; c++) {
            double d = squared(at[i], m->middle[c]);
            if (d < m->distance[i])
                m->distance[i] = d, best = c;
        }
        moved |= m->of[i] != best;
        m->of[i] = best;
        m->spread += m->distance[i];
    }
    return moved;
}

/* An empty cluster keeps its middle. */
static void move_middles(struct means *m, const point *at, point *sum)
{
    memset(sum, 0, m->k * sizeof *sum);
    memset(m->size, 0, m->k * sizeof *m->size);
    for (size_t i = 0; i < m->n; i++) {
        m->size[m->of[i]]++;
        for (unsigned d = 0; d < D; d++)
            sum[m->of[i]][d] += at[i][d];
    }
    for (size_t c = 0; c < m->k; c++)
        for (unsigned d = 0; m->size[c] && d < D; d++)
            m->middle[c][d] = sum[c][d] / (double)m->size[c];
}

static void find_means(struct means *m, const point *at, point *sum, uint64_t seed)
{
    uint64_t random = sl_mix(seed);
    draw_middles(m, at, &random);
    memset(m->of, 0xff, m->n * sizeof *m->of);
    for (unsigned round = 0; round < ROUNDS && assign(m, at); round++)
        move_middles(m, at, sum);
    assign(m, at);
    move_middles(m, at, sum);
}

/* Pelleg and Moore's. Points that all lie on their middles are as likely as can be. */
static double score(const struct means *m)
{
    double n = (double)m->n, k = (double)m->k;
    double variance = m->n > m->k ? m->spread / ((n - k) * D) : 0;
    double likelihood = 0;
    if (variance < 1e-12)
        variance = 1e-12;
    for (size_t c = 0; c < m->k; c++)
        if (m->size[c])
            likelihood += (double)m->size[c] * log((double)m->size[c] / n);
    likelihood -= n * D / 2 * log(2 * M_PI * variance) + (n - k) * D / 2;
    return likelihood - (k - 1 + D * k + 1) / 2 * log(n);
}

/* ---- choosing ---- */

struct work {
    point *at, *sum;
    struct means best, trial;
    double *score; /* by k - 1 */
};

static bool means_open(struct means *m, size_t n, size_t most)
{
    m->n = n;
    m->middle = malloc(most * sizeof *m->middle);
    m->distance = malloc(n * sizeof *m->distance);
    m->of = malloc(n * sizeof *m->of);
    m->size = malloc(most * sizeof *m->size);
    return m->middle && m->distance && m->of && m->size;
}

static void means_close(struct means *m)
{
    free(m->middle);
    free(m->distance);
    free(m->of);
    free(m->size);
}

/* The tightest of several, in w->best. */
static void find_best(struct work *w, size_t k, uint64_t seed)
{
    for (unsigned s = 0; s < SEEDS; s++) {
        w->trial.k = k;
        find_means(&w->trial, w->at, w->sum, sl_mix_pair(seed + s, k));
        if (!s || w->trial.spread < w->best.spread) {
            struct means other = w->best;
            w->best = w->trial;
            w->trial = other;
        }
    }
}

static size_t least_good(const double *of, size_t n)
{
    double low = of[0], high = of[0];
    size_t k = 0;
    for (size_t i = 1; i < n; i++) {
        low = of[i] < low ? of[i] : low;
        high = of[i] > high ? of[i] : high;
    }
    while (k < n - 1 && of[k] < low + SCORE_PART * (high - low))
        k++;
    return k + 1;
}

static int by_interval(const void *a, const void *b)
{
    const struct sl_cluster *x = a, *y = b;
    return (x->interval > y->interval) - (x->interval < y->interval);
}

/* How many slices each cluster gets: one, and of those that are left a part by how many intervals
 * it has, and how far these are from its middle; but no more than it has intervals. */
static void share_out(const struct means *m, size_t slices, size_t *share)
{
    double *spread = calloc(m->k, sizeof *spread), all = 0;
    for (size_t i = 0; spread && i < m->n; i++)
        spread[m->of[i]] += m->distance[i];
    for (size_t c = 0; c < m->k; c++) {
        share[c] = m->size[c] > 0;
        if (spread && m->size[c])
            all += spread[c] = sqrt(spread[c] * (double)m->size[c]);
    }
    for (size_t c = 0; spread && c < m->k && all > 0 && slices > m->k; c++) {
        size_t more = (size_t)((double)(slices - m->k) * spread[c] / all);
        share[c] = share[c] + more < m->size[c] ? share[c] + more : m->size[c];
    }
    free(spread);
}

/* Each cluster's intervals, in the order of time, in as many groups as it has slices. */
static bool settle(struct sl_clusters *to, const struct sl_vectors *v, const struct means *m,
                   uint64_t random, size_t slices)
{
    double all = (double)v->begins[v->n];
    size_t *share = calloc(m->k, sizeof *share), *member = malloc(m->n * sizeof *member), n,
           capacity = 0;
    bool done = share && member;
    if (done)
        share_out(m, slices, share);
    for (size_t c = 0; done && c < m->k; c++)
        capacity += share[c];
    done = done && (to->cluster = calloc(capacity, sizeof *to->cluster));
    for (size_t c = 0; done && c < m->k; c++) {
        n = 0;
        for (size_t i = 0; i < m->n; i++)
            if (m->of[i] == c)
                member[n++] = i;
        for (size_t g = 0; g < share[c]; g++) {
            size_t low = n * g / share[c], high = n * (g + 1) / share[c];
            struct sl_cluster *cluster = &to->cluster[to->n++];
            cluster->interval = member[low + sl_random_below(&random, high - low)];
            for (size_t i = low; i < high; i++)
                cluster->weight += (double)(v->begins[member[i] + 1] - v->begins[member[i]]) / all;
        }
    }
    if (done)
        qsort(to->cluster, to->n, sizeof *to->cluster, by_interval);
    free(share);
    free(member);
    return done;
}

int sl_clusters_find(struct sl_clusters *clusters, const struct sl_vectors *v, size_t most,
                     size_t slices, uint64_t seed, struct sl_failure *f)
{
    struct work w = {0};
    *clusters = (struct sl_clusters){0};
    if (!v->n)
        return sl_fail(f, SL_EUSAGE,
                       "nothing was executed, so there is nothing to cut into slices");
    if (!most || most > SL_CLUSTERS_MAX)
        return sl_fail_setting(f, "clusters", "there can be from 1 to %u clusters",
                               SL_CLUSTERS_MAX);
    most = most < v->n ? most : v->n;
    w.at = malloc(v->n * sizeof *w.at);
    w.sum = malloc(most * sizeof *w.sum);
    w.score = malloc(most * sizeof *w.score);
    bool best = means_open(&w.best, v->n, most), trial = means_open(&w.trial, v->n, most);
    bool ready = best && trial && w.at && w.sum && w.score;
    if (ready) {
        project(v, seed, w.at);
        for (size_t k = 1; k <= most; k++) {
            find_best(&w, k, seed);
            w.score[k - 1] = score(&w.best);
        }
        /* The same seeds give the same clusters again. */
        find_best(&w, least_good(w.score, most), seed);
        assign(&w.best, w.at);
        ready = settle(clusters, v, &w.best, sl_mix(seed), slices);
    }
    means_close(&w.best);
    means_close(&w.trial);
    free(w.at);
    free(w.sum);
    free(w.score);
    return ready ? 0 : sl_out_of_memory(f);
}

void sl_clusters_free(struct sl_clusters *clusters)
{
    free(clusters->cluster);
    *clusters = (struct sl_clusters){0};
}
