/* SPDX-License-Identifier: MIT */
#include "cli.h"

static int run(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    struct sl_failure f;
    if (o->first_argument + 1 != argc)
        return cli_usage_error(command, "give one spec, such as value@multihash");
    if (!o->output)
        return cli_usage_error(command, "give a directory for the hardware: -o DIR");
    struct sl_rtl_config config = {.size = sizeof config,
                                   .spec = argv[o->first_argument],
                                   .directory = o->output,
                                   .stream = o->stream,
                                   .machine = o->machine.first,
                                   .program = o->program,
                                   .front = o->front,
                                   .events = o->n};
    return sl_rtl(&config, stdout, &f) < 0 ? cli_error(&f) : 0;
}

const struct cli_command cli_rtl = {
    .name = "rtl",
    .summary = "Writes the hardware of a table: Verilog, a test bench, what it has to give",
    .usage = "SPEC -o DIR [--front rvfi] [--stream FILE.slt] [--program FILE]",
    .options = "output front stream program machine number",
    .details = "DIR gets the modules with the parameters of SPEC, a top level, a test bench with "
               "the events\n"
               "of the stream and what the model made of them, a core file for FuseSoC and a "
               "README that says\n"
               "how to attach it. 'make' in DIR simulates it by Verilator or Icarus and says that "
               "it agrees.\n"
               "With -n, no more than so many events (default: 1M). 'sluice list tables' says "
               "which tables\n"
               "have a twin in hardware.\n\n"
               "With --front rvfi the table stands behind the retirement port of a RISC-V core, "
               "with what\n"
               "makes the spec's events of it, and with registers on an APB bus; rvfi:2 takes two\n"
               "instructions a cycle. -n then counts instructions (default: 100K).\n\n"
               "examples:\n"
               "  sluice rtl value@multihash -o hw && make -C hw\n"
               "  sluice rtl 'edge@H[P256]2048+A16' --stream prog.slt -o hw\n"
               "  sluice rtl function:instructions@leap --program ./prog -o hw\n"
               "  sluice rtl path@hpt --front rvfi:2 --stream riscv.slt -o hw\n",
    .run = run,
};
