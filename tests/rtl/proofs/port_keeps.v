/* SPDX-License-Identifier: MIT */
/* Proof: an event that enters a port leaves it exactly once, in order; or it is dropped, counted, and the
 * flag is set. */
module port_keeps (
    input clk,
    input rst,
    input dropping,
    input in_valid,
    input [3:0] in_data,
    input out_ready
);
    wire in_ready, out_valid, overflow;
    wire [3:0] out_data;
    wire [7:0] dropped;
    port #(.WIDTH(4), .DEPTH(2), .COUNT(8)) port (
        .clk(clk), .rst(rst), .dropping(dropping), .forget(1'b0), .overflow(overflow),
        .dropped(dropped), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data));

    /* What should come, the next lowest. */
    reg [11:0] wanted = 0;
    reg [2:0] n = 0;
    reg [7:0] lost = 0;
    reg begun = 0;
    wire takes = in_valid && in_ready;
    wire gives = out_valid && out_ready;
    wire drops = takes && n == 2;
    wire [2:0] place = n - gives;
    always @(posedge clk) begin
        begun <= 1;
        if (!begun)
            assume (rst);
        if (rst) begin
            n <= 0;
            lost <= 0;
        end else begin
            wanted <= (gives ? wanted >> 4 : wanted) & ~(12'hfff << 4 * place) |
                      (takes && !drops ? {8'b0, in_data} << 4 * place : 12'b0);
            n <= n + (takes && !drops) - gives;
            lost <= lost + drops;
        end
        if (begun && !rst) begin
            assert (n <= 2);
            assert (out_valid == (n != 0));
            if (out_valid)
                assert (out_data == wanted[3:0]);
            assert (!drops || dropping);
            assert (dropped == lost || &lost);
            assert (overflow == (lost != 0));
        end
    end
endmodule
