/* SPDX-License-Identifier: MIT */
/* What an event does to the counters of its tuple, one in each table, where these count approximately
 * (src/tables/interval/interval_approximate.c is the model): a counter at X goes up with a chance that falls with X.
 *
 *     held ──► next ──► least ──► | chance_table |  ──► > random? ──► those that are least + 1, or, without
 *               ▲          └────► | events_table |      │            CONSERVATIVE, all whose chance is above
 *               └───────────────────────────────────────┘            the number, too
 *
 * One number serves all counters of the tuple. An event of weight w is w draws; those that fail for the least
 * fail for all, and how many these are is found at once (geometric.v). At TOP a counter stays.
 *
 * Cycles: 4 when the least is at TOP, else 140 for an event of weight 1, and with CONSERVATIVE = 0 two more for
 * each table; of more weight for each that counts, what geometric.v takes, and 205. `next` and `events`,
 * what the least stands for, are there with `done` and stay. */
module approximate_raise #(
    parameter TABLES = 4,
    parameter COUNTER_BITS = 8,
    parameter LEVEL_BITS = 8,
    parameter EVENT_BITS = 8,
    parameter COUNT_BITS = 24,
    parameter CONSERVATIVE = 1,
    parameter WEIGHT_BITS = 1,
    parameter [31:0] TOP = 255,
    parameter [63:0] SEED = 1
) (
    input clk,
    input rst,
    input go,
    input [COUNTER_BITS*TABLES-1:0] held,
    input [WEIGHT_BITS-1:0] weight,
    output reg done,
    output reg [COUNTER_BITS*TABLES-1:0] next,
    output [COUNT_BITS-1:0] events
);
    localparam IDLE = 0, LEAST = 1, LOOK = 2, DECIDE = 3, ONE = 4, GAP = 5, DRAW = 6, ASK = 7, EACH = 8;
    reg [3:0] state;
    reg [WEIGHT_BITS-1:0] left;
    reg [COUNTER_BITS-1:0] least, lowest;
    reg [4:0] k;
    integer i;
    always @* begin
        lowest = next[COUNTER_BITS-1:0];
        for (i = 1; i < TABLES; i = i + 1)
            if (next[COUNTER_BITS*i +: COUNTER_BITS] < lowest)
                lowest = next[COUNTER_BITS*i +: COUNTER_BITS];
    end
    wire [COUNTER_BITS-1:0] one = next[COUNTER_BITS*k +: COUNTER_BITS];
    wire [COUNTER_BITS-1:0] looked_at = state == ASK || state == EACH ? one : least;
    wire [63:0] chance;
    chance_table chances (.clk(clk), .address(looked_at[LEVEL_BITS-1:0]), .word(chance));
    wire [EVENT_BITS-1:0] stands_for;
    events_table of_least (.clk(clk), .address(least[LEVEL_BITS-1:0]), .word(stands_for));
    assign events = stands_for;

    reg draw, bounded, seek;
    wire drawn, found, beyond, gap_draw;
    wire [63:0] number;
    reg [63:0] limit, kept;
    wire [WEIGHT_BITS-1:0] failures;
    random #(.SEED(SEED)) numbers (.clk(clk), .rst(rst), .go(draw || gap_draw), .bounded(bounded),
                                   .limit(limit), .done(drawn), .number(number));
    generate
        if (WEIGHT_BITS > 1) begin : weighs
            geometric #(.BITS(WEIGHT_BITS)) gap (
                .clk(clk), .rst(rst), .go(seek), .chance(limit), .done(found), .failures(failures),
                .beyond(beyond), .draw(gap_draw), .drawn(drawn), .number(number));
        end else begin : counts
            assign found = 0;
            assign failures = 0;
            assign beyond = 0;
            assign gap_draw = 0;
        end
    endgenerate

    always @(posedge clk) begin
        done <= 0;
        draw <= 0;
        seek <= 0;
        if (rst)
            state <= IDLE;
        else case (state)
            IDLE: if (go) begin
                next <= held;
                left <= weight;
                state <= LEAST;
            end
            LEAST: begin
                least <= lowest;
                state <= LOOK;
            end
            LOOK: state <= DECIDE;
            DECIDE: begin
                limit <= chance;
                bounded <= 0;
                k <= 0;
                if (left == 0 || least == TOP) begin
                    done <= 1;
                    state <= IDLE;
                end else if (left == 1 || least == 0) begin
                    draw <= 1;
                    state <= ONE;
                end else begin
                    seek <= 1;
                    state <= GAP;
                end
            end
            ONE: if (drawn) begin
                kept <= number;
                left <= left - 1;
                done <= least != 0 && number >= limit;
                state <= least != 0 && number >= limit ? IDLE : CONSERVATIVE != 0 ? EACH : ASK;
            end
            GAP: if (found) begin
                left <= left - failures - 1;
                if (beyond || failures >= left) begin
                    done <= 1;
                    state <= IDLE;
                end else begin
                    bounded <= 1;
                    draw <= 1;
                    state <= DRAW;
                end
            end
            DRAW: if (drawn) begin
                kept <= number;
                state <= CONSERVATIVE != 0 ? EACH : ASK;
            end
            ASK: state <= EACH; /* for the chance of counter k */
            EACH: begin
                if (CONSERVATIVE != 0) begin
                    for (i = 0; i < TABLES; i = i + 1)
                        if (next[COUNTER_BITS*i +: COUNTER_BITS] == least)
                            next[COUNTER_BITS*i +: COUNTER_BITS] <= least + 1'b1;
                    state <= LEAST;
                end else begin
                    if (one != TOP && (one == 0 || kept < chance))
                        next[COUNTER_BITS*k +: COUNTER_BITS] <= one + 1'b1;
                    k <= k + 1;
                    state <= k == TABLES - 1 ? LEAST : ASK;
                end
            end
            default: state <= IDLE;
        endcase
    end
endmodule
