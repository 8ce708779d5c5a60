/* SPDX-License-Identifier: MIT */
/* Proof: HeavyKeeper's counters decay and never wrap: the counts of a row do not exceed the weight of all
 * events, and are not 0 after the first event. A row of two 2-bit buckets, two events, any hash, random
 * numbers and probabilities. */
`define TWIN heavykeeper #(.ROWS(1), .INDEX_BITS(1), .FINGERPRINT(2), .ENTRIES(1), .COUNTER_BITS(2), \
    .WEIGHT_BITS(WEIGHT))
module heavykeeper_wears (
    input clk,
    input rst
);
    localparam EVENTS = 2, WORDS = 2;
    localparam [32*WORDS-1:0] ADDRESSES = {32'h20000002, 32'h20000000};
    `include "driven_rtl.vh"
    wire [5:0] first = words[5:0], second = words[64 +: 6];
    always @(posedge clk)
        if (!rst && done) begin
            assert (first + second <= came);
            assert (first + second != 0 || came == 0);
        end
endmodule

module chance_table (
    input clk,
    input [9:0] address,
    output [63:0] word
);
    (* anyseq *) reg [63:0] any;
    assign word = any;
endmodule
