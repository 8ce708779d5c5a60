// SPDX-License-Identifier: MIT
//
// Sequential multiplier of two 64-bit numbers, by shift and add, with a product of 128 bits.
//
// `go` starts with the operands a and b. `a` must stay stable until `done`. Each cycle processes
// one bit of b, the lowest first, so that a product takes 65 cycles. `done` is set for one cycle,
// and `product` stays valid until the next `go`. The modules random.v and geometric.v use one
// multiplier each. They need a product so rarely that a slow multiplier without DSP blocks is
// sufficient.
//
//     a ──► + ──► | product (128) | ──► shifted right each cycle; b leaves at its low end

module multiply (
    input clk,
    input rst,
    input go,
    input [63:0] a,
    input [63:0] b,
    output reg done,
    output reg [127:0] product
);
    reg [6:0] left;
    wire [64:0] sum = {1'b0, product[127:64]} + (product[0] ? {1'b0, a} : 65'b0);
    always @(posedge clk) begin
        done <= 0;
        if (rst)
            left <= 0;
        else if (go) begin
            product <= {64'b0, b};
            left <= 64;
        end else if (left != 0) begin
            product <= {sum, product[63:1]};
            left <= left - 1;
            done <= left == 1;
        end
    end
endmodule
