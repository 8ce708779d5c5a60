/* SPDX-License-Identifier: MIT */
/* What an event does to the counters of its tuple, one in each table (src/tables/interval/interval_table.c):
 *
 *     held ─┬─► least ──► + weight ──► least
 *           └─────────────► each: the larger of both, or + weight ──► next
 *
 *     CONSERVATIVE   those below least + weight are raised to that
 *     else           weight is added to all
 *
 * and what the least of them was raised to. A counter stops at its end. Combinational. */
module raise #(
    parameter TABLES = 4,
    parameter COUNTER_BITS = 24,
    parameter CONSERVATIVE = 1,
    parameter WEIGHT_BITS = 1
) (
    input [COUNTER_BITS*TABLES-1:0] held,
    input [WEIGHT_BITS-1:0] weight,
    output reg [COUNTER_BITS*TABLES-1:0] next,
    output reg [COUNTER_BITS-1:0] least
);
    localparam [COUNTER_BITS-1:0] TOP = {COUNTER_BITS{1'b1}};
    function [COUNTER_BITS-1:0] raised(input [COUNTER_BITS-1:0] counter, input [63:0] more);
        raised = more < TOP - counter ? counter + more[COUNTER_BITS-1:0] : TOP;
    endfunction
    integer i;
    always @* begin
        least = TOP;
        for (i = 0; i < TABLES; i = i + 1)
            if (held[COUNTER_BITS*i +: COUNTER_BITS] < least)
                least = held[COUNTER_BITS*i +: COUNTER_BITS];
        least = raised(least, weight);
        for (i = 0; i < TABLES; i = i + 1)
            next[COUNTER_BITS*i +: COUNTER_BITS] =
                CONSERVATIVE == 0 ? raised(held[COUNTER_BITS*i +: COUNTER_BITS], weight) :
                held[COUNTER_BITS*i +: COUNTER_BITS] < least ? least :
                held[COUNTER_BITS*i +: COUNTER_BITS];
    end
endmodule
