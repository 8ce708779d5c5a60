// SPDX-License-Identifier: MIT
//
// Front end that derives events from the retirement port (RVFI) of a RISC-V core.
//
// The module generates the events of the detectors `edge`, `call`, `value` and `load` (src/detect),
// and sends branches to path_frontend.v and call_frontend.v. The ports have the names of the RISC-V
// Formal Interface. Each port is the concatenation of the signals of LANES instructions per cycle,
// with the oldest instruction in the lowest bits. For every XLEN, mem_rdata has 64 bits and
// mem_rmask 8 bits per lane. The module processes the instruction of a lane if `enable` is set and
// the lane's bit is set in rvfi_valid but not in rvfi_trap.
//
// EVENT_TYPE
//   0  branches   <pc of the branch, next pc>, for the kinds in the mask `kinds` (rvfi_decode.v).
//                 Weight: sum of rvfi_weight since the previous event.
//   1  values     <pc of the load, loaded bytes, zero-extended>. Weight: that of the load; no event
//                 if it is 0, for example for a load that did not miss.
//   2  addresses  <pc of the load, address without the low LINE_BITS>. Weight as for values.
//
// rvfi_weight is the weight of a retirement: 1 for instructions, a miss signal of the cache for
// misses, the cycles since the previous retirement for cycles. With UNIT_WEIGHT every event has
// weight 1. With PARTS > 1 a weight consists of PARTS numbers, the first lowest, which are summed
// separately.
//
// Up to LANES events enter the queue per cycle, and one leaves it. With `dropping`, events that
// find the queue full are dropped with their weight, and counted. Otherwise `stall` is set, and
// the core must present the instructions of that cycle again.
//
//     rvfi, lane 0 ──► rvfi_decode ──► event? ──┐
//     rvfi, lane 1 ──► rvfi_decode ──► event? ──┼──► funnel ──► <pc, second>, weight, kind
//                         weights ──► sum ──────┘

module rvfi_frontend #(
    parameter LANES = 1,
    parameter XLEN = 64,
    parameter EVENT_TYPE = 0,
    parameter UNIT_WEIGHT = 0,
    parameter LINE_BITS = 0,
    parameter WEIGHT_BITS = 32,
    parameter PARTS = 1,
    parameter DEPTH = 16,
    parameter WEIGHTS = PARTS * WEIGHT_BITS
) (
    input clk,
    input rst,
    input enable,
    input dropping,
    input clear_drops,
    input [7:0] kinds,
    output stall,
    output overflow,
    output [31:0] dropped,
    input [LANES-1:0] rvfi_valid,
    input [LANES-1:0] rvfi_trap,
    input [32*LANES-1:0] rvfi_insn,
    input [XLEN*LANES-1:0] rvfi_pc_rdata,
    input [XLEN*LANES-1:0] rvfi_pc_wdata,
    input [XLEN*LANES-1:0] rvfi_mem_addr,
    input [8*LANES-1:0] rvfi_mem_rmask,
    input [64*LANES-1:0] rvfi_mem_rdata,
    input [WEIGHTS*LANES-1:0] rvfi_weight,
    output [WEIGHTS-1:0] pending, // weight since the last event
    input clear_pending,                   // resets `pending`
    output reg started,                 // an instruction was retired since reset
    output reg [63:0] first_pc,          // pc of the first one
    output out_valid,
    input out_ready,
    output [63:0] out_pc,
    output [63:0] out_second,
    output [WEIGHTS-1:0] out_weight,
    output [2:0] out_kind,
    output out_taken,
    output out_backward,
    output [63:0] out_link // address after the branch
);
    localparam WIDTH = XLEN + 64 + WEIGHTS + 6;
    localparam [WEIGHT_BITS-1:0] MOST = {WEIGHT_BITS{1'b1}};
    reg [WEIGHTS-1:0] pending_weight;
    assign pending = pending_weight;
    wire ready;
    assign stall = enable && !ready;

    // Returns the loaded bytes, shifted so that the lowest byte of the mask is first.
    function [63:0] loaded(input [63:0] data, input [7:0] mask);
        integer b;
        reg [63:0] bytes;
        reg [7:0] rest;
        begin
            for (b = 0; b < 8; b = b + 1)
                bytes[8*b +: 8] = mask[b] ? data[8*b +: 8] : 8'b0;
            rest = mask;
            for (b = 0; b < 7; b = b + 1)
                if (rest != 0 && !rest[0]) begin
                    bytes = bytes >> 8;
                    rest = rest >> 1;
                end
            loaded = bytes;
        end
    endfunction

    // Adds each part separately, saturating.
    function [WEIGHTS-1:0] saturating_sum(input [WEIGHTS-1:0] counter, input [WEIGHTS-1:0] more);
        integer p;
        for (p = 0; p < PARTS; p = p + 1)
            saturating_sum[WEIGHT_BITS*p +: WEIGHT_BITS] =
                more[WEIGHT_BITS*p +: WEIGHT_BITS] > MOST - counter[WEIGHT_BITS*p +: WEIGHT_BITS] ?
                    MOST :
                counter[WEIGHT_BITS*p +: WEIGHT_BITS] + more[WEIGHT_BITS*p +: WEIGHT_BITS];
    endfunction

    wire [LANES-1:0] hit;
    wire [WIDTH*LANES-1:0] record;
    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : lane
            wire counted = enable && rvfi_valid[i] && !rvfi_trap[i];
            wire [XLEN-1:0] pc = rvfi_pc_rdata[XLEN*i +: XLEN];
            wire [XLEN-1:0] next = rvfi_pc_wdata[XLEN*i +: XLEN];
            wire [XLEN-1:0] address = rvfi_mem_addr[XLEN*i +: XLEN];
            wire [7:0] mask = rvfi_mem_rmask[8*i +: 8];
            wire [WEIGHTS-1:0] lane_weight = rvfi_weight[WEIGHTS*i +: WEIGHTS];
            wire [WEIGHTS-1:0] weight_before; // weight since the last event, before this lane
            if (i == 0) begin : oldest
                assign weight_before = pending_weight;
            end else begin : younger
                assign weight_before = lane[i-1].weight_after;
            end
            wire [WEIGHTS-1:0] sum = saturating_sum(weight_before, lane_weight);
            wire [2:0] kind;
            wire compressed, backward, taken;
            rvfi_decode #(.XLEN(XLEN)) decode (
                .insn(rvfi_insn[32*i +: 32]), .pc(pc), .next(next), .kind(kind),
                .compressed(compressed), .backward(backward), .taken(taken));
            assign hit[i] = counted && (EVENT_TYPE == 0 ? kinds[kind] && kind != 0 :
                                     mask != 0 && (UNIT_WEIGHT != 0 || lane_weight != 0));
            wire [WEIGHTS-1:0] weight_after = !counted ? weight_before :
                                       hit[i] || EVENT_TYPE != 0 ? {WEIGHTS{1'b0}} : sum;
            wire [63:0] line = address;
            wire [63:0] second = EVENT_TYPE == 0 ? next :
                                 EVENT_TYPE == 1 ? loaded(rvfi_mem_rdata[64*i +: 64], mask) :
                                 line >> LINE_BITS << LINE_BITS;
            wire [WEIGHTS-1:0] weight = UNIT_WEIGHT != 0 ? 1 : EVENT_TYPE == 0 ? sum : lane_weight;
            assign record[WIDTH*i +: WIDTH] = {compressed, backward, taken, kind, weight, second,
                pc};
        end
    endgenerate

    wire [WIDTH-1:0] word;
    wire [XLEN-1:0] out_branch = word[XLEN-1:0];
    funnel #(.LANES(LANES), .WIDTH(WIDTH), .DEPTH(DEPTH)) queue (
        .clk(clk), .rst(rst), .dropping(dropping), .clear_drops(clear_drops), .overflow(overflow),
        .dropped(dropped), .in_valid(hit), .ready(ready), .in_data(record), .out_valid(out_valid),
        .out_ready(out_ready), .out_data(word));
    assign out_pc = out_branch;
    assign out_second = word[XLEN +: 64];
    assign out_weight = word[XLEN+64 +: WEIGHTS];
    assign out_kind = word[XLEN+64+WEIGHTS +: 3];
    assign out_taken = word[WIDTH-3];
    assign out_backward = word[WIDTH-2];
    wire [XLEN-1:0] link = out_branch + (word[WIDTH-1] ? 2 : 4);
    assign out_link = link;

    integer k;
    reg first_known;
    always @(posedge clk)
        if (rst) begin
            pending_weight <= 0;
            started <= 0;
        end else if (!stall) begin
            pending_weight <= clear_pending ? {WEIGHTS{1'b0}} : lane[LANES-1].weight_after;
            first_known = started;
            for (k = 0; k < LANES; k = k + 1)
                if (enable && rvfi_valid[k] && !rvfi_trap[k] && !first_known) begin
                    first_pc <= rvfi_pc_rdata[XLEN*k +: XLEN];
                    first_known = 1;
                end
            started <= first_known;
        end
endmodule
