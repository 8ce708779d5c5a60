// SPDX-License-Identifier: MIT
//
// Formal proof that a word that enters drop_fifo.v leaves it exactly once and in order.
//
// The only exception is a word that is dropped: then `dropping` is set, the word is counted, and
// the overflow flag is set. Instance: a queue of two words.

module drop_fifo_conserves (
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
    drop_fifo #(.WIDTH(4), .DEPTH(2), .COUNT(8)) dut (
        .clk(clk), .rst(rst), .dropping(dropping), .clear_drops(1'b0), .overflow(overflow),
        .dropped(dropped), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data));

    // The words that must leave, the next one lowest.
    reg [11:0] expected = 0;
    reg [2:0] n = 0;
    reg [7:0] n_dropped = 0;
    reg started = 0;
    wire accepts = in_valid && in_ready;
    wire sends = out_valid && out_ready;
    wire drops = accepts && n == 2;
    wire [2:0] slot = n - sends;
    always @(posedge clk) begin
        started <= 1;
        if (!started)
            assume (rst);
        if (rst) begin
            n <= 0;
            n_dropped <= 0;
        end else begin
            expected <= (sends ? expected >> 4 : expected) & ~(12'hfff << 4 * slot) |
                      (accepts && !drops ? {8'b0, in_data} << 4 * slot : 12'b0);
            n <= n + (accepts && !drops) - sends;
            n_dropped <= n_dropped + drops;
        end
        if (started && !rst) begin
            assert (n <= 2);
            assert (out_valid == (n != 0));
            if (out_valid)
                assert (out_data == expected[3:0]);
            assert (!drops || dropping);
            assert (dropped == n_dropped || &n_dropped);
            assert (overflow == (n_dropped != 0));
        end
    end
endmodule
