/* What Misra-Gries counts, and what it took from both places and from the event each time, adds up to what came,
 * unless a counter is full. Two places of 3 bits. */
`define TWIN misragries #(.ENTRIES(2), .COUNTER_BITS(3), .WEIGHT_BITS(WEIGHT))
module misragries_keeps (
    input clk,
    input rst
);
    localparam WORDS = 4;
    localparam [32*WORDS-1:0] ADDRESSES = {32'h10000006, 32'h10000002, 32'h1, 32'h0};
    `include "driven_twin.vh"
    wire [63:0] used = words[63:0];
    wire [5:0] first = used > 0 ? words[128 +: 6] : 0, second = used > 1 ? words[192 +: 6] : 0;
    wire [5:0] all = first + second + 3 * words[64 +: 6];
    always @(posedge clk)
        if (!rst && done) begin
            assert (used <= 2);
            assert (all == came || ((first == 7 || second == 7) && all < came));
        end
endmodule
