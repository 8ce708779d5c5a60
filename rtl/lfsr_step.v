// SPDX-License-Identifier: MIT
//
// Several steps of a Fibonacci linear-feedback shift register (LFSR) at once.
//
// The module is combinational: `next` is the register after STEPS steps from `state`. In one step
// the register shifts right, and the new highest bit is the XOR of bit 0 and of the three bits
// TAP_A, TAP_B and TAP_C. A register that is not 0 never becomes 0. The C model is
// src/base/lfsr.h. The approximate counters of approximate.v draw their random bits from such
// registers.
//
//     | s[n-1] ... s[C] ... s[B] ... s[A] ... s[0] |  -> s[0]
//       ^            |        |        |        |
//       '------------+--------+--------+--------'

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
