// SPDX-License-Identifier: MIT
//
// XOR fold: divides a word into chunks of BITS bits, and computes the exclusive or of all chunks.
//
// Chunks start at the low end of the word; the last chunk may be shorter. The module is
// combinational. Tables use it to derive an index or a tag from a wide word. If BITS is 0, there
// is only one index, and the output is one bit that is 0. WIDTH is the width of the input word.
//
//     word   | c | b | a |          folded = a ^ b ^ c

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
