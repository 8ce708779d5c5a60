/* SPDX-License-Identifier: MIT */
/* From calls and returns to functions: LEAP's call stack and data counters (src/detect/activation.h
 * with tail=0 and repair=0, and src/tables/functions/leap.c, are the model).
 *
 *     call ────► push the current function, the target is current ──┐
 *     return ──► pop ───────────────────────────────────────────────┼──► changed: <function that
 *     weight ──► + ──► | data counters | ───────────────────────────┘    was left, part>, weight
 *
 *     | function | function | ... |  stack, DEPTH calls; a full one forgets the oldest
 *
 * The first function is where the first instruction was retired. A function is known by its address;
 * its counter is found by leap.v. What is weighed since the last change goes out if it is not 0, for
 * each of PARTS one behind the other, the number of the part as the value; `flush` sends what is there so far, with what
 * was retired since the last branch (`pending`). With COUNTS, functions are counted when they are
 * entered instead.
 *
 * Cycles for a call or return: 3, and PARTS + 1 for a change, as long as it has to wait. `forgotten`
 * are calls, `missed` returns that found the stack empty and changed nothing. */
module call_front #(
    parameter DEPTH = 32,
    parameter COUNTS = 0,
    parameter WEIGHT_BITS = 32,
    parameter PARTS = 1,
    parameter WEIGHTS = PARTS * WEIGHT_BITS
) (
    input clk,
    input rst,
    input flush,
    output flushed,
    input begun,
    input [63:0] first,
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
    output reg [31:0] forgotten,
    output reg [31:0] missed
);
    localparam PLACE = DEPTH > 1 ? $clog2(DEPTH) : 1;
    localparam [WEIGHT_BITS-1:0] MOST = {WEIGHT_BITS{1'b1}};
    localparam START = 0, IDLE = 1, MOVE = 2, SEND = 3, SETTLE = 4;
    function [WEIGHTS-1:0] added(input [WEIGHTS-1:0] counter, input [WEIGHTS-1:0] more);
        integer p;
        for (p = 0; p < PARTS; p = p + 1)
            added[WEIGHT_BITS*p +: WEIGHT_BITS] =
                more[WEIGHT_BITS*p +: WEIGHT_BITS] > MOST - counter[WEIGHT_BITS*p +: WEIGHT_BITS] ? MOST :
                counter[WEIGHT_BITS*p +: WEIGHT_BITS] + more[WEIGHT_BITS*p +: WEIGHT_BITS];
    endfunction

    reg [2:0] state;
    reg [63:0] current, next, leaving;
    reg [2:0] kind;
    reg [WEIGHTS-1:0] data, sending;
    reg [PLACE-1:0] top;
    reg [PLACE:0] depth;
    reg [3:0] part;
    reg full; /* some part is not 0 */
    wire [WEIGHTS-1:0] all = added(data, pending);
    wire [63:0] caller;
    wire [PLACE-1:0] under = top == 0 ? DEPTH - 1 : top - 1;
    wire calls = kind != 6;
    /* A call is at `top` when it is pushed, and then below it. */
    ram #(.WIDTH(64), .DEPTH(DEPTH)) stack (
        .clk(clk), .write(state == MOVE && calls), .write_address(top), .write_data(current),
        .read_address(under), .read_data(caller));

    wire [63:0] to = calls ? next : depth != 0 ? caller : current;
    wire changed = to != current;
    wire [WEIGHT_BITS-1:0] weight = sending[WEIGHT_BITS-1:0];
    assign in_ready = state == IDLE;
    assign flushed = (state == IDLE && !in_valid) || (state == START && !begun);
    assign idle = state == IDLE || state == START && !begun;
    wire sends = PARTS > 1 ? full : weight != 0; /* of several parts all, or none */
    assign out_valid = state == SEND && sends;
    assign out_pc = leaving;
    assign out_value = part;
    assign out_weight = weight;
    always @(posedge clk)
        if (rst) begin
            state <= START;
            data <= 0;
            depth <= 0;
            top <= 0;
            forgotten <= 0;
            missed <= 0;
        end else case (state)
            START: if (begun) begin
                current <= first;
                leaving <= first;
                sending <= COUNTS != 0;
                full <= 0;
                part <= PARTS - 1;
                state <= SEND;
            end
            IDLE: begin
                part <= 0;
                if (in_valid) begin
                    kind <= in_kind;
                    next <= in_next;
                    data <= added(data, in_weight);
                    state <= MOVE;
                end else if (flush) begin
                    leaving <= current;
                    sending <= COUNTS != 0 ? 0 : all;
                    full <= all != 0;
                    data <= 0;
                    state <= SEND;
                end
            end
            MOVE: begin
                current <= to;
                leaving <= COUNTS != 0 ? to : current;
                sending <= COUNTS != 0 ? calls : data;
                full <= data != 0;
                if (COUNTS != 0)
                    part <= PARTS - 1;
                if (changed)
                    data <= 0;
                if (calls) begin
                    top <= top == DEPTH - 1 ? 0 : top + 1;
                    if (depth != DEPTH)
                        depth <= depth + 1;
                    else if (forgotten != ~32'b0)
                        forgotten <= forgotten + 1;
                end else if (depth != 0) begin
                    top <= under;
                    depth <= depth - 1;
                end else if (missed != ~32'b0)
                    missed <= missed + 1;
                state <= changed || COUNTS != 0 && calls ? SEND : SETTLE;
            end
            SEND: if (!sends || out_ready) begin
                sending <= sending >> WEIGHT_BITS;
                part <= part + 1;
                if (part == PARTS - 1)
                    state <= SETTLE;
            end
            SETTLE: state <= IDLE; /* the caller can be read */
            default: state <= IDLE;
        endcase
endmodule
