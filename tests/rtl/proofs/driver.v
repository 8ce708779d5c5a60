/* SPDX-License-Identifier: MIT */
/* Drives a table in proofs: sends it any EVENTS events at any time, then reads WORDS words at ADDRESSES, the
 * first one lowest. `taken` is set with each event, `done` when all words are read. Tuples are <0, 0> to <3,
 * 0>; three of the four suffice for two slots. */
module driver #(
    parameter EVENTS = 3,
    parameter WORDS = 2,
    parameter WEIGHT_BITS = 2,
    parameter [32*WORDS-1:0] ADDRESSES = 0
) (
    input clk,
    input rst,
    output in_valid,
    input in_ready,
    output [63:0] in_pc,
    output [WEIGHT_BITS-1:0] in_weight,
    output taken,
    output rd_valid,
    output [31:0] rd_address,
    input rd_done,
    input [63:0] rd_data,
    output reg [64*WORDS-1:0] words,
    output done
);
    (* anyseq *) reg wants;
    (* anyseq *) reg [1:0] tuple;
    (* anyseq *) reg [WEIGHT_BITS-1:0] weight;
    reg [3:0] given, read;
    assign in_valid = given != EVENTS && wants;
    assign in_pc = {62'b0, tuple};
    assign in_weight = weight;
    assign taken = in_valid && in_ready && !rst;
    assign rd_valid = given == EVENTS && read != WORDS;
    assign rd_address = ADDRESSES[32*read +: 32];
    assign done = read == WORDS && given == EVENTS;
    reg begun = 0;
    always @(posedge clk) begin
        begun <= 1;
        assume (rst == !begun);
        if (rst) begin
            given <= 0;
            read <= 0;
        end else begin
            given <= given + taken;
            if (rd_valid && rd_done) begin
                words[64*read +: 64] <= rd_data;
                read <= read + 1;
            end
        end
    end
endmodule
