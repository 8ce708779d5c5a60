/* SPDX-License-Identifier: MIT */
/* From a RISC-V core's retirement port to events: what the detectors `edge`, `call`, `value` and
 * `load` make of a program (src/detect), and the branches that path_front.v and call_front.v want.
 *
 *     rvfi, lane 0 ──► rvfi_decode ──► counts? ──┐
 *     rvfi, lane 1 ──► rvfi_decode ──► counts? ──┼──► funnel ──► <pc, second>, weight, what it is
 *                         weights ──► since ─────┘
 *
 *     MAKES  0  transfers   <pc of a branch, where it went>, of the kinds in `kinds` (a bit for
 *                           each kind of rvfi_decode.v); it weighs what was retired since the last
 *            1  values      <pc of a load, what it loaded>, its bytes, zero-extended; it weighs what
 *                           it weighs itself, and is none if that is 0: a load that did not miss
 *            2  addresses   likewise <pc of a load, its address>, without the low LINE_BITS
 *
 * The signals are those of the RISC-V Formal Interface that have these names, LANES of each side by
 * side, the oldest lowest. mem_rdata and mem_rmask are 64 and 8 bits whatever XLEN is. A lane counts
 * in a cycle with its bit of rvfi_valid, without that of rvfi_trap, while `enable` is set. rvfi_weight
 * is what this retirement weighs: 1 for instructions; a line of the cache for misses; the cycles since
 * the retirement before for cycles. With COUNTS every event weighs 1; with
 * PARTS a weight is so many numbers, the first lowest, each added up by itself.
 *
 * Up to LANES events enter a cycle, one leaves. With `dropping` what finds the queue full is lost,
 * with its weight, and counted; else `stall` is set, and what is retired then has to be shown again. */
module rvfi_front #(
    parameter LANES = 1,
    parameter XLEN = 64,
    parameter MAKES = 0,
    parameter COUNTS = 0,
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
    input forget,
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
    output [WEIGHTS-1:0] pending, /* retired since the last event */
    input take,                   /* which is taken */
    output reg begun,                 /* something was retired since rst */
    output reg [63:0] first,          /* its pc */
    output out_valid,
    input out_ready,
    output [63:0] out_pc,
    output [63:0] out_second,
    output [WEIGHTS-1:0] out_weight,
    output [2:0] out_kind,
    output out_taken,
    output out_backward,
    output [63:0] out_link /* behind the branch */
);
    localparam WIDTH = XLEN + 64 + WEIGHTS + 6;
    localparam [WEIGHT_BITS-1:0] MOST = {WEIGHT_BITS{1'b1}};
    reg [WEIGHTS-1:0] since;
    assign pending = since;
    wire ready;
    assign stall = enable && !ready;

    /* The bytes that were loaded, from the lowest of the mask on. */
    function [63:0] loaded(input [63:0] data, input [7:0] mask);
        integer b;
        reg [63:0] kept;
        reg [7:0] rest;
        begin
            for (b = 0; b < 8; b = b + 1)
                kept[8*b +: 8] = mask[b] ? data[8*b +: 8] : 8'b0;
            rest = mask;
            for (b = 0; b < 7; b = b + 1)
                if (rest != 0 && !rest[0]) begin
                    kept = kept >> 8;
                    rest = rest >> 1;
                end
            loaded = kept;
        end
    endfunction

    /* Each part by itself, up to its end. */
    function [WEIGHTS-1:0] added(input [WEIGHTS-1:0] counter, input [WEIGHTS-1:0] more);
        integer p;
        for (p = 0; p < PARTS; p = p + 1)
            added[WEIGHT_BITS*p +: WEIGHT_BITS] =
                more[WEIGHT_BITS*p +: WEIGHT_BITS] > MOST - counter[WEIGHT_BITS*p +: WEIGHT_BITS] ? MOST :
                counter[WEIGHT_BITS*p +: WEIGHT_BITS] + more[WEIGHT_BITS*p +: WEIGHT_BITS];
    endfunction

    wire [LANES-1:0] hit;
    wire [WIDTH*LANES-1:0] record;
    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : lane
            wire here = enable && rvfi_valid[i] && !rvfi_trap[i];
            wire [XLEN-1:0] pc = rvfi_pc_rdata[XLEN*i +: XLEN];
            wire [XLEN-1:0] next = rvfi_pc_wdata[XLEN*i +: XLEN];
            wire [XLEN-1:0] address = rvfi_mem_addr[XLEN*i +: XLEN];
            wire [7:0] mask = rvfi_mem_rmask[8*i +: 8];
            wire [WEIGHTS-1:0] own = rvfi_weight[WEIGHTS*i +: WEIGHTS];
            wire [WEIGHTS-1:0] so_far; /* since the last event, in front of this lane */
            if (i == 0) begin : oldest
                assign so_far = since;
            end else begin : younger
                assign so_far = lane[i-1].after;
            end
            wire [WEIGHTS-1:0] sum = added(so_far, own);
            wire [2:0] kind;
            wire compressed, backward, taken;
            rvfi_decode #(.XLEN(XLEN)) decode (
                .insn(rvfi_insn[32*i +: 32]), .pc(pc), .next(next), .kind(kind),
                .compressed(compressed), .backward(backward), .taken(taken));
            assign hit[i] = here && (MAKES == 0 ? kinds[kind] && kind != 0 :
                                     mask != 0 && (COUNTS != 0 || own != 0));
            wire [WEIGHTS-1:0] after = !here ? so_far :
                                       hit[i] || MAKES != 0 ? {WEIGHTS{1'b0}} : sum;
            wire [63:0] line = address;
            wire [63:0] second = MAKES == 0 ? next :
                                 MAKES == 1 ? loaded(rvfi_mem_rdata[64*i +: 64], mask) :
                                 line >> LINE_BITS << LINE_BITS;
            wire [WEIGHTS-1:0] weight = COUNTS != 0 ? 1 : MAKES == 0 ? sum : own;
            assign record[WIDTH*i +: WIDTH] = {compressed, backward, taken, kind, weight, second, pc};
        end
    endgenerate

    wire [WIDTH-1:0] word;
    wire [XLEN-1:0] out_from = word[XLEN-1:0];
    funnel #(.LANES(LANES), .WIDTH(WIDTH), .DEPTH(DEPTH)) queue (
        .clk(clk), .rst(rst), .dropping(dropping), .forget(forget), .overflow(overflow),
        .dropped(dropped), .in_valid(hit), .ready(ready), .in_data(record), .out_valid(out_valid),
        .out_ready(out_ready), .out_data(word));
    assign out_pc = out_from;
    assign out_second = word[XLEN +: 64];
    assign out_weight = word[XLEN+64 +: WEIGHTS];
    assign out_kind = word[XLEN+64+WEIGHTS +: 3];
    assign out_taken = word[WIDTH-3];
    assign out_backward = word[WIDTH-2];
    wire [XLEN-1:0] link = out_from + (word[WIDTH-1] ? 2 : 4);
    assign out_link = link;

    integer k;
    reg known;
    always @(posedge clk)
        if (rst) begin
            since <= 0;
            begun <= 0;
        end else if (!stall) begin
            since <= take ? {WEIGHTS{1'b0}} : lane[LANES-1].after;
            known = begun;
            for (k = 0; k < LANES; k = k + 1)
                if (enable && rvfi_valid[k] && !rvfi_trap[k] && !known) begin
                    first <= rvfi_pc_rdata[XLEN*k +: XLEN];
                    known = 1;
                end
            begun <= known;
        end
endmodule
