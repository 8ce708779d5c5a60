// SPDX-License-Identifier: MIT
//
// Profiler for a RISC-V core: a front end at the retirement port, a table, and registers on an APB
// bus.
//
// `sluice rtl --front rvfi` writes a top level, profiler.v, that instantiates this module with the
// parameters of a spec. The module sluice_table implements the table of the spec. The parameter
// FRONTEND selects the source of the table's events.
//
//   0  tuples of rvfi_frontend: edge, call, value, load
//   1  paths, which path_frontend derives from branches
//   2  functions, which call_frontend derives from calls and returns
//
// The profiler accepts LANES retired instructions per cycle; the table processes events at its own
// rate. `stall` is set if the queue between them is full, unless CONTROL allows to drop events.
// The core must not retire instructions while `stall` is set. The command `clear` resets the
// table, the front end and the events between them.
//
//     rvfi ──► rvfi_frontend ──┬────────────────────┬──► sluice_table ──► drop_fifo ──┬──► msg_*
//      ▲ stall                 ├──► path_frontend ──┤       ▲ │                       └──► bus
//                              └──► call_frontend ──┘       │ ▼ read-out, configuration, clear
//                                                       apb_registers ◄──► APB

module rvfi_profiler #(
    parameter LANES = 1,
    parameter XLEN = 64,
    parameter FRONTEND = 0,
    parameter EVENT_TYPE = 0,
    parameter UNIT_WEIGHT = 0,
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
    wire enable, drop_events, drop_messages, flush, flushed, clear_drops, clear, idle;
    wire [7:0] kinds;
    wire [19:0] paths;
    wire frontend_rst = rst || clear && idle;

    // ---- retired instructions ----
    wire events_overflow, started, ev_valid, ev_ready, ev_taken, ev_backward;
    wire [31:0] events_dropped;
    wire [63:0] first_pc, ev_pc, ev_second, ev_link;
    wire [32*PARTS-1:0] pending, ev_weight;
    wire [2:0] ev_kind;
    rvfi_frontend #(.LANES(LANES), .XLEN(XLEN), .EVENT_TYPE(EVENT_TYPE),
        .UNIT_WEIGHT(UNIT_WEIGHT != 0 && FRONTEND == 0),
                 .LINE_BITS(LINE_BITS), .WEIGHT_BITS(32), .PARTS(PARTS),
                 .DEPTH(DEPTH)) rvfi_events (
        .clk(clk), .rst(frontend_rst), .enable(enable), .dropping(drop_events),
        .clear_drops(clear_drops),
        .kinds(kinds), .stall(stall), .overflow(events_overflow), .dropped(events_dropped),
        .rvfi_valid(rvfi_valid), .rvfi_trap(rvfi_trap), .rvfi_insn(rvfi_insn),
        .rvfi_pc_rdata(rvfi_pc_rdata), .rvfi_pc_wdata(rvfi_pc_wdata), .rvfi_mem_addr(rvfi_mem_addr),
        .rvfi_mem_rmask(rvfi_mem_rmask), .rvfi_mem_rdata(rvfi_mem_rdata), .rvfi_weight(rvfi_weight),
        .pending(pending), .clear_pending(flush && flushed), .started(started), .first_pc(first_pc),
        .out_valid(ev_valid), .out_ready(ev_ready),
        .out_pc(ev_pc), .out_second(ev_second), .out_weight(ev_weight), .out_kind(ev_kind),
        .out_taken(ev_taken), .out_backward(ev_backward), .out_link(ev_link));

    // ---- paths and functions ----
    wire in_valid, in_ready, frontend_idle;
    wire [63:0] in_pc, in_value;
    wire [31:0] in_weight;
    generate
        if (FRONTEND == 1) begin : to_paths
            path_frontend #(.STACK(STACK), .LENGTH(LENGTH), .KIND(PATH_KIND), .EXTEND(EXTEND),
                         .REPAIR(REPAIR), .UNIT_WEIGHT(UNIT_WEIGHT), .EVENT_BITS(EVENT_BITS),
                         .WEIGHT_BITS(32)) frontend (
                .clk(clk), .rst(frontend_rst), .control(paths), .in_valid(ev_valid),
                .in_ready(ev_ready), .in_kind(ev_kind), .in_taken(ev_taken),
                .in_backward(ev_backward), .in_next(ev_second), .in_link(ev_link),
                .in_weight(ev_weight[31:0]), .out_valid(in_valid), .out_ready(in_ready),
                .out_pc(in_pc), .out_value(in_value), .out_weight(in_weight), .idle(frontend_idle),
                .lost(), .unwound(), .purged());
            assign flushed = 1;
        end else if (FRONTEND == 2) begin : to_functions
            call_frontend #(.DEPTH(STACK), .UNIT_WEIGHT(UNIT_WEIGHT), .WEIGHT_BITS(32),
                .PARTS(PARTS)) frontend (
                .clk(clk), .rst(frontend_rst), .flush(flush), .flushed(flushed), .started(started),
                .first_pc(first_pc), .pending(pending), .in_valid(ev_valid), .in_ready(ev_ready),
                .in_kind(ev_kind), .in_next(ev_second), .in_weight(ev_weight),
                .out_valid(in_valid), .out_ready(in_ready), .out_pc(in_pc), .out_value(in_value),
                .out_weight(in_weight), .idle(frontend_idle), .dropped_calls(),
                .unmatched_returns());
        end else begin : direct
            assign in_valid = ev_valid;
            assign ev_ready = in_ready;
            assign in_pc = ev_pc;
            assign in_value = ev_second;
            assign in_weight = ev_weight[31:0];
            assign frontend_idle = 1;
            assign flushed = 1;
        end
    endgenerate

    // ---- table ----
    wire out_valid, out_ready, out_kind, rd_valid, rd_done, cfg_write;
    wire [63:0] out_pc, out_value, out_count, rd_data, cfg_data;
    wire [31:0] rd_address, cfg_address;
    sluice_table u_table (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc),
        .in_value(in_value), .in_weight(in_weight), .out_valid(out_valid), .out_ready(out_ready),
        .out_kind(out_kind), .out_pc(out_pc), .out_value(out_value), .out_count(out_count),
        .rd_valid(rd_valid), .rd_address(rd_address), .rd_done(rd_done), .rd_data(rd_data),
        .cfg_write(cfg_write), .cfg_address(cfg_address), .cfg_data(cfg_data), .clear(clear),
        .idle(idle));

    wire messages_overflow, messages_to_bus, message_valid, bus_ready;
    wire [31:0] messages_dropped;
    wire [192:0] message;
    drop_fifo #(.WIDTH(193), .DEPTH(MESSAGES)) messages (
        .clk(clk), .rst(frontend_rst), .dropping(drop_messages), .clear_drops(clear_drops),
        .overflow(messages_overflow), .dropped(messages_dropped), .in_valid(out_valid),
        .in_ready(out_ready), .in_data({out_kind, out_count, out_value, out_pc}),
        .out_valid(message_valid), .out_ready(messages_to_bus ? bus_ready : msg_ready),
        .out_data(message));
    assign msg_valid = message_valid && !messages_to_bus;
    assign {msg_kind, msg_count, msg_value, msg_pc} = message;

    // ---- bus ----
    localparam [3:0] SHAPE_LANES = LANES;
    localparam [7:0] SHAPE_XLEN = XLEN;
    apb_registers #(.KINDS(KINDS), .PATHS(PATHS),
                    .SHAPE({8'b0, 8'd32, SHAPE_XLEN, 4'b0, SHAPE_LANES})) registers (
        .clk(clk), .rst(rst), .psel(psel), .penable(penable), .pwrite(pwrite), .paddr(paddr),
        .pwdata(pwdata), .pready(pready), .prdata(prdata), .pslverr(pslverr), .irq(irq),
        .enable(enable), .drop_events(drop_events), .drop_messages(drop_messages), .kinds(kinds),
        .paths(paths), .flush(flush), .flushed(flushed), .clear_drops(clear_drops), .clear(clear),
        .idle(idle), .all_idle(idle && frontend_idle && !ev_valid && !in_valid && !message_valid),
        .events_overflow(events_overflow), .events_dropped(events_dropped),
        .messages_overflow(messages_overflow), .messages_dropped(messages_dropped),
        .rd_valid(rd_valid), .rd_address(rd_address), .rd_done(rd_done), .rd_data(rd_data),
        .cfg_write(cfg_write), .cfg_address(cfg_address), .cfg_data(cfg_data),
        .messages_to_bus(messages_to_bus),
        .message_valid(message_valid), .message_ready(bus_ready), .message_kind(msg_kind),
        .message_pc(msg_pc), .message_value(msg_value), .message_count(msg_count));
endmodule
