/* Workload: multiplies double-precision numbers with integer instructions only (soft_double.h).
 * Each result must be bit-identical to that of the processor's floating-point instruction. */
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
