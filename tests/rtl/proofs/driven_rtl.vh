// SPDX-License-Identifier: MIT
//
// Include file for the proofs of tables: the table `DUT, connected to driver.v.
//
// The driver sends EVENTS arbitrary events of four tuples, with weights up to 3. It then reads
// WORDS words at ADDRESSES; they are in `words` when `done` is set. `total_weight` is the sum of
// the weights of all events. The module that includes this file defines EVENTS, WORDS, ADDRESSES
// and the macro DUT.

    localparam WEIGHT = 2;
    wire in_valid, in_ready, taken, rd_valid, rd_done, done;
    wire [63:0] in_pc, rd_data;
    wire [31:0] rd_address;
    wire [WEIGHT-1:0] in_weight;
    wire [64*WORDS-1:0] words;
    driver #(.EVENTS(EVENTS), .WORDS(WORDS), .WEIGHT_BITS(WEIGHT), .ADDRESSES(ADDRESSES)) driver (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc),
        .in_weight(in_weight), .taken(taken), .rd_valid(rd_valid), .rd_address(rd_address),
        .rd_done(rd_done), .rd_data(rd_data), .words(words), .done(done));
    `DUT dut (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc), .in_value(64'b0),
        .in_weight(in_weight), .out_ready(1'b1), .rd_valid(rd_valid), .rd_address(rd_address),
        .rd_done(rd_done), .rd_data(rd_data), .cfg_write(1'b0), .cfg_address(32'b0), .cfg_data(64'b0),
        .clear(1'b0));
    reg [5:0] total_weight;
    always @(posedge clk)
        total_weight <= rst ? 0 : taken ? total_weight + in_weight : total_weight;
