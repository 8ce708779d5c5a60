/* SPDX-License-Identifier: MIT */
/* The functions of rtl_ports.h. The only C++ file of the project, because Verilator generates
 * classes. */
#include "Vtwin.h"
#include "verilated.h"

#include "rtl_ports.h"

double sc_time_stamp() { return 0; }

void twin_cycle(struct twin_ports *p)
{
    static Vtwin twin;
    twin.rst = p->rst;
    twin.in_valid = p->in_valid;
    twin.in_pc = p->in_pc;
    twin.in_value = p->in_value;
    twin.in_weight = p->in_weight;
    twin.out_ready = p->out_ready;
    twin.rd_valid = p->rd_valid;
    twin.rd_address = p->rd_address;
    twin.cfg_write = p->cfg_write;
    twin.cfg_address = p->cfg_address;
    twin.cfg_data = p->cfg_data;
    twin.clear = p->clear;
    twin.clk = 0;
    twin.eval();
    p->in_ready = twin.in_ready;
    p->out_valid = twin.out_valid;
    p->out_kind = twin.out_kind;
    p->out_pc = twin.out_pc;
    p->out_value = twin.out_value;
    p->out_count = twin.out_count;
    p->rd_done = twin.rd_done;
    p->rd_data = twin.rd_data;
    p->idle = twin.idle;
    twin.clk = 1;
    twin.eval();
}
