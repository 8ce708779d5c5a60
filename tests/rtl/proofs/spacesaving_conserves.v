// SPDX-License-Identifier: MIT
//
// Formal proof that the counts of Space-Saving add up to the weight of all events (spacesaving.v).
//
// No weight is lost or counted twice. The sum can be smaller only if a counter is full. Instance:
// two 3-bit slots and three events.

`define DUT spacesaving #(.ENTRIES(2), .COUNTER_BITS(3), .WEIGHT_BITS(WEIGHT))
module spacesaving_conserves (
    input clk,
    input rst
);
    localparam EVENTS = 3, WORDS = 3;
    localparam [32*WORDS-1:0] ADDRESSES = {32'h10000006, 32'h10000002, 32'h0};
    `include "driven_rtl.vh"
    wire [63:0] used = words[63:0];
    wire [5:0] first = used > 0 ? words[64 +: 6] : 0, second = used > 1 ? words[128 +: 6] : 0;
    always @(posedge clk)
        if (!rst && done) begin
            assert (used <= 2);
            assert (first + second == total_weight || ((first == 7 || second == 7) &&
                first + second < total_weight));
        end
endmodule
