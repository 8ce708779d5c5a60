// SPDX-License-Identifier: MIT
//
// Generator of geometric random numbers: the number of draws that fail before the first successful
// draw.
//
// A draw succeeds with the probability chance / 2^64. The module does not simulate the draws one by
// one, because the binary digits of a geometric random number are independent: digit i is 1 with
// the probability y / (1 + y), where y is the probability that 2^i consecutive draws fail. The C
// model is sl_draws_gap() in src/tables/draws.h.
//
// `go` starts, and `done` is set for one cycle when `failures` is valid. The module requests
// random numbers with `draw` and gets each one with `drawn`. Cycles: about 270 per digit, for
// about log2(2^64 / chance) + 5 digits. If a digit above BITS is 1, `overflow` is set.
//
//     z = 1 - y ──► u (2 - z) < 1 - z, u random ──► digit ──► failures, from the lowest
//       ▲                │
//       └── y^2 ◄────────┘   until y is 0

module geometric #(
    parameter BITS = 32
) (
    input clk,
    input rst,
    input go,
    input [63:0] chance,
    output reg done,
    output reg [BITS-1:0] failures,
    output reg overflow,
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
    multiply multiply (.clk(clk), .rst(rst), .go(start), .a(a), .b(b), .done(ready),
        .product(product));
    wire [63:0] high = product[127:64];
    wire [63:0] y = -z;
    // For y >= 1/2, y^2 is computed from z, which loses no precision.
    wire squared_by_z = y[63];
    wire [64:0] scaled = {u, 1'b0} - {1'b0, high};
    wire digit_value = scaled < {1'b0, y};
    wire [63:0] next_z = squared_by_z ? {z[62:0], 1'b0} - high : -high;
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
                overflow <= 0;
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
                if (digit_value && digit < BITS)
                    failures[digit] <= 1;
                overflow <= overflow || (digit_value && digit >= BITS);
                a <= squared_by_z ? z : y;
                b <= squared_by_z ? z : y;
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
