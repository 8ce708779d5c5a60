/* Additions of double precision in integers (soft_double.h), for
 * numbers of all kinds, checked against the processor's own. */
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
