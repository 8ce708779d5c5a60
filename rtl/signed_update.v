// SPDX-License-Identifier: MIT
//
// Update of a tuple's counters in the count sketch, one signed counter per row.
//
// The module is combinational. The C model is src/tables/sketches/countsketch.c. The weight is
// added to the counter of each row, or subtracted if the row's bit of `negative` is set. Counters
// are signed and saturate at a maximum and at its negative. Each counter is multiplied by its row's
// sign; `estimate` is the median of these products over the rows (1 or 3), or 0 if the median is
// negative.
//
//     current, negative ──► +/- weight ──► next ──► times the sign ──► median ──► estimate

module signed_update #(
    parameter ROWS = 3,
    parameter COUNTER_BITS = 32,
    parameter WEIGHT_BITS = 32
) (
    input [COUNTER_BITS*ROWS-1:0] current,
    input [ROWS-1:0] negative,
    input [WEIGHT_BITS-1:0] weight,
    output reg [COUNTER_BITS*ROWS-1:0] next,
    output [COUNTER_BITS-1:0] estimate
);
    localparam WIDE = (COUNTER_BITS > WEIGHT_BITS ? COUNTER_BITS : WEIGHT_BITS) + 2;
    localparam signed [WIDE-1:0] MOST = {{WIDE-COUNTER_BITS+1{1'b0}}, {COUNTER_BITS-1{1'b1}}};
    wire signed [WIDE-1:0] wide_weight = {{WIDE-WEIGHT_BITS{1'b0}}, weight};
    wire signed [WIDE-1:0] change = wide_weight < MOST ? wide_weight : MOST;
    reg signed [WIDE-1:0] sum, clamped;
    // counter times sign, of each row
    reg signed [COUNTER_BITS-1:0] signed_value, first, second, third;
    integer k;
    always @* begin
        first = 0;
        second = 0;
        third = 0;
        for (k = 0; k < ROWS; k = k + 1) begin
            sum = $signed(current[COUNTER_BITS*k +: COUNTER_BITS]);
            sum = negative[k] ? sum - change : sum + change;
            clamped = sum > MOST ? MOST : sum < -MOST ? -MOST : sum;
            next[COUNTER_BITS*k +: COUNTER_BITS] = clamped[COUNTER_BITS-1:0];
            signed_value = negative[k] ? -clamped : clamped;
            if (k == 0 || ROWS == 1)
                first = signed_value;
            if (k == 1 || ROWS == 1)
                second = signed_value;
            if (k == 2 || ROWS == 1)
                third = signed_value; // with one row, the median is its value
        end
    end
    wire signed [COUNTER_BITS-1:0] low = first < second ? first : second;
    wire signed [COUNTER_BITS-1:0] high = first < second ? second : first;
    wire signed [COUNTER_BITS-1:0] median = third < low ? low : third > high ? high : third;
    assign estimate = median > 0 ? median : {COUNTER_BITS{1'b0}};
endmodule
