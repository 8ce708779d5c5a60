/* SPDX-License-Identifier: MIT */
#include "cli.h"
/* Command `sluice lab`: repeats the experiments of the papers. The command executes the separate
 * program sluice-lab, because the experiments use internal headers of sluice. */
const struct cli_command cli_lab = {
    .name = "lab",
    .summary =
        "Repeats the experiments of the papers and compares the results with the published ones",
    .program = "sluice-lab",
};
