// SPDX-License-Identifier: MIT
//
// Formal proof that every word that enters funnel.v leaves it exactly once, older lane first.
//
// The only exception is a word that is dropped: then `dropping` is set, the word is counted, and
// the overflow flag is set. Instance: two lanes and a depth of four words.

module funnel_conserves (
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
        .clk(clk), .rst(rst), .dropping(dropping), .clear_drops(1'b0), .overflow(overflow),
        .dropped(dropped), .in_valid(ready ? in_valid : 2'b0), .ready(ready), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data));

    // The words that must leave, the next one lowest.
    reg [11:0] expected = 0;
    reg [2:0] n = 0;
    reg [7:0] n_dropped = 0;
    reg started = 0;
    wire sends = out_valid && out_ready;
    wire has_space = n <= 2;
    wire [1:0] accepts = ready && has_space ? in_valid : 2'b0;
    wire [1:0] drops = ready && !has_space ? in_valid : 2'b0;
    wire [2:0] slot = n - sends;
    wire [11:0] remaining = (sends ? expected >> 2 : expected) & ~(12'hfff << 2 * slot);
    wire [11:0] first = accepts[0] ? {10'b0, in_data[1:0]} << 2 * slot : 12'b0;
    wire [11:0] second = accepts[1] ? {10'b0, in_data[3:2]} << 2 * (slot + accepts[0]) : 12'b0;
    always @(posedge clk) begin
        started <= 1;
        if (!started)
            assume (rst);
        if (rst) begin
            n <= 0;
            n_dropped <= 0;
        end else begin
            expected <= remaining | first | second;
            n <= n + accepts[0] + accepts[1] - sends;
            n_dropped <= n_dropped + drops[0] + drops[1];
        end
        if (started && !rst) begin
            assert (n <= 4);
            assert (out_valid == (n != 0));
            if (out_valid)
                assert (out_data == expected[1:0]);
            assert (ready == (has_space || dropping));
            assert (drops == 0 || dropping);
            assert (dropped == n_dropped || n_dropped >= 254);
            assert (overflow == (n_dropped != 0));
        end
    end
endmodule
