/* SPDX-License-Identifier: MIT */
#include "cli.h"

/* A program of its own: experiments see more of sluice than its public header. */
const struct cli_command cli_lab = {
    .name = "lab",
    .summary = "Runs the documents' experiments on real programs, published figures beside ours",
    .program = "sluice-lab",
};
