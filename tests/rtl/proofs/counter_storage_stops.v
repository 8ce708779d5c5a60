/* SPDX-License-Identifier: MIT */
/* Proof: function counters saturate. After any four additions, each of two 3-bit counters has the sum of its
 * additions, up to its maximum; unknown functions add nothing. */
module counter_storage_stops (
    input clk,
    input rst
);
    localparam TURNS = 4;
    (* anyseq *) reg wants, index, known;
    (* anyseq *) reg [1:0] weight;
    (* anyconst *) reg followed;
    reg [2:0] turns;
    reg [5:0] truth;
    reg at, read;
    wire done, ready, rd_done;
    wire [63:0] rd_data;
    wire go = wants && ready && turns != TURNS && !rst;
    counter_storage #(.INDEX_BITS(1), .DEPTH(2), .COUNTER_BITS(3), .WEIGHT_BITS(2)) storage (
        .clk(clk), .rst(rst), .go(go), .known(known), .index(go ? index : at), .weight(weight),
        .done(done), .ready(ready), .rd_valid(turns == TURNS && !read),
        .rd_address({4'h1, 27'b0, followed}), .rd_done(rd_done), .rd_data(rd_data));
    reg begun = 0;
    always @(posedge clk) begin
        begun <= 1;
        assume (rst == !begun);
        if (go) begin
            turns <= turns + 1;
            at <= index;
            if (known && index == followed)
                truth <= truth + weight;
        end
        if (rst) begin
            turns <= 0;
            truth <= 0;
            read <= 0;
        end else if (rd_done && !read) begin
            read <= 1;
            assert (rd_data == (truth > 7 ? 7 : truth));
        end
    end
endmodule
