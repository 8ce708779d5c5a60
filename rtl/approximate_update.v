// SPDX-License-Identifier: MIT
//
// Update of a tuple's approximate counters, one in each hash table of an interval profiler.
//
// The larger a counter is, the less likely an event is to increment it. The C model is
// src/tables/interval/interval_approximate.c. With the parameter APPROXIMATE, multihash.v uses this
// module in place of counter_update.v. For each event, the module draws one random number and
// compares it with the probabilities of all counters of the tuple. With CONSERVATIVE = 1, the
// counters that equal the minimum are incremented if the random number is below the probability of
// the minimum. With CONSERVATIVE = 0, each counter whose own probability is above the random number
// is incremented. For an event of weight w, the module makes w draws. If a draw does not increment
// the minimum, it increments no counter, so that geometric.v skips all consecutive draws of this
// kind at once. A counter is not incremented above TOP.
//
// Interface: `go` starts with the counters `current` and the `weight`. `next` has the new counters,
// and `events` has the estimated number of events of the smallest new counter. Both are valid when
// `done` is set and stay valid until the next `go`.
//
// Cycles: 4 if the minimum is at TOP. Otherwise 140 for an event of weight 1, plus 2 per table
// with CONSERVATIVE = 0. For larger weights, each successful draw takes the time of geometric.v
// plus 205.
//
//     current ──► next ──► minimum ──► | chance_table |  ──► > random number? ──► increment
//                   ▲          └─────► | events_table | ──► events                   │
//                   └────────────────────────────────────────────────────────────────┘

module approximate_update #(
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
    input [COUNTER_BITS*TABLES-1:0] current,
    input [WEIGHT_BITS-1:0] weight,
    output reg done,
    output reg [COUNTER_BITS*TABLES-1:0] next,
    output [COUNT_BITS-1:0] events
);
    localparam IDLE = 0, LEAST = 1, READ = 2, DECIDE = 3, ONE = 4, GAP = 5, DRAW = 6,
               READ_CHANCE = 7, INCREMENT = 8;
    reg [3:0] state;
    reg [WEIGHT_BITS-1:0] remaining;
    reg [COUNTER_BITS-1:0] minimum, lowest;
    reg [4:0] k;
    integer i;
    always @* begin
        lowest = next[COUNTER_BITS-1:0];
        for (i = 1; i < TABLES; i = i + 1)
            if (next[COUNTER_BITS*i +: COUNTER_BITS] < lowest)
                lowest = next[COUNTER_BITS*i +: COUNTER_BITS];
    end
    wire [COUNTER_BITS-1:0] one = next[COUNTER_BITS*k +: COUNTER_BITS];
    wire [COUNTER_BITS-1:0] read_value = state == READ_CHANCE || state == INCREMENT ? one : minimum;
    wire [63:0] chance;
    chance_table chances (.clk(clk), .address(read_value[LEVEL_BITS-1:0]), .word(chance));
    wire [EVENT_BITS-1:0] event_estimate;
    events_table minimum_events (.clk(clk), .address(minimum[LEVEL_BITS-1:0]),
        .word(event_estimate));
    assign events = event_estimate;

    reg draw, bounded, start_gap;
    wire drawn, found, overflow, gap_draw;
    wire [63:0] number;
    reg [63:0] limit, random_number;
    wire [WEIGHT_BITS-1:0] failures;
    random #(.SEED(SEED)) numbers (.clk(clk), .rst(rst), .go(draw || gap_draw), .bounded(bounded),
                                   .limit(limit), .done(drawn), .number(number));
    generate
        if (WEIGHT_BITS > 1) begin : weighted
            geometric #(.BITS(WEIGHT_BITS)) gap (
                .clk(clk), .rst(rst), .go(start_gap), .chance(limit), .done(found),
                .failures(failures),
                .overflow(overflow), .draw(gap_draw), .drawn(drawn), .number(number));
        end else begin : unweighted
            assign found = 0;
            assign failures = 0;
            assign overflow = 0;
            assign gap_draw = 0;
        end
    endgenerate

    always @(posedge clk) begin
        done <= 0;
        draw <= 0;
        start_gap <= 0;
        if (rst)
            state <= IDLE;
        else case (state)
            IDLE: if (go) begin
                next <= current;
                remaining <= weight;
                state <= LEAST;
            end
            LEAST: begin
                minimum <= lowest;
                state <= READ;
            end
            READ: state <= DECIDE;
            DECIDE: begin
                limit <= chance;
                bounded <= 0;
                k <= 0;
                if (remaining == 0 || minimum == TOP) begin
                    done <= 1;
                    state <= IDLE;
                end else if (remaining == 1 || minimum == 0) begin
                    draw <= 1;
                    state <= ONE;
                end else begin
                    start_gap <= 1;
                    state <= GAP;
                end
            end
            ONE: if (drawn) begin
                random_number <= number;
                remaining <= remaining - 1;
                done <= minimum != 0 && number >= limit;
                state <= minimum != 0 && number >= limit ? IDLE : CONSERVATIVE != 0 ? INCREMENT :
                    READ_CHANCE;
            end
            GAP: if (found) begin
                remaining <= remaining - failures - 1;
                if (overflow || failures >= remaining) begin
                    done <= 1;
                    state <= IDLE;
                end else begin
                    bounded <= 1;
                    draw <= 1;
                    state <= DRAW;
                end
            end
            DRAW: if (drawn) begin
                random_number <= number;
                state <= CONSERVATIVE != 0 ? INCREMENT : READ_CHANCE;
            end
            READ_CHANCE: state <= INCREMENT; // reads the probability for counter k
            INCREMENT: begin
                if (CONSERVATIVE != 0) begin
                    for (i = 0; i < TABLES; i = i + 1)
                        if (next[COUNTER_BITS*i +: COUNTER_BITS] == minimum)
                            next[COUNTER_BITS*i +: COUNTER_BITS] <= minimum + 1'b1;
                    state <= LEAST;
                end else begin
                    if (one != TOP && (one == 0 || random_number < chance))
                        next[COUNTER_BITS*k +: COUNTER_BITS] <= one + 1'b1;
                    k <= k + 1;
                    state <= k == TABLES - 1 ? LEAST : READ_CHANCE;
                end
            end
            default: state <= IDLE;
        endcase
    end
endmodule
