/* SPDX-License-Identifier: MIT */
/* Ports and clock of an RTL table: the C side of the lockstep test uses the module translated by
 * Verilator (verilated_rtl.cc) through these functions. */
#ifndef SL_TESTS_TWIN_PORTS_H
#define SL_TESTS_TWIN_PORTS_H

#include <stdbool.h>
#include <stdint.h>

struct twin_ports {
    bool rst, in_valid, out_ready, rd_valid, clear, cfg_write;
    uint64_t in_pc, in_value, cfg_data;
    uint32_t in_weight, rd_address, cfg_address;
    /* before the edge, as these inputs make them: */
    bool in_ready, out_valid, out_kind, rd_done, idle;
    uint64_t out_pc, out_value, out_count, rd_data;
};

#ifdef __cplusplus
extern "C"
#endif
    void
    twin_cycle(struct twin_ports *ports);

#endif
