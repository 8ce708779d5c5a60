/* What an event does to the counters of its tuple in a count sketch, one in each row
 * (src/rival/countsketch.c): the weight is added, or taken away where the row's sign is minus. The
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
    output [COUNTER_BITS*ROWS-1:0] next,
    output [COUNTER_BITS-1:0] estimate
);
    localparam WIDE = (COUNTER_BITS > WEIGHT_BITS ? COUNTER_BITS : WEIGHT_BITS) + 2;
    localparam signed [WIDE-1:0] MOST = (1 << COUNTER_BITS - 1) - 1;
    wire signed [WIDE-1:0] heavy = {{WIDE-WEIGHT_BITS{1'b0}}, weight};
    wire signed [WIDE-1:0] change = heavy < MOST ? heavy : MOST;
    wire signed [COUNTER_BITS-1:0] own [0:2]; /* of each row, for the tuple */
    genvar k;
    generate
        for (k = 0; k < 3; k = k + 1) begin : row
            if (k < ROWS) begin : there
                wire signed [COUNTER_BITS-1:0] cell_held = held[COUNTER_BITS*k +: COUNTER_BITS];
                wire signed [WIDE-1:0] wanted = minus[k] ? cell_held - change : cell_held + change;
                wire signed [WIDE-1:0] kept = wanted > MOST ? MOST : wanted < -MOST ? -MOST : wanted;
                assign next[COUNTER_BITS*k +: COUNTER_BITS] = kept[COUNTER_BITS-1:0];
                assign own[k] = minus[k] ? -kept[COUNTER_BITS-1:0] : kept[COUNTER_BITS-1:0];
            end else begin : absent
                assign own[k] = own[0]; /* the median of one is that one */
            end
        end
    endgenerate
    wire signed [COUNTER_BITS-1:0] low = own[0] < own[1] ? own[0] : own[1];
    wire signed [COUNTER_BITS-1:0] high = own[0] < own[1] ? own[1] : own[0];
    wire signed [COUNTER_BITS-1:0] median = own[2] < low ? low : own[2] > high ? high : own[2];
    assign estimate = median > 0 ? median : {COUNTER_BITS{1'b0}};
endmodule
