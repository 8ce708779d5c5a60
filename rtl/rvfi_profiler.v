/* SPDX-License-Identifier: MIT */
/* A table attached to a RISC-V core: from its retirement port to what it found, on a bus.
 *
 *     rvfi ──► rvfi_front ──┬─────────────────┬──► twin ──► port ──┬──► msg_*
 *      ▲ stall              ├──► path_front ──┤     ▲ │            └──► registers
 *                           └──► call_front ──┘     │ ▼ read-out, configuration, clear
 *                                                apb_registers ◄──► APB
 *
 *     FRONT   0 events are tuples of rvfi_front: edge, call, value, load
 *             1 branches become paths      2 calls and returns become functions
 *
 * `sluice rtl --front rvfi` writes a top level, profiler.v, with the parameters of a spec; `twin` is
 * the table with those of the spec, too. Nothing is retired while `stall` is set and the bus has not
 * said that events may be dropped; it is set when the queue is full, whatever is retired. LANES retirements are
 * taken each cycle, and an event in as many cycles as the table takes. `clear`
 * on the bus forgets everything, that is under way in front of the table, too. */
module rvfi_profiler #(
    parameter LANES = 1,
    parameter XLEN = 64,
    parameter FRONT = 0,
    parameter MAKES = 0,
    parameter COUNTS = 0,
    parameter LINE_BITS = 0,
    parameter [7:0] KINDS = 8'h7e,
    parameter [19:0] PATHS = 0,
    parameter STACK = 32,
    parameter LENGTH = 32,
    parameter PATH_KIND = 0,
    parameter EXTEND = 1,
    parameter REPAIR = 1,
    parameter EVENT_BITS = 32,
    parameter PARTS = 1,
    parameter DEPTH = 16,
    parameter MESSAGES = 4
) (
    input clk,
    input rst,
    input [LANES-1:0] rvfi_valid,
    input [LANES-1:0] rvfi_trap,
    input [32*LANES-1:0] rvfi_insn,
    input [XLEN*LANES-1:0] rvfi_pc_rdata,
    input [XLEN*LANES-1:0] rvfi_pc_wdata,
    input [XLEN*LANES-1:0] rvfi_mem_addr,
    input [8*LANES-1:0] rvfi_mem_rmask,
    input [64*LANES-1:0] rvfi_mem_rdata,
    input [32*PARTS*LANES-1:0] rvfi_weight,
    output stall,
    input psel,
    input penable,
    input pwrite,
    input [11:0] paddr,
    input [31:0] pwdata,
    output pready,
    output [31:0] prdata,
    output pslverr,
    output irq,
    output msg_valid,
    input msg_ready,
    output msg_kind,
    output [63:0] msg_pc,
    output [63:0] msg_value,
    output [63:0] msg_count
);
    wire enable, drop_events, drop_messages, flush, flushed, forget, clear, idle;
    wire [7:0] kinds;
    wire [19:0] paths;
    wire front_rst = rst || clear && idle;

    /* ---- what is retired ------------------------------------------------------------- */
    wire events_overflow, begun, ev_valid, ev_ready, ev_taken, ev_backward;
    wire [31:0] events_dropped;
    wire [63:0] first, ev_pc, ev_second, ev_link;
    wire [32*PARTS-1:0] pending, ev_weight;
    wire [2:0] ev_kind;
    rvfi_front #(.LANES(LANES), .XLEN(XLEN), .MAKES(MAKES), .COUNTS(COUNTS != 0 && FRONT == 0),
                 .LINE_BITS(LINE_BITS), .WEIGHT_BITS(32), .PARTS(PARTS), .DEPTH(DEPTH)) retired (
        .clk(clk), .rst(front_rst), .enable(enable), .dropping(drop_events), .forget(forget),
        .kinds(kinds), .stall(stall), .overflow(events_overflow), .dropped(events_dropped),
        .rvfi_valid(rvfi_valid), .rvfi_trap(rvfi_trap), .rvfi_insn(rvfi_insn),
        .rvfi_pc_rdata(rvfi_pc_rdata), .rvfi_pc_wdata(rvfi_pc_wdata), .rvfi_mem_addr(rvfi_mem_addr),
        .rvfi_mem_rmask(rvfi_mem_rmask), .rvfi_mem_rdata(rvfi_mem_rdata), .rvfi_weight(rvfi_weight),
        .pending(pending), .take(flush && flushed), .begun(begun), .first(first),
        .out_valid(ev_valid), .out_ready(ev_ready),
        .out_pc(ev_pc), .out_second(ev_second), .out_weight(ev_weight), .out_kind(ev_kind),
        .out_taken(ev_taken), .out_backward(ev_backward), .out_link(ev_link));

    /* ---- what becomes of it ------------------------------------------------------------ */
    wire in_valid, in_ready, front_idle;
    wire [63:0] in_pc, in_value;
    wire [31:0] in_weight;
    generate
        if (FRONT == 1) begin : to_paths
            path_front #(.STACK(STACK), .LENGTH(LENGTH), .KIND(PATH_KIND), .EXTEND(EXTEND),
                         .REPAIR(REPAIR), .COUNTS(COUNTS), .EVENT_BITS(EVENT_BITS),
                         .WEIGHT_BITS(32)) front (
                .clk(clk), .rst(front_rst), .control(paths), .in_valid(ev_valid),
                .in_ready(ev_ready), .in_kind(ev_kind), .in_taken(ev_taken),
                .in_backward(ev_backward), .in_next(ev_second), .in_link(ev_link),
                .in_weight(ev_weight[31:0]), .out_valid(in_valid), .out_ready(in_ready),
                .out_pc(in_pc), .out_value(in_value), .out_weight(in_weight), .idle(front_idle),
                .lost(), .unwound(), .purged());
            assign flushed = 1;
        end else if (FRONT == 2) begin : to_functions
            call_front #(.DEPTH(STACK), .COUNTS(COUNTS), .WEIGHT_BITS(32), .PARTS(PARTS)) front (
                .clk(clk), .rst(front_rst), .flush(flush), .flushed(flushed), .begun(begun),
                .first(first), .pending(pending), .in_valid(ev_valid), .in_ready(ev_ready),
                .in_kind(ev_kind), .in_next(ev_second), .in_weight(ev_weight),
                .out_valid(in_valid), .out_ready(in_ready), .out_pc(in_pc), .out_value(in_value),
                .out_weight(in_weight), .idle(front_idle), .forgotten(), .missed());
        end else begin : as_it_is
            assign in_valid = ev_valid;
            assign ev_ready = in_ready;
            assign in_pc = ev_pc;
            assign in_value = ev_second;
            assign in_weight = ev_weight[31:0];
            assign front_idle = 1;
            assign flushed = 1;
        end
    endgenerate

    /* ---- the table ----------------------------------------------------------------------- */
    wire out_valid, out_ready, out_kind, rd_valid, rd_done, cfg_write;
    wire [63:0] out_pc, out_value, out_count, rd_data, cfg_data;
    wire [31:0] rd_address, cfg_address;
    twin twin (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc),
        .in_value(in_value), .in_weight(in_weight), .out_valid(out_valid), .out_ready(out_ready),
        .out_kind(out_kind), .out_pc(out_pc), .out_value(out_value), .out_count(out_count),
        .rd_valid(rd_valid), .rd_address(rd_address), .rd_done(rd_done), .rd_data(rd_data),
        .cfg_write(cfg_write), .cfg_address(cfg_address), .cfg_data(cfg_data), .clear(clear),
        .idle(idle));

    wire messages_overflow, here, message_valid, taken_here;
    wire [31:0] messages_dropped;
    wire [192:0] message;
    port #(.WIDTH(193), .DEPTH(MESSAGES)) messages (
        .clk(clk), .rst(front_rst), .dropping(drop_messages), .forget(forget),
        .overflow(messages_overflow), .dropped(messages_dropped), .in_valid(out_valid),
        .in_ready(out_ready), .in_data({out_kind, out_count, out_value, out_pc}),
        .out_valid(message_valid), .out_ready(here ? taken_here : msg_ready), .out_data(message));
    assign msg_valid = message_valid && !here;
    assign {msg_kind, msg_count, msg_value, msg_pc} = message;

    /* ---- the bus --------------------------------------------------------------------------- */
    localparam [3:0] SHAPE_LANES = LANES;
    localparam [7:0] SHAPE_XLEN = XLEN;
    apb_registers #(.KINDS(KINDS), .PATHS(PATHS),
                    .SHAPE({8'b0, 8'd32, SHAPE_XLEN, 4'b0, SHAPE_LANES})) registers (
        .clk(clk), .rst(rst), .psel(psel), .penable(penable), .pwrite(pwrite), .paddr(paddr),
        .pwdata(pwdata), .pready(pready), .prdata(prdata), .pslverr(pslverr), .irq(irq),
        .enable(enable), .drop_events(drop_events), .drop_messages(drop_messages), .kinds(kinds),
        .paths(paths), .flush(flush), .flushed(flushed), .forget(forget), .clear(clear),
        .idle(idle), .at_rest(idle && front_idle && !ev_valid && !in_valid && !message_valid),
        .events_overflow(events_overflow), .events_dropped(events_dropped),
        .messages_overflow(messages_overflow), .messages_dropped(messages_dropped),
        .rd_valid(rd_valid), .rd_address(rd_address), .rd_done(rd_done), .rd_data(rd_data),
        .cfg_write(cfg_write), .cfg_address(cfg_address), .cfg_data(cfg_data), .here(here),
        .message_valid(message_valid), .message_ready(taken_here), .message_kind(msg_kind),
        .message_pc(msg_pc), .message_value(msg_value), .message_count(msg_count));
endmodule
