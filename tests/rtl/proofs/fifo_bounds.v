// SPDX-License-Identifier: MIT
//
// Formal proof that the queue fifo.v never overflows or underflows.
//
// The queue never holds more words than its depth. It is never read when it is empty and never
// written when it is full. Instance: a depth of four words.

module fifo_bounds (
    input clk,
    input rst,
    input in_valid,
    input [1:0] in_data,
    input out_ready
);
    wire in_ready, out_valid;
    wire [1:0] out_data;
    wire [2:0] fill;
    fifo #(.WIDTH(2), .DEPTH(4)) fifo (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .fill(fill));
    reg started = 0;
    reg [2:0] n = 0;
    always @(posedge clk) begin
        started <= 1;
        if (!started)
            assume (rst);
        n <= rst ? 0 : n + (in_valid && in_ready) - (out_valid && out_ready);
        if (started && !rst) begin
            assert (fill <= 4);
            assert (fill == n);
            assert (in_ready == (n != 4));
            assert (out_valid == (n != 0));
        end
    end
endmodule
