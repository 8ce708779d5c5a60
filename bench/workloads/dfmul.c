/* Multiplications of double precision in integers (soft_double.h),
 * for numbers of all kinds, checked against the processor's own. */
#include "soft_double_trials.h"

PART double machine_multiply(double a, double b)
{
    return a * b;
}

int main(int argc, char **argv)
{
    return df_trials("dfmul", workload_rounds(argc, argv, 100), df_multiply, machine_multiply);
}
/* SPDX-License-Identifier: MIT */
