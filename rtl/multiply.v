/* SPDX-License-Identifier: MIT */
/* 64 x 64 bits by shifting and adding: a bit of b a cycle, 65 cycles.
 *
 *     a ──► + ──► | product (128) | ──► shifted right each cycle; b leaves at its low end
 */
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
