/* SPDX-License-Identifier: MIT */
#include "cli.h"
/* Command `sluice lab`: runs the experiments of the papers. They are a separate program,
 * sluice-lab, because they use internal headers of sluice. */
const struct cli_command cli_lab = {
    .name = "lab",
    .summary = "Repeats the experiments of the papers and compares published results with ours",
    .program = "sluice-lab",
};
