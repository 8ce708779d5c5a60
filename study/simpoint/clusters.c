/* SPDX-License-Identifier: MIT */
/* k-means clustering of basic-block vectors, and selection of representative slices from the
 * clusters. */
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

/* A clustering of n points, with its memory. */
struct means {
    size_t n, k;
    point *center;
    double *distance; /* by point: squared distance to its center */
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

/* Element (block, d) of the random matrix, between -1 and 1. */
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

/* Draws a point with a probability proportional to its squared distance from all centers so far. */
static size_t draw_distant(const struct means *m, uint64_t *random)
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

static void draw_centers(struct means *m, const point *at, uint64_t *random)
{
    size_t first = (size_t)sl_random_below(random, m->n);
    for (size_t c = 0; c < m->k; c++) {
        size_t chosen = c ? draw_distant(m, random) : first;
        memcpy(m->center[c], at[chosen], sizeof *at);
        for (size_t i = 0; i < m->n; i++) {
            double d = squared(at[i], m->center[c]);
            m->distance[i] = c && m->distance[i] < d ? m->distance[i] : d;
        }
    }
}

/* Assigns each point to its nearest center. Returns true if any has changed. */
static bool assign(struct means *m, const point *at)
{
    bool moved = false;
    m->spread = 0;
    for (size_t i = 0; i < m->n; i++) {
        uint32_t best = 0;
        m->distance[i] = squared(at[i], m->center[0]);
        for (uint32_t c = 1; c < m->k; c++) {
            double d = squared(at[i], m->center[c]);
            if (d < m->distance[i])
                m->distance[i] = d, best = c;
        }
        moved |= m->of[i] != best;
        m->of[i] = best;
        m->spread += m->distance[i];
    }
    return moved;
}

/* Moves the centers to the means of their points. An empty cluster keeps its center. */
static void move_centers(struct means *m, const point *at, point *sum)
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
            m->center[c][d] = sum[c][d] / (double)m->size[c];
}

static void find_means(struct means *m, const point *at, point *sum, uint64_t seed)
{
    uint64_t random = sl_mix(seed);
    draw_centers(m, at, &random);
    memset(m->of, 0xff, m->n * sizeof *m->of);
    for (unsigned round = 0; round < ROUNDS && assign(m, at); round++)
        move_centers(m, at, sum);
    assign(m, at);
    move_centers(m, at, sum);
}

/* The Bayesian information criterion. A minimum variance keeps it finite if all points are at
 * their centers. */
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

/* ---- selection ---- */

struct work {
    point *at, *sum;
    struct means best, trial;
    double *score; /* by k - 1 */
};

static bool means_open(struct means *m, size_t n, size_t most)
{
    m->n = n;
    m->center = malloc(most * sizeof *m->center);
    m->distance = malloc(n * sizeof *m->distance);
    m->of = malloc(n * sizeof *m->of);
    m->size = malloc(most * sizeof *m->size);
    return m->center && m->distance && m->of && m->size;
}

static void means_close(struct means *m)
{
    free(m->center);
    free(m->distance);
    free(m->of);
    free(m->size);
}

/* Stores the tightest of several clusterings in w->best. */
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

/* Sets the number of slices of each cluster: one, and a part of the rest in proportion to its
 * number of intervals and their distance from the center, up to one per interval. */
static void allot_slices(const struct means *m, size_t slices, size_t *quota)
{
    double *spread = calloc(m->k, sizeof *spread), all = 0;
    for (size_t i = 0; spread && i < m->n; i++)
        spread[m->of[i]] += m->distance[i];
    for (size_t c = 0; c < m->k; c++) {
        quota[c] = m->size[c] > 0;
        if (spread && m->size[c])
            all += spread[c] = sqrt(spread[c] * (double)m->size[c]);
    }
    for (size_t c = 0; spread && c < m->k && all > 0 && slices > m->k; c++) {
        size_t more = (size_t)((double)(slices - m->k) * spread[c] / all);
        quota[c] = quota[c] + more < m->size[c] ? quota[c] + more : m->size[c];
    }
    free(spread);
}

/* Divides the intervals of each cluster, in the order of time, into as many groups as it has
 * slices, and draws one interval of each. Returns false if out of memory. */
static bool draw_slices(struct sl_clusters *to, const struct sl_vectors *v, const struct means *m,
                        uint64_t random, size_t slices)
{
    double all = (double)v->begins[v->n];
    size_t *quota = calloc(m->k, sizeof *quota), *member = malloc(m->n * sizeof *member), n,
           capacity = 0;
    bool done = quota && member;
    if (done)
        allot_slices(m, slices, quota);
    for (size_t c = 0; done && c < m->k; c++)
        capacity += quota[c];
    done = done && (to->cluster = calloc(capacity, sizeof *to->cluster));
    for (size_t c = 0; done && c < m->k; c++) {
        n = 0;
        for (size_t i = 0; i < m->n; i++)
            if (m->of[i] == c)
                member[n++] = i;
        for (size_t g = 0; g < quota[c]; g++) {
            size_t low = n * g / quota[c], high = n * (g + 1) / quota[c];
            struct sl_cluster *cluster = &to->cluster[to->n++];
            cluster->interval = member[low + sl_random_below(&random, high - low)];
            for (size_t i = low; i < high; i++)
                cluster->weight += (double)(v->begins[member[i] + 1] - v->begins[member[i]]) / all;
        }
    }
    if (done)
        qsort(to->cluster, to->n, sizeof *to->cluster, by_interval);
    free(quota);
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
                       "the trace has no instructions: there is nothing to cut into slices");
    if (!most || most > SL_CLUSTERS_MAX)
        return sl_fail_setting(f, "clusters", "invalid number of clusters: use 1 to %u",
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
        ready = draw_slices(clusters, v, &w.best, sl_mix(seed), slices);
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
