/* Workload: repeatedly multiplies a sparse matrix with a vector, y = A x. The result modulo a prime
 * is the next vector x.
 *
 * The matrix is stored by rows: the nonzero elements of row i, and their columns, at row[i] to
 * row[i + 1] - 1. A row has 0 to 15 elements; half are near the diagonal and half anywhere, so
 * that loads of x sometimes miss.
 *
 * Elements are integers in floating point, small enough that no sum is rounded: the order of
 * additions does not matter, nor whether they are fused with multiplications. The program can
 * therefore check the last product in integers, from the list that the matrix was built from,
 * last element first. */
#include "workload.h"

#define N 1024u
#define ROW_MAX 15u
#define PRIME 1009

static struct element {
    uint16_t row, column;
    int16_t value;
} element[N * ROW_MAX];
static uint32_t n_elements;

static uint32_t row[N + 1];
static uint32_t column[N * ROW_MAX];
static double value[N * ROW_MAX];
static double x[N], y[N];

/* Row by row, with columns in any order. */
PART void make_elements(void)
{
    uint32_t seed = 3;
    for (uint32_t i = 0; i < N; i++) {
        uint32_t n = workload_random(&seed) % (ROW_MAX + 1);
        for (uint32_t k = 0; k < n; k++) {
            uint32_t r = workload_random(&seed), near = i + (r >> 8) % 32 + N - 16;
            element[n_elements++] = (struct element){
                (uint16_t)i, (uint16_t)((r & 1 ? near : r >> 8) % N),
                (int16_t)((int32_t)(r >> 1 & 127) - 64)};
        }
        x[i] = workload_random(&seed) % PRIME;
    }
}

PART void compress_rows(void)
{
    for (uint32_t k = 0; k < n_elements; k++) {
        row[element[k].row + 1u] = k + 1;
        column[k] = element[k].column;
        value[k] = element[k].value;
    }
    for (uint32_t i = 1; i <= N; i++) /* an empty row ends where the row before it does */
        if (row[i] < row[i - 1])
            row[i] = row[i - 1];
}

PART double dot_row(uint32_t i)
{
    double sum = 0;
    for (uint32_t k = row[i]; k < row[i + 1]; k++)
        sum += value[k] * x[column[k]];
    return sum;
}

PART void multiply(void)
{
    for (uint32_t i = 0; i < N; i++)
        y[i] = dot_row(i);
}

PART void reduce(void)
{
    for (uint32_t i = 0; i < N; i++)
        x[i] = (int32_t)y[i] % PRIME;
}

PART void check(const double *factor)
{
    static int32_t product[N];
    for (uint32_t j = n_elements; j-- > 0;)
        product[element[j].row] += element[j].value * (int32_t)factor[element[j].column];
    for (uint32_t i = 0; i < N; i++)
        if (y[i] != product[i])
            workload_wrong("spmv", "the product's element", i);
}

int main(int argc, char **argv)
{
    static double factor[N];
    uint32_t rounds = workload_rounds(argc, argv, 60), sum = 0;
    make_elements();
    compress_rows();
    for (uint32_t round = 0; round < rounds; round++) {
        if (round + 1 == rounds)
            memcpy(factor, x, sizeof factor);
        multiply();
        reduce();
    }
    check(factor);
    for (uint32_t i = 0; i < N; i++)
        sum = workload_mix(sum, (uint32_t)(int32_t)x[i]);
    return workload_done("spmv", sum);
}
/* SPDX-License-Identifier: MIT */
