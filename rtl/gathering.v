/* SPDX-License-Identifier: MIT */
/* The gathering sampler G<TAG_BITS>/<RATE>x<n>k<SAMPLES> (src/tables/compress/gathering.c is the model): every
 * RATE-th of a substream is a sample, and those of the tuple whose tag an entry has are gathered.
 *
 *     stream ──► | gathered | samples | tag | count | ──► count + weight >= RATE?
 *                      ▲                                       │ a sample
 *                      └── its own tag: gathered; the SAMPLES-th is sent for all
 *                          another's:   sent; the tag is its own from now on, if nothing is gathered
 *
 * Where all events weigh 1, what is gathered is RATE for each sample, and is not kept. Cycles per event: 3.
 * After rst it clears itself, an entry a cycle. Read-out: an entry is at peek_* a cycle after `stream`. */
module gathering #(
    parameter STREAM_BITS = 11,
    parameter TAG_BITS = 4,
    parameter [63:0] RATE = 160,
    parameter SAMPLES = 4,
    parameter WEIGHT_BITS = 1,
    parameter RATE_BITS = 8, /* hold numbers below RATE */
    parameter COUNT_BITS = 40,
    parameter STREAM = STREAM_BITS > 0 ? STREAM_BITS : 1,
    parameter SAMPLE_BITS = SAMPLES > 1 ? $clog2(SAMPLES) : 1
) (
    input clk,
    input rst,
    input go,
    input [STREAM-1:0] stream,
    input [TAG_BITS-1:0] tag,
    input [WEIGHT_BITS-1:0] weight,
    output reg done,
    output reg [COUNT_BITS-1:0] count, /* 0: no message */
    output ready,
    output [COUNT_BITS-1:0] peek_count,
    output [COUNT_BITS-1:0] peek_gathered,
    output [SAMPLE_BITS+TAG_BITS-1:0] peek_tag
);
    localparam KEPT = WEIGHT_BITS > 1 ? COUNT_BITS : 0;
    localparam WIDTH = KEPT + SAMPLE_BITS + TAG_BITS + RATE_BITS;
    localparam CLEAR = 0, IDLE = 1, TURN = 2, STORE = 3;
    reg [1:0] state;
    reg [STREAM:0] walk;
    reg [WIDTH-1:0] store;
    wire [WIDTH-1:0] word;
    ram #(.WIDTH(WIDTH), .DEPTH(1 << STREAM_BITS)) entries (
        .clk(clk), .write(state == CLEAR || state == STORE),
        .write_address(state == CLEAR ? walk[STREAM-1:0] : stream),
        .write_data(state == CLEAR ? {WIDTH{1'b0}} : store), .read_address(stream), .read_data(word));

    wire [RATE_BITS-1:0] counted = word[RATE_BITS-1:0];
    wire [TAG_BITS-1:0] of_tag = word[RATE_BITS +: TAG_BITS];
    wire [SAMPLE_BITS-1:0] samples = word[RATE_BITS + TAG_BITS +: SAMPLE_BITS];
    wire [COUNT_BITS-1:0] gathered;
    generate
        if (KEPT > 0) begin : sums
            assign gathered = word[WIDTH-1 -: COUNT_BITS];
        end else begin : multiples
            assign gathered = samples * RATE;
        end
    endgenerate
    assign peek_count = counted;
    assign peek_gathered = gathered;
    assign peek_tag = {samples, of_tag};
    assign ready = state == IDLE;

    wire [COUNT_BITS-1:0] sum = counted + {{COUNT_BITS-WEIGHT_BITS{1'b0}}, weight};
    wire [COUNT_BITS-1:0] all = gathered + sum;
    wire due = sum >= RATE;
    wire own = of_tag == tag;
    wire last = samples == SAMPLES - 1;
    reg [COUNT_BITS-1:0] next_gathered;
    reg [SAMPLE_BITS-1:0] next_samples;
    reg [TAG_BITS-1:0] next_tag;
    reg [RATE_BITS-1:0] next_counted;
    always @* begin
        next_gathered = gathered;
        next_samples = samples;
        next_tag = of_tag;
        next_counted = due ? {RATE_BITS{1'b0}} : sum[RATE_BITS-1:0];
        if (due && own) begin
            next_gathered = last ? {COUNT_BITS{1'b0}} : all;
            next_samples = last ? {SAMPLE_BITS{1'b0}} : samples + 1'b1;
        end else if (due && samples == 0)
            next_tag = tag;
    end
    always @(posedge clk) begin
        done <= 0;
        if (rst) begin
            state <= CLEAR;
            walk <= 0;
        end else case (state)
            CLEAR: begin
                walk <= walk + 1;
                if (walk == (1 << STREAM_BITS) - 1)
                    state <= IDLE;
            end
            IDLE: if (go)
                state <= TURN;
            TURN: begin
                count <= !due ? {COUNT_BITS{1'b0}} : !own ? sum : last ? all : {COUNT_BITS{1'b0}};
                store <= {next_gathered, next_samples, next_tag, next_counted};
                state <= STORE;
            end
            STORE: begin
                done <= 1;
                state <= IDLE;
            end
        endcase
    end
endmodule
