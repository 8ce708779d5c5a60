/* SPDX-License-Identifier: MIT */
/* Proof: the call front end emits every weight exactly once; after a flush, input and output weights are
 * equal. Stack of two calls, functions 0 to 3, any three calls and returns at any time. */
module call_front_keeps (
    input clk,
    input rst,
    input flush,
    input in_valid,
    input returns,
    input [1:0] to,
    input [1:0] weight,
    input out_ready
);
    wire in_ready, flushed, out_valid, idle;
    wire [5:0] out_weight;
    call_front #(.DEPTH(2), .WEIGHT_BITS(6)) front (
        .clk(clk), .rst(rst), .flush(flush), .flushed(flushed), .begun(1'b1), .first(64'b0), .pending(6'b0),
        .in_valid(in_valid), .in_ready(in_ready), .in_kind(returns ? 3'd6 : 3'd4), .in_next({62'b0, to}),
        .in_weight({4'b0, weight}), .out_valid(out_valid), .out_ready(out_ready),
        .out_weight(out_weight), .idle(idle));
    reg [5:0] all, given;
    reg settled;
    reg begun = 0;
    always @(posedge clk) begin
        begun <= 1;
        assume (rst == !begun);
        if (in_valid && in_ready)
            all <= all + weight;
        if (out_valid && out_ready)
            given <= given + out_weight;
        settled <= (settled || flush && flushed) && !(in_valid && in_ready);
        if (rst) begin
            all <= 0;
            given <= 0;
            settled <= 0;
        end else if (settled && idle)
            assert (all == given);
    end
endmodule
