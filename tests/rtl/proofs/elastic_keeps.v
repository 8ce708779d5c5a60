/* SPDX-License-Identifier: MIT */
/* Proof: the counts of Elastic Sketch's heavy and light parts add up to the weight of all events unless a
 * counter is full: a tuple evicted from the heavy part takes its count along. A bucket of one way and a light
 * counter, 2 bits each, two events. */
`define TWIN elastic #(.BUCKET_BITS(0), .WAYS(1), .COUNTER_BITS(2), .LAMBDA(1), .LIGHT_BITS(0), \
    .LIGHT_COUNTER(2), .WEIGHT_BITS(WEIGHT))
module elastic_keeps (
    input clk,
    input rst
);
    localparam EVENTS = 2, WORDS = 2;
    localparam [32*WORDS-1:0] ADDRESSES = {32'h30000000, 32'h10000002};
    `include "driven_rtl.vh"
    wire [5:0] heavy = words[5:0], light = words[64 +: 6];
    always @(posedge clk)
        if (!rst && done)
            assert (heavy + light == came || ((heavy == 3 || light == 3) && heavy + light < came));
endmodule
