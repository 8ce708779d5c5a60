// SPDX-License-Identifier: MIT
//
// Space-Saving summary: a list of the most frequent tuples. A new tuple replaces the tuple with the
// smallest count.
//
// The C model is src/tables/sketches/spacesaving.c. If the tuple of an event is in the list, the
// event's weight is added to the tuple's count. A new tuple gets an empty slot. If the list is
// full, the new tuple replaces the first tuple with the smallest count. Its count is the old count
// plus the weight, and the old count is stored as the error. Counts saturate. The model also counts
// the weight that is lost by saturation; the hardware does not.
//
// Cycles per event: up to ENTRIES + 6. An event of weight 0 takes 1 cycle and changes nothing. The
// module sends no messages.
//
// Read-out: 0: number of used slots. 0x1000_0000 + 4i: pc, value, count and error of slot i.
//
//     event ──► top_list: slot of the tuple, empty one, or smallest
//                 │ error, count
//                 └──► count + weight; a replaced count becomes the error

module spacesaving #(
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
    localparam IDLE = 0, FIND = 1, INSERT = 2, PEEK = 3;
    reg [1:0] state;
    reg [63:0] pc, value;
    reg [WEIGHT_BITS-1:0] weight;
    reg find;
    reg [1:0] waited;
    wire done, found, is_free;
    wire [2*COUNTER_BITS-1:0] data, peek_data;
    wire [63:0] peek_pc, peek_value;
    wire [SLOT:0] used;
    wire [COUNTER_BITS-1:0] count = data[COUNTER_BITS-1:0],
        error = data[COUNTER_BITS +: COUNTER_BITS];
    wire [COUNTER_BITS-1:0] sum;
    saturating_add #(.BITS(COUNTER_BITS), .ADDEND_BITS(WEIGHT_BITS)) adding (.count(count),
        .addend(weight), .sum(sum));
    top_list #(.ENTRIES(ENTRIES), .COUNT_BITS(COUNTER_BITS), .DATA_BITS(2 * COUNTER_BITS)) list (
        .clk(clk), .rst(rst || (state == IDLE && clear)), .find(find), .insert(state == INSERT),
        .decrement(1'b0),
        .pc(pc), .value(value), .insert_data({found || is_free ? error : count, sum}),
        .decrement_by({COUNTER_BITS{1'b0}}), .done(done), .found(found), .is_free(is_free),
        .data(data),
        .used(used), .peek(rd_address[SLOT+1:2]), .peek_pc(peek_pc), .peek_value(peek_value),
        .peek_data(peek_data));

    assign in_ready = state == IDLE && !rd_valid && !clear;
    assign idle = state == IDLE;
    assign out_valid = 0;
    assign out_kind = 0;
    assign out_pc = 0;
    assign out_value = 0;
    assign out_count = 0;
    always @(posedge clk) begin
        find <= 0;
        rd_done <= 0;
        if (rst)
            state <= IDLE;
        else case (state)
            IDLE: if (rd_valid && !rd_done && !clear) begin
                waited <= 0;
                state <= PEEK;
            end else if (in_valid && in_ready) begin
                pc <= in_pc;
                value <= in_value;
                weight <= in_weight;
                find <= in_weight != 0;
                if (in_weight != 0)
                    state <= FIND;
            end
            FIND: if (done)
                state <= INSERT;
            INSERT: state <= IDLE;
            PEEK: begin
                waited <= waited + 1;
                if (waited == 2) begin
                    rd_done <= 1;
                    rd_data <= rd_address[31:28] == 0 ? used : rd_address[1:0] == 0 ? peek_pc :
                               rd_address[1:0] == 1 ? peek_value :
                               rd_address[1:0] == 2 ? peek_data[COUNTER_BITS-1:0] :
                               peek_data[COUNTER_BITS +: COUNTER_BITS];
                    state <= IDLE;
                end
            end
        endcase
    end
endmodule
