// SPDX-License-Identifier: MIT
//
// Formal proof that HeavyKeeper's counters decay without wrapping (heavykeeper.v).
//
// The sum of a row's counts is at most the weight of all events, and it is not 0 after the first
// event. Instance: one row of two 2-bit buckets, two events, any hash function, random numbers and
// probabilities.

`define DUT heavykeeper #(.ROWS(1), .INDEX_BITS(1), .FINGERPRINT(2), .ENTRIES(1), \
    .COUNTER_BITS(2), .WEIGHT_BITS(WEIGHT))
module heavykeeper_decays (
    input clk,
    input rst
);
    localparam EVENTS = 2, WORDS = 2;
    localparam [32*WORDS-1:0] ADDRESSES = {32'h20000002, 32'h20000000};
    `include "driven_rtl.vh"
    wire [5:0] first = words[5:0], second = words[64 +: 6];
    always @(posedge clk)
        if (!rst && done) begin
            assert (first + second <= total_weight);
            assert (first + second != 0 || total_weight == 0);
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
