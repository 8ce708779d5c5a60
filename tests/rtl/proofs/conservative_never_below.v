/* SPDX-License-Identifier: MIT */
/* Proof: with conservative update, a tuple's estimate is never below its true count. Two tables of two
 * counters; the smaller of a tuple's two counters is at least its number of events. The transition is that of
 * multihash.v (RAISE); hashes are arbitrary. One tuple, chosen arbitrarily, is checked. */
module conservative_never_below (
    input clk,
    input rst,
    input event_valid,
    input [1:0] tuple
);
    (* anyconst *) reg [1:0] followed;
    (* anyconst *) reg [3:0] hash0, hash1; /* index of each of four tuples in each table */
    localparam BITS = 4;
    reg [BITS-1:0] table0 [0:1];
    reg [BITS-1:0] table1 [0:1];
    reg [BITS-1:0] truth = 0;
    reg begun = 0;
    wire a = hash0[tuple], b = hash1[tuple];
    wire [2*BITS-1:0] next;
    raise #(.TABLES(2), .COUNTER_BITS(BITS), .CONSERVATIVE(1), .WEIGHT_BITS(1)) raising (
        .held({table1[b], table0[a]}), .weight(1'b1), .next(next), .least());
    wire [BITS-1:0] of0 = table0[hash0[followed]], of1 = table1[hash1[followed]];
    always @(posedge clk) begin
        begun <= 1;
        if (!begun)
            assume (rst);
        if (rst) begin
            table0[0] <= 0;
            table0[1] <= 0;
            table1[0] <= 0;
            table1[1] <= 0;
            truth <= 0;
        end else if (event_valid) begin
            table0[a] <= next[BITS-1:0];
            table1[b] <= next[2*BITS-1:BITS];
            if (tuple == followed && !(&truth))
                truth <= truth + 1;
        end
        if (begun && !rst) begin
            assert (of0 >= truth);
            assert (of1 >= truth);
        end
    end
endmodule
