/* Main loop of the workloads dfadd, dfdiv and dfmul: compares the results of an operation of
 * soft_double.h with those of the processor's instruction, bit by bit, for numbers of all kinds.
 * Any two NaN results are considered equal. */
#ifndef SOFT_DOUBLE_TRIALS_H
#define SOFT_DOUBLE_TRIALS_H

#include "soft_double.h"

#define N_OPERANDS 256u

static uint64_t operand[N_OPERANDS];

PART double df_to_machine(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

PART uint64_t df_from_machine(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Zeros, infinities, the extremes and NaN first; then random numbers, with
 * exponents that are random, or near each other, or next to the smallest. */
PART void df_operands(uint32_t *seed)
{
    static const uint64_t special[] = {
        0, DF_INFINITY, DF_NAN, DF_ONE, 1, 0x000fffffffffffff, 0x0010000000000000,
        0x7fefffffffffffff, 0x3ff0000000000001, 0x3fefffffffffffff, 0x4340000000000000,
    };
    for (uint32_t i = 0; i < N_OPERANDS; i++) {
        uint64_t high = workload_random(seed), bits = high << 32 | workload_random(seed);
        uint64_t exponent = i % 4 == 0   ? bits >> 52 & 0x7ff
                            : i % 4 == 1 ? high % 64
                                         : 1000 + high % 48;
        if (i < 2 * COUNT(special))
            operand[i] = special[i / 2] | (uint64_t)(i & 1) << 63;
        else
            operand[i] = (bits & ~DF_INFINITY) | exponent << 52;
    }
}

static inline bool df_is_nan(uint64_t bits)
{
    return (bits & ~DF_SIGN) > DF_INFINITY;
}

/* Combines each operand with some others: the i-th with the one at i +
 * `distance`, with one distance per round. A complete main program. */
static inline int df_trials(const char *name, uint32_t rounds,
                            uint64_t (*soft)(uint64_t, uint64_t), double (*machine)(double, double))
{
    uint32_t seed = 7, sum = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        if (round % 8 == 0)
            df_operands(&seed);
        for (uint32_t i = 0; i < N_OPERANDS; i++) {
            uint64_t a = operand[i], b = operand[(i + 7 * round) % N_OPERANDS];
            uint64_t got = soft(a, b);
            uint64_t expected = df_from_machine(machine(df_to_machine(a), df_to_machine(b)));
            if (got != expected && !(df_is_nan(got) && df_is_nan(expected)))
                workload_wrong(name, "the result for operand", i);
            sum = workload_mix(workload_mix(sum, (uint32_t)got), (uint32_t)(got >> 32));
        }
    }
    return workload_done(name, sum);
}

#endif
/* SPDX-License-Identifier: MIT */
