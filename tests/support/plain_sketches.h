/* SPDX-License-Identifier: MIT */
/* Simple models of the tables in src/tables/sketches, written from the definition at the start of
 * each table's source file. The models use arrays and linear search, and process one event at a
 * time. Models and tables share only the hash function and the random number generator. A slot is
 * free if its count is 0, except in the model of Misra-Gries. */
#ifndef SL_TESTS_PLAIN_RIVALS_H
#define SL_TESTS_PLAIN_RIVALS_H

#include <math.h>
#include <string.h>

#include "byte_hash.h"
#include "random.h"
#include "sluice.h"

#define PLAIN_ENTRIES 64
#define PLAIN_CELLS 4096
#define PLAIN_SEED 1

struct plain {
    size_t entries, rows, columns, light; /* as the options say */
    bool conservative;
    struct sl_tuple name[PLAIN_ENTRIES];
    uint64_t count[PLAIN_ENTRIES], extra[PLAIN_ENTRIES];
    size_t n; /* places that were ever taken */
    int64_t cell[PLAIN_CELLS];
    struct sl_tuple cell_name[PLAIN_CELLS];
    uint64_t votes[PLAIN_CELLS], lights[PLAIN_CELLS];
    bool flag[PLAIN_CELLS];
    uint64_t random, weight;
};

static bool plain_same(struct sl_tuple a, struct sl_tuple b)
{
    return a.pc == b.pc && a.value == b.value;
}

static size_t plain_hash(unsigned k, size_t n, struct sl_tuple t)
{
    uint8_t table[256];
    unsigned bits = 0;
    while ((size_t)1 << bits < n)
        bits++;
    sl_byte_table(table, PLAIN_SEED, k);
    return sl_byte_hash(table, bits, t.pc, t.value);
}

static size_t plain_find(const struct plain *p, struct sl_tuple t)
{
    size_t i = 0;
    while (i < p->n && !plain_same(p->name[i], t))
        i++;
    return i;
}

static size_t plain_least(const struct plain *p)
{
    size_t least = 0;
    for (size_t i = 1; i < p->n; i++)
        if (p->count[i] < p->count[least])
            least = i;
    return least;
}

static void plain_spacesaving(struct plain *p, struct sl_tuple t, uint64_t weight)
{
    size_t i = plain_find(p, t);
    if (i == p->n && p->n < p->entries) {
        p->name[p->n++] = t;
    } else if (i == p->n) {
        i = plain_least(p);
        p->name[i] = t;
        p->extra[i] = p->count[i];
    }
    p->count[i] += weight;
}

static void plain_misragries(struct plain *p, struct sl_tuple t, uint64_t weight)
{
    size_t i = plain_find(p, t);
    if (i < p->n && p->count[i]) {
        p->count[i] += weight;
        return;
    }
    for (size_t k = 0; k < p->entries; k++) /* an entry at 0 is free */
        if (!p->count[k]) {
            if (k == p->n)
                p->n++;
            p->name[k] = t;
            p->count[k] = weight;
            return;
        }
    uint64_t least = p->count[plain_least(p)], taken = weight < least ? weight : least;
    for (size_t k = 0; k < p->entries; k++)
        p->count[k] -= taken;
    p->extra[0] += taken;
    if (weight > taken)
        plain_misragries(p, t, weight - taken);
}

/* The names of a sketch. */
static void plain_name(struct plain *p, struct sl_tuple t, uint64_t estimate)
{
    size_t i = plain_find(p, t);
    if (i == p->n && !estimate)
        return;
    if (i == p->n && p->n < p->entries) {
        p->n++;
    } else if (i == p->n) {
        i = plain_least(p);
        if (estimate <= p->count[i])
            return;
    }
    p->name[i] = t;
    p->count[i] = estimate;
}

static void plain_countmin(struct plain *p, struct sl_tuple t, uint64_t weight)
{
    int64_t *cell[4], least = INT64_MAX;
    for (unsigned row = 0; row < p->rows; row++) {
        cell[row] = &p->cell[row * p->columns + plain_hash(row, p->columns, t)];
        least = *cell[row] < least ? *cell[row] : least;
    }
    for (unsigned row = 0; row < p->rows; row++)
        if (!p->conservative)
            *cell[row] += (int64_t)weight;
        else if (*cell[row] < least + (int64_t)weight)
            *cell[row] = least + (int64_t)weight;
    plain_name(p, t, (uint64_t)least + weight);
}

static void plain_countsketch(struct plain *p, struct sl_tuple t, uint64_t weight)
{
    int64_t seen[3], swap;
    for (unsigned row = 0; row < 3; row++) {
        size_t at = plain_hash(row, 2 * p->columns, t);
        int64_t sign = at >= p->columns ? -1 : 1;
        int64_t *cell = &p->cell[row * p->columns + at % p->columns];
        *cell += sign * (int64_t)weight;
        seen[row] = sign * *cell;
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (seen[k] > seen[k + 1])
                swap = seen[k], seen[k] = seen[k + 1], seen[k + 1] = swap;
    plain_name(p, t, seen[1] > 0 ? (uint64_t)seen[1] : 0);
}

static void plain_heavykeeper(struct plain *p, struct sl_tuple t, uint64_t weight)
{
    size_t i = plain_find(p, t);
    bool there = i < p->n, full = p->n == p->entries;
    uint64_t least = full && !there ? p->count[plain_least(p)] : 0, estimate = 0;
    uint64_t print = sl_xorfold(t.pc ^ t.value, 16);
    for (unsigned row = 0; row < p->rows; row++) {
        size_t at = row * p->columns + plain_hash(row, p->columns, t);
        uint64_t count = (uint64_t)p->cell[at];
        if (count && p->cell_name[at].pc == print) {
            if (there || !full || count <= least)
                p->cell[at] += (int64_t)weight;
        } else {
            double chance = pow(1.08, -(double)count);
            if (count &&
                (count >= 1024 || sl_random_next(&p->random) >= (uint64_t)(chance * 0x1p63) * 2))
                continue;
            p->cell[at] = weight < count ? (int64_t)(count - weight) : 0;
            if (p->cell[at])
                continue;
            p->cell_name[at].pc = print;
            p->cell[at] = (int64_t)weight;
        }
        estimate = (uint64_t)p->cell[at] > estimate ? (uint64_t)p->cell[at] : estimate;
    }
    if (there) {
        p->count[i] = estimate > p->count[i] ? estimate : p->count[i];
    } else if (estimate > least && !(full && estimate - least > weight)) {
        i = full ? plain_least(p) : p->n++;
        p->name[i] = t;
        p->count[i] = estimate;
    }
}

/* `rows` are ways, `columns` buckets. */
static void plain_elastic(struct plain *p, struct sl_tuple t, uint64_t weight)
{
    size_t bucket = plain_hash(0, 65536, t) % p->columns, first = bucket * p->rows, least = first;
    size_t light = plain_hash(1, 65536, t) % p->light;
    for (size_t i = first; i < first + p->rows; i++) {
        if (p->cell[i] && !plain_same(p->cell_name[i], t)) {
            least = p->cell[i] < p->cell[least] ? i : least;
            continue;
        }
        p->cell_name[i] = t;
        p->cell[i] += (int64_t)weight;
        return;
    }
    p->votes[bucket] += weight;
    bool goes = p->votes[bucket] >= 8 * (uint64_t)p->cell[least];
    if (goes) {
        light = plain_hash(1, 65536, p->cell_name[least]) % p->light;
        weight += (uint64_t)p->cell[least]; /* changes hands below */
        p->lights[light] += (uint64_t)p->cell[least];
        p->cell_name[least] = t;
        p->cell[least] = (int64_t)weight - p->cell[least];
        p->flag[least] = true;
        p->votes[bucket] = 0;
    } else {
        p->lights[light] += weight;
    }
    if (p->lights[light] > 255)
        p->lights[light] = 255;
}

static void plain_cocosketch(struct plain *p, struct sl_tuple t, uint64_t weight)
{
    size_t least = SIZE_MAX;
    for (unsigned row = 0; row < p->rows; row++) {
        size_t at = row * p->columns + plain_hash(row, p->columns, t);
        if (p->cell[at] && plain_same(p->cell_name[at], t)) {
            p->cell[at] += (int64_t)weight;
            return;
        }
        if (least == SIZE_MAX || p->cell[at] < p->cell[least])
            least = at;
    }
    p->cell[least] += (int64_t)weight;
    if (sl_random_below(&p->random, (uint64_t)p->cell[least]) < weight)
        p->cell_name[least] = t;
}

#endif
