// SPDX-License-Identifier: MIT
//
// Stream compressor: a first component, which is a sampler or a table, followed by up to four
// levels of associative tables.
//
// The parameters follow from the spec of a compressor, for example H[P64]1024+A16. The C model is
// src/tables/compress/compressor.c. The first component is a sampler (in the spec P, R, RD or CR),
// a tagged table (T), a gathering sampler (G) or an associative table (A). A hash of the tuple
// selects the substream or set; a spec without H, T and G has no hash. The first component
// processes one event after the other. The levels work in parallel to it and make it wait only if
// they are still busy with the previous message. An event of weight 0 changes nothing.
//
// A message is <pc, value, count>. The model's messages also contain samples and the substream,
// which software needs for ratio estimates; the hardware does not send these.
//
// Cycles per event: 8 / LANES + 4 for the hash, plus those of the first component.
//
// Read-out (rd_*), while the module is idle; the answer takes 4 cycles:
//     0x1000_0000 + 2i  substream i of a sampler: elements left (P: counted), length of the gap
//     0x1000_0000 + i   entry i of T: | valid | misses | tag | hits |
//     0x1000_0000 + 4i  entry i of G: count, gathered count, {samples, tag}
//     0x1000_0000 + 4i  entry i of A: pc, value, count; set by set, newest first
//     0x1800_0000 + i   number of entries in set i of A
//     0x2000_0000 + (l << 24) + 4i   entry i of level l, as for A
//     0x2800_0000 + (l << 24)        number of entries in level l
//
//                  ┌──► sampler (P R RD CR) ──┐
//     event ─ hash ┼──► tagged_table (T)    ──┼──► associative ──► associative ──► message
//              H   ├──► gathering (G)       ──┤      level 0       ... level 3
//                  └──► associative (A)     ──┘

module compressor #(
    parameter FIRST = 0, // 0 P, 1 R, 2 RD, 3 CR, 4 A, 5 T, 6 G
    parameter HASHED = 0,
    parameter HASH_BITS = 0,
    parameter [63:0] RATE = 256,
    parameter GAP_BITS = 40,
    parameter ENTRIES = 16,
    parameter TAG_BITS = 2,
    parameter WAYS = 1,
    parameter HIT_BITS = 8,
    parameter SAMPLES = 2,
    parameter RATE_BITS = 8,
    parameter LEVELS = 0,
    parameter [127:0] LEVEL_ENTRIES = 0, // 32 bits per level
    parameter WIDTH = 16,
    parameter WEIGHT_BITS = 1,
    parameter COUNT_BITS = 40,
    parameter LANES = 2,
    parameter [63:0] SEED = 1,
    parameter [2047:0] BYTES = 0
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
    localparam STREAM = HASH_BITS > 0 ? HASH_BITS : 1;
    localparam MESSAGE = 128 + COUNT_BITS;
    localparam IDLE = 0, HASHING = 1, ENTER = 2, WAIT = 3, SEND = 4, PEEK = 5;
    reg [2:0] state;
    reg [63:0] pc, value;
    reg [WEIGHT_BITS-1:0] weight;
    reg start;
    reg [1:0] waited;
    wire reset = rst || clear;
    wire hashed;
    wire [STREAM-1:0] index;
    generate
        if (HASHED != 0) begin : splitter
            hash #(.BITS(HASH_BITS), .LANES(LANES), .BYTES(BYTES)) hashing (
                .clk(clk), .rst(rst), .start(start), .pc(pc), .value(value), .done(hashed),
                .index(index), .table_write(cfg_write && cfg_address[31:8] == 24'h100),
                .table_address(cfg_address[7:0]), .table_data(cfg_data[7:0]));
        end else begin : whole
            assign hashed = 1;
            assign index = 0;
        end
    endgenerate

    // ---- first component: when `first_done`, sends `first_count` of the tuple ----
    wire enter = state == ENTER;
    wire first_ready, first_done;
    wire [COUNT_BITS-1:0] first_count;
    wire [63:0] first_word;
    wire [MESSAGE-1:0] link [0:LEVELS+1];
    wire [LEVELS+1:0] link_valid, link_ready;
    wire [LEVELS:0] level_idle;
    wire [63:0] level_word [0:LEVELS];
    generate
        if (FIRST < 4) begin : sampling
            wire [GAP_BITS-1:0] left, whole_gap;
            sampler #(.KIND(FIRST), .STREAM_BITS(HASH_BITS), .RATE(RATE), .WEIGHT_BITS(WEIGHT_BITS),
                      .GAP_BITS(GAP_BITS), .COUNT_BITS(COUNT_BITS), .SEED(SEED)) first (
                .clk(clk), .rst(reset), .go(enter),
                .stream(state == PEEK ? rd_address[STREAM:1] : index), .weight(weight),
                .done(first_done), .count(first_count), .ready(first_ready), .peek_left(left),
                .peek_gap(whole_gap));
            assign first_word = rd_address[0] ? whole_gap : left;
        end else if (FIRST == 5) begin : tags
            wire [TAG_BITS-1:0] tag;
            wire [HIT_BITS+TAG_BITS+3:0] entry;
            localparam ENTRY = $clog2(WAYS << HASH_BITS) > 0 ? $clog2(WAYS << HASH_BITS) : 1;
            fold #(.WIDTH(64), .BITS(TAG_BITS)) fold_tuple (.word(pc ^ value), .folded(tag));
            tagged_table #(.SET_BITS(HASH_BITS), .WAYS(WAYS), .TAG_BITS(TAG_BITS),
                .RATE(RATE[31:0]),
                           .WEIGHT_BITS(WEIGHT_BITS), .COUNT_BITS(COUNT_BITS),
                           .HIT_BITS(HIT_BITS)) first (
                .clk(clk), .rst(reset), .go(enter), .set_index(index), .tag(tag), .weight(weight),
                .done(first_done), .count(first_count), .ready(first_ready),
                .peek(rd_address[ENTRY-1:0]),
                .peek_entry(entry));
            assign first_word = entry;
        end else if (FIRST == 6) begin : gathers
            localparam SAMPLE_BITS = SAMPLES > 1 ? $clog2(SAMPLES) : 1;
            wire [TAG_BITS-1:0] tag;
            wire [COUNT_BITS-1:0] counted, gathered;
            wire [SAMPLE_BITS+TAG_BITS-1:0] tag_word;
            fold #(.WIDTH(64), .BITS(TAG_BITS)) fold_tuple (.word(pc ^ value), .folded(tag));
            gathering #(.STREAM_BITS(HASH_BITS), .TAG_BITS(TAG_BITS), .RATE(RATE),
                .SAMPLES(SAMPLES),
                        .WEIGHT_BITS(WEIGHT_BITS), .RATE_BITS(RATE_BITS),
                        .COUNT_BITS(COUNT_BITS)) first (
                .clk(clk), .rst(reset), .go(enter),
                .stream(state == PEEK ? rd_address[STREAM+1:2] : index), .tag(tag), .weight(weight),
                .done(first_done), .count(first_count), .ready(first_ready), .peek_count(counted),
                .peek_gathered(gathered), .peek_tag(tag_word));
            assign first_word = rd_address[1:0] == 0 ? counted : rd_address[1:0] == 1 ? gathered :
                tag_word;
        end else begin : exact
            localparam SLOT = $clog2(ENTRIES << HASH_BITS) > 0 ? $clog2(ENTRIES << HASH_BITS) : 1;
            wire [127+WIDTH:0] entry;
            wire [$clog2(ENTRIES + 1)-1:0] used;
            wire list_ready;
            associative #(.ENTRIES(ENTRIES), .SET_BITS(HASH_BITS), .WIDTH(WIDTH),
                          .COUNT_BITS(COUNT_BITS)) first (
                .clk(clk), .rst(reset), .in_valid(enter), .in_ready(list_ready), .in_set(index),
                .in_pc(pc), .in_value(value), .in_count({{COUNT_BITS-WEIGHT_BITS{1'b0}}, weight}),
                .out_valid(link_valid[0]), .out_ready(link_ready[0]),
                .out_pc(link[0][MESSAGE-1 -: 64]), .out_value(link[0][COUNT_BITS+63 -: 64]),
                .out_count(link[0][COUNT_BITS-1:0]), .peek(rd_address[SLOT+1:2]),
                .peek_entry(entry), .peek_set(rd_address[STREAM-1:0]), .peek_used(used));
            assign first_done = list_ready; // after its message was accepted
            assign first_count = 0;
            assign first_ready = list_ready;
            assign first_word = rd_address[27] ? used :
                                rd_address[1:0] == 0 ? entry[WIDTH+127 -: 64] :
                                rd_address[1:0] == 1 ? entry[WIDTH+63 -: 64] : entry[WIDTH-1:0];
        end
        if (FIRST != 4) begin : sending
            assign link_valid[0] = state == SEND;
            assign link[0] = {pc, value, first_count};
        end
    endgenerate

    // ---- levels ----
    assign level_idle[0] = 1;
    assign level_word[0] = 0;
    genvar l;
    generate
        for (l = 0; l < LEVELS; l = l + 1) begin : level
            localparam SIZE = LEVEL_ENTRIES[32*l +: 32];
            localparam SLOT = $clog2(SIZE) > 0 ? $clog2(SIZE) : 1;
            wire [127+WIDTH:0] entry;
            wire [$clog2(SIZE + 1)-1:0] used;
            associative #(.ENTRIES(SIZE), .SET_BITS(0), .WIDTH(WIDTH),
                .COUNT_BITS(COUNT_BITS)) add (
                .clk(clk), .rst(reset), .in_valid(link_valid[l]), .in_ready(link_ready[l]),
                .in_set(1'b0), .in_pc(link[l][MESSAGE-1 -: 64]),
                .in_value(link[l][COUNT_BITS+63 -: 64]), .in_count(link[l][COUNT_BITS-1:0]),
                .out_valid(link_valid[l+1]), .out_ready(link_ready[l+1]),
                .out_pc(link[l+1][MESSAGE-1 -: 64]), .out_value(link[l+1][COUNT_BITS+63 -: 64]),
                .out_count(link[l+1][COUNT_BITS-1:0]), .peek(rd_address[SLOT+1:2]),
                .peek_entry(entry), .peek_set(1'b0), .peek_used(used));
            assign level_idle[l+1] = link_ready[l];
            assign level_word[l+1] = rd_address[27] ? used :
                                     rd_address[1:0] == 0 ? entry[WIDTH+127 -: 64] :
                                     rd_address[1:0] == 1 ? entry[WIDTH+63 -: 64] :
                                         entry[WIDTH-1:0];
        end
    endgenerate
    assign link_ready[LEVELS] = out_ready;
    assign out_valid = link_valid[LEVELS];
    assign out_kind = 0;
    assign out_pc = link[LEVELS][MESSAGE-1 -: 64];
    assign out_value = link[LEVELS][COUNT_BITS+63 -: 64];
    assign out_count = link[LEVELS][COUNT_BITS-1:0];

    // ---- control ----
    assign idle = state == IDLE && first_ready && &level_idle && !out_valid;
    assign in_ready = state == IDLE && first_ready && !rd_valid;
    always @(posedge clk) begin
        start <= 0;
        rd_done <= 0;
        if (reset)
            state <= IDLE;
        else case (state)
            IDLE: if (rd_valid) begin
                waited <= 0;
                if (idle && !rd_done)
                    state <= PEEK;
            end else if (in_valid && in_ready) begin
                pc <= in_pc;
                value <= in_value;
                weight <= in_weight;
                if (in_weight != 0) begin
                    start <= 1;
                    state <= HASHED != 0 ? HASHING : ENTER;
                end
            end
            HASHING: if (hashed && !start)
                state <= ENTER;
            ENTER: if (first_ready)
                state <= FIRST == 4 ? IDLE : WAIT;
            WAIT: if (first_done)
                state <= first_count != 0 ? SEND : IDLE;
            SEND: if (link_ready[0])
                state <= IDLE;
            PEEK: begin
                waited <= waited + 1;
                if (waited == 3) begin
                    rd_data <= rd_address[31:28] == 1 ? first_word :
                               rd_address[26:24] + 1 <= LEVELS ? level_word[rd_address[26:24] + 1] :
                                   0;
                    rd_done <= 1;
                    state <= IDLE;
                end
            end
            default: state <= IDLE;
        endcase
    end
endmodule
