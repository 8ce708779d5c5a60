/* SPDX-License-Identifier: MIT */
/* Generator of the perfect hash of a program's function addresses. perfect_hash.h defines the
 * hash.
 *
 * The parameters are drawn at random from a fixed seed: V is any word, A1 and B1 any shifts; A2
 * leaves the log2(N) highest bits as `a`, B2 selects as many as `b`. Then `tab` is filled, by
 * groups of addresses with the same b:
 *
 *     group    b = 5: a = 3, 9, 12          indices   0 1 2 3 4 5 6 7 8 9 ...
 *              b = 2: a = 7, 9              taken       x   x x     x
 *              b = 0: a = 4                 tab[5] = d, such that 3^d, 9^d and 12^d are free
 *
 * Large groups come first, while most indices are free; groups of one come last and take any free
 * index, since a ^ d reaches every index. With as many groups as indices, about 63 % of the
 * addresses are in groups of two or more: the last of these finds 37 % of the indices free even if
 * n = N. So a draw fails only if two addresses of a group agree in `a`, or by chance for a handful
 * of functions; then the next one is tried. 40,000 functions (libLLVM) take one draw and 2.3 ms. */
#include "perfect_hash.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "random.h"
#include "table.h"

#define WORK_MAX (UINT64_C(1) << 26) /* draws times indices: some seconds */
#define SEED 1
#define GROUP_MAX 32u /* of a draw that is worth filling; by chance it is 10 among 2^20 */

unsigned sl_perfect_hash_log2(size_t n)
{
    return n > 2 ? sl_log2_up(n) : 1;
}

unsigned sl_perfect_hash_word_bits(unsigned size_log2)
{
    return size_log2 <= 8 ? 8 : size_log2 <= 16 ? 16 : 32;
}

/* Temporary arrays, of n or N elements. */
struct workspace {
    uint32_t *key;   /* low halves of the addresses */
    uint32_t *a;     /* of the addresses, group by group */
    uint32_t *begin; /* of each group in `a`, and the end of the last */
    uint32_t *order; /* groups, the largest first */
    uint8_t *taken;  /* indices */
};

static uint32_t mixed(const struct sl_perfect_hash *hash, uint32_t key)
{
    uint32_t x = key + hash->v;
    x += x << 8;
    return x ^ x >> 4;
}

/* Sorts the addresses into groups, and these by size; false if they are too uneven. */
static bool group(const struct sl_perfect_hash *hash, struct workspace *w, size_t n)
{
    size_t size = (size_t)1 << hash->size_log2;
    memset(w->begin, 0, (size + 2) * sizeof *w->begin);
    for (size_t i = 0; i < n; i++)
        w->begin[(mixed(hash, w->key[i]) >> hash->b1 & hash->b2) + 2]++;
    uint32_t largest = 0;
    for (size_t b = 0; b < size; b++) {
        largest = w->begin[b + 2] > largest ? w->begin[b + 2] : largest;
        w->begin[b + 2] += w->begin[b + 1];
    }
    if (largest > GROUP_MAX)
        return false;
    for (size_t i = 0; i < n; i++) {
        uint32_t x = mixed(hash, w->key[i]);
        w->a[w->begin[(x >> hash->b1 & hash->b2) + 1]++] = (x + (x << hash->a1)) >> hash->a2;
    }
    size_t n_sorted = 0;
    for (uint32_t members = largest; members; members--)
        for (size_t b = 0; b < size; b++)
            if (w->begin[b + 1] - w->begin[b] == members)
                w->order[n_sorted++] = (uint32_t)b;
    if (n_sorted < size)
        w->order[n_sorted] = UINT32_MAX; /* the rest is empty */
    return true;
}

static bool fits(const struct workspace *w, const uint32_t *a, uint32_t members, uint32_t d)
{
    uint32_t i = 0;
    while (i < members && !w->taken[a[i] ^ d])
        i++;
    return i == members;
}

static bool all_differ(const uint32_t *a, uint32_t members)
{
    for (uint32_t i = 1; i < members; i++)
        for (uint32_t j = 0; j < i; j++)
            if (a[i] == a[j])
                return false;
    return true;
}

static bool fill(struct sl_perfect_hash *hash, struct workspace *w)
{
    uint32_t size = UINT32_C(1) << hash->size_log2, free_from = 0;
    memset(hash->tab, 0, size * sizeof *hash->tab);
    memset(w->taken, 0, size);
    for (uint32_t rank = 0; rank < size && w->order[rank] != UINT32_MAX; rank++) {
        uint32_t b = w->order[rank], members = w->begin[b + 1] - w->begin[b], d = 0;
        const uint32_t *a = w->a + w->begin[b];
        if (!all_differ(a, members))
            return false;
        if (members == 1) {
            while (w->taken[free_from])
                free_from++;
            d = a[0] ^ free_from;
        } else {
            while (d < size && !fits(w, a, members, d))
                d++;
            if (d == size)
                return false;
        }
        hash->tab[b] = d;
        for (uint32_t i = 0; i < members; i++)
            w->taken[a[i] ^ d] = 1;
    }
    return true;
}

static int draw(struct sl_perfect_hash *hash, struct workspace *w, size_t n, struct sl_failure *f)
{
    uint64_t random = SEED;
    unsigned bits = hash->size_log2;
    uint64_t draws = WORK_MAX >> bits;
    hash->a2 = 32 - bits;
    hash->b2 = (UINT32_C(1) << bits) - 1;
    for (uint64_t i = 0; i < draws; i++) {
        hash->v = (uint32_t)sl_random_next(&random);
        hash->a1 = (uint32_t)sl_random_below(&random, 32);
        hash->b1 = (uint32_t)sl_random_below(&random, 33 - bits);
        if (group(hash, w, n) && fill(hash, w))
            return 0;
    }
    return sl_fail(
        f, SL_EUSAGE,
        "no perfect hash found: %llu hashes were tried for the %zu functions; use the table snoopp",
        (unsigned long long)draws, n);
}

static int ascending(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* Leaves the low halves in w->key. */
static int check_keys(struct workspace *w, const uint64_t *address, size_t n, struct sl_failure *f)
{
    for (size_t i = 0; i < n; i++)
        w->key[i] = (uint32_t)address[i];
    qsort(w->key, n, sizeof *w->key, ascending);
    for (size_t i = 1; i < n; i++)
        if (w->key[i] == w->key[i - 1])
            return sl_fail(f, SL_EUSAGE,
                           "two functions have addresses that end in %08x, and the perfect hash "
                           "uses only the low 32 bits: use the table snoopp",
                           (unsigned)w->key[i]);
    return 0;
}

int sl_perfect_hash_make(struct sl_perfect_hash *hash, const uint64_t *address, size_t n,
                         uint32_t *tab, struct sl_failure *f)
{
    if (!n || n > SL_PERFECT_HASH_MAX)
        return sl_fail(f, SL_EUSAGE,
                       "a perfect hash supports 1 to %llu functions, and the program has %zu",
                       (unsigned long long)SL_PERFECT_HASH_MAX, n);
    *hash = (struct sl_perfect_hash){.tab = tab, .size_log2 = sl_perfect_hash_log2(n)};
    size_t size = (size_t)1 << hash->size_log2;
    struct workspace w = {malloc(n * sizeof *w.key), malloc(n * sizeof *w.a),
                          malloc((size + 2) * sizeof *w.begin), malloc(size * sizeof *w.order),
                          malloc(size)};
    int error = w.key && w.a && w.begin && w.order && w.taken ? check_keys(&w, address, n, f)
                                                              : sl_out_of_memory(f);
    if (error >= 0)
        error = draw(hash, &w, n, f);
    free(w.key);
    free(w.a);
    free(w.begin);
    free(w.order);
    free(w.taken);
    return error;
}
