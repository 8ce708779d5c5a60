/* SPDX-License-Identifier: MIT */
/* Where events enter a table, or messages leave it: a queue that, when it is full, makes the
 * sender wait or drops, as `dropping` says.
 *
 *              dropping
 *                 │ ┌──► overflow: something was dropped since `forget`; how much: dropped
 *     in ──► | fifo | ──► out
 *
 *     dropping = 0   in_ready falls when the queue is full: nothing is lost, the sender stalls
 *     dropping = 1   in_ready stays up; what finds the queue full is dropped and counted
 *
 * A word a cycle. `dropped` stops at its end and does not wrap. */
module port #(
    parameter WIDTH = 160,
    parameter DEPTH = 4,
    parameter COUNT = 32
) (
    input clk,
    input rst,
    input dropping,
    input forget,
    output reg overflow,
    output reg [COUNT-1:0] dropped,
    input in_valid,
    output in_ready,
    input [WIDTH-1:0] in_data,
    output out_valid,
    input out_ready,
    output [WIDTH-1:0] out_data
);
    wire room;
    assign in_ready = room || dropping;
    fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH)) queue (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(room), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .held());
    always @(posedge clk)
        if (rst || forget) begin
            overflow <= 0;
            dropped <= 0;
        end else if (in_valid && dropping && !room) begin
            overflow <= 1;
            if (dropped != {COUNT{1'b1}})
                dropped <= dropped + 1;
        end
endmodule
