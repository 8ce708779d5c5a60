/* SPDX-License-Identifier: MIT */
/* Space-Saving (src/tables/sketches/spacesaving.c is the model): a tuple that has no place takes that of the one
 * which counts least, with its count.
 *
 *     event ──► shelf: the tuple's place, a free one, or the least
 *                 │ error, count
 *                 └──► count + weight, up to its end; who is replaced leaves its count as the error
 *
 * Cycles per event: up to ENTRIES + 6; an event of weight 0 takes 1 and changes nothing. Not here: how much
 * weight found a counter full, which the model tells.
 *
 * Read-out: 0: places that are taken; 0x1000_0000 + 4i: place i: pc, value, count, error. */
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
    localparam IDLE = 0, SEEK = 1, PUT = 2, PEEK = 3;
    reg [1:0] state;
    reg [63:0] pc, value;
    reg [WEIGHT_BITS-1:0] weight;
    reg seek;
    reg [1:0] waited;
    wire done, found, fresh;
    wire [2*COUNTER_BITS-1:0] data, peek_data;
    wire [63:0] peek_pc, peek_value;
    wire [SLOT:0] used;
    wire [COUNTER_BITS-1:0] count = data[COUNTER_BITS-1:0], error = data[COUNTER_BITS +: COUNTER_BITS];
    wire [COUNTER_BITS-1:0] more;
    add_full #(.BITS(COUNTER_BITS), .MORE(WEIGHT_BITS)) adding (.count(count), .more(weight), .sum(more));
    shelf #(.ENTRIES(ENTRIES), .COUNT_BITS(COUNTER_BITS), .DATA_BITS(2 * COUNTER_BITS)) places (
        .clk(clk), .rst(rst || (state == IDLE && clear)), .seek(seek), .put(state == PUT), .wear(1'b0),
        .pc(pc), .value(value), .put_data({found || fresh ? error : count, more}),
        .less({COUNTER_BITS{1'b0}}), .done(done), .found(found), .fresh(fresh), .data(data),
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
        seek <= 0;
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
                seek <= in_weight != 0;
                if (in_weight != 0)
                    state <= SEEK;
            end
            SEEK: if (done)
                state <= PUT;
            PUT: state <= IDLE;
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
