// SPDX-License-Identifier: MIT
//
// Stand-in for rtl/hash.v in formal proofs: an arbitrary hash function of the tuples of driver.v.
//
// The hash is a constant that the solver chooses, so that a proof holds for every hash function.
// The constant contains an index for each of the four tuples <0, 0> to <3, 0>. The result is valid
// one cycle after the request.

module hash #(
    parameter BITS = 1,
    parameter LANES = 2,
    parameter [2047:0] BYTES = 0
) (
    input clk,
    input rst,
    input start,
    input [63:0] pc,
    input [63:0] value,
    output reg done,
    output [(BITS > 0 ? BITS : 1)-1:0] index,
    input table_write,
    input [7:0] table_address,
    input [7:0] table_data
);
    localparam WIDTH = BITS > 0 ? BITS : 1;
    (* anyconst *) reg [4*WIDTH-1:0] any;
    assign index = BITS > 0 ? any[WIDTH*pc[1:0] +: WIDTH] : 0;
    always @(posedge clk)
        done <= !rst && (start || done);
endmodule
