// SPDX-License-Identifier: MIT
//
// Tagged table of a stream compressor (component `T` of a spec): counts events by short tags in a
// set-associative memory.
//
// The spec is T<TAG_BITS>/<RATE>x<n>w<WAYS>, and the C model is src/tables/compress/tagged.c. The
// tag and the set are hashes of the tuple; the tuple itself is not stored. The module searches the
// set for an entry with the same tag. If there is none, it selects the first empty entry, or, if no
// entry is empty, the first entry with the fewest hits. The selected entry counts the hit or the
// miss. If the event causes a message, `count` is the count in the message. Otherwise it is 0.
//
// `go` starts with the inputs, which must stay stable until `done`. Cycles per event: WAYS + 4,
// fewer if the tag is found early. After reset the module clears its entries, one per cycle.
// Read-out: peek_entry shows entry `peek` while the module is idle.
//
//     set_index ──► | valid | misses (3) | tag | hits |   one way per cycle
//                     └──► selected entry
//                            └──► hits, misses ──► message due? ──► count

module tagged_table #(
    parameter SET_BITS = 10,
    parameter WAYS = 2,
    parameter TAG_BITS = 2,
    parameter [31:0] RATE = 256,
    parameter WEIGHT_BITS = 1,
    parameter COUNT_BITS = 40,
    parameter HIT_BITS = 8,
    parameter SET = SET_BITS > 0 ? SET_BITS : 1,
    parameter ENTRY = $clog2(WAYS << SET_BITS) > 0 ? $clog2(WAYS << SET_BITS) : 1
) (
    input clk,
    input rst,
    input go,
    input [SET-1:0] set_index,
    input [TAG_BITS-1:0] tag,
    input [WEIGHT_BITS-1:0] weight,
    output reg done,
    output reg [COUNT_BITS-1:0] count, // 0: no message
    output ready,
    input [ENTRY-1:0] peek,
    output [HIT_BITS+TAG_BITS+3:0] peek_entry
);
    localparam WIDTH = HIT_BITS + TAG_BITS + 4;
    localparam SUM = (HIT_BITS > WEIGHT_BITS ? HIT_BITS : WEIGHT_BITS) + 4;
    localparam CLEAR = 0, IDLE = 1, SCAN = 2, UPDATE = 3, STORE = 4;
    localparam ENTRIES = WAYS << SET_BITS;
    reg [2:0] state;
    reg [ENTRY:0] walk;
    reg [7:0] way;
    reg [7:0] chosen;
    reg [HIT_BITS:0] fewest;
    reg [WIDTH-1:0] entry, store;
    wire [WIDTH-1:0] word;
    wire [ENTRY-1:0] first = SET_BITS > 0 ? set_index * WAYS : 0;
    wire [ENTRY-1:0] written = state == CLEAR ? walk[ENTRY-1:0] : first + chosen;
    wire [ENTRY-1:0] read_slot = state == IDLE && !go ? peek : first + way;
    ram #(.WIDTH(WIDTH), .DEPTH(ENTRIES)) entries (
        .clk(clk), .write(state == CLEAR || state == STORE), .write_address(written),
        .write_data(state == CLEAR ? {WIDTH{1'b0}} : store), .read_address(read_slot),
        .read_data(word));
    assign peek_entry = word;
    assign ready = state == IDLE;

    wire word_valid = word[WIDTH-1];
    wire [TAG_BITS-1:0] word_tag = word[HIT_BITS +: TAG_BITS];
    wire [HIT_BITS-1:0] word_hits = word_valid ? word[HIT_BITS-1:0] : {HIT_BITS{1'b0}};
    wire found = word_valid && word_tag == tag;

    // Transition of the selected entry.
    wire valid = entry[WIDTH-1];
    wire [SUM-1:0] hits = entry[HIT_BITS-1:0];
    wire [SUM-1:0] misses = entry[HIT_BITS+TAG_BITS +: 3];
    wire other = valid && entry[HIT_BITS +: TAG_BITS] != tag;
    wire [SUM-1:0] more_misses = misses + weight;
    wire keep_tag = other && more_misses < 7 && hits >= 2 * more_misses;
    wire [SUM-1:0] next_hits = other ? hits + more_misses : hits + weight;
    wire [2:0] next_misses = other ? 3'd0 : misses[2:0];
    wire [2:0] times = next_misses == 0 ? 3'd1 : next_misses < 4 ? next_misses : 3'd4;
    wire due = times * next_hits >= RATE;
    always @(posedge clk) begin
        done <= 0;
        if (rst) begin
            state <= CLEAR;
            walk <= 0;
            way <= 0;
        end else case (state)
            CLEAR: begin
                walk <= walk + 1;
                if (walk == ENTRIES - 1)
                    state <= IDLE;
            end
            IDLE: begin
                way <= 0;
                fewest <= {1'b1, {HIT_BITS{1'b0}}};
                if (go) begin
                    count <= 0;
                    way <= 1;
                    state <= SCAN;
                end
            end
            SCAN: begin // the word that was read is way - 1
                way <= way + 1;
                if (found || word_hits < fewest) begin
                    chosen <= way - 1;
                    fewest <= word_hits;
                    entry <= word;
                end
                if (found || way == WAYS) begin
                    way <= 0;
                    state <= UPDATE;
                end
            end
            UPDATE: begin
                if (keep_tag)
                    store <= {1'b1, more_misses[2:0], entry[HIT_BITS +: TAG_BITS],
                        hits[HIT_BITS-1:0]};
                else if (!due)
                    store <= {1'b1, next_misses, tag, next_hits[HIT_BITS-1:0]};
                else begin
                    store <= next_misses; // misses are carried as hits
                    count <= next_hits;
                end
                state <= STORE;
            end
            STORE: begin
                done <= 1;
                state <= IDLE;
            end
            default: state <= IDLE;
        endcase
    end
endmodule
