/* SPDX-License-Identifier: MIT */
/* The samplers P, R, RD and CR, one for each of 2^STREAM_BITS substreams (H[...]):
 *
 *     KIND 0  P    every RATE-th element; a message counts RATE
 *          1  R    each with probability 1 / RATE; counts RATE
 *          2  RD   after a countdown, uniform on 1 .. 2 RATE - 1; counts RATE
 *          3  CR   as R; counts the elements since the last one, this one included
 *
 *     stream ──► | P: elements since the last message; else: elements left, the whole gap |
 *                   │ ▲
 *     weight ──► + or - ──► enough? ──► emit, count
 *                             └──► gap: the next countdown
 *
 * An event of weight w is w elements in a row, and gives one message at most. Cycles per event:
 * 3; for each element that is selected 1 more (P), or what gap.v takes and 2 (the others). After
 * rst every substream draws its first gap (P: is cleared). Gaps that GAP_BITS do not hold come
 * once in e^100 draws. */
module sampler #(
    parameter KIND = 0,
    parameter STREAM_BITS = 0,
    parameter [63:0] RATE = 256,
    parameter WEIGHT_BITS = 1,
    parameter GAP_BITS = 40,
    parameter COUNT_BITS = 40,
    parameter [63:0] SEED = 1,
    parameter STREAM = STREAM_BITS > 0 ? STREAM_BITS : 1
) (
    input clk,
    input rst,
    input go,
    input [STREAM-1:0] stream,
    input [WEIGHT_BITS-1:0] weight,
    output reg done,
    output reg [COUNT_BITS-1:0] count, /* 0: no message */
    output ready,
    output [GAP_BITS-1:0] peek_left,
    output [GAP_BITS-1:0] peek_gap
);
    localparam SUM = (GAP_BITS > WEIGHT_BITS ? GAP_BITS : WEIGHT_BITS) + 1;
    localparam [STREAM:0] STREAMS = 1 << STREAM_BITS;
    localparam FILL = 0, FILLED = 1, IDLE = 2, READ = 3, LOAD = 4, COUNT = 5, DRAW = 6, STORE = 7;
    reg [2:0] state;
    reg [STREAM:0] filling;
    reg [SUM-1:0] sum;      /* P: elements; else those of the weight that are left */
    reg [GAP_BITS-1:0] left, gap_now;
    reg ask;
    wire drawn_done;
    wire [GAP_BITS-1:0] drawn;
    generate
        if (KIND != 0) begin : draws
            gap #(.UNIFORM(KIND == 2), .RATE(RATE), .SEED(SEED), .GAP_BITS(GAP_BITS)) gaps (
                .clk(clk), .rst(rst), .go(ask), .done(drawn_done), .drawn(drawn));
        end else begin : periodic
            assign drawn_done = ask;
            assign drawn = 0;
        end
    endgenerate

    wire storing = state == FILLED && drawn_done || state == STORE;
    wire [STREAM-1:0] at = state == STORE ? stream : filling[STREAM-1:0];
    wire [2*GAP_BITS-1:0] word;
    ram #(.WIDTH(2 * GAP_BITS), .DEPTH(1 << STREAM_BITS)) countdown (
        .clk(clk), .write(storing), .write_address(at),
        .write_data(state == STORE ? {left, gap_now} : {drawn, drawn}),
        .read_address(stream), .read_data(word));
    assign peek_left = word[2*GAP_BITS-1:GAP_BITS];
    assign peek_gap = word[GAP_BITS-1:0];
    assign ready = state == IDLE;

    always @(posedge clk) begin
        ask <= 0;
        done <= 0;
        if (rst) begin
            state <= FILL;
            filling <= 0;
        end else case (state)
            FILL: begin
                ask <= 1;
                state <= FILLED;
            end
            FILLED: if (drawn_done) begin
                filling <= filling + 1;
                state <= filling == STREAMS - 1 ? IDLE : FILL;
            end
            IDLE: if (go)
                state <= READ;
            READ: state <= LOAD;
            LOAD: begin
                count <= 0;
                left <= word[2*GAP_BITS-1:GAP_BITS];
                gap_now <= word[GAP_BITS-1:0];
                sum <= KIND == 0 ? word[2*GAP_BITS-1:GAP_BITS] + weight : weight;
                state <= COUNT;
            end
            COUNT: if (KIND == 0) begin
                if (sum >= RATE) begin
                    sum <= sum - RATE;
                    count <= count + RATE;
                end else begin
                    left <= sum;
                    state <= STORE;
                end
            end else if (sum >= left) begin
                sum <= sum - left;
                count <= count + (KIND == 3 ? gap_now : RATE);
                ask <= 1;
                state <= DRAW;
            end else begin
                left <= left - sum;
                state <= STORE;
            end
            DRAW: if (drawn_done) begin
                left <= drawn;
                gap_now <= drawn;
                state <= COUNT;
            end
            STORE: begin
                done <= 1;
                state <= IDLE;
            end
            default: state <= IDLE;
        endcase
    end
endmodule
