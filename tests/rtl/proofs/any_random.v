// SPDX-License-Identifier: MIT
/* In the place of rtl/random.v: any number, below the limit if there is one, a cycle after it is asked for. */
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
