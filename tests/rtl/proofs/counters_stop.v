/* SPDX-License-Identifier: MIT */
/* Proof: counters saturate and do not wrap. Two tables of 3-bit counters, 4-bit weights, with and without
 * conservative update. */
module counters_stop (
    input clk,
    input [5:0] held,
    input [3:0] weight
);
    wire [5:0] all, some;
    raise #(.TABLES(2), .COUNTER_BITS(3), .CONSERVATIVE(0), .WEIGHT_BITS(4)) adding (
        .held(held), .weight(weight), .next(all), .least());
    raise #(.TABLES(2), .COUNTER_BITS(3), .CONSERVATIVE(1), .WEIGHT_BITS(4)) raising (
        .held(held), .weight(weight), .next(some), .least());
    genvar i;
    generate
        for (i = 0; i < 2; i = i + 1) begin : counter
            wire [4:0] sum = {2'd0, held[3*i +: 3]} + {1'b0, weight};
            always @(posedge clk) begin
                assert (all[3*i +: 3] == (sum > 5'd7 ? 3'd7 : sum[2:0]));
                assert (some[3*i +: 3] >= held[3*i +: 3]);
                assert (some[3*i +: 3] <= all[3*i +: 3]);
            end
        end
    endgenerate
endmodule
