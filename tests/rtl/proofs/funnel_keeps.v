/* SPDX-License-Identifier: MIT */
/* Proof: an event that enters a funnel of two lanes leaves it exactly once, the older first; or it is
 * dropped, counted, and the flag is set. */
module funnel_keeps (
    input clk,
    input rst,
    input dropping,
    input [1:0] in_valid,
    input [3:0] in_data,
    input out_ready
);
    wire ready, out_valid, overflow;
    wire [1:0] out_data;
    wire [7:0] dropped;
    funnel #(.LANES(2), .WIDTH(2), .DEPTH(4), .COUNT(8)) funnel (
        .clk(clk), .rst(rst), .dropping(dropping), .forget(1'b0), .overflow(overflow),
        .dropped(dropped), .in_valid(ready ? in_valid : 2'b0), .ready(ready), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data));

    /* What should come, the next lowest. */
    reg [11:0] wanted = 0;
    reg [2:0] n = 0;
    reg [7:0] lost = 0;
    reg begun = 0;
    wire gives = out_valid && out_ready;
    wire room = n <= 2;
    wire [1:0] takes = ready && room ? in_valid : 2'b0;
    wire [1:0] drops = ready && !room ? in_valid : 2'b0;
    wire [2:0] place = n - gives;
    wire [11:0] kept = (gives ? wanted >> 2 : wanted) & ~(12'hfff << 2 * place);
    wire [11:0] first = takes[0] ? {10'b0, in_data[1:0]} << 2 * place : 12'b0;
    wire [11:0] second = takes[1] ? {10'b0, in_data[3:2]} << 2 * (place + takes[0]) : 12'b0;
    always @(posedge clk) begin
        begun <= 1;
        if (!begun)
            assume (rst);
        if (rst) begin
            n <= 0;
            lost <= 0;
        end else begin
            wanted <= kept | first | second;
            n <= n + takes[0] + takes[1] - gives;
            lost <= lost + drops[0] + drops[1];
        end
        if (begun && !rst) begin
            assert (n <= 4);
            assert (out_valid == (n != 0));
            if (out_valid)
                assert (out_data == wanted[1:0]);
            assert (ready == (room || dropping));
            assert (drops == 0 || dropping);
            assert (dropped == lost || lost >= 254);
            assert (overflow == (lost != 0));
        end
    end
endmodule
