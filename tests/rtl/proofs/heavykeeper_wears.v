// SPDX-License-Identifier: MIT
/* HeavyKeeper's counters are worn down and never wrap: what a row counts is not above what came, and once
 * anything came it is not 0. A row of two buckets of 2 bits, two events, any hash, random numbers and chances. */
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
