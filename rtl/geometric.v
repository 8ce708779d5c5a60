/* SPDX-License-Identifier: MIT */
/* How many draws fail before one succeeds whose chance is chance / 2^64, without making them
 * (sl_draws_gap of src/tables/draws.h is the model): a geometric number, whose binary digits are independent.
 * With y the chance that 2^i in a row fail, digit i is 1 with the chance y / (1 + y).
 *
 *     z = 1 - y ──► u (2 - z) < 1 - z, u being random ──► digit ──► failures, from the lowest
 *       ▲                │
 *       └── y^2 ◄────────┘   until y is 0
 *
 * A number is asked for with `draw` and comes with `drawn`. Cycles: about 270 a digit, of which there are
 * log2 of 2^64 / chance, and some five more. Digits above BITS are kept as `beyond` only. */
module geometric #(
    parameter BITS = 32
) (
    input clk,
    input rst,
    input go,
    input [63:0] chance,
    output reg done,
    output reg [BITS-1:0] failures,
    output reg beyond,
    output reg draw,
    input drawn,
    input [63:0] number
);
    localparam IDLE = 0, WAIT = 1, SCALE = 2, SQUARE = 3;
    reg [1:0] state;
    reg [6:0] digit;
    reg [63:0] z, u;
    reg start;
    reg [63:0] a, b;
    wire ready;
    wire [127:0] product;
    multiply multiply (.clk(clk), .rst(rst), .go(start), .a(a), .b(b), .done(ready), .product(product));
    wire [63:0] high = product[127:64];
    wire [63:0] y = -z;
    wire near = y[63]; /* y is at least a half: squared by way of z, of which nothing is lost */
    wire [64:0] scaled = {u, 1'b0} - {1'b0, high};
    wire one = scaled < {1'b0, y};
    wire [63:0] next_z = near ? {z[62:0], 1'b0} - high : -high;
    always @(posedge clk) begin
        start <= 0;
        draw <= 0;
        done <= 0;
        if (rst)
            state <= IDLE;
        else case (state)
            IDLE: if (go) begin
                z <= chance;
                digit <= 0;
                failures <= 0;
                beyond <= 0;
                draw <= 1;
                state <= WAIT;
            end
            WAIT: if (drawn) begin
                u <= number;
                a <= number;
                b <= z;
                start <= 1;
                state <= SCALE;
            end
            SCALE: if (ready) begin
                if (one && digit < BITS)
                    failures[digit] <= 1;
                beyond <= beyond || (one && digit >= BITS);
                a <= near ? z : y;
                b <= near ? z : y;
                start <= 1;
                state <= SQUARE;
            end
            SQUARE: if (ready) begin
                z <= next_z;
                digit <= digit + 1;
                draw <= next_z != 0;
                done <= next_z == 0;
                state <= next_z != 0 ? WAIT : IDLE;
            end
        endcase
    end
endmodule
