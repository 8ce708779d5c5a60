// SPDX-License-Identifier: MIT
//
// Formal proof that the counts of the elastic sketch add up to the weight of all events
// (elastic.v).
//
// The count of a tuple that is evicted from the heavy part is added to the light part. The sum can
// be smaller only if a counter is full. Instance: a bucket with one way and one light counter, of 2
// bits each, and two events.

`define DUT elastic #(.BUCKET_BITS(0), .WAYS(1), .COUNTER_BITS(2), .LAMBDA(1), .LIGHT_BITS(0), \
    .LIGHT_COUNTER(2), .WEIGHT_BITS(WEIGHT))
module elastic_conserves (
    input clk,
    input rst
);
    localparam EVENTS = 2, WORDS = 2;
    localparam [32*WORDS-1:0] ADDRESSES = {32'h30000000, 32'h10000002};
    `include "driven_rtl.vh"
    wire [5:0] heavy = words[5:0], light = words[64 +: 6];
    always @(posedge clk)
        if (!rst && done)
            assert (heavy + light == total_weight || ((heavy == 3 || light == 3) &&
                heavy + light < total_weight));
endmodule
