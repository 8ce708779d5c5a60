/* SPDX-License-Identifier: MIT */
/* The elastic sketch (src/tables/sketches/elastic.c is the model): a heavy part of tuples by name, in buckets whose
 * members are voted out, and a light part of small counters for what the heavy part turns away.
 *
 *     event ─┬─► hash 0 ──► bucket ──► | tuple (128) | count | flag |   a way a cycle: its own, a free one,
 *            │                └──► | votes | + weight                   or the least
 *            └─► hash 1 ──► | light counters |   + weight, or, when LAMBDA x the least <= votes, the count of
 *                    ▲                           the least, which leaves
 *                    └── the tuple that leaves
 *
 * A tuple that leaves is hashed again for its light counter: entries have no room for its index. Cycles per
 * event: 8 / LANES + WAYS + 7 or fewer where its own is found early; 4 more when it goes to the light part,
 * 8 / LANES + 6 when another leaves. An event of weight 0 takes 1 and changes nothing. After rst it
 * clears itself, a word of each memory a cycle. Not here: how much weight found a counter full.
 *
 * Read-out: 0x1000_0000 + 4i: entry i, a bucket behind the other: pc, value, count, flag; 0x2000_0000 + i: votes
 * against bucket i; 0x3000_0000 + i: light counter i. Configuration: 0x1_0000 + 256 k + i: byte i of hash
 * table k. */
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
    localparam PLACE = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    localparam LARGEST = PLACE > LIGHT ? PLACE : LIGHT;
    localparam WAY = $clog2(WAYS + 1);
    localparam ENTRY = 129 + COUNTER_BITS;
    localparam GIVEN = COUNTER_BITS > WEIGHT_BITS ? COUNTER_BITS : WEIGHT_BITS;
    localparam CLEAR = 0, IDLE = 1, HASHING = 2, SCAN = 3, RAISE = 4, VOTE = 5, LEAVE = 6, READ = 7,
               LIGHTEN = 8, STORE = 9, PEEK = 10;
    reg [3:0] state;
    reg [63:0] pc, value;
    reg [WEIGHT_BITS-1:0] weight;
    reg [LARGEST:0] walk;
    reg [WAY-1:0] way; /* that is asked for */
    reg [WAY-1:0] chosen;
    reg [ENTRY-1:0] kept, next; /* | tuple | flag | count | */
    reg free, found;
    reg start, leaving;
    reg [1:0] waited;
    wire forget = rst || (state == IDLE && clear);

    /* ---- hashes: of the event's tuple, or of the one that leaves ----------------------------- */
    wire [63:0] hashed_pc = leaving ? kept[ENTRY-1 -: 64] : pc;
    wire [63:0] hashed_value = leaving ? kept[COUNTER_BITS+1 +: 64] : value;
    wire [1:0] hashed;
    wire [15:0] of_bucket, of_light;
    hash #(.BITS(16), .LANES(LANES), .BYTES(BYTES[2047:0])) hash_bucket (
        .clk(clk), .rst(rst), .start(start && !leaving), .pc(pc), .value(value), .done(hashed[0]),
        .index(of_bucket), .table_write(cfg_write && cfg_address[31:8] == 24'h100),
        .table_address(cfg_address[7:0]), .table_data(cfg_data[7:0]));
    hash #(.BITS(16), .LANES(LANES), .BYTES(BYTES[4095:2048])) hash_light (
        .clk(clk), .rst(rst), .start(start), .pc(hashed_pc), .value(hashed_value), .done(hashed[1]),
        .index(of_light), .table_write(cfg_write && cfg_address[31:8] == 24'h101),
        .table_address(cfg_address[7:0]), .table_data(cfg_data[7:0]));
    wire [BUCKET-1:0] bucket = BUCKET_BITS > 0 ? of_bucket[BUCKET-1:0] : 0;
    wire [LIGHT-1:0] light = LIGHT_BITS > 0 ? of_light[LIGHT-1:0] : 0;

    /* ---- memories ----------------------------------------------------------------------------- */
    wire [PLACE-1:0] first = BUCKET_BITS > 0 ? bucket * WAYS : 0;
    wire [ENTRY-1:0] word;
    ram #(.WIDTH(ENTRY), .DEPTH(ENTRIES)) entries (
        .clk(clk), .write((state == CLEAR && walk < ENTRIES) || (state == STORE && (found || free || leaving))),
        .write_address(state == CLEAR ? walk[PLACE-1:0] : first + chosen),
        .write_data(state == CLEAR ? {ENTRY{1'b0}} : next),
        .read_address(state == PEEK ? rd_address[PLACE+1:2] : first + way), .read_data(word));

    wire [COUNTER_BITS-1:0] votes, more_votes;
    reg [COUNTER_BITS-1:0] next_votes;
    ram #(.WIDTH(COUNTER_BITS), .DEPTH(1 << BUCKET_BITS)) votes_against (
        .clk(clk), .write((state == CLEAR && walk < 1 << BUCKET_BITS) || state == LIGHTEN),
        .write_address(state == CLEAR ? walk[BUCKET-1:0] : bucket),
        .write_data(state == CLEAR ? {COUNTER_BITS{1'b0}} : next_votes),
        .read_address(state == PEEK ? rd_address[BUCKET-1:0] : bucket), .read_data(votes));
    add_full #(.BITS(COUNTER_BITS), .MORE(WEIGHT_BITS)) voting (.count(votes), .more(weight), .sum(more_votes));

    wire [LIGHT_COUNTER-1:0] light_count, light_more;
    wire [GIVEN-1:0] count_given = kept[COUNTER_BITS-1:0], weight_given = weight;
    ram #(.WIDTH(LIGHT_COUNTER), .DEPTH(1 << LIGHT_BITS)) lights (
        .clk(clk), .write((state == CLEAR && walk < 1 << LIGHT_BITS) || state == LIGHTEN),
        .write_address(state == CLEAR ? walk[LIGHT-1:0] : light),
        .write_data(state == CLEAR ? {LIGHT_COUNTER{1'b0}} : light_more),
        .read_address(state == PEEK ? rd_address[LIGHT-1:0] : light), .read_data(light_count));
    add_full #(.BITS(LIGHT_COUNTER), .MORE(GIVEN)) lightening (
        .count(light_count), .more(leaving ? count_given : weight_given), .sum(light_more));

    /* ---- the entry ------------------------------------------------------------------------------ */
    wire [COUNTER_BITS-1:0] count = word[COUNTER_BITS-1:0], least = kept[COUNTER_BITS-1:0];
    wire same = word[ENTRY-1 -: 128] == {pc, value};
    wire [COUNTER_BITS+10:0] defended = least * LAMBDA;
    wire [COUNTER_BITS-1:0] grown;
    add_full #(.BITS(COUNTER_BITS), .MORE(WEIGHT_BITS)) growing (
        .count(found ? least : {COUNTER_BITS{1'b0}}), .more(weight), .sum(grown));

    /* ---- one event after the other --------------------------------------------------------------- */
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
        if (forget) begin
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
                leaving <= 0;
                found <= 0;
                free <= 0;
                way <= 0;
                if (in_weight != 0)
                    state <= HASHING;
            end
            HASHING: if (!start && &hashed)
                state <= SCAN;
            SCAN: begin /* the word is of way - 1 */
                way <= way + 1;
                if (way != 0 && (count == 0 || same || way == 1 || count < least)) begin
                    chosen <= way - 1;
                    kept <= word;
                    free <= count == 0;
                    found <= count != 0 && same;
                end
                if (way != 0 && (count == 0 || same || way == WAYS))
                    state <= RAISE;
            end
            RAISE: begin
                next <= {pc, value, found && kept[COUNTER_BITS], grown};
                state <= found || free ? STORE : VOTE;
            end
            VOTE: begin
                next_votes <= more_votes;
                if (defended > more_votes)
                    state <= LIGHTEN;
                else begin
                    next_votes <= 0;
                    next[COUNTER_BITS] <= 1;
                    leaving <= 1;
                    start <= 1;
                    state <= LEAVE;
                end
            end
            LEAVE: if (!start && hashed[1])
                state <= READ;
            READ: state <= LIGHTEN;
            LIGHTEN: state <= STORE;
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
