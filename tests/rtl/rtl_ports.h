/* SPDX-License-Identifier: MIT */
/* Interface to the ports and the clock of a table in Verilog. The lockstep test, which is C code,
 * uses it to drive the table's module, which Verilator translates to C++ (verilated_rtl.cc). */
#ifndef SL_TESTS_RTL_PORTS_H
#define SL_TESTS_RTL_PORTS_H

#include <stdbool.h>
#include <stdint.h>

struct rtl_ports {
    bool rst, in_valid, out_ready, rd_valid, clear, cfg_write;
    uint64_t in_pc, in_value, cfg_data;
    uint32_t in_weight, rd_address, cfg_address;
    /* Outputs before the clock edge: */
    bool in_ready, out_valid, out_kind, rd_done, idle;
    uint64_t out_pc, out_value, out_count, rd_data;
};

/* Applies the inputs, reads the outputs, and runs one clock cycle. */
#ifdef __cplusplus
extern "C"
#endif
    void
    rtl_cycle(struct rtl_ports *ports);

#endif
