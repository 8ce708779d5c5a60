// SPDX-License-Identifier: MIT
//
// Front end that derives function events from calls and returns, with the call stack and the data
// counters of the function profiler LEAP.
//
// The C model is src/detect/activation.h with the options tail=0 and repair=0, and
// src/tables/functions/leap.c. A call pushes the current function, and the target of the call
// becomes the current function. A return pops a function from the stack. When the current function
// changes, the weight since the last change, unless it is 0, is sent as an event of the previous
// function. A function is identified by its start address; leap.v finds its counter. The first
// function starts at the first retired instruction.
//
// The stack has DEPTH entries; a full stack drops its oldest one. An event has PARTS weights,
// which are sent one after the other with the index of the part in out_value. `flush` sends the
// pending weight, including that of instructions after the last branch (`pending`). With
// UNIT_WEIGHT, a function entry is an event of weight 1 instead. dropped_calls counts calls that a
// full stack lost, unmatched_returns counts returns with an empty stack, which change nothing.
//
// Cycles: 3 per call or return, plus PARTS if the function changes, plus waiting for
// out_ready.
//
//     call ────► push the current function; the target is current ──┐
//     return ──► pop ───────────────────────────────────────────────┼──► <function, part>, weight
//     weight ──► + ──► | data counters | ───────────────────────────┘
//
//     | function | function | ... |  stack

module call_frontend #(
    parameter DEPTH = 32,
    parameter UNIT_WEIGHT = 0,
    parameter WEIGHT_BITS = 32,
    parameter PARTS = 1,
    parameter WEIGHTS = PARTS * WEIGHT_BITS
) (
    input clk,
    input rst,
    input flush,
    output flushed,
    input started,
    input [63:0] first_pc,
    input [WEIGHTS-1:0] pending,
    input in_valid,
    output in_ready,
    input [2:0] in_kind,
    input [63:0] in_next,
    input [WEIGHTS-1:0] in_weight,
    output out_valid,
    input out_ready,
    output [63:0] out_pc,
    output [63:0] out_value,
    output [WEIGHT_BITS-1:0] out_weight,
    output idle,
    output reg [31:0] dropped_calls,
    output reg [31:0] unmatched_returns
);
    localparam SLOT = DEPTH > 1 ? $clog2(DEPTH) : 1;
    localparam [WEIGHT_BITS-1:0] MOST = {WEIGHT_BITS{1'b1}};
    localparam START = 0, IDLE = 1, MOVE = 2, SEND = 3, READ_STACK = 4;
    function [WEIGHTS-1:0] saturating_sum(input [WEIGHTS-1:0] counter, input [WEIGHTS-1:0] more);
        integer p;
        for (p = 0; p < PARTS; p = p + 1)
            saturating_sum[WEIGHT_BITS*p +: WEIGHT_BITS] =
                more[WEIGHT_BITS*p +: WEIGHT_BITS] > MOST - counter[WEIGHT_BITS*p +: WEIGHT_BITS] ?
                    MOST :
                counter[WEIGHT_BITS*p +: WEIGHT_BITS] + more[WEIGHT_BITS*p +: WEIGHT_BITS];
    endfunction

    reg [2:0] state;
    reg [63:0] current, next, emitted_function;
    reg [2:0] kind;
    reg [WEIGHTS-1:0] data, emitted_weight;
    reg [SLOT-1:0] top;
    reg [SLOT:0] depth;
    reg [3:0] part;
    reg nonzero; // at least one part is not 0
    wire [WEIGHTS-1:0] total = saturating_sum(data, pending);
    wire [63:0] caller;
    wire [SLOT-1:0] below_slot = top == 0 ? DEPTH - 1 : top - 1;
    wire is_call = kind != 6;
    // A call is pushed at `top`; afterwards it is the entry below `top`.
    ram #(.WIDTH(64), .DEPTH(DEPTH)) stack (
        .clk(clk), .write(state == MOVE && is_call), .write_address(top), .write_data(current),
        .read_address(below_slot), .read_data(caller));

    wire [63:0] target = is_call ? next : depth != 0 ? caller : current;
    wire changed = target != current;
    wire [WEIGHT_BITS-1:0] weight = emitted_weight[WEIGHT_BITS-1:0];
    assign in_ready = state == IDLE;
    assign flushed = (state == IDLE && !in_valid) || (state == START && !started);
    assign idle = state == IDLE || state == START && !started;
    wire has_weight = PARTS > 1 ? nonzero : weight != 0; // sends all parts or none
    assign out_valid = state == SEND && has_weight;
    assign out_pc = emitted_function;
    assign out_value = part;
    assign out_weight = weight;
    always @(posedge clk)
        if (rst) begin
            state <= START;
            data <= 0;
            depth <= 0;
            top <= 0;
            dropped_calls <= 0;
            unmatched_returns <= 0;
        end else case (state)
            START: if (started) begin
                current <= first_pc;
                emitted_function <= first_pc;
                emitted_weight <= UNIT_WEIGHT != 0;
                nonzero <= 0;
                part <= PARTS - 1;
                state <= SEND;
            end
            IDLE: begin
                part <= 0;
                if (in_valid) begin
                    kind <= in_kind;
                    next <= in_next;
                    data <= saturating_sum(data, in_weight);
                    state <= MOVE;
                end else if (flush) begin
                    emitted_function <= current;
                    emitted_weight <= UNIT_WEIGHT != 0 ? 0 : total;
                    nonzero <= total != 0;
                    data <= 0;
                    state <= SEND;
                end
            end
            MOVE: begin
                current <= target;
                emitted_function <= UNIT_WEIGHT != 0 ? target : current;
                emitted_weight <= UNIT_WEIGHT != 0 ? is_call : data;
                nonzero <= data != 0;
                if (UNIT_WEIGHT != 0)
                    part <= PARTS - 1;
                if (changed)
                    data <= 0;
                if (is_call) begin
                    top <= top == DEPTH - 1 ? 0 : top + 1;
                    if (depth != DEPTH)
                        depth <= depth + 1;
                    else if (dropped_calls != ~32'b0)
                        dropped_calls <= dropped_calls + 1;
                end else if (depth != 0) begin
                    top <= below_slot;
                    depth <= depth - 1;
                end else if (unmatched_returns != ~32'b0)
                    unmatched_returns <= unmatched_returns + 1;
                state <= changed || UNIT_WEIGHT != 0 && is_call ? SEND : READ_STACK;
            end
            SEND: if (!has_weight || out_ready) begin
                emitted_weight <= emitted_weight >> WEIGHT_BITS;
                part <= part + 1;
                if (part == PARTS - 1)
                    state <= READ_STACK;
            end
            READ_STACK: state <= IDLE; // waits until the caller is read
            default: state <= IDLE;
        endcase
endmodule
