/* Workload: divides double-precision numbers with integer instructions only (soft_double.h). Each
 * result must be bit-identical to that of the processor's floating-point instruction; all NaNs
 * count as equal. */
#include "soft_double_trials.h"

PART double machine_divide(double a, double b)
{
    return a / b;
}

int main(int argc, char **argv)
{
    return df_trials("dfdiv", workload_rounds(argc, argv, 30), df_divide, machine_divide);
}
/* SPDX-License-Identifier: MIT */
