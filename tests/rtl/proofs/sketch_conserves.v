// SPDX-License-Identifier: MIT
//
// Formal proof that the counters of a count-min row add up to the weight of all events (sketch.v).
//
// The sum can be smaller only if a counter is full. No estimate in the top list exceeds the weight
// of all events. Instance: two rows of two 2-bit counters, a top list of one slot, two events, any
// hash functions. The second row is checked.

`define DUT sketch #(.ROWS(2), .INDEX_BITS(1), .ENTRIES(1), .COUNTER_BITS(2), .WEIGHT_BITS(WEIGHT))
module sketch_conserves (
    input clk,
    input rst
);
    localparam EVENTS = 2, WORDS = 4;
    localparam [32*WORDS-1:0] ADDRESSES = {32'h10000002, 32'h0, 32'h21000001, 32'h21000000};
    `include "driven_rtl.vh"
    wire [5:0] first = words[5:0], second = words[64 +: 6];
    always @(posedge clk)
        if (!rst && done) begin
            assert (first + second == total_weight || ((first == 3 || second == 3) &&
                first + second < total_weight));
            assert (words[128 +: 64] == 0 || words[192 +: 64] <= total_weight);
        end
endmodule
