// SPDX-License-Identifier: MIT
//
// Hot path table: a set-associative table of tuples with saturating counters.
//
// The C model is src/tables/paths/hpt.c. A hit adds the event's weight to the entry's counter. On a
// miss, the parameter REPLACE determines whether the new tuple replaces an entry of the set, and
// which one (the victim). An entry with count 0 is empty.
//
//   0  lfu   The entry with the smallest count is replaced; the new count is the weight.
//   1  lru   The least recently used entry is replaced; the new count is the weight.
//   2  age   The weight is subtracted from the smallest count. The entry is replaced only if its
//            count would become 0.
//
// The lowest way wins a tie. With lru, a memory holds the ranks of the ways of each set, 0 for the
// most recently used way. The set index is a fold of the pc, XORed with the rotated fold of the
// value unless INDEX_START is set. The model also tracks the error of each count; the hardware
// does not.
//
// Cycles per event: 2 to WAYS + 1 for the search, plus 3. An event of weight 0 takes 1 cycle and
// changes nothing. After reset the module clears its entries, one per cycle. It sends no messages.
//
// Read-out: 0x1000_0000 + 4i: pc, value, count and rank (lru only) of entry i, sets are
// consecutive.
//
//     pc, value ──► fold, rotate, ^ ──► set ──► | pc | value | count |   one way per cycle
//                                                 └──► hit: count + weight
//                                                 └──► miss: victim

module hpt #(
    parameter SET_BITS = 7,
    parameter WAYS = 4,
    parameter COUNTER_BITS = 32,
    parameter INDEX_START = 0, // 1: index from the pc only
    parameter ROTATE = 3,
    parameter REPLACE = 0,
    parameter WEIGHT_BITS = 32
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
    localparam SET = SET_BITS > 0 ? SET_BITS : 1;
    localparam ENTRIES = WAYS << SET_BITS;
    localparam SLOT = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    localparam WAY = WAYS > 1 ? $clog2(WAYS) : 1;
    localparam ENTRY = 128 + COUNTER_BITS;
    localparam [COUNTER_BITS-1:0] MOST = {COUNTER_BITS{1'b1}};
    localparam CLEAR = 0, IDLE = 1, SCAN = 2, DECIDE = 3, STORE = 4, PEEK = 5;

    reg [2:0] state;
    reg [63:0] pc, value;
    reg [WEIGHT_BITS-1:0] weight;
    reg [SLOT:0] walk;
    reg [WAY:0] way;            // way that is read next
    reg [WAY-1:0] victim;
    reg [ENTRY-1:0] chosen_entry;       // entry of the victim or of the hit
    reg found;
    reg [1:0] waited;
    reg [ENTRY-1:0] next;

    wire [SET-1:0] pc_index, value_index, set;
    fold #(.WIDTH(64), .BITS(SET_BITS)) fold_pc (.word(pc), .folded(pc_index));
    fold #(.WIDTH(64), .BITS(SET_BITS)) fold_value (.word(value), .folded(value_index));
    assign set = INDEX_START != 0 || SET_BITS == 0 ? pc_index :
                 pc_index ^ (value_index << ROTATE | value_index >> (SET - ROTATE));

    wire [SLOT-1:0] first = SET_BITS > 0 ? set * WAYS : 0;
    wire [ENTRY-1:0] word;
    ram #(.WIDTH(ENTRY), .DEPTH(ENTRIES)) entries (
        .clk(clk), .write(state == CLEAR || state == STORE),
        .write_address(state == CLEAR ? walk[SLOT-1:0] : first + victim),
        .write_data(state == CLEAR ? {ENTRY{1'b0}} : next),
        .read_address(state == PEEK ? rd_address[SLOT+1:2] : first + way[WAY-1:0]),
        .read_data(word));

    // ---- ranks ----
    wire [WAY-1:0] oldest;
    wire [WAY-1:0] peek_rank;
    generate
        if (REPLACE == 1) begin : lru
            // outside of the always block below, which would never be triggered for a constant
            wire [WAY*WAYS-1:0] initial_ranks;
            reg [WAY*WAYS-1:0] used;
            wire [WAY*WAYS-1:0] ranks;
            reg [WAY-1:0] last;
            integer w;
            always @* begin
                last = 0;
                for (w = 0; w < WAYS; w = w + 1) begin
                    if (ranks[WAY*w +: WAY] == WAYS - 1)
                        last = w;
                    used[WAY*w +: WAY] = w == victim ? {WAY{1'b0}} :
                        ranks[WAY*w +: WAY] < ranks[WAY*victim +: WAY] ?
                            ranks[WAY*w +: WAY] + 1'b1 :
                        ranks[WAY*w +: WAY];
                end
            end
            genvar f;
            for (f = 0; f < WAYS; f = f + 1) begin : ranking
                assign initial_ranks[WAY*f +: WAY] = WAYS - 1 - f;
            end
            assign oldest = last;
            wire [SLOT-1:0] peeked = rd_address[SLOT+1:2];
            wire [SET-1:0] peeked_set = peeked / WAYS;
            assign peek_rank = ranks[WAY*(peeked % WAYS) +: WAY];
            ram #(.WIDTH(WAY * WAYS), .DEPTH(1 << SET_BITS)) order (
                .clk(clk), .write(state == CLEAR || state == STORE),
                .write_address(state == CLEAR ? walk[SET-1:0] : set),
                .write_data(state == CLEAR ? initial_ranks : used),
                .read_address(state == PEEK ? peeked_set : set), .read_data(ranks));
        end else begin : counted
            assign oldest = 0;
            assign peek_rank = 0;
        end
    endgenerate

    // ---- control ----
    wire [COUNTER_BITS-1:0] count = word[COUNTER_BITS-1:0];
    wire hit = count != 0 && word[ENTRY-1 -: 64] == pc && word[COUNTER_BITS+63 -: 64] == value;
    wire [COUNTER_BITS-1:0] chosen_count = chosen_entry[COUNTER_BITS-1:0];
    wire is_candidate = way == 1 || (REPLACE == 1 ? way - 1 == oldest : count < chosen_count);
    function [COUNTER_BITS-1:0] saturating_sum(input [COUNTER_BITS-1:0] counter, input [63:0] more);
        saturating_sum = more > MOST - counter ? MOST : counter + more[COUNTER_BITS-1:0];
    endfunction

    assign in_ready = state == IDLE && !rd_valid && !clear;
    assign idle = state == IDLE;
    assign out_valid = 0;
    assign out_kind = 0;
    assign out_pc = 0;
    assign out_value = 0;
    assign out_count = 0;
    always @(posedge clk) begin
        rd_done <= 0;
        if (rst) begin
            state <= CLEAR;
            walk <= 0;
        end else case (state)
            CLEAR: begin
                walk <= walk + 1;
                if (walk == ENTRIES - 1)
                    state <= IDLE;
            end
            IDLE: begin
                way <= 0;
                found <= 0;
                if (clear) begin
                    walk <= 0;
                    state <= CLEAR;
                end else if (rd_valid && !rd_done) begin
                    waited <= 0;
                    state <= PEEK;
                end else if (in_valid && in_ready) begin
                    pc <= in_pc;
                    value <= in_value;
                    weight <= in_weight;
                    if (in_weight != 0)
                        state <= SCAN;
                end
            end
            SCAN: begin // the word that was read is way - 1
                way <= way + 1;
                if (way != 0 && (hit || is_candidate)) begin
                    victim <= way - 1;
                    chosen_entry <= word;
                    found <= hit;
                end
                if (way != 0 && (hit || way == WAYS))
                    state <= DECIDE;
            end
            DECIDE: begin
                if (found)
                    next <= {pc, value, saturating_sum(chosen_count, weight)};
                else if (REPLACE == 2 && chosen_count > weight)
                    next <= chosen_entry - weight; // the count is in the low bits
                else
                    next <= {pc, value, saturating_sum({COUNTER_BITS{1'b0}}, weight)};
                state <= STORE;
            end
            STORE: state <= IDLE;
            PEEK: begin
                waited <= waited + 1;
                if (waited == 2) begin
                    rd_done <= 1;
                    rd_data <= rd_address[1:0] == 0 ? word[ENTRY-1 -: 64] :
                               rd_address[1:0] == 1 ? word[COUNTER_BITS+63 -: 64] :
                               rd_address[1:0] == 2 ? count : peek_rank;
                    state <= IDLE;
                end
            end
            default: state <= IDLE;
        endcase
    end
endmodule
