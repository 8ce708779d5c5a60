// SPDX-License-Identifier: MIT
//
// Multiplexed counters: a few exact counters that count many events in turn, one group of events at
// a time.
//
// The C model is src/tables/counters/multiplexed.c. The first COUNTERS events are counted for
// ROTATION cycles, then the next COUNTERS events, and so on cyclically; such a period is a turn.
// Event 0 is the clock: it has its own exact counter and measures the turns. At the end of a turn,
// the count and the time of each counted event are added to its account in a RAM. In the model,
// software updates the accounts. Software that reads the accounts extrapolates the counts to the
// whole run.
//
// Interface: in_pc is the index of the event. Indices >= EVENTS are dropped and counted. Cycles
// per event: 1, and 3 per counter and turn for the clock event that ends turns. The module sends
// no messages.
//
// Read-out: 0: clock. 1: index of the first event of the current turn, from 0, without the clock.
// 2: cycles of the current turn. 3: dropped events. 0x1000_0000 + 2i: count of event i.
// 0x1000_0000 + 2i + 1: the time for which it was counted, without the current turn.
//
//     time     0        q        2q       3q  ...
//     events   | 1 2 3 4| 5 6 7 8| 9 ...           COUNTERS = 4, q = ROTATION
//
//     event ──► active in this turn? ──► | counter |  registers of 64 bits
//     event 0 ──► | clock |                  └─ end of turn ──► | account: count, time | RAM

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
    localparam N_SHARED = EVENTS - 1;
    localparam N_ACTIVE = COUNTERS < N_SHARED ? COUNTERS : N_SHARED > 0 ? N_SHARED : 1;
    localparam NUMBER = EVENTS > 1 ? $clog2(EVENTS) : 1;
    localparam COUNTER = N_ACTIVE > 1 ? $clog2(N_ACTIVE) : 1;
    localparam WIPE = 0, IDLE = 1, FETCH = 2, FETCH_WAIT = 3, ADD = 4, PEEK = 5;
    reg [2:0] state;
    reg [63:0] counter [0:N_ACTIVE-1];
    reg [63:0] clock, dropped;
    reg [WEIGHT_BITS:0] turn_cycles; // cycles of the current turn
    reg [NUMBER-1:0] first;    // first event of the current turn
    reg [NUMBER:0] walk;
    reg [COUNTER:0] next;      // counter that is added to its account
    reg [1:0] waited;

    // Position of event n in the rotation, cyclically from `first`.
    function [NUMBER:0] turn_position(input [NUMBER:0] n);
        turn_position = n - 1 >= first ? n - 1 - first : n - 1 + N_SHARED - first;
    endfunction
    wire [NUMBER:0] event_position = turn_position(in_pc[NUMBER-1:0]);
    wire [NUMBER:0] round = first + next;
    wire [NUMBER:0] account_event = round >= N_SHARED ? round - N_SHARED : round;
    wire [127:0] account;
    ram #(.WIDTH(128), .DEPTH(EVENTS)) accounts (
        .clk(clk), .write(state == WIPE || state == ADD),
        .write_address(state == WIPE ? walk[NUMBER-1:0] : account_event[NUMBER-1:0] + 1'b1),
        .write_data(state == WIPE ? 128'b0 : {account[127:64] + counter[next[COUNTER-1:0]],
                                              account[63:0] + ROTATION}),
        .read_address(state == PEEK ? rd_address[NUMBER:1] : account_event[NUMBER-1:0] + 1'b1),
        .read_data(account));
    wire [NUMBER:0] read_position = turn_position(rd_address[NUMBER:1]);

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
            turn_cycles <= 0;
            first <= 0;
            next <= 0;
            for (i = 0; i < N_ACTIVE; i = i + 1)
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
                    turn_cycles <= turn_cycles + in_weight;
                    if (N_SHARED != 0 && turn_cycles + in_weight >= ROTATION)
                        state <= FETCH;
                end else if (event_position < N_ACTIVE)
                    counter[event_position[COUNTER-1:0]] <=
                        counter[event_position[COUNTER-1:0]] + in_weight;
            end
            FETCH: state <= FETCH_WAIT;
            FETCH_WAIT: state <= ADD;
            ADD: begin
                counter[next[COUNTER-1:0]] <= 0;
                next <= next + 1;
                state <= FETCH;
                if (next == N_ACTIVE - 1) begin
                    next <= 0;
                    first <= first + N_ACTIVE >= N_SHARED ? first + N_ACTIVE - N_SHARED :
                        first + N_ACTIVE;
                    turn_cycles <= turn_cycles - ROTATION;
                    if (turn_cycles - ROTATION < ROTATION)
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
                                   rd_address[1:0] == 2 ? turn_cycles : dropped;
                    else if (rd_address[NUMBER:0] == 0)
                        rd_data <= clock;
                    else if (rd_address[0])
                        rd_data <= account[63:0];
                    else
                        rd_data <= account[127:64] +
                                   (read_position < N_ACTIVE ? counter[read_position[COUNTER-1:0]] :
                                       64'b0);
                end
            end
            default: state <= IDLE;
        endcase
    end
endmodule
