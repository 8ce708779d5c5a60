// SPDX-License-Identifier: MIT
//
// Sampler of a stream compressor for 2^STREAM_BITS substreams. The parameter KIND selects one of
// the four samplers that a spec calls P, R, RD and CR.
//
// KIND
//   0  P    samples every RATE-th element; a message counts RATE
//   1  R    samples each element with probability 1 / RATE; a message counts RATE
//   2  RD   samples after a countdown, uniform on 1 .. 2 RATE - 1; a message counts RATE
//   3  CR   samples as R; a message counts the elements since the last sample, including this one
//
// An event of weight w counts as w consecutive elements and causes at most one message. `go` starts
// with `stream` and `weight`, which must stay stable until `done`; `count` is then the count of the
// message, or 0 if there is no message. An event takes 3 cycles. Each sampled element takes 1 more
// cycle with P, and with the other kinds 2 cycles more than gap.v takes. After reset, every
// substream draws its first gap (with P, its counter is cleared). rtl_compressor.c sets GAP_BITS,
// the width of a gap, so that a longer gap occurs only once in e^100 draws.
//
//     stream ──► | P: elements since the last message; else: elements left, length of the gap |
//                   │ ▲
//     weight ──► + or - ──► sample? ──► count
//                             └──► gap: the next countdown

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
    output reg [COUNT_BITS-1:0] count, // 0: no message
    output ready,
    output [GAP_BITS-1:0] peek_left,
    output [GAP_BITS-1:0] peek_gap
);
    localparam SUM = (GAP_BITS > WEIGHT_BITS ? GAP_BITS : WEIGHT_BITS) + 1;
    localparam [STREAM:0] STREAMS = 1 << STREAM_BITS;
    localparam FILL = 0, FILL_WAIT = 1, IDLE = 2, READ = 3, LOAD = 4, COUNT = 5, DRAW = 6,
               STORE = 7;
    reg [2:0] state;
    reg [STREAM:0] filling;
    reg [SUM-1:0] sum;      // P: elements; otherwise remaining weight
    reg [GAP_BITS-1:0] left, gap_now;
    reg request;
    wire drawn_done;
    wire [GAP_BITS-1:0] drawn;
    generate
        if (KIND != 0) begin : draws
            gap #(.UNIFORM(KIND == 2), .RATE(RATE), .SEED(SEED), .GAP_BITS(GAP_BITS)) gaps (
                .clk(clk), .rst(rst), .go(request), .done(drawn_done), .drawn(drawn));
        end else begin : periodic
            assign drawn_done = request;
            assign drawn = 0;
        end
    endgenerate

    wire write = state == FILL_WAIT && drawn_done || state == STORE;
    wire [STREAM-1:0] write_stream = state == STORE ? stream : filling[STREAM-1:0];
    wire [2*GAP_BITS-1:0] word;
    ram #(.WIDTH(2 * GAP_BITS), .DEPTH(1 << STREAM_BITS)) countdown (
        .clk(clk), .write(write), .write_address(write_stream),
        .write_data(state == STORE ? {left, gap_now} : {drawn, drawn}),
        .read_address(stream), .read_data(word));
    assign peek_left = word[2*GAP_BITS-1:GAP_BITS];
    assign peek_gap = word[GAP_BITS-1:0];
    assign ready = state == IDLE;

    always @(posedge clk) begin
        request <= 0;
        done <= 0;
        if (rst) begin
            state <= FILL;
            filling <= 0;
        end else case (state)
            FILL: begin
                request <= 1;
                state <= FILL_WAIT;
            end
            FILL_WAIT: if (drawn_done) begin
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
                request <= 1;
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
