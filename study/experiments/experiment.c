/* SPDX-License-Identifier: MIT */
/* The experiments that there are, by the documents they redo; and what does steps otherwise than by
 * replaying. To add one: a row here, its plan, page and queries in data/lab, a test in
 * tests/cli/lab.t. */
#include "lab_experiments.h"

const struct experiment experiments[] = {
    {"paths", "hot path tables: overlap by size, metric and kind of path; queue; what matters",
     LAB_REAL, false, NULL},
    {"interval", "interval profilers: hash tables that find what is frequent in each interval",
     LAB_REAL, true, NULL},
    {"functions", "function profilers: LEAP, SnoopP and exact; energy; what to move to hardware",
     LAB_REAL | LAB_SMALL | LAB_MIPS, true, NULL},
    {"wpp", "whole program paths: length, compression, hot subpaths", LAB_REAL, false, NULL},
    {"optimizer", "binaries that BOLT makes of tables' profiles: branches, cycles, time", 0, true,
     "it builds programs from their sources"},
    {"designs", "all designs side by side: error against storage and overhead, the Pareto front",
     LAB_REAL, false, NULL},
    {"sampling", "samplers on made-up streams: error by length, against theory", 0, true,
     "its streams are made up"},
    {"compressors", "stream compressors on programs: error, overhead, second level, two at once",
     LAB_REAL, true, NULL},
    {"counters", "approximate event counters: error by event, rivals, registers, bases, groups",
     LAB_REAL | LAB_SMALL | LAB_RISCV, true, NULL},
    {"hardware", "the tables in an FPGA: logic, registers, memory, clock", 0, true,
     "it is about tables, whatever they are given"},
    {"blame", "samplers of time: whom hardware blames for cycles, and how wrong that is", LAB_REAL,
     false, NULL},
    {"predictors", "TAGE against gshare at equal bits: branches predicted wrong", LAB_REAL, false,
     NULL},
    {"simpoint", "slices that stand for the whole run: how far their CPI is from it", LAB_REAL,
     false, NULL},
    {"windows", "windows of 500 million instructions from the middle of long runs: what changes",
     LAB_LONG, false, "it sets windows of the lab's long programs beside their short runs"},
    {0},
};

const struct performer performers[] = {
    {"blame", lab_blame},
    {"counters", lab_counters},
    {"counting", lab_sampling_counting},
    {"eights", lab_sampling_eights},
    {"functions", lab_functions},
    {"hardware", lab_hardware},
    {"intervals", lab_intervals},
    {"loops", lab_functions_loops},
    {"optimizer", lab_optimizer},
    {"power", lab_path_power},
    {"published", lab_functions_published},
    {"sampling", lab_sampling},
    {"shapes", lab_path_shapes},
    {"simpoint", lab_simpoint},
    {"spread", lab_interval_spread},
    {"storage", lab_compressors},
    {"theory", lab_sampling_theory},
    {"trials", lab_counter_trials},
    {"wpp", lab_wpp},
    {0},
};
