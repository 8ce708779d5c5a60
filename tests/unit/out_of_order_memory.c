/* SPDX-License-Identifier: MIT */
/* Unit tests of loads and stores in the out-of-order core, with small loops whose cycles are
 * computed by hand: latencies, cache misses and their overlap, and store-to-load forwarding. */
#include "out_of_order_loop.h"

static void loads(void)
{
    struct loop l = new_loop();
    add_load(&l, 1, 1, 0x10000);
    ok(takes(&l, 2, 1) && loses(&l, SL_MACHINE_STALL_LOAD_USE, 1),
       "a chain of loads that hit: one cycle for the address, one of L1");
    l.hierarchy.l1d.latency = 3;
    ok(takes(&l, 4, 1) && loses(&l, SL_MACHINE_STALL_LOAD_USE, 3), "three of L1: four");
    l.core.address = 0;
    ok(takes(&l, 3, 1), "no cycle for the address: three");
    l = new_loop();
    add_load(&l, 1, 1, 0x10000);
    l.op[0].unit = SL_UNIT_ALU;
    ok(takes(&l, 3, 1), "a chain of additions from memory: one cycle more");
    l.op[0].unit = SL_UNIT_MULTIPLY;
    ok(takes(&l, 5, 1) && loses(&l, SL_MACHINE_STALL_LONG, 2) &&
           loses(&l, SL_MACHINE_STALL_LOAD_USE, 2),
       "of multiplications: three more, two of which are lost as long");
    l = new_loop();
    for (int i = 0; i < 8; i++)
        add_load(&l, 2 + i, NONE, 0x10000);
    ok(takes(&l, 4, 1), "two ports: two loads a cycle");
    l.core.ports = 1;
    ok(takes(&l, 8, 1), "one port: one");
    l = new_loop();
    add_op(&l, SL_UNIT_MEMORY, 1, NONE);
    for (uint64_t i = 0; i < 4; i++)
        add_reference(&l, 0x10000 + 8 * i, false);
    ok(takes(&l, 2, 1), "an instruction that loads four times takes the ports for two cycles");
    l = new_loop();
    add_load(&l, 1, 1, 0x10000);
    l.op[0].n_updates = 1;
    ok(takes(&l, 1, 1), "an address that a load counts up is there a cycle after it was issued");
}

static void misses(void)
{
    struct loop l = new_loop();
    add_load(&l, 1, 1, 0x100000);
    l.stride = 64;
    ok(takes(&l, 112, 1) && loses(&l, SL_MACHINE_STALL_DATA, 110) &&
           loses(&l, SL_MACHINE_STALL_LOAD_USE, 1),
       "a chain of loads from memory: 112 cycles, of which 110 are lost to data");
    l.hierarchy.l2.line = 32;
    l.hierarchy.memory.latency = 200;
    l.stride = 32;
    ok(takes(&l, 212, 1), "from slower memory: 212");
    l.hierarchy.memory.latency = 20000;
    ok(takes(&l, 20012, 1), "from memory farther away than units are counted for: 20012");
    l = new_loop();
    l.hierarchy.l1d.size = 64;
    add_load(&l, 1, 1, 0x100000);
    add_load(&l, 1, 1, 0x100040);
    ok(takes(&l, 24, 1) && loses(&l, SL_MACHINE_STALL_DATA, 20),
       "a chain of loads from L2: 12 each");
    l.hierarchy.dtlb = (struct sl_tlb_config){.entries = 1, .ways = 1, .page = 1024, .latency = 30};
    l.reference[1].address += 1024;
    ok(takes(&l, 84, 1) && loses(&l, SL_MACHINE_STALL_DATA, 20) &&
           loses(&l, SL_MACHINE_STALL_DTLB, 60),
       "with a TLB that walks for 30 cycles: 42 each, 30 of which are lost to it");
    /* Both are sent for the same line at the same time; the chain is that of the second. */
    l = new_loop();
    add_load(&l, 2, 1, 0x100000);
    add_load(&l, 1, 1, 0x100008);
    l.stride = 64;
    ok(takes(&l, 112, 1), "a load of a line that is on its way waits for it");
    l = new_loop();
    add_store(&l, NONE, 0x100000);
    l.stride = 64;
    ok(takes(&l, 1, 2), "stores that miss are not waited for: two a cycle");
}

/* How many misses are in progress is bounded by the queues: places in them times the time
 * from dispatch to commit. */
static void overlap(void)
{
    struct loop l = new_loop();
    add_load(&l, 1, NONE, 0x100000);
    l.stride = 64;
    ok(takes(&l, 114, 64), "independent misses: 64, all of the queue, every 114 cycles");
    l.core.lsq = 12;
    ok(takes(&l, 114, 12), "lsq=12: 12 every 114 cycles");
    l.core.lsq = 64;
    l.core.rob = 20;
    ok(takes(&l, 114, 20), "rob=20: 20");
    l = new_loop();
    add_load(&l, 1, NONE, 0x100000);
    for (int i = 0; i < 7; i++)
        add_op(&l, SL_UNIT_ALU, 2, NONE);
    l.stride = 64;
    l.core.rob = 96;
    ok(takes(&l, 114, 12), "rob=96 and a miss in eight instructions: 12 every 114 cycles");
}

static void forwarding(void)
{
    struct loop l = new_loop();
    add_store(&l, 1, 0x10000);
    add_load(&l, 1, NONE, 0x10000);
    ok(takes(&l, 2, 1), "a value goes through memory in two cycles");
    l.core.forwarding = 5;
    ok(takes(&l, 6, 1), "forwarding=5: in six");
    l.reference[1].address += 8;
    ok(takes(&l, 1, 1), "other bytes: no load waits, two references a cycle");
    l.reference[1].address -= 4;
    ok(takes(&l, 6, 1), "bytes that overlap do");
    /* The load waits in any case for the end of what was between: it is in the cache. */
    l = new_loop();
    add_store(&l, 1, 0x10000);
    add_op(&l, SL_UNIT_SYSTEM, NONE, NONE);
    add_load(&l, 1, NONE, 0x10000);
    l.core.forwarding = 100;
    run(&l);
    ok(l.totals[SL_MACHINE_CYCLES] < 20 * ROUNDS,
       "a store that was committed is read from the cache");
}

int main(void)
{
    loads();
    misses();
    overlap();
    forwarding();
    return done_testing();
}
