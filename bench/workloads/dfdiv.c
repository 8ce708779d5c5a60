/* Divisions of double precision in integers (soft_double.h), for
 * numbers of all kinds, checked against the processor's own. */
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
