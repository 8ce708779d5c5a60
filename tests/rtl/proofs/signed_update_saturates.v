// SPDX-License-Identifier: MIT
//
// Formal proof that the counters of the count sketch saturate at both ends (signed_update.v).
//
// A counter never wraps, and the estimate is between 0 and the largest counter value. Instance:
// three 4-bit counters and any 3-bit weight.

module signed_update_saturates (
    input clk,
    input [11:0] current,
    input [2:0] negative,
    input [2:0] weight
);
    wire [11:0] next;
    wire [3:0] estimate;
    signed_update #(.ROWS(3), .COUNTER_BITS(4), .WEIGHT_BITS(3)) raising (
        .current(current), .negative(negative), .weight(weight), .next(next), .estimate(estimate));
    genvar i;
    generate
        for (i = 0; i < 3; i = i + 1) begin : counter
            wire signed [6:0] before = $signed(current[4*i +: 4]), after = $signed(next[4*i +: 4]);
            wire signed [6:0] more = negative[i] ? -$signed({4'b0, weight}) :
                $signed({4'b0, weight});
            wire signed [6:0] sum = before + more;
            always @(posedge clk)
                if (before >= -7)
                    assert (after == (sum > 7 ? 7 : sum < -7 ? -7 : sum));
        end
    endgenerate
    always @(posedge clk)
        assert (estimate <= 7);
endmodule
