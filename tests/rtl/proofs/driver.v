// SPDX-License-Identifier: MIT
//
// Driver of a table in formal proofs: sends arbitrary events and then reads words of the table.
//
// The driver sends EVENTS events at arbitrary times; the solver chooses their weights and one of
// four tuples, <0, 0> to <3, 0>. (For tables with two slots, three tuples would suffice.) `taken`
// is set in the cycle in which the table accepts an event. After the events, the driver reads WORDS
// words at ADDRESSES into `words`, the first word in the lowest bits, and sets `done`.

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
    (* anyseq *) reg request;
    (* anyseq *) reg [1:0] tuple;
    (* anyseq *) reg [WEIGHT_BITS-1:0] weight;
    reg [3:0] n_sent, n_read;
    assign in_valid = n_sent != EVENTS && request;
    assign in_pc = {62'b0, tuple};
    assign in_weight = weight;
    assign taken = in_valid && in_ready && !rst;
    assign rd_valid = n_sent == EVENTS && n_read != WORDS;
    assign rd_address = ADDRESSES[32*n_read +: 32];
    assign done = n_read == WORDS && n_sent == EVENTS;
    reg started = 0;
    always @(posedge clk) begin
        started <= 1;
        assume (rst == !started);
        if (rst) begin
            n_sent <= 0;
            n_read <= 0;
        end else begin
            n_sent <= n_sent + taken;
            if (rd_valid && rd_done) begin
                words[64*n_read +: 64] <= rd_data;
                n_read <= n_read + 1;
            end
        end
    end
endmodule
