// SPDX-License-Identifier: MIT
//
// Saturating adder: adds an unsigned addend to an unsigned counter.
//
// The sum is limited to the largest value of the counter, 2^BITS - 1, so that a counter never
// wraps. The module is combinational. BITS is the width of `count` and `sum`, ADDEND_BITS the
// width of `addend`; either of them may be the larger one. The tables of sketches and counter
// summaries use this module, for example spacesaving.v and elastic.v.
//
//     count ───► + ──► carry? ──► 2^BITS - 1, or the sum
//     addend ────┘

module saturating_add #(
    parameter BITS = 32,
    parameter ADDEND_BITS = 32
) (
    input [BITS-1:0] count,
    input [ADDEND_BITS-1:0] addend,
    output [BITS-1:0] sum
);
    localparam WIDE = (BITS > ADDEND_BITS ? BITS : ADDEND_BITS) + 1;
    wire [WIDE-1:0] whole = {{WIDE-BITS{1'b0}}, count} + addend;
    assign sum = whole >> BITS != 0 ? {BITS{1'b1}} : whole[BITS-1:0];
endmodule
