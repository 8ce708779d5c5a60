// SPDX-License-Identifier: MIT
//
// Formal proof that the counters of functions saturate (counter_storage.v).
//
// After any four additions, each counter is the sum of the weights that were added to it, or its
// maximum if the sum is larger. Events of unknown functions add nothing. Instance: two counters
// of 3 bits.

module counter_storage_saturates (
    input clk,
    input rst
);
    localparam STEPS = 4;
    (* anyseq *) reg request, index, known;
    (* anyseq *) reg [1:0] weight;
    (* anyconst *) reg checked;
    reg [2:0] steps;
    reg [5:0] truth;
    reg at, read;
    wire done, ready, rd_done;
    wire [63:0] rd_data;
    wire go = request && ready && steps != STEPS && !rst;
    counter_storage #(.INDEX_BITS(1), .DEPTH(2), .COUNTER_BITS(3), .WEIGHT_BITS(2)) storage (
        .clk(clk), .rst(rst), .go(go), .known(known), .index(go ? index : at), .weight(weight),
        .done(done), .ready(ready), .rd_valid(steps == STEPS && !read),
        .rd_address({4'h1, 27'b0, checked}), .rd_done(rd_done), .rd_data(rd_data));
    reg started = 0;
    always @(posedge clk) begin
        started <= 1;
        assume (rst == !started);
        if (go) begin
            steps <= steps + 1;
            at <= index;
            if (known && index == checked)
                truth <= truth + weight;
        end
        if (rst) begin
            steps <= 0;
            truth <= 0;
            read <= 0;
        end else if (rd_done && !read) begin
            read <= 1;
            assert (rd_data == (truth > 7 ? 7 : truth));
        end
    end
endmodule
