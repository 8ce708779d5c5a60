/* SPDX-License-Identifier: MIT */
/* Misra-Gries (src/tables/sketches/misragries.c is the model): a tuple that finds no free place takes as much from
 * all counters as it weighs, or as the least has; what is left of the weight takes the first that is 0.
 *
 *     event ──► shelf: the tuple's place, a free one, or the least
 *                 │ count                          │ neither
 *                 └──► count + weight              └──► d = min(weight, least) from all ──► weight - d
 *
 * A tuple whose count fell to 0 stays written in its place until another takes that, as in the model. So
 * counts are no wider than the option says; the model keeps them with what was taken from all.
 *
 * Cycles per event: up to ENTRIES + 6, and ENTRIES + 3 more when something is taken from all; an event of
 * weight 0 takes 1 and changes nothing. Not here: how much weight found a counter full, which the model tells.
 *
 * Read-out: 0: places that are taken, 1: what was taken from all so far (no count is further below the
 * truth), 2: events that left nothing; 0x1000_0000 + 4i: place i: pc, value, count. */
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
    localparam IDLE = 0, SEEK = 1, WEAR = 2, PUT = 3, PEEK = 4;
    reg [2:0] state;
    reg [63:0] pc, value, gone, drops;
    reg [WEIGHT_BITS-1:0] weight; /* what is left of it */
    reg [COUNTER_BITS-1:0] taken;
    reg replaces;
    reg seek, wear;
    reg [1:0] waited;
    wire done, found, fresh;
    wire [COUNTER_BITS-1:0] count, more, peek_count;
    wire [63:0] peek_pc, peek_value;
    wire [SLOT:0] used;
    wire [WIDE-1:0] wide_count = count, wide_weight = weight;
    wire all = wide_weight <= wide_count; /* the least has as much */
    wire forget = rst || (state == IDLE && clear);
    add_full #(.BITS(COUNTER_BITS), .MORE(WEIGHT_BITS)) adding (
        .count(replaces ? {COUNTER_BITS{1'b0}} : count), .more(weight), .sum(more));
    shelf #(.ENTRIES(ENTRIES), .COUNT_BITS(COUNTER_BITS)) places (
        .clk(clk), .rst(forget), .seek(seek), .put(state == PUT), .wear(wear), .pc(pc), .value(value),
        .put_data(more), .less(taken), .done(done), .found(found), .fresh(fresh), .data(count),
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
        seek <= 0;
        wear <= 0;
        rd_done <= 0;
        if (forget) begin
            state <= IDLE;
            gone <= 0;
            drops <= 0;
        end else case (state)
            IDLE: if (rd_valid && !rd_done) begin
                waited <= 0;
                state <= PEEK;
            end else if (in_valid && in_ready) begin
                pc <= in_pc;
                value <= in_value;
                weight <= in_weight;
                replaces <= 0;
                seek <= in_weight != 0;
                if (in_weight != 0)
                    state <= SEEK;
            end
            SEEK: if (done) begin
                if (found || fresh || count == 0)
                    state <= PUT;
                else begin
                    taken <= all ? wide_weight[COUNTER_BITS-1:0] : count;
                    wear <= 1;
                    state <= WEAR;
                end
            end
            WEAR: if (done) begin
                gone <= gone + taken;
                weight <= weight - taken;
                replaces <= 1;
                drops <= drops + all;
                state <= all ? IDLE : PUT;
            end
            PUT: state <= IDLE;
            PEEK: begin
                waited <= waited + 1;
                if (waited == 2) begin
                    rd_done <= 1;
                    rd_data <= rd_address[31:28] == 0 ? (rd_address[1:0] == 0 ? used :
                                                         rd_address[1:0] == 1 ? gone : drops) :
                               rd_address[1:0] == 0 ? peek_pc : rd_address[1:0] == 1 ? peek_value :
                               peek_count;
                    state <= IDLE;
                end
            end
            default: state <= IDLE;
        endcase
    end
endmodule
