/* SPDX-License-Identifier: MIT */
/* Proof: the counts of CocoSketch add up to the weight of all events unless a counter is full, whichever
 * names its buckets hold. Two rows of one 2-bit bucket, two events, any random numbers. */
`define TWIN cocosketch #(.ROWS(2), .INDEX_BITS(0), .COUNTER_BITS(2), .WEIGHT_BITS(WEIGHT))
module cocosketch_keeps (
    input clk,
    input rst
);
    localparam EVENTS = 2, WORDS = 2;
    localparam [32*WORDS-1:0] ADDRESSES = {32'h21000002, 32'h20000002};
    `include "driven_rtl.vh"
    wire [5:0] first = words[5:0], second = words[64 +: 6];
    always @(posedge clk)
        if (!rst && done)
            assert (first + second == came || ((first == 3 || second == 3) && first + second < came));
endmodule
