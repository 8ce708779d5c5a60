// SPDX-License-Identifier: MIT
//
// Formal proof that a shift register that is not 0 never becomes 0 (lfsr_step.v).
//
// The proof is by induction, for each of the three widths that sluice uses (16, 32 and 64 bits).

module lfsr_never_zero (
    input clk
);
    reg [15:0] s16;
    reg [31:0] s32;
    reg [63:0] s64;
    wire [15:0] n16;
    wire [31:0] n32;
    wire [63:0] n64;
    lfsr_step #(.WIDTH(16), .TAP_A(1), .TAP_B(4), .TAP_C(6)) of16 (.state(s16), .next(n16));
    lfsr_step #(.WIDTH(32), .TAP_A(6), .TAP_B(13), .TAP_C(23)) of32 (.state(s32), .next(n32));
    lfsr_step #(.WIDTH(64), .TAP_A(15), .TAP_B(28), .TAP_C(45), .STEPS(64)) of64 (.state(s64),
        .next(n64));
    initial assume (s16 != 0 && s32 != 0 && s64 != 0);
    always @(posedge clk) begin
        s16 <= n16;
        s32 <= n32;
        s64 <= n64;
        assert (s16 != 0);
        assert (s32 != 0);
        assert (s64 != 0);
    end
endmodule
