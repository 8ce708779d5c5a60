// SPDX-License-Identifier: MIT
//
// Top list: a fixed number of slots, each with a tuple and its data, searched one slot per cycle.
//
// The C model is src/tables/sketches/top_list.h. The lowest COUNT_BITS bits of a slot's data are
// the count; the module that uses the list defines the other bits. `find` starts a search that
// finds the slot of the tuple and the slot with the smallest count in the same pass. With `done`,
// the result is selected and stays valid:
//
//     found     the slot of the tuple
//     is_free   the tuple is not in the list, and an empty slot is selected, with data 0
//     neither   the first slot with the smallest count
//
// `data` is the data of the selected slot. `insert` writes the tuple and insert_data to that slot
// in one cycle. `decrement` subtracts decrement_by from all counts. Cycles: find at most ENTRIES +
// 2, decrement ENTRIES + 2. A content-addressable memory would take a few cycles, with one
// comparator per slot. Read-out: while the list is idle, the peek_* outputs show slot `peek` with
// a latency of one cycle.
//
//     pc, value ──► = ──► found
//                   ▲
//     walk ──► | tuple (128) | data | ──► < smallest so far? ──► slot, data
//                   ▲           ▲
//                   pc, value   insert_data, or the count minus decrement_by

module top_list #(
    parameter ENTRIES = 64,
    parameter COUNT_BITS = 32,
    parameter DATA_BITS = COUNT_BITS,
    parameter SLOT = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
    input clk,
    input rst,
    input find,
    input insert,
    input decrement,
    input [63:0] pc,
    input [63:0] value,
    input [DATA_BITS-1:0] insert_data,
    input [COUNT_BITS-1:0] decrement_by,
    output reg done,
    output reg found,
    output is_free,
    output [DATA_BITS-1:0] data,
    output reg [SLOT:0] used,
    input [SLOT-1:0] peek,
    output [63:0] peek_pc,
    output [63:0] peek_value,
    output [DATA_BITS-1:0] peek_data
);
    localparam WIDTH = 128 + DATA_BITS;
    localparam IDLE = 0, SCAN = 1, DECREMENT = 2;
    reg [1:0] state;
    reg [SLOT:0] walk;
    reg [SLOT-1:0] slot;
    reg [DATA_BITS-1:0] slot_data;
    wire [WIDTH-1:0] word;
    wire [SLOT:0] compared_slot = walk - 1; // slot of the word that was read
    wire [COUNT_BITS-1:0] count = word[COUNT_BITS-1:0];
    wire match = word[WIDTH-1 -: 128] == {pc, value};
    wire [COUNT_BITS-1:0] decremented = count - decrement_by;
    reg [WIDTH-1:0] next;
    always @* begin
        next = word;
        next[COUNT_BITS-1:0] = decremented;
        if (state != DECREMENT)
            next = {pc, value, insert_data};
    end
    wire [SLOT-1:0] target_slot = is_free ? used[SLOT-1:0] : slot;
    ram #(.WIDTH(WIDTH), .DEPTH(ENTRIES)) slots (
        .clk(clk), .write(insert || (state == DECREMENT && walk != 0)),
        .write_address(state == DECREMENT ? compared_slot[SLOT-1:0] : target_slot),
        .write_data(next),
        .read_address(state == IDLE ? peek : walk[SLOT-1:0]), .read_data(word));
    assign is_free = !found && used != ENTRIES;
    assign data = is_free ? {DATA_BITS{1'b0}} : slot_data;
    assign peek_pc = word[WIDTH-1 -: 64];
    assign peek_value = word[DATA_BITS +: 64];
    assign peek_data = word[DATA_BITS-1:0];

    always @(posedge clk) begin
        done <= 0;
        if (insert && is_free)
            used <= used + 1;
        if (rst) begin
            state <= IDLE;
            used <= 0;
        end else case (state)
            IDLE: begin
                walk <= 0;
                if (find) begin
                    found <= 0;
                    state <= SCAN;
                end else if (decrement)
                    state <= DECREMENT;
            end
            SCAN: begin
                walk <= walk + 1;
                if (walk != 0 && (match || walk == 1 || count < slot_data[COUNT_BITS-1:0])) begin
                    slot <= compared_slot[SLOT-1:0];
                    slot_data <= word[DATA_BITS-1:0];
                end
                if (walk != 0 && match)
                    found <= 1;
                if ((walk != 0 && match) || walk == used) begin
                    done <= 1;
                    state <= IDLE;
                end
            end
            DECREMENT: begin
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
