/* SPDX-License-Identifier: MIT */
/* Exclusive or of the BITS-wide chunks of a word, from its low end; the last may be shorter.
 *
 *     word   | c | b | a |          folded = a ^ b ^ c
 *
 * Combinational. With BITS = 0 there is one set only and the answer is 0. */
module fold #(
    parameter WIDTH = 64,
    parameter BITS = 9,
    parameter OUT = BITS > 0 ? BITS : 1
) (
    input [WIDTH-1:0] word,
    output reg [OUT-1:0] folded
);
    integer i;
    always @* begin
        folded = 0;
        for (i = 0; i < WIDTH; i = i + 1)
            folded[i % OUT] = folded[i % OUT] ^ (word[i] && BITS > 0);
    end
endmodule
