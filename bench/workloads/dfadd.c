/* Workload: adds double-precision numbers with integer instructions only (soft_double.h). Each
 * result must have the same bits as the result of the processor's instruction. */
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
