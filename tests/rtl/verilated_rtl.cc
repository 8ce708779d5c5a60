/* SPDX-License-Identifier: MIT */
/* The functions of rtl_ports.h. The only C++ file of the project, because Verilator generates
 * classes. */
#include "Vsluice_table.h"
#include "verilated.h"

#include "rtl_ports.h"

double sc_time_stamp() { return 0; }

void rtl_cycle(struct rtl_ports *p)
{
    static Vsluice_table dut;
    dut.rst = p->rst;
    dut.in_valid = p->in_valid;
    dut.in_pc = p->in_pc;
    dut.in_value = p->in_value;
    dut.in_weight = p->in_weight;
    dut.out_ready = p->out_ready;
    dut.rd_valid = p->rd_valid;
    dut.rd_address = p->rd_address;
    dut.cfg_write = p->cfg_write;
    dut.cfg_address = p->cfg_address;
    dut.cfg_data = p->cfg_data;
    dut.clear = p->clear;
    dut.clk = 0;
    dut.eval();
    p->in_ready = dut.in_ready;
    p->out_valid = dut.out_valid;
    p->out_kind = dut.out_kind;
    p->out_pc = dut.out_pc;
    p->out_value = dut.out_value;
    p->out_count = dut.out_count;
    p->rd_done = dut.rd_done;
    p->rd_data = dut.rd_data;
    p->idle = dut.idle;
    dut.clk = 1;
    dut.eval();
}
