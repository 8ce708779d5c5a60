/* SPDX-License-Identifier: MIT */
#include "frontend_files.h"

#include <string.h>

#include "rtl_files.h"

/* A port that every lane has, side by side. */
struct port {
    const char *name;
    unsigned bits;
};

static void write_ports(const struct sl_frontend_shape *shape, FILE *out)
{
    const struct port ports[] = {
        {"valid", 1},
        {"trap", 1},
        {"insn", 32},
        {"pc_rdata", shape->xlen},
        {"pc_wdata", shape->xlen},
        {"mem_addr", shape->xlen},
        {"mem_rmask", 8},
        {"mem_rdata", 64},
        {"weight", 32 * shape->parts},
    };
    fprintf(out, "module profiler (\n    input clk,\n    input rst,\n");
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++)
        fprintf(out, "    input [%u:0] rvfi_%s,\n", ports[i].bits * shape->lanes - 1,
                ports[i].name);
    fprintf(out, "    output stall,\n"
                 "    input psel,\n    input penable,\n    input pwrite,\n    input [11:0] paddr,\n"
                 "    input [31:0] pwdata,\n    output pready,\n    output [31:0] prdata,\n"
                 "    output pslverr,\n    output irq,\n"
                 "    output msg_valid,\n    input msg_ready,\n    output msg_kind,\n"
                 "    output [63:0] msg_pc,\n    output [63:0] msg_value,\n    output [63:0] "
                 "msg_count\n);\n");
}

static const char wires[] =
    "    .clk(clk), .rst(rst),\n"
    "    .rvfi_valid(rvfi_valid), .rvfi_trap(rvfi_trap), .rvfi_insn(rvfi_insn),\n"
    "    .rvfi_pc_rdata(rvfi_pc_rdata), .rvfi_pc_wdata(rvfi_pc_wdata), "
    ".rvfi_mem_addr(rvfi_mem_addr),\n"
    "    .rvfi_mem_rmask(rvfi_mem_rmask), .rvfi_mem_rdata(rvfi_mem_rdata), "
    ".rvfi_weight(rvfi_weight),\n"
    "    .stall(stall),\n"
    "    .psel(psel), .penable(penable), .pwrite(pwrite), .paddr(paddr), .pwdata(pwdata),\n"
    "    .pready(pready), .prdata(prdata), .pslverr(pslverr), .irq(irq),\n"
    "    .msg_valid(msg_valid), .msg_ready(msg_ready), .msg_kind(msg_kind), .msg_pc(msg_pc),\n"
    "    .msg_value(msg_value), .msg_count(msg_count)\n";

int sl_frontend_files(const struct sl_profile_spec *spec, const struct sl_frontend_shape *shape,
                      const char *directory, struct sl_failure *f)
{
    const struct sl_frontend *front = sl_frontend_of(spec, f);
    FILE *out = front ? sl_rtl_create(directory, "profiler.v", f) : NULL;
    if (!out)
        return SL_EIO;
    fprintf(out,
            "/* The hardware of\n *\n *     %s\n *\n * behind a core's retirement port, %u "
            "instruction%s a cycle; made by 'sluice rtl'.\n * rvfi_profiler.v draws it, "
            "apb_registers.v has its registers. */\n",
            spec->text, shape->lanes, shape->lanes > 1 ? "s" : "");
    write_ports(shape, out);
    fprintf(
        out, "rvfi_profiler #(\n    .LANES(%u),\n    .XLEN(%u),\n    .PARTS(%u),\n    .COUNTS(%d)",
        shape->lanes, shape->xlen, shape->parts, !strcmp(spec->detector[0].metric->name, "count"));
    front->parameters(spec->detector[0].config, out);
    fprintf(out, "\n) core (\n%s);\nendmodule\n", wires);
    int error = sl_rtl_finish(out, "profiler.v", f);
    FILE *include = error >= 0 ? sl_rtl_create(directory, "shape.vh", f) : NULL;
    if (!include)
        return error < 0 ? error : SL_EIO;
    fprintf(include, "`define LANES %u\n`define XLEN %u\n`define PARTS %u\n", shape->lanes,
            shape->xlen, shape->parts);
    return sl_rtl_finish(include, "shape.vh", f);
}

void sl_frontend_readme(const struct sl_frontend_shape *shape, FILE *out)
{
    fprintf(out,
            "## To attach it\n\n"
            "`profiler` in `profiler.v` has everything; it is synchronous to `clk`, and `rst` is "
            "for one\n"
            "cycle at least.\n\n"
            "- **Core**: the `rvfi_` ports are the signals of these names of the RISC-V Formal "
            "Interface,\n"
            "  %u instruction%s a cycle%s, XLEN = %u. `rvfi_mem_rdata` and `rvfi_mem_rmask` are "
            "for 8 bytes\n"
            "  whatever XLEN is. `rvfi_weight` is what a retirement weighs (32 bits%s): 1 for\n"
            "  instructions, a line of the cache for misses, the cycles since the one before for "
            "cycles;\n"
            "  nobody looks at it where events are counted. Show instructions of one level of "
            "privilege:\n"
            "  clear `rvfi_valid` for the others.\n"
            "- **stall**: what is retired while it is set is not seen. Hold the core, or write 3 "
            "to CONTROL:\n"
            "  then it is never set, and what finds no room is dropped and counted.\n"
            "- **Bus**: APB with PREADY, 32 bits. Write 1 to CONTROL (0x04): it watches. Write 2 "
            "to COMMAND\n"
            "  (0x08) at the end, and wait until STATUS (0x0c) has bit 0 set and bit 4 clear. "
            "Write the\n"
            "  address of a word to READ_ADDRESS (0x20) and read READ_LOW and READ_HIGH (0x24, "
            "0x28), while\n"
            "  it runs or afterwards. The head of `apb_registers.v` has the whole map, that of the "
            "table's\n"
            "  module the addresses of its words.\n"
            "- **Messages**, where the table sends some: `msg_*` with valid and ready; or, with "
            "bit 3 of\n"
            "  CONTROL, in registers from 0x40 on, and `irq` if INTERRUPT (0x18) has bit 1 set.\n",
            shape->lanes, shape->lanes > 1 ? "s" : "",
            shape->lanes > 1 ? ", side by side, the oldest lowest" : "", shape->xlen,
            shape->parts > 1 ? " for each of six groups of instructions, and stalls" : "");
}
