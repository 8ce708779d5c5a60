// SPDX-License-Identifier: MIT
//
// Queue that can drop words when it is full. It is used for the events at the input of a table and
// for the messages at its output.
//
// The input `dropping` selects what happens when the queue is full. With dropping = 0, in_ready is
// 0 while the queue is full, so that the sender waits and no word is lost. With dropping = 1,
// in_ready stays 1, and a word that arrives when the queue is full is dropped. The saturating
// counter `dropped` counts these words, and `overflow` is set by the first one. `clear_drops`
// resets both. One word can enter and one can leave per cycle. WIDTH is the width of a word in
// bits, DEPTH is the capacity in words (a power of two), and COUNT is the width of `dropped` in
// bits.
//
//     in ──► | fifo | ──► out
//               └──► overflow, dropped

module drop_fifo #(
    parameter WIDTH = 160,
    parameter DEPTH = 4,
    parameter COUNT = 32
) (
    input clk,
    input rst,
    input dropping,
    input clear_drops,
    output reg overflow,
    output reg [COUNT-1:0] dropped,
    input in_valid,
    output in_ready,
    input [WIDTH-1:0] in_data,
    output out_valid,
    input out_ready,
    output [WIDTH-1:0] out_data
);
    wire has_space;
    assign in_ready = has_space || dropping;
    fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH)) queue (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(has_space), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .fill());
    always @(posedge clk)
        if (rst || clear_drops) begin
            overflow <= 0;
            dropped <= 0;
        end else if (in_valid && dropping && !has_space) begin
            overflow <= 1;
            if (dropped != {COUNT{1'b1}})
                dropped <= dropped + 1;
        end
endmodule
