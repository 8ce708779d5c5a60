// SPDX-License-Identifier: MIT
//
// Formal proof that a counter with conservative update is never below the true count.
//
// With two tables of two counters, both counters of a tuple are at least the number of its events.
// The update is that of multihash.v, state UPDATE, with counter_update.v. Hash functions are
// arbitrary, and the solver chooses the tuple that is checked.

module conservative_never_below (
    input clk,
    input rst,
    input event_valid,
    input [1:0] tuple
);
    (* anyconst *) reg [1:0] checked;
    (* anyconst *) reg [3:0] hash0, hash1; // index of each of the four tuples in each table
    localparam BITS = 4;
    reg [BITS-1:0] table0 [0:1];
    reg [BITS-1:0] table1 [0:1];
    reg [BITS-1:0] true_count = 0;
    reg started = 0;
    wire a = hash0[tuple], b = hash1[tuple];
    wire [2*BITS-1:0] next;
    counter_update #(.TABLES(2), .COUNTER_BITS(BITS), .CONSERVATIVE(1), .WEIGHT_BITS(1)) raising (
        .current({table1[b], table0[a]}), .weight(1'b1), .next(next), .minimum());
    wire [BITS-1:0] checked0 = table0[hash0[checked]], checked1 = table1[hash1[checked]];
    always @(posedge clk) begin
        started <= 1;
        if (!started)
            assume (rst);
        if (rst) begin
            table0[0] <= 0;
            table0[1] <= 0;
            table1[0] <= 0;
            table1[1] <= 0;
            true_count <= 0;
        end else if (event_valid) begin
            table0[a] <= next[BITS-1:0];
            table1[b] <= next[2*BITS-1:BITS];
            if (tuple == checked && !(&true_count))
                true_count <= true_count + 1;
        end
        if (started && !rst) begin
            assert (checked0 >= true_count);
            assert (checked1 >= true_count);
        end
    end
endmodule
