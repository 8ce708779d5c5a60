// SPDX-License-Identifier: MIT
//
// Misra-Gries summary: a list of the most frequent tuples. When a new tuple does not fit, all
// counters are decremented.
//
// The C model is src/tables/sketches/misragries.c. If the tuple of an event is in the list, the
// event's weight is added to the tuple's count. A new tuple gets an empty slot. If the list is
// full, the minimum of the weight and of the smallest count is subtracted from all counts and from
// the weight. If weight remains, the tuple replaces the first slot whose count became 0. A tuple
// whose count became 0 stays in its slot until it is replaced, as in the model. Counts have
// COUNTER_BITS bits; the model stores them with the subtracted total. Counts saturate. The model
// also counts the weight that is lost by saturation; the hardware does not.
//
// Cycles per event: up to ENTRIES + 6, and ENTRIES + 3 more if counts are decremented. An event of
// weight 0 takes 1 cycle and changes nothing. The module sends no messages.
//
// Read-out: 0: number of used slots. 1: total that was subtracted from each count, the error
// bound. 2: events whose weight was consumed completely. 0x1000_0000 + 4i: pc, value and count of
// slot i.
//
//     event ──► top_list: slot of the tuple, empty one, or smallest
//                 │ count                          │ full
//                 └──► count + weight              └──► d = min(weight, smallest) from all counts

module misragries #(
    parameter ENTRIES = 256,
    parameter COUNTER_BITS = 32,
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
    localparam SLOT = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    localparam WIDE = COUNTER_BITS > WEIGHT_BITS ? COUNTER_BITS : WEIGHT_BITS;
    localparam IDLE = 0, FIND = 1, DECREMENT_ALL = 2, INSERT = 3, PEEK = 4;
    reg [2:0] state;
    reg [63:0] pc, value, subtracted, drops;
    reg [WEIGHT_BITS-1:0] weight; // remaining weight
    reg [COUNTER_BITS-1:0] decrement_amount;
    reg replacing;
    reg find, decrement;
    reg [1:0] waited;
    wire done, found, is_free;
    wire [COUNTER_BITS-1:0] count, sum, peek_count;
    wire [63:0] peek_pc, peek_value;
    wire [SLOT:0] used;
    wire [WIDE-1:0] wide_count = count, wide_weight = weight;
    wire weight_consumed = wide_weight <= wide_count; // the smallest count is at least the weight
    wire reset = rst || (state == IDLE && clear);
    saturating_add #(.BITS(COUNTER_BITS), .ADDEND_BITS(WEIGHT_BITS)) adding (
        .count(replacing ? {COUNTER_BITS{1'b0}} : count), .addend(weight), .sum(sum));
    top_list #(.ENTRIES(ENTRIES), .COUNT_BITS(COUNTER_BITS)) list (
        .clk(clk), .rst(reset), .find(find), .insert(state == INSERT), .decrement(decrement),
        .pc(pc), .value(value),
        .insert_data(sum), .decrement_by(decrement_amount), .done(done), .found(found),
        .is_free(is_free), .data(count),
        .used(used), .peek(rd_address[SLOT+1:2]), .peek_pc(peek_pc), .peek_value(peek_value),
        .peek_data(peek_count));

    assign in_ready = state == IDLE && !rd_valid && !clear;
    assign idle = state == IDLE;
    assign out_valid = 0;
    assign out_kind = 0;
    assign out_pc = 0;
    assign out_value = 0;
    assign out_count = 0;
    always @(posedge clk) begin
        find <= 0;
        decrement <= 0;
        rd_done <= 0;
        if (reset) begin
            state <= IDLE;
            subtracted <= 0;
            drops <= 0;
        end else case (state)
            IDLE: if (rd_valid && !rd_done) begin
                waited <= 0;
                state <= PEEK;
            end else if (in_valid && in_ready) begin
                pc <= in_pc;
                value <= in_value;
                weight <= in_weight;
                replacing <= 0;
                find <= in_weight != 0;
                if (in_weight != 0)
                    state <= FIND;
            end
            FIND: if (done) begin
                if (found || is_free || count == 0)
                    state <= INSERT;
                else begin
                    decrement_amount <= weight_consumed ? wide_weight[COUNTER_BITS-1:0] : count;
                    decrement <= 1;
                    state <= DECREMENT_ALL;
                end
            end
            DECREMENT_ALL: if (done) begin
                subtracted <= subtracted + decrement_amount;
                weight <= weight - decrement_amount;
                replacing <= 1;
                drops <= drops + weight_consumed;
                state <= weight_consumed ? IDLE : INSERT;
            end
            INSERT: state <= IDLE;
            PEEK: begin
                waited <= waited + 1;
                if (waited == 2) begin
                    rd_done <= 1;
                    rd_data <= rd_address[31:28] == 0 ? (rd_address[1:0] == 0 ? used :
                                                         rd_address[1:0] == 1 ? subtracted :
                                                             drops) :
                               rd_address[1:0] == 0 ? peek_pc : rd_address[1:0] == 1 ? peek_value :
                               peek_count;
                    state <= IDLE;
                end
            end
            default: state <= IDLE;
        endcase
    end
endmodule
