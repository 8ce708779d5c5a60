// SPDX-License-Identifier: MIT
//
// Formal proof that call_frontend.v sends the weight of every input exactly once.
//
// After a flush, the weights of all emitted events add up to the weights of all inputs. Instance:
// a stack of two calls, functions 0 to 3, any calls, returns and flushes. The proof is bounded:
// proofs.txt has the number of cycles that it covers.

module call_frontend_conserves (
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
    call_frontend #(.DEPTH(2), .WEIGHT_BITS(6)) dut (
        .clk(clk), .rst(rst), .flush(flush), .flushed(flushed), .started(1'b1), .first_pc(64'b0),
        .pending(6'b0),
        .in_valid(in_valid), .in_ready(in_ready), .in_kind(returns ? 3'd6 : 3'd4),
        .in_next({62'b0, to}),
        .in_weight({4'b0, weight}), .out_valid(out_valid), .out_ready(out_ready),
        .out_weight(out_weight), .idle(idle));
    reg [5:0] all, sent;
    reg all_emitted;
    reg started = 0;
    always @(posedge clk) begin
        started <= 1;
        assume (rst == !started);
        if (in_valid && in_ready)
            all <= all + weight;
        if (out_valid && out_ready)
            sent <= sent + out_weight;
        all_emitted <= (all_emitted || flush && flushed) && !(in_valid && in_ready);
        if (rst) begin
            all <= 0;
            sent <= 0;
            all_emitted <= 0;
        end else if (all_emitted && idle)
            assert (all == sent);
    end
endmodule
