/* SPDX-License-Identifier: MIT */
/* Proof: the counters of the count sketch saturate at both ends and do not wrap: three 4-bit counters, any
 * 3-bit weight; the estimate is between 0 and their maximum. */
module sign_raise_stops (
    input clk,
    input [11:0] held,
    input [2:0] minus,
    input [2:0] weight
);
    wire [11:0] next;
    wire [3:0] estimate;
    sign_raise #(.ROWS(3), .COUNTER_BITS(4), .WEIGHT_BITS(3)) raising (
        .held(held), .minus(minus), .weight(weight), .next(next), .estimate(estimate));
    genvar i;
    generate
        for (i = 0; i < 3; i = i + 1) begin : counter
            wire signed [6:0] before = $signed(held[4*i +: 4]), after = $signed(next[4*i +: 4]);
            wire signed [6:0] more = minus[i] ? -$signed({4'b0, weight}) : $signed({4'b0, weight});
            wire signed [6:0] sum = before + more;
            always @(posedge clk)
                if (before >= -7)
                    assert (after == (sum > 7 ? 7 : sum < -7 ? -7 : sum));
        end
    endgenerate
    always @(posedge clk)
        assert (estimate <= 7);
endmodule
