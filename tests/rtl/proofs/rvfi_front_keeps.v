/* SPDX-License-Identifier: MIT */
/* Proof: from two lanes of retired instructions, every jump becomes an event exactly once, and every weight
 * is in an event or pending for the next one; or an event was dropped, counted, and the flag is set.
 * Instructions retired while `stall` is set do not count: the core presents them again. */
module rvfi_front_keeps (
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
    rvfi_front #(.LANES(2), .XLEN(32), .WEIGHT_BITS(5), .DEPTH(2)) front (
        .clk(clk), .rst(rst), .enable(enable), .dropping(dropping), .forget(1'b0), .kinds(8'hff),
        .stall(stall), .overflow(overflow), .dropped(dropped), .rvfi_valid(valid), .rvfi_trap(trap),
        .rvfi_insn({jumps[1] ? jump : nothing, jumps[0] ? jump : nothing}), .rvfi_pc_rdata(64'b0),
        .rvfi_pc_wdata(64'b0), .rvfi_mem_addr(64'b0), .rvfi_mem_rmask(16'b0), .rvfi_mem_rdata(128'b0),
        .rvfi_weight({3'b0, weight[3:2], 3'b0, weight[1:0]}), .pending(pending), .take(1'b0),
        .out_valid(out_valid), .out_ready(out_ready), .out_weight(out_weight));
    wire [1:0] retired = enable && !stall ? valid & ~trap : 2'b0;
    reg [4:0] all, given;
    reg [3:0] n_jumps, n_given;
    reg begun = 0;
    always @(posedge clk) begin
        begun <= 1;
        assume (rst == !begun);
        all <= all + (retired[0] ? weight[1:0] : 0) + (retired[1] ? weight[3:2] : 0);
        n_jumps <= n_jumps + (retired[0] && jumps[0]) + (retired[1] && jumps[1]);
        if (out_valid && out_ready) begin
            given <= given + out_weight;
            n_given <= n_given + 1;
        end
        if (rst) begin
            all <= 0;
            given <= 0;
            n_jumps <= 0;
            n_given <= 0;
        end else if (!out_valid) begin
            assert (all == given + pending || overflow);
            assert (n_jumps == n_given + dropped);
            assert (overflow == (dropped != 0));
        end
    end
endmodule
