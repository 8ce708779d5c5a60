/* SPDX-License-Identifier: MIT */
/* A shelf (src/tables/sketches/top_list.h is the model): places with a tuple and a count, in a memory that is walked
 * through, a place a cycle. One walk finds the tuple's place and the one that counts least.
 *
 *     pc, value ──► = ──► found
 *                   ▲
 *     walk ──► | tuple (128) | data | ──► < least so far? ──► place, data
 *                   ▲           ▲
 *                   pc, value   put_data, or the count less `less`
 *
 * A tuple's data is as its owner likes, with the count at its low end. `seek` begins; with `done` there is
 *
 *     found   the tuple's place and its data
 *     fresh   it is not there, but a place is free: that one, with data 0
 *     else    the first of those that count least, and its data
 *
 * which stays until the next one. `put` writes the tuple and put_data to that place. `wear` takes `less`
 * from all counts.
 *
 * Cycles: seek up to ENTRIES + 2, wear ENTRIES + 2, put 1. Of a memory that is searched by content it
 * would be a few, for a comparator an entry. Read-out: while nothing is under way, place `peek` is at
 * peek_* a cycle later. */
module shelf #(
    parameter ENTRIES = 64,
    parameter COUNT_BITS = 32,
    parameter DATA_BITS = COUNT_BITS,
    parameter SLOT = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
    input clk,
    input rst,
    input seek,
    input put,
    input wear,
    input [63:0] pc,
    input [63:0] value,
    input [DATA_BITS-1:0] put_data,
    input [COUNT_BITS-1:0] less,
    output reg done,
    output reg found,
    output fresh,
    output [DATA_BITS-1:0] data,
    output reg [SLOT:0] used,
    input [SLOT-1:0] peek,
    output [63:0] peek_pc,
    output [63:0] peek_value,
    output [DATA_BITS-1:0] peek_data
);
    localparam WIDTH = 128 + DATA_BITS;
    localparam IDLE = 0, SCAN = 1, WEAR = 2;
    reg [1:0] state;
    reg [SLOT:0] walk;
    reg [SLOT-1:0] place;
    reg [DATA_BITS-1:0] kept;
    wire [WIDTH-1:0] word;
    wire [SLOT:0] arrived = walk - 1; /* whose word is there */
    wire [COUNT_BITS-1:0] count = word[COUNT_BITS-1:0];
    wire same = word[WIDTH-1 -: 128] == {pc, value};
    wire [COUNT_BITS-1:0] worn = count - less;
    reg [WIDTH-1:0] next;
    always @* begin
        next = word;
        next[COUNT_BITS-1:0] = worn;
        if (state != WEAR)
            next = {pc, value, put_data};
    end
    wire [SLOT-1:0] goal = fresh ? used[SLOT-1:0] : place;
    ram #(.WIDTH(WIDTH), .DEPTH(ENTRIES)) places (
        .clk(clk), .write(put || (state == WEAR && walk != 0)),
        .write_address(state == WEAR ? arrived[SLOT-1:0] : goal), .write_data(next),
        .read_address(state == IDLE ? peek : walk[SLOT-1:0]), .read_data(word));
    assign fresh = !found && used != ENTRIES;
    assign data = fresh ? {DATA_BITS{1'b0}} : kept;
    assign peek_pc = word[WIDTH-1 -: 64];
    assign peek_value = word[DATA_BITS +: 64];
    assign peek_data = word[DATA_BITS-1:0];

    always @(posedge clk) begin
        done <= 0;
        if (put && fresh)
            used <= used + 1;
        if (rst) begin
            state <= IDLE;
            used <= 0;
        end else case (state)
            IDLE: begin
                walk <= 0;
                if (seek) begin
                    found <= 0;
                    state <= SCAN;
                end else if (wear)
                    state <= WEAR;
            end
            SCAN: begin
                walk <= walk + 1;
                if (walk != 0 && (same || walk == 1 || count < kept[COUNT_BITS-1:0])) begin
                    place <= arrived[SLOT-1:0];
                    kept <= word[DATA_BITS-1:0];
                end
                if (walk != 0 && same)
                    found <= 1;
                if ((walk != 0 && same) || walk == used) begin
                    done <= 1;
                    state <= IDLE;
                end
            end
            WEAR: begin
                walk <= walk + 1;
                if (walk == used) begin
                    done <= 1;
                    state <= IDLE;
                end
            end
            default: state <= IDLE;
        endcase
    end
endmodule
