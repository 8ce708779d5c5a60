/* SPDX-License-Identifier: MIT */
/* Proof: the count of Misra-Gries plus the weights it subtracted from its slot and from the events add up to
 * the weight of all events, unless the counter is full. One 2-bit slot, two events. */
`define TWIN misragries #(.ENTRIES(1), .COUNTER_BITS(2), .WEIGHT_BITS(WEIGHT))
module misragries_keeps (
    input clk,
    input rst
);
    localparam EVENTS = 2, WORDS = 3;
    localparam [32*WORDS-1:0] ADDRESSES = {32'h10000002, 32'h1, 32'h0};
    `include "driven_rtl.vh"
    wire [63:0] used = words[63:0];
    wire [5:0] count = used > 0 ? words[128 +: 6] : 0, all = count + 2 * words[64 +: 6];
    always @(posedge clk)
        if (!rst && done) begin
            assert (used <= 1);
            assert (all == came || (count == 3 && all < came));
        end
endmodule
