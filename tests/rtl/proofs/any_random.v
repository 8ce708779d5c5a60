/* SPDX-License-Identifier: MIT */
/* Replaces rtl/random.v in proofs: an arbitrary number, below the limit if there is one, one cycle after the
 * request. */
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
