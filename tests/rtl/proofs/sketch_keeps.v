/* SPDX-License-Identifier: MIT */
/* Proof: the counters of a row of count-min add up to the weight of all events unless one is full, and no
 * estimate exceeds it. Two rows of two 2-bit counters, one name, two events, any hashes; the second row is
 * read. */
`define TWIN sketch #(.ROWS(2), .INDEX_BITS(1), .ENTRIES(1), .COUNTER_BITS(2), .WEIGHT_BITS(WEIGHT))
module sketch_keeps (
    input clk,
    input rst
);
    localparam EVENTS = 2, WORDS = 4;
    localparam [32*WORDS-1:0] ADDRESSES = {32'h10000002, 32'h0, 32'h21000001, 32'h21000000};
    `include "driven_rtl.vh"
    wire [5:0] first = words[5:0], second = words[64 +: 6];
    always @(posedge clk)
        if (!rst && done) begin
            assert (first + second == came || ((first == 3 || second == 3) && first + second < came));
            assert (words[128 +: 64] == 0 || words[192 +: 64] <= came);
        end
endmodule
