// SPDX-License-Identifier: MIT
//
// Elastic sketch: a heavy part with tuples in buckets, and a light part of small counters.
//
// The C model is src/tables/sketches/elastic.c. A tuple can be in any of the WAYS entries of one
// bucket in the heavy part. If the tuple is in an entry, the weight of the event is added to the
// entry's count. Otherwise the tuple gets an empty entry of the bucket. If there is none, the
// weight is added to the bucket's votes. If the smallest count times LAMBDA is above the votes, the
// weight is added to the tuple's light counter. Otherwise the tuple evicts the smallest entry,
// whose count is added to the light counter of the evicted tuple, and the votes start at 0 again.
// Counts saturate. The model also counts the weight that is lost by saturation; the hardware does
// not.
//
// An evicted tuple is hashed again for its light counter, since entries do not store that index.
//
// Cycles per event: at most 8 / LANES + WAYS + 7, fewer if the tuple is found early; 4 more if the
// light part is updated, and 8 / LANES + 6 more for an eviction. An event of weight 0 takes 1
// cycle and changes nothing. After reset the module clears its memories, one word of each per
// cycle. It sends no messages.
//
// Read-out: 0x1000_0000 + 4i: pc, value, count and flag of entry i, buckets are consecutive.
// 0x2000_0000 + i: votes of bucket i. 0x3000_0000 + i: light counter i.
// Configuration: 0x1_0000 + 256 k + i: byte i of hash table k.
//
//     event ─┬─► hash 0 ──► bucket ──► | tuple (128) | count | flag |   one way per cycle
//            │                └──► | votes | + weight
//            └─► hash 1 ──► | light counters |   + weight, or the count of the evicted entry
//                    ▲
//                    └── the evicted tuple

module elastic #(
    parameter BUCKET_BITS = 5,
    parameter WAYS = 7,
    parameter COUNTER_BITS = 32,
    parameter LAMBDA = 8,
    parameter LIGHT_BITS = 12,
    parameter LIGHT_COUNTER = 8,
    parameter WEIGHT_BITS = 32,
    parameter LANES = 2,
    parameter [4095:0] BYTES = 0
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
    localparam BUCKET = BUCKET_BITS > 0 ? BUCKET_BITS : 1;
    localparam LIGHT = LIGHT_BITS > 0 ? LIGHT_BITS : 1;
    localparam ENTRIES = WAYS << BUCKET_BITS;
    localparam SLOT = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    localparam LARGEST = SLOT > LIGHT ? SLOT : LIGHT;
    localparam WAY = $clog2(WAYS + 1);
    localparam ENTRY = 129 + COUNTER_BITS;
    localparam ADDEND = COUNTER_BITS > WEIGHT_BITS ? COUNTER_BITS : WEIGHT_BITS;
    localparam CLEAR = 0, IDLE = 1, HASHING = 2, SCAN = 3, ADD = 4, VOTE = 5, EVICT = 6, READ = 7,
               ADD_LIGHT = 8, STORE = 9, PEEK = 10;
    reg [3:0] state;
    reg [63:0] pc, value;
    reg [WEIGHT_BITS-1:0] weight;
    reg [LARGEST:0] walk;
    reg [WAY-1:0] way; // way that is read next
    reg [WAY-1:0] chosen;
    reg [ENTRY-1:0] chosen_entry, next; // | tuple | flag | count |
    reg is_free, found;
    reg start, evicting;
    reg [1:0] waited;
    wire reset = rst || (state == IDLE && clear);

    // ---- hashes of the event's tuple or of the evicted one ----
    wire [63:0] hashed_pc = evicting ? chosen_entry[ENTRY-1 -: 64] : pc;
    wire [63:0] hashed_value = evicting ? chosen_entry[COUNTER_BITS+1 +: 64] : value;
    wire [1:0] hashed;
    wire [15:0] bucket_hash, light_hash;
    hash #(.BITS(16), .LANES(LANES), .BYTES(BYTES[2047:0])) hash_bucket (
        .clk(clk), .rst(rst), .start(start && !evicting), .pc(pc), .value(value), .done(hashed[0]),
        .index(bucket_hash), .table_write(cfg_write && cfg_address[31:8] == 24'h100),
        .table_address(cfg_address[7:0]), .table_data(cfg_data[7:0]));
    hash #(.BITS(16), .LANES(LANES), .BYTES(BYTES[4095:2048])) hash_light (
        .clk(clk), .rst(rst), .start(start), .pc(hashed_pc), .value(hashed_value), .done(hashed[1]),
        .index(light_hash), .table_write(cfg_write && cfg_address[31:8] == 24'h101),
        .table_address(cfg_address[7:0]), .table_data(cfg_data[7:0]));
    wire [BUCKET-1:0] bucket = BUCKET_BITS > 0 ? bucket_hash[BUCKET-1:0] : 0;
    wire [LIGHT-1:0] light = LIGHT_BITS > 0 ? light_hash[LIGHT-1:0] : 0;

    // ---- memories ----
    wire [SLOT-1:0] first = BUCKET_BITS > 0 ? bucket * WAYS : 0;
    wire [ENTRY-1:0] word;
    ram #(.WIDTH(ENTRY), .DEPTH(ENTRIES)) entries (
        .clk(clk), .write((state == CLEAR && walk < ENTRIES) || (state == STORE &&
        (found || is_free || evicting))),
        .write_address(state == CLEAR ? walk[SLOT-1:0] : first + chosen),
        .write_data(state == CLEAR ? {ENTRY{1'b0}} : next),
        .read_address(state == PEEK ? rd_address[SLOT+1:2] : first + way), .read_data(word));

    wire [COUNTER_BITS-1:0] votes, vote_sum;
    reg [COUNTER_BITS-1:0] next_votes;
    ram #(.WIDTH(COUNTER_BITS), .DEPTH(1 << BUCKET_BITS)) votes_against (
        .clk(clk), .write((state == CLEAR && walk < 1 << BUCKET_BITS) || state == ADD_LIGHT),
        .write_address(state == CLEAR ? walk[BUCKET-1:0] : bucket),
        .write_data(state == CLEAR ? {COUNTER_BITS{1'b0}} : next_votes),
        .read_address(state == PEEK ? rd_address[BUCKET-1:0] : bucket), .read_data(votes));
    saturating_add #(.BITS(COUNTER_BITS), .ADDEND_BITS(WEIGHT_BITS)) vote_adder (.count(votes),
        .addend(weight), .sum(vote_sum));

    wire [LIGHT_COUNTER-1:0] light_count, light_sum;
    wire [ADDEND-1:0] evicted_count = chosen_entry[COUNTER_BITS-1:0], event_weight = weight;
    ram #(.WIDTH(LIGHT_COUNTER), .DEPTH(1 << LIGHT_BITS)) light_counters (
        .clk(clk), .write((state == CLEAR && walk < 1 << LIGHT_BITS) || state == ADD_LIGHT),
        .write_address(state == CLEAR ? walk[LIGHT-1:0] : light),
        .write_data(state == CLEAR ? {LIGHT_COUNTER{1'b0}} : light_sum),
        .read_address(state == PEEK ? rd_address[LIGHT-1:0] : light), .read_data(light_count));
    saturating_add #(.BITS(LIGHT_COUNTER), .ADDEND_BITS(ADDEND)) light_adder (
        .count(light_count), .addend(evicting ? evicted_count : event_weight), .sum(light_sum));

    // ---- entry ----
    wire [COUNTER_BITS-1:0] count = word[COUNTER_BITS-1:0],
        minimum = chosen_entry[COUNTER_BITS-1:0];
    wire match = word[ENTRY-1 -: 128] == {pc, value};
    wire [COUNTER_BITS+10:0] scaled_minimum = minimum * LAMBDA;
    wire [COUNTER_BITS-1:0] count_sum;
    saturating_add #(.BITS(COUNTER_BITS), .ADDEND_BITS(WEIGHT_BITS)) count_adder (
        .count(found ? minimum : {COUNTER_BITS{1'b0}}), .addend(weight), .sum(count_sum));

    // ---- control ----
    assign in_ready = state == IDLE && !rd_valid && !clear;
    assign idle = state == IDLE;
    assign out_valid = 0;
    assign out_kind = 0;
    assign out_pc = 0;
    assign out_value = 0;
    assign out_count = 0;
    always @(posedge clk) begin
        start <= 0;
        rd_done <= 0;
        if (reset) begin
            state <= CLEAR;
            walk <= 0;
        end else case (state)
            CLEAR: begin
                walk <= walk + 1;
                if (walk == (1 << LARGEST) - 1)
                    state <= IDLE;
            end
            IDLE: if (rd_valid && !rd_done) begin
                waited <= 0;
                state <= PEEK;
            end else if (in_valid && in_ready) begin
                pc <= in_pc;
                value <= in_value;
                weight <= in_weight;
                start <= in_weight != 0;
                evicting <= 0;
                found <= 0;
                is_free <= 0;
                way <= 0;
                if (in_weight != 0)
                    state <= HASHING;
            end
            HASHING: if (!start && &hashed)
                state <= SCAN;
            SCAN: begin // the word that was read is way - 1
                way <= way + 1;
                if (way != 0 && (count == 0 || match || way == 1 || count < minimum)) begin
                    chosen <= way - 1;
                    chosen_entry <= word;
                    is_free <= count == 0;
                    found <= count != 0 && match;
                end
                if (way != 0 && (count == 0 || match || way == WAYS))
                    state <= ADD;
            end
            ADD: begin
                next <= {pc, value, found && chosen_entry[COUNTER_BITS], count_sum};
                state <= found || is_free ? STORE : VOTE;
            end
            VOTE: begin
                next_votes <= vote_sum;
                if (scaled_minimum > vote_sum)
                    state <= ADD_LIGHT;
                else begin
                    next_votes <= 0;
                    next[COUNTER_BITS] <= 1;
                    evicting <= 1;
                    start <= 1;
                    state <= EVICT;
                end
            end
            EVICT: if (!start && hashed[1])
                state <= READ;
            READ: state <= ADD_LIGHT;
            ADD_LIGHT: state <= STORE;
            STORE: state <= IDLE;
            PEEK: begin
                waited <= waited + 1;
                if (waited == 2) begin
                    rd_done <= 1;
                    case (rd_address[31:28])
                        1: rd_data <= rd_address[1:0] == 0 ? word[ENTRY-1 -: 64] :
                                      rd_address[1:0] == 1 ? word[COUNTER_BITS+1 +: 64] :
                                      rd_address[1:0] == 2 ? count : word[COUNTER_BITS];
                        2: rd_data <= votes;
                        default: rd_data <= light_count;
                    endcase
                    state <= IDLE;
                end
            end
            default: state <= IDLE;
        endcase
    end
endmodule
