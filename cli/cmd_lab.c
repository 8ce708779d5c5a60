/* SPDX-License-Identifier: MIT */
#include "cli.h"

/* sluice lab: the experiments of the papers. They are a separate program, sluice-lab, because they
 * use internal headers of sluice. */
const struct cli_command cli_lab = {
    .name = "lab",
    .summary = "Repeats the papers' experiments on real programs, next to the published results",
    .program = "sluice-lab",
};
