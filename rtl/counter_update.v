// SPDX-License-Identifier: MIT
//
// Update of a tuple's counters in the interval profilers and the count-min sketch: one counter in
// each hash table of the profiler, or in each row of the sketch.
//
// The module is combinational. The C model is src/tables/interval/interval_table.c. With
// CONSERVATIVE, the new minimum is the old minimum plus the weight, and only the counters below the
// new minimum are raised to the new minimum. Without CONSERVATIVE, the weight is added to every
// counter. Counters saturate. `current` contains the counters of the TABLES tables, with that of
// table 0 in the lowest bits. `next` contains the new counters, and `minimum` the sum of the old
// minimum and the weight.
//
//     current ─┬─► minimum ──► + weight ──► minimum
//              └──────────────► each: larger of both, or + weight ──► next

module counter_update #(
    parameter TABLES = 4,
    parameter COUNTER_BITS = 24,
    parameter CONSERVATIVE = 1,
    parameter WEIGHT_BITS = 1
) (
    input [COUNTER_BITS*TABLES-1:0] current,
    input [WEIGHT_BITS-1:0] weight,
    output reg [COUNTER_BITS*TABLES-1:0] next,
    output reg [COUNTER_BITS-1:0] minimum
);
    localparam [COUNTER_BITS-1:0] TOP = {COUNTER_BITS{1'b1}};
    function [COUNTER_BITS-1:0] saturating_sum(input [COUNTER_BITS-1:0] counter, input [63:0] more);
        saturating_sum = more < TOP - counter ? counter + more[COUNTER_BITS-1:0] : TOP;
    endfunction
    integer i;
    always @* begin
        minimum = TOP;
        for (i = 0; i < TABLES; i = i + 1)
            if (current[COUNTER_BITS*i +: COUNTER_BITS] < minimum)
                minimum = current[COUNTER_BITS*i +: COUNTER_BITS];
        minimum = saturating_sum(minimum, weight);
        for (i = 0; i < TABLES; i = i + 1)
            next[COUNTER_BITS*i +: COUNTER_BITS] =
                CONSERVATIVE == 0 ? saturating_sum(current[COUNTER_BITS*i +: COUNTER_BITS],
                    weight) :
                current[COUNTER_BITS*i +: COUNTER_BITS] < minimum ? minimum :
                current[COUNTER_BITS*i +: COUNTER_BITS];
    end
endmodule
