// SPDX-License-Identifier: MIT
//
// Stand-in for rtl/random.v in formal proofs: an arbitrary number per request.
//
// The solver chooses each number, so that a proof holds for all random numbers. If `bounded` is
// set, the number is below `limit`. The result is valid one cycle after the request.

module random #(
    parameter [63:0] SEED = 1
) (
    input clk,
    input rst,
    input go,
    input bounded,
    input [63:0] limit,
    output reg done,
    output reg [63:0] number
);
    (* anyseq *) reg [63:0] any;
    always @(posedge clk) begin
        done <= go && !rst;
        number <= any;
        if (bounded)
            assume (any < limit || limit == 0);
    end
endmodule
