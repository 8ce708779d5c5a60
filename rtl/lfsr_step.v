/* SPDX-License-Identifier: MIT */
/* STEPS steps of a Fibonacci shift register with linear feedback (src/base/lfsr.h), at once:
 *
 *     | s[n-1] ... s[C] ... s[B] ... s[A] ... s[0] |  -> s[0]
 *       ^            |        |        |        |
 *       '------------+--------+--------+--------'
 *
 * Combinational. From any state but 0 it never comes to 0. */
module lfsr_step #(
    parameter WIDTH = 64,
    parameter TAP_A = 15,
    parameter TAP_B = 28,
    parameter TAP_C = 45,
    parameter STEPS = 1
) (
    input [WIDTH-1:0] state,
    output reg [WIDTH-1:0] next
);
    integer i;
    always @* begin
        next = state;
        for (i = 0; i < STEPS; i = i + 1)
            next = {next[0] ^ next[TAP_A] ^ next[TAP_B] ^ next[TAP_C], next[WIDTH-1:1]};
    end
endmodule
