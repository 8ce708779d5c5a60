/* Workload: adds two vectors of integers, element by element, in a simple loop.
 *
 * In each round the sums become one of the vectors of the next, so that after round k
 *
 *     sum = a + k b          (modulo 2^32)
 *
 * The program checks this element by element, by multiplication. */
#include "workload.h"

#define N 4096u

static uint32_t a[N], b[N], turns[2][N];

PART void fill(uint32_t *v, uint32_t seed)
{
    for (uint32_t i = 0; i < N; i++)
        v[i] = workload_random(&seed);
}

PART void add(uint32_t *restrict sum, const uint32_t *restrict x, const uint32_t *restrict y)
{
    for (uint32_t i = 0; i < N; i++)
        sum[i] = x[i] + y[i];
}

PART uint32_t check(const uint32_t *sum, uint32_t rounds)
{
    uint32_t checksum = 0;
    for (uint32_t i = 0; i < N; i++) {
        if (sum[i] != a[i] + rounds * b[i])
            workload_wrong("vvadd", "the sum of element", i);
        checksum = workload_mix(checksum, sum[i]);
    }
    return checksum;
}

int main(int argc, char **argv)
{
    uint32_t rounds = workload_rounds(argc, argv, 250);
    const uint32_t *last = a;
    fill(a, 1);
    fill(b, 2);
    for (uint32_t round = 0; round < rounds; round++) {
        add(turns[round % 2], last, b);
        last = turns[round % 2];
    }
    return workload_done("vvadd", check(last, rounds));
}
/* SPDX-License-Identifier: MIT */
