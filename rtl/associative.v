// SPDX-License-Identifier: MIT
//
// Associative table of a stream compressor (component `A` of a spec): exact counters of the most
// recently used tuples.
//
// The module has ENTRIES counters for each of 2^SET_BITS substreams. The C model is
// src/tables/compress/associative.c. The entries are in a RAM in order of use, the newest first.
// One entry is examined per cycle. First the module searches for the tuple, then it moves newer
// entries by one position. One comparator is enough: after another component of the compressor, the
// module gets only one of hundreds of events.
//
//   hit                            adds the count; the entry becomes the newest
//   hit, sum wider than WIDTH      sends the sum as a message; the entry is removed
//   miss, count wider than WIDTH   sends the count as a message
//   miss                           becomes the newest entry; if the set is full, the oldest one is
//                                  sent as a message
//
// Input and output use valid/ready. Cycles per event: at most 5 ENTRIES + 6, and 7 if the newest
// entry is hit again.
//
//     in_set ──► | newest | ... | oldest |   <pc, value, count>
//                   ▲
//                   └── the entry that is used now

module associative #(
    parameter ENTRIES = 16,
    parameter SET_BITS = 0,
    parameter WIDTH = 16,
    parameter COUNT_BITS = 40,
    parameter SET = SET_BITS > 0 ? SET_BITS : 1,
    parameter SLOT = $clog2(ENTRIES << SET_BITS) > 0 ? $clog2(ENTRIES << SET_BITS) : 1,
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
    input [SLOT-1:0] peek,
    output [127+WIDTH:0] peek_entry,
    input [SET-1:0] peek_set,
    output [USED-1:0] peek_used
);
    localparam ENTRY = 128 + WIDTH;
    localparam [COUNT_BITS-1:0] MOST = (64'd1 << WIDTH) - 1;
    localparam CLEAR = 0, IDLE = 1, READ_SIZE = 2, READ = 3, COMPARE = 4, MOVE_DOWN = 5,
               WRITE_DOWN = 6, WRITE_NEWEST = 7, READ_UP = 8, WRITE_UP = 9, WRITE_SIZE = 10,
               READ_DOWN = 11;
    reg [3:0] state;
    reg [SET-1:0] set;
    reg [63:0] pc, value;
    reg [COUNT_BITS-1:0] count;
    reg [USED-1:0] used, position; // position in the set; 0 is the newest entry
    reg [SET:0] walk;

    wire [SLOT-1:0] first = SET_BITS > 0 ? set * ENTRIES : 0;
    wire [ENTRY-1:0] word;
    wire [USED-1:0] stored_used;
    reg write;
    reg [SLOT-1:0] write_slot;
    reg [ENTRY-1:0] write_word;
    reg [USED-1:0] next_used;
    wire [SLOT-1:0] read_slot = state == IDLE ? peek : first + position;
    ram #(.WIDTH(ENTRY), .DEPTH(ENTRIES << SET_BITS)) entries (
        .clk(clk), .write(write), .write_address(write_slot), .write_data(write_word),
        .read_address(read_slot), .read_data(word));
    ram #(.WIDTH(USED), .DEPTH(1 << SET_BITS)) sizes (
        .clk(clk), .write(state == CLEAR || state == WRITE_SIZE),
        .write_address(state == CLEAR ? walk[SET-1:0] : set),
        .write_data(state == CLEAR ? {USED{1'b0}} : next_used),
        .read_address(state == IDLE && !in_valid ? peek_set : state == IDLE ? in_set : set),
        .read_data(stored_used));
    assign peek_entry = word;
    assign peek_used = stored_used;
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
                position <= 0;
                state <= READ_SIZE;
            end
            READ_SIZE: begin
                used <= stored_used;
                next_used <= stored_used;
                state <= stored_used == 0 ? MOVE_DOWN : READ;
                if (stored_used == 0 && too_wide) begin
                    out_pc <= pc;
                    out_value <= value;
                    out_count <= count;
                    out_valid <= 1;
                    state <= IDLE;
                end
            end
            READ: state <= COMPARE;
            COMPARE: if (hit && fits) begin
                count <= count + word_count;
                state <= MOVE_DOWN;
            end else if (hit) begin
                out_pc <= pc;
                out_value <= value;
                out_count <= count + word_count;
                out_valid <= 1;
                next_used <= used - 1;
                position <= position + 1;
                state <= position + 1 == used ? WRITE_SIZE : READ_UP;
            end else if (position + 1 != used) begin
                position <= position + 1;
                state <= READ;
            end else if (too_wide) begin
                out_pc <= pc;
                out_value <= value;
                out_count <= count;
                out_valid <= 1;
                state <= IDLE;
            end else begin // replaces the oldest entry, or adds one
                if (used == ENTRIES) begin
                    out_pc <= word[ENTRY-1 -: 64];
                    out_value <= word[WIDTH+63 -: 64];
                    out_count <= word_count;
                    out_valid <= 1;
                end else begin
                    next_used <= used + 1;
                    position <= used;
                end
                state <= MOVE_DOWN;
            end
            // Moves the entries before `position` back by one, the last one first.
            MOVE_DOWN: if (position == 0) begin
                if (used == 0)
                    next_used <= 1;
                state <= WRITE_NEWEST;
            end else begin
                position <= position - 1;
                state <= READ_DOWN;
            end
            READ_DOWN: state <= WRITE_DOWN; // reads the entry at `position`
            WRITE_DOWN: begin
                write <= 1;
                write_slot <= first + position + 1;
                write_word <= word;
                state <= MOVE_DOWN;
            end
            WRITE_NEWEST: begin
                write <= 1;
                write_slot <= first;
                write_word <= {pc, value, count[WIDTH-1:0]};
                state <= WRITE_SIZE;
            end
            // Moves the entries after the removed one forward by one.
            READ_UP: state <= WRITE_UP;
            WRITE_UP: begin
                write <= 1;
                write_slot <= first + position - 1;
                write_word <= word;
                position <= position + 1;
                state <= position + 1 == used ? WRITE_SIZE : READ_UP;
            end
            WRITE_SIZE: state <= IDLE;
            default: state <= IDLE;
        endcase
    end
endmodule
