// SPDX-License-Identifier: MIT
//
// Formal proof that rvfi_frontend.v sends exactly one event for each retired jump.
//
// Every weight is in an event or is pending for the next one. The only exception is an event that
// is dropped: then it is counted, and the overflow flag is set. Instructions that are retired
// while `stall` is set do not count, because the core presents them again. Instance: two lanes.

module rvfi_frontend_conserves (
    input clk,
    input rst,
    input enable,
    input dropping,
    input [1:0] valid,
    input [1:0] trap,
    input [1:0] jumps,
    input [3:0] weight,
    input out_ready
);
    wire stall, overflow, out_valid;
    wire [31:0] dropped;
    wire [4:0] pending, out_weight;
    wire [31:0] jump = 32'h0000006f, nothing = 32'h00000013;
    rvfi_frontend #(.LANES(2), .XLEN(32), .WEIGHT_BITS(5), .DEPTH(2)) dut (
        .clk(clk), .rst(rst), .enable(enable), .dropping(dropping), .clear_drops(1'b0),
        .kinds(8'hff),
        .stall(stall), .overflow(overflow), .dropped(dropped), .rvfi_valid(valid), .rvfi_trap(trap),
        .rvfi_insn({jumps[1] ? jump : nothing, jumps[0] ? jump : nothing}), .rvfi_pc_rdata(64'b0),
        .rvfi_pc_wdata(64'b0), .rvfi_mem_addr(64'b0), .rvfi_mem_rmask(16'b0),
        .rvfi_mem_rdata(128'b0),
        .rvfi_weight({3'b0, weight[3:2], 3'b0, weight[1:0]}), .pending(pending),
        .clear_pending(1'b0),
        .out_valid(out_valid), .out_ready(out_ready), .out_weight(out_weight));
    wire [1:0] retired = enable && !stall ? valid & ~trap : 2'b0;
    reg [4:0] all, sent;
    reg [3:0] n_jumps, n_sent;
    reg started = 0;
    always @(posedge clk) begin
        started <= 1;
        assume (rst == !started);
        all <= all + (retired[0] ? weight[1:0] : 0) + (retired[1] ? weight[3:2] : 0);
        n_jumps <= n_jumps + (retired[0] && jumps[0]) + (retired[1] && jumps[1]);
        if (out_valid && out_ready) begin
            sent <= sent + out_weight;
            n_sent <= n_sent + 1;
        end
        if (rst) begin
            all <= 0;
            sent <= 0;
            n_jumps <= 0;
            n_sent <= 0;
        end else if (!out_valid) begin
            assert (all == sent + pending || overflow);
            assert (n_jumps == n_sent + dropped);
            assert (overflow == (dropped != 0));
        end
    end
endmodule
