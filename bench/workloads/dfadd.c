/* Workload: adds double-precision numbers with integer instructions only (soft_double.h). Each
 * result must be bit-identical to that of the processor's floating-point instruction. */
#include "soft_double_trials.h"

PART double machine_add(double a, double b)
{
    return a + b;
}

int main(int argc, char **argv)
{
    return df_trials("dfadd", workload_rounds(argc, argv, 100), df_add, machine_add);
}
/* SPDX-License-Identifier: MIT */
