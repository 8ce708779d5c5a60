// SPDX-License-Identifier: MIT
//
// Formal proof that the counts of CocoSketch add up to the weight of all events (cocosketch.v).
//
// The sum can be smaller only if a counter is full. The property does not depend on the tuples that
// the buckets store. Instance: two rows of one 2-bit bucket, two events, any random numbers.

`define DUT cocosketch #(.ROWS(2), .INDEX_BITS(0), .COUNTER_BITS(2), .WEIGHT_BITS(WEIGHT))
module cocosketch_conserves (
    input clk,
    input rst
);
    localparam EVENTS = 2, WORDS = 2;
    localparam [32*WORDS-1:0] ADDRESSES = {32'h21000002, 32'h20000002};
    `include "driven_rtl.vh"
    wire [5:0] first = words[5:0], second = words[64 +: 6];
    always @(posedge clk)
        if (!rst && done)
            assert (first + second == total_weight || ((first == 3 || second == 3) &&
                first + second < total_weight));
endmodule
