/* SPDX-License-Identifier: MIT */
/* Exact counters that events take turns at (src/tables/counters/multiplexed.c is the model).
 *
 *     time     0        q        2q       3q  ...
 *     events   | 1 2 3 4| 5 6 7 8| 9 ...           COUNTERS = 4, q = ROTATION
 *
 *     number ──► has it its turn? ──► | counter |  COUNTERS registers of 64 bits
 *     number 0, the clock ──► | clock |    └─ at the end of a turn ──► | account: count, time | RAM
 *
 * What software does in the model, adding up what each event was counted and for how long, a RAM
 * beside the counters does here; extrapolation is left to who reads it. The clock is number 0 and
 * exact. Cycles per event: 1; the event that ends turns: 3 for each counter and turn. in_pc is the
 * number; one beyond EVENTS is dropped and counted.
 *
 * Read-out: 0: clock, 1: the first event (from 0, without the clock) that has its turn, 2: cycles of
 * this turn, 3: events dropped; 0x1000_0000 + 2i: what event i was counted, 2i + 1: for how long,
 * without the turn under way. */
module multiplexed #(
    parameter COUNTERS = 4,
    parameter EVENTS = 29,
    parameter [31:0] ROTATION = 100000,
    parameter WEIGHT_BITS = 32
) (
    input clk,
    input rst,
    input in_valid,
    output in_ready,
    input [63:0] in_pc,
    input [63:0] in_value,
    input [WEIGHT_BITS-1:0] in_weight,
    output out_valid,
    input out_ready,
    output out_kind,
    output [63:0] out_pc,
    output [63:0] out_value,
    output [63:0] out_count,
    input rd_valid,
    input [31:0] rd_address,
    output reg rd_done,
    output reg [63:0] rd_data,
    input cfg_write,
    input [31:0] cfg_address,
    input [63:0] cfg_data,
    input clear,
    output idle
);
    localparam TURNING = EVENTS - 1;
    localparam AT_ONCE = COUNTERS < TURNING ? COUNTERS : TURNING > 0 ? TURNING : 1;
    localparam NUMBER = EVENTS > 1 ? $clog2(EVENTS) : 1;
    localparam COUNTER = AT_ONCE > 1 ? $clog2(AT_ONCE) : 1;
    localparam WIPE = 0, IDLE = 1, FETCH = 2, FETCHED = 3, ADD = 4, PEEK = 5;
    reg [2:0] state;
    reg [63:0] counter [0:AT_ONCE-1];
    reg [63:0] clock, dropped;
    reg [WEIGHT_BITS:0] since; /* the turn began */
    reg [NUMBER-1:0] first;    /* of those that turn */
    reg [NUMBER:0] walk;
    reg [COUNTER:0] next;      /* counter whose account is made */
    reg [1:0] waited;

    /* Which of the turning events number n is, counted from `first`, round and round. */
    function [NUMBER:0] place(input [NUMBER:0] n);
        place = n - 1 >= first ? n - 1 - first : n - 1 + TURNING - first;
    endfunction
    wire [NUMBER:0] of_event = place(in_pc[NUMBER-1:0]);
    wire [NUMBER:0] round = first + next;
    wire [NUMBER:0] accounted = round >= TURNING ? round - TURNING : round;
    wire [127:0] account;
    ram #(.WIDTH(128), .DEPTH(EVENTS)) accounts (
        .clk(clk), .write(state == WIPE || state == ADD),
        .write_address(state == WIPE ? walk[NUMBER-1:0] : accounted[NUMBER-1:0] + 1'b1),
        .write_data(state == WIPE ? 128'b0 : {account[127:64] + counter[next[COUNTER-1:0]],
                                              account[63:0] + ROTATION}),
        .read_address(state == PEEK ? rd_address[NUMBER:1] : accounted[NUMBER-1:0] + 1'b1),
        .read_data(account));
    wire [NUMBER:0] of_read = place(rd_address[NUMBER:1]);

    assign in_ready = state == IDLE && !rd_valid && !clear;
    assign idle = state == IDLE;
    assign out_valid = 0;
    assign out_kind = 0;
    assign out_pc = 0;
    assign out_value = 0;
    assign out_count = 0;
    integer i;
    always @(posedge clk) begin
        rd_done <= 0;
        if (rst || clear && idle) begin
            state <= WIPE;
            walk <= 0;
            clock <= 0;
            dropped <= 0;
            since <= 0;
            first <= 0;
            next <= 0;
            for (i = 0; i < AT_ONCE; i = i + 1)
                counter[i] <= 0;
        end else case (state)
            WIPE: begin
                walk <= walk + 1;
                if (walk == EVENTS - 1)
                    state <= IDLE;
            end
            IDLE: if (rd_valid && !rd_done) begin
                waited <= 0;
                state <= PEEK;
            end else if (in_valid && in_ready) begin
                next <= 0;
                if (in_pc >= EVENTS)
                    dropped <= dropped + 1;
                else if (in_pc == 0) begin
                    clock <= clock + in_weight;
                    since <= since + in_weight;
                    if (TURNING != 0 && since + in_weight >= ROTATION)
                        state <= FETCH;
                end else if (of_event < AT_ONCE)
                    counter[of_event[COUNTER-1:0]] <= counter[of_event[COUNTER-1:0]] + in_weight;
            end
            FETCH: state <= FETCHED;
            FETCHED: state <= ADD;
            ADD: begin
                counter[next[COUNTER-1:0]] <= 0;
                next <= next + 1;
                state <= FETCH;
                if (next == AT_ONCE - 1) begin
                    next <= 0;
                    first <= first + AT_ONCE >= TURNING ? first + AT_ONCE - TURNING : first + AT_ONCE;
                    since <= since - ROTATION;
                    if (since - ROTATION < ROTATION)
                        state <= IDLE;
                end
            end
            PEEK: begin
                waited <= waited + 1;
                if (waited == 2) begin
                    rd_done <= 1;
                    state <= IDLE;
                    if (rd_address[31:28] == 0)
                        rd_data <= rd_address[1:0] == 0 ? clock : rd_address[1:0] == 1 ? first :
                                   rd_address[1:0] == 2 ? since : dropped;
                    else if (rd_address[NUMBER:0] == 0)
                        rd_data <= clock;
                    else if (rd_address[0])
                        rd_data <= account[63:0];
                    else
                        rd_data <= account[127:64] +
                                   (of_read < AT_ONCE ? counter[of_read[COUNTER-1:0]] : 64'b0);
                end
            end
            default: state <= IDLE;
        endcase
    end
endmodule
