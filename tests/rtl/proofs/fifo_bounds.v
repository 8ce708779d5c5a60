/* SPDX-License-Identifier: MIT */
/* Proof: a queue never holds more entries than its depth, is never read when empty and never written when
 * full. */
module fifo_bounds (
    input clk,
    input rst,
    input in_valid,
    input [1:0] in_data,
    input out_ready
);
    wire in_ready, out_valid;
    wire [1:0] out_data;
    wire [2:0] held;
    fifo #(.WIDTH(2), .DEPTH(4)) fifo (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .held(held));
    reg begun = 0;
    reg [2:0] n = 0;
    always @(posedge clk) begin
        begun <= 1;
        if (!begun)
            assume (rst);
        n <= rst ? 0 : n + (in_valid && in_ready) - (out_valid && out_ready);
        if (begun && !rst) begin
            assert (held <= 4);
            assert (held == n);
            assert (in_ready == (n != 4));
            assert (out_valid == (n != 0));
        end
    end
endmodule
