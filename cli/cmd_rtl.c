/* SPDX-License-Identifier: MIT */
/* Command `sluice rtl`: writes a profiling table as a Verilog design with a test bench. */
#include "cli.h"

static int run(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    struct sl_failure f;
    if (o->first_argument + 1 != argc)
        return cli_usage_error(command,
                               "give one profile specification, for example value@multihash");
    if (!o->output)
        return cli_usage_error(command, "no output directory given: add -o DIR");
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
    .summary = "Writes a profiling table as Verilog, with a test bench and the expected output",
    .usage = "SPEC -o DIR [--front rvfi] [--stream FILE.slt] [--program FILE]",
    .options = CLI_OPTIONS("output", "front", "stream", "program", "machine", "number"),
    .texts = CLI_TEXTS(
        {"output", "directory to write the design to"},
        {"number", "number of events to simulate (default: 1M; with --front, instructions: 100K)"},
        {"machine", "CPU model, for metrics that need one"}),
    .examples = "  sluice rtl value@multihash -o hw && make -C hw\n"
                "  sluice rtl 'edge@H[P256]2048+A16' --stream prog.slt -o hw\n"
                "  sluice rtl function:instructions@leap --program ./prog -o hw\n"
                "  sluice rtl path@hpt --front rvfi:2 --stream riscv.slt -o hw\n",
    .details = "DIR gets the modules with the parameters of SPEC, a top level, a test bench with "
               "events of the\n"
               "stream and the model's output, a core file for FuseSoC and a README that explains "
               "how to connect\n"
               "it. 'make' in DIR simulates it with Verilator or Icarus and compares. -n limits "
               "the events\n"
               "(default: 1M). 'sluice list tables' shows which tables exist as RTL.\n"
               "\n"
               "With --front rvfi the table is connected to the retirement port of a RISC-V core, "
               "with logic that\n"
               "makes the spec's events and with registers on an APB bus; rvfi:2 takes two "
               "instructions per\n"
               "cycle. -n then limits instructions (default: 100K).\n",
    .run = run,
};
