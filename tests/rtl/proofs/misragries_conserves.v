// SPDX-License-Identifier: MIT
//
// Formal proof that Misra-Gries accounts for the weight of all events (misragries.v).
//
// The count of the slot, plus the weight that was subtracted from the slot and from events, is the
// weight of all events. The sum can be smaller only if the counter is full. Instance: one 2-bit
// slot and two events.

`define DUT misragries #(.ENTRIES(1), .COUNTER_BITS(2), .WEIGHT_BITS(WEIGHT))
module misragries_conserves (
    input clk,
    input rst
);
    localparam EVENTS = 2, WORDS = 3;
    localparam [32*WORDS-1:0] ADDRESSES = {32'h10000002, 32'h1, 32'h0};
    `include "driven_rtl.vh"
    wire [63:0] used = words[63:0];
    wire [5:0] count = used > 0 ? words[128 +: 6] : 0, accounted = count + 2 * words[64 +: 6];
    always @(posedge clk)
        if (!rst && done) begin
            assert (used <= 1);
            assert (accounted == total_weight || (count == 3 && accounted < total_weight));
        end
endmodule
