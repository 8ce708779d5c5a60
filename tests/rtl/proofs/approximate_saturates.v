// SPDX-License-Identifier: MIT
//
// Formal proof that approximate counters saturate (approximate.v).
//
// The value of a counter never decreases, increases by at most the weight of the event, stops
// at its maximum, and is at least 1 after the first event. Instance: two counters of 2 bits,
// any nonzero state of the shift registers, any three events. The solver chooses the counter
// that is checked.

module approximate_saturates (
    input clk,
    input rst
);
    localparam EVENTS = 3, WEIGHT = 2, WORDS = 1;
    localparam [32*WORDS-1:0] ADDRESSES = 32'h10000000;
    wire in_valid, in_ready, taken, rd_valid, rd_done, done;
    wire [63:0] in_pc, rd_data;
    wire [31:0] rd_address;
    wire [WEIGHT-1:0] in_weight;
    wire [63:0] value;
    (* anyconst *) reg checked;
    driver #(.EVENTS(EVENTS), .WORDS(WORDS), .WEIGHT_BITS(WEIGHT), .ADDRESSES(ADDRESSES)) driver (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc),
        .in_weight(in_weight), .taken(taken), .rd_valid(rd_valid), .rd_address(rd_address),
        .rd_done(rd_done), .rd_data(rd_data), .words(value), .done(done));
    approximate #(.COUNTERS(2), .GROUP(1), .VALUE_BITS(2), .TOP(3), .LFSR(16), .TAP_A(1), .TAP_B(4),
        .TAP_C(6),
                  .WEIGHT_BITS(WEIGHT)) dut (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc),
        .in_value(64'b0),
        .in_weight(in_weight), .out_ready(1'b1), .rd_valid(rd_valid),
        .rd_address(rd_address | {23'b0, checked, 8'b0}), .rd_done(rd_done), .rd_data(rd_data),
        .cfg_write(1'b0), .cfg_address(32'b0), .cfg_data(64'b0), .clear(1'b0));
    reg [5:0] total_weight;
    always @(posedge clk) begin
        if (rst)
            total_weight <= 0;
        else if (taken && in_pc == checked)
            total_weight <= total_weight + in_weight;
        if (!rst && done) begin
            assert (value <= 3 && value <= total_weight);
            assert (value != 0 || total_weight == 0);
        end
    end
endmodule

// The seeds of a spec: arbitrary, but not 0.
module seed_table #(
    parameter WIDTH = 16,
    parameter ADDRESS = 1
) (
    input [ADDRESS-1:0] address,
    output [WIDTH-1:0] word
);
    (* anyconst *) reg [WIDTH-1:0] any;
    assign word = any;
    always @*
        assume (any != 0);
endmodule
