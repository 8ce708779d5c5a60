/* SPDX-License-Identifier: MIT */
/* A<ENTRIES>, or one of them for each of 2^SET_BITS substreams: exact counters of the tuples that
 * were used last (src/tables/compress/associative.c is the model).
 *
 *     set ──► | newest | ... | oldest |   <pc, value, count> in a RAM, in the order of use
 *                ▲  a pass to find the tuple, then one to move those in front of it by one
 *                └── what was used now
 *
 *     hit                       its count goes up, it becomes the newest
 *     hit, beyond WIDTH bits    all of it leaves as a message; the rest closes up
 *     miss, a count too wide    passes through
 *     miss                      becomes the newest; with no room, the oldest leaves
 *
 * One tuple a cycle is looked at: cycles per message 5 ENTRIES + 6 at most, 7 where the newest is
 * hit again. As a second level it sees one event in hundreds, and a comparator for each entry
 * would be idle nearly always. Needs RAM alone, and takes messages by valid/ready. */
module associative #(
    parameter ENTRIES = 16,
    parameter SET_BITS = 0,
    parameter WIDTH = 16,
    parameter COUNT_BITS = 40,
    parameter SET = SET_BITS > 0 ? SET_BITS : 1,
    parameter PLACE = $clog2(ENTRIES << SET_BITS) > 0 ? $clog2(ENTRIES << SET_BITS) : 1,
    parameter USED = $clog2(ENTRIES + 1)
) (
    input clk,
    input rst,
    input in_valid,
    output in_ready,
    input [SET-1:0] in_set,
    input [63:0] in_pc,
    input [63:0] in_value,
    input [COUNT_BITS-1:0] in_count,
    output reg out_valid,
    input out_ready,
    output reg [63:0] out_pc,
    output reg [63:0] out_value,
    output reg [COUNT_BITS-1:0] out_count,
    input [PLACE-1:0] peek,
    output [127+WIDTH:0] peek_entry,
    input [SET-1:0] peek_set,
    output [USED-1:0] peek_used
);
    localparam ENTRY = 128 + WIDTH;
    localparam [COUNT_BITS-1:0] MOST = (64'd1 << WIDTH) - 1;
    localparam CLEAR = 0, IDLE = 1, SIZE = 2, LOOK = 3, LOOKED = 4, DOWN = 5, MOVED_DOWN = 6,
               FRONT = 7, UP = 8, MOVED_UP = 9, RESIZE = 10, FETCH = 11;
    reg [3:0] state;
    reg [SET-1:0] set;
    reg [63:0] pc, value;
    reg [COUNT_BITS-1:0] count;
    reg [USED-1:0] used, place; /* place: in the set, 0 is the newest */
    reg [SET:0] walk;

    wire [PLACE-1:0] first = SET_BITS > 0 ? set * ENTRIES : 0;
    wire [ENTRY-1:0] word;
    wire [USED-1:0] held;
    reg write;
    reg [PLACE-1:0] write_place;
    reg [ENTRY-1:0] write_word;
    reg [USED-1:0] next_used;
    wire [PLACE-1:0] read_place = state == IDLE ? peek : first + place;
    ram #(.WIDTH(ENTRY), .DEPTH(ENTRIES << SET_BITS)) entries (
        .clk(clk), .write(write), .write_address(write_place), .write_data(write_word),
        .read_address(read_place), .read_data(word));
    ram #(.WIDTH(USED), .DEPTH(1 << SET_BITS)) sizes (
        .clk(clk), .write(state == CLEAR || state == RESIZE),
        .write_address(state == CLEAR ? walk[SET-1:0] : set),
        .write_data(state == CLEAR ? {USED{1'b0}} : next_used),
        .read_address(state == IDLE && !in_valid ? peek_set : state == IDLE ? in_set : set),
        .read_data(held));
    assign peek_entry = word;
    assign peek_used = held;
    assign in_ready = state == IDLE && !out_valid;

    wire [WIDTH-1:0] word_count = word[WIDTH-1:0];
    wire hit = word[ENTRY-1 -: 64] == pc && word[WIDTH+63 -: 64] == value;
    wire too_wide = count > MOST;
    wire fits = count <= MOST && word_count <= MOST - count;
    always @(posedge clk) begin
        write <= 0;
        if (out_valid && out_ready)
            out_valid <= 0;
        if (rst) begin
            state <= CLEAR;
            walk <= 0;
            out_valid <= 0;
        end else case (state)
            CLEAR: begin
                walk <= walk + 1;
                if (walk == (1 << SET_BITS) - 1)
                    state <= IDLE;
            end
            IDLE: if (in_valid && in_ready) begin
                set <= in_set;
                pc <= in_pc;
                value <= in_value;
                count <= in_count;
                place <= 0;
                state <= SIZE;
            end
            SIZE: begin
                used <= held;
                next_used <= held;
                state <= held == 0 ? DOWN : LOOK;
                if (held == 0 && too_wide) begin
                    out_pc <= pc;
                    out_value <= value;
                    out_count <= count;
                    out_valid <= 1;
                    state <= IDLE;
                end
            end
            LOOK: state <= LOOKED;
            LOOKED: if (hit && fits) begin
                count <= count + word_count;
                state <= DOWN;
            end else if (hit) begin
                out_pc <= pc;
                out_value <= value;
                out_count <= count + word_count;
                out_valid <= 1;
                next_used <= used - 1;
                place <= place + 1;
                state <= place + 1 == used ? RESIZE : UP;
            end else if (place + 1 != used) begin
                place <= place + 1;
                state <= LOOK;
            end else if (too_wide) begin
                out_pc <= pc;
                out_value <= value;
                out_count <= count;
                out_valid <= 1;
                state <= IDLE;
            end else begin /* the oldest leaves, or there is one more */
                if (used == ENTRIES) begin
                    out_pc <= word[ENTRY-1 -: 64];
                    out_value <= word[WIDTH+63 -: 64];
                    out_count <= word_count;
                    out_valid <= 1;
                end else begin
                    next_used <= used + 1;
                    place <= used;
                end
                state <= DOWN;
            end
            /* Those in front of `place` move by one, the last first. */
            DOWN: if (place == 0) begin
                if (used == 0)
                    next_used <= 1;
                state <= FRONT;
            end else begin
                place <= place - 1;
                state <= FETCH;
            end
            FETCH: state <= MOVED_DOWN; /* the word of `place` is being read */
            MOVED_DOWN: begin
                write <= 1;
                write_place <= first + place + 1;
                write_word <= word;
                state <= DOWN;
            end
            FRONT: begin
                write <= 1;
                write_place <= first;
                write_word <= {pc, value, count[WIDTH-1:0]};
                state <= RESIZE;
            end
            /* Those behind the one that left close up. */
            UP: state <= MOVED_UP;
            MOVED_UP: begin
                write <= 1;
                write_place <= first + place - 1;
                write_word <= word;
                place <= place + 1;
                state <= place + 1 == used ? RESIZE : UP;
            end
            RESIZE: state <= IDLE;
            default: state <= IDLE;
        endcase
    end
endmodule
