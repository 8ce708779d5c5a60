/* SPDX-License-Identifier: MIT */
/* What an event does to the counters of its tuple in a count sketch, one in each row
 * (src/tables/sketches/countsketch.c): the weight is added, or taken away where the row's sign is minus. The
 * estimate is the median of what the rows have for the tuple, and 0 where that is negative.
 *
 *     held, minus ──► + - weight ──► next ──► times the sign ──► median of 1 or 3 ──► estimate
 *
 * Counters are signed, and stop at both ends, which are as far from 0. Combinational. */
module sign_raise #(
    parameter ROWS = 3,
    parameter COUNTER_BITS = 32,
    parameter WEIGHT_BITS = 32
) (
    input [COUNTER_BITS*ROWS-1:0] held,
    input [ROWS-1:0] minus,
    input [WEIGHT_BITS-1:0] weight,
    output reg [COUNTER_BITS*ROWS-1:0] next,
    output [COUNTER_BITS-1:0] estimate
);
    localparam WIDE = (COUNTER_BITS > WEIGHT_BITS ? COUNTER_BITS : WEIGHT_BITS) + 2;
    localparam signed [WIDE-1:0] MOST = {{WIDE-COUNTER_BITS+1{1'b0}}, {COUNTER_BITS-1{1'b1}}};
    wire signed [WIDE-1:0] heavy = {{WIDE-WEIGHT_BITS{1'b0}}, weight};
    wire signed [WIDE-1:0] change = heavy < MOST ? heavy : MOST;
    reg signed [WIDE-1:0] wanted, kept;
    reg signed [COUNTER_BITS-1:0] own, first, second, third; /* of each row, for the tuple */
    integer k;
    always @* begin
        first = 0;
        second = 0;
        third = 0;
        for (k = 0; k < ROWS; k = k + 1) begin
            wanted = $signed(held[COUNTER_BITS*k +: COUNTER_BITS]);
            wanted = minus[k] ? wanted - change : wanted + change;
            kept = wanted > MOST ? MOST : wanted < -MOST ? -MOST : wanted;
            next[COUNTER_BITS*k +: COUNTER_BITS] = kept[COUNTER_BITS-1:0];
            own = minus[k] ? -kept : kept;
            if (k == 0 || ROWS == 1)
                first = own;
            if (k == 1 || ROWS == 1)
                second = own;
            if (k == 2 || ROWS == 1)
                third = own; /* the median of one is that one */
        end
    end
    wire signed [COUNTER_BITS-1:0] low = first < second ? first : second;
    wire signed [COUNTER_BITS-1:0] high = first < second ? second : first;
    wire signed [COUNTER_BITS-1:0] median = third < low ? low : third > high ? high : third;
    assign estimate = median > 0 ? median : {COUNTER_BITS{1'b0}};
endmodule
