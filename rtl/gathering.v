// SPDX-License-Identifier: MIT
//
// Gathering sampler of a stream compressor (component `G` of a spec): sends several samples of the
// same frequent tuple as one message.
//
// The spec is G<TAG_BITS>/<RATE>x<n>k<SAMPLES>, and the C model is src/tables/compress/tagged.c.
// The hash of an event's tuple selects one of n substreams. In each substream, every RATE-th event
// is a sample. The entry of the substream stores the tag of one tuple. If the tag of a sample
// matches, the entry counts the sample, and after SAMPLES matching samples the module sends the
// gathered count as one message. If the tag of a sample does not match, the module sends the sample
// at once. If the entry contains no gathered samples, the sample's tag also replaces the entry's
// tag.
//
// If all events have weight 1, the gathered count is a multiple of RATE and is not stored. `go`
// starts with the inputs, which must stay stable until `done`; `count` is then the count of a
// message, or 0 for none. Cycles per event: 3. After reset the module clears its entries, one per
// cycle. Read-out: the peek_* outputs show the entry of `stream` with a latency of one cycle.
//
//     stream ──► | gathered | samples | tag | count | ──► count + weight >= RATE?
//                      ▲                                      │ sample
//                      └── tag matches: gathered  ◄───────────┘

module gathering #(
    parameter STREAM_BITS = 11,
    parameter TAG_BITS = 4,
    parameter [63:0] RATE = 160,
    parameter SAMPLES = 4,
    parameter WEIGHT_BITS = 1,
    parameter RATE_BITS = 8, // wide enough for numbers below RATE
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
    output reg [COUNT_BITS-1:0] count, // 0: no message
    output ready,
    output [COUNT_BITS-1:0] peek_count,
    output [COUNT_BITS-1:0] peek_gathered,
    output [SAMPLE_BITS+TAG_BITS-1:0] peek_tag
);
    localparam SUM_BITS = WEIGHT_BITS > 1 ? COUNT_BITS : 0;
    localparam WIDTH = SUM_BITS + SAMPLE_BITS + TAG_BITS + RATE_BITS;
    localparam CLEAR = 0, IDLE = 1, UPDATE = 2, STORE = 3;
    reg [1:0] state;
    reg [STREAM:0] walk;
    reg [WIDTH-1:0] store;
    wire [WIDTH-1:0] word;
    ram #(.WIDTH(WIDTH), .DEPTH(1 << STREAM_BITS)) entries (
        .clk(clk), .write(state == CLEAR || state == STORE),
        .write_address(state == CLEAR ? walk[STREAM-1:0] : stream),
        .write_data(state == CLEAR ? {WIDTH{1'b0}} : store), .read_address(stream),
        .read_data(word));

    wire [RATE_BITS-1:0] stored_count = word[RATE_BITS-1:0];
    wire [TAG_BITS-1:0] stored_tag = word[RATE_BITS +: TAG_BITS];
    wire [SAMPLE_BITS-1:0] samples = word[RATE_BITS + TAG_BITS +: SAMPLE_BITS];
    wire [COUNT_BITS-1:0] gathered;
    generate
        if (SUM_BITS > 0) begin : sums
            assign gathered = word[WIDTH-1 -: COUNT_BITS];
        end else begin : multiples
            assign gathered = samples * RATE;
        end
    endgenerate
    assign peek_count = stored_count;
    assign peek_gathered = gathered;
    assign peek_tag = {samples, stored_tag};
    assign ready = state == IDLE;

    wire [COUNT_BITS-1:0] sum = stored_count + {{COUNT_BITS-WEIGHT_BITS{1'b0}}, weight};
    wire [COUNT_BITS-1:0] all = gathered + sum;
    wire due = sum >= RATE;
    wire tag_match = stored_tag == tag;
    wire last = samples == SAMPLES - 1;
    reg [COUNT_BITS-1:0] next_gathered;
    reg [SAMPLE_BITS-1:0] next_samples;
    reg [TAG_BITS-1:0] next_tag;
    reg [RATE_BITS-1:0] next_count;
    always @* begin
        next_gathered = gathered;
        next_samples = samples;
        next_tag = stored_tag;
        next_count = due ? {RATE_BITS{1'b0}} : sum[RATE_BITS-1:0];
        if (due && tag_match) begin
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
                state <= UPDATE;
            UPDATE: begin
                count <= !due ? {COUNT_BITS{1'b0}} : !tag_match ? sum : last ? all :
                    {COUNT_BITS{1'b0}};
                store <= {next_gathered, next_samples, next_tag, next_count};
                state <= STORE;
            end
            STORE: begin
                done <= 1;
                state <= IDLE;
            end
        endcase
    end
endmodule
