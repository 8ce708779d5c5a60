// SPDX-License-Identifier: MIT
//
// Formal proof that the counters of counter_update.v saturate and do not wrap.
//
// Instance: two tables of 3-bit counters and any 4-bit weight, with and without conservative
// update. Without conservative update, each counter becomes the saturated sum of its value and the
// weight. With conservative update, a counter never decreases and is at most this sum.

module counters_saturate (
    input clk,
    input [5:0] current,
    input [3:0] weight
);
    wire [5:0] all, raised;
    counter_update #(.TABLES(2), .COUNTER_BITS(3), .CONSERVATIVE(0), .WEIGHT_BITS(4)) adding (
        .current(current), .weight(weight), .next(all), .minimum());
    counter_update #(.TABLES(2), .COUNTER_BITS(3), .CONSERVATIVE(1), .WEIGHT_BITS(4)) raising (
        .current(current), .weight(weight), .next(raised), .minimum());
    genvar i;
    generate
        for (i = 0; i < 2; i = i + 1) begin : counter
            wire [4:0] sum = {2'd0, current[3*i +: 3]} + {1'b0, weight};
            always @(posedge clk) begin
                assert (all[3*i +: 3] == (sum > 5'd7 ? 3'd7 : sum[2:0]));
                assert (raised[3*i +: 3] >= current[3*i +: 3]);
                assert (raised[3*i +: 3] <= all[3*i +: 3]);
            end
        end
    endgenerate
endmodule
