/* SPDX-License-Identifier: MIT */
/* A counter that stops when it is full:
 *
 *     count ──► + ──► carry? ──► 2^BITS - 1, or the sum
 *     more ─────┘
 *
 * Combinational. */
module add_full #(
    parameter BITS = 32,
    parameter MORE = 32
) (
    input [BITS-1:0] count,
    input [MORE-1:0] more,
    output [BITS-1:0] sum
);
    localparam WIDE = (BITS > MORE ? BITS : MORE) + 1;
    wire [WIDE-1:0] whole = {{WIDE-BITS{1'b0}}, count} + more;
    assign sum = whole >> BITS != 0 ? {BITS{1'b1}} : whole[BITS-1:0];
endmodule
