// SPDX-License-Identifier: MIT
//
// Random number generator splitmix64, with an optional upper bound.
//
// The C model is src/base/random.h. `go` starts, and `done` is set for one cycle when `number` is
// valid. If `bounded` is set, the number is below `limit`: the module multiplies a 64-bit random
// number by the limit and returns the high half of the product. One multiplier (multiply.v)
// computes all products, so that a number takes about 135 cycles, or 200 cycles with a limit. This
// speed is sufficient, because the samplers need one number per message. SEED is the initial state.
//
//     state += G;  z = (z ^ z >> 30) * A;  z = (z ^ z >> 27) * B;  z ^= z >> 31
//     bounded:  z * limit >> 64
//
//     | state | ──► + G ──► ^ >> ──► | a, b | ──► multiply ──┬──► ^ >> ──► | number |
//                             ▲                              │
//                             └──── two or three times ──────┘

module random #(
    parameter [63:0] SEED = 1
) (
    input clk,
    input rst,
    input go,
    input bounded,      // 1: the number is below `limit`
    input [63:0] limit,
    output reg done,
    output reg [63:0] number
);
    localparam IDLE = 0, FIRST = 1, SECOND = 2, BOUND = 3;
    reg [63:0] state;
    reg [1:0] step;
    reg start;
    reg [63:0] a, b;
    wire ready;
    wire [127:0] product;
    multiply multiply (.clk(clk), .rst(rst), .go(start), .a(a), .b(b), .done(ready),
                       .product(product));
    wire [63:0] next = state + 64'h9e3779b97f4a7c15;
    wire [63:0] low = product[63:0];
    wire [63:0] z = low ^ low >> 31;
    always @(posedge clk) begin
        start <= 0;
        done <= 0;
        if (rst) begin
            state <= SEED;
            step <= IDLE;
        end else case (step)
            IDLE: if (go) begin
                state <= next;
                a <= next ^ next >> 30;
                b <= 64'hbf58476d1ce4e5b9;
                start <= 1;
                step <= FIRST;
            end
            FIRST: if (ready) begin
                a <= low ^ low >> 27;
                b <= 64'h94d049bb133111eb;
                start <= 1;
                step <= SECOND;
            end
            SECOND: if (ready) begin
                number <= z;
                a <= z;
                b <= limit;
                start <= bounded;
                done <= !bounded;
                step <= bounded ? BOUND : IDLE;
            end
            BOUND: if (ready) begin
                number <= product[127:64];
                done <= 1;
                step <= IDLE;
            end
        endcase
    end
endmodule
