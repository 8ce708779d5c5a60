// SPDX-License-Identifier: MIT
//
// Count-min sketch and count sketch, with a top list of the tuples with the largest counts.
//
// The C models are src/tables/sketches/sketch.h, countmin.c and countsketch.c. An event updates one
// counter in each row, selected by the row's hash function. For count-min (SIGNED = 0,
// counter_update.v), the estimate is the minimum of these counters. For the count sketch (SIGNED =
// 1, signed_update.v), it is the median of signed counters, and one more bit of the hash is the
// sign. A tuple enters the top list if a slot is empty or if the tuple's estimate is above the
// smallest estimate in the list. The search of the list and the hash start together. The model also
// computes bounds and the weight lost by saturation; the hardware does not.
//
// Cycles per event: the larger of 8 / LANES + 7 and ENTRIES + 7. An event of weight 0 takes 1
// cycle and changes nothing. After reset the module clears its counters, one per cycle. It sends
// no messages.
//
// Read-out: 0: number of entries of the top list. 0x1000_0000 + 4i: pc, value and estimate of
// entry i. 0x2000_0000 + (k << 24) + i: counter i of row k, in COUNTER_BITS bits.
// Configuration: 0x1_0000 + 256 k + i: byte i of hash table k.
//
//     event ─┬─► hash 0 ──► | counters 0 | ──┐
//            ├─► hash 1 ──► | counters 1 | ──┼──► counter_update or signed_update ──► estimate
//            │                    ▲──────────┘                                           │
//            └─► top list: slot of the tuple, empty one, or smallest ◄───────────────────┘

module sketch #(
    parameter SIGNED = 0,
    parameter CONSERVATIVE = 0,
    parameter ROWS = 4,
    parameter INDEX_BITS = 9,
    parameter COUNTER_BITS = 32,
    parameter ENTRIES = 64,
    parameter WEIGHT_BITS = 32,
    parameter LANES = 2,
    parameter [2048*ROWS-1:0] BYTES = 0
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
    localparam HASH = INDEX_BITS + SIGNED;
    localparam CLEAR = 0, IDLE = 1, FIND = 2, READ = 3, UPDATE = 4, STORE = 5, PEEK = 6;
    reg [2:0] state;
    reg [63:0] pc, value;
    reg [WEIGHT_BITS-1:0] weight;
    reg [INDEX_BITS:0] walk;
    reg start, list_done;
    reg [1:0] waited;

    // ---- rows of counters ----
    wire [ROWS-1:0] hashed, negative;
    wire [COUNTER_BITS*ROWS-1:0] current, updated;
    reg [COUNTER_BITS*ROWS-1:0] next;
    wire [COUNTER_BITS-1:0] updated_estimate;
    reg [COUNTER_BITS-1:0] estimate;
    genvar k;
    generate
        for (k = 0; k < ROWS; k = k + 1) begin : row
            wire [HASH-1:0] index;
            hash #(.BITS(HASH), .LANES(LANES), .BYTES(BYTES[2048*k +: 2048])) hashing (
                .clk(clk), .rst(rst), .start(start), .pc(pc), .value(value), .done(hashed[k]),
                .index(index), .table_write(cfg_write && cfg_address[31:8] == 24'h100 + k),
                .table_address(cfg_address[7:0]), .table_data(cfg_data[7:0]));
            assign negative[k] = index[HASH-1];
            ram #(.WIDTH(COUNTER_BITS), .DEPTH(1 << INDEX_BITS)) counters (
                .clk(clk), .write(state == CLEAR || state == STORE),
                .write_address(state == CLEAR ? walk[INDEX_BITS-1:0] : index[INDEX_BITS-1:0]),
                .write_data(state == CLEAR ? {COUNTER_BITS{1'b0}} :
                next[COUNTER_BITS*k +: COUNTER_BITS]),
                .read_address(state == PEEK ? rd_address[INDEX_BITS-1:0] : index[INDEX_BITS-1:0]),
                .read_data(current[COUNTER_BITS*k +: COUNTER_BITS]));
        end
        if (SIGNED != 0) begin : signed_rows
            signed_update #(.ROWS(ROWS), .COUNTER_BITS(COUNTER_BITS),
                .WEIGHT_BITS(WEIGHT_BITS)) update (
                .current(current), .negative(negative), .weight(weight), .next(updated),
                .estimate(updated_estimate));
        end else begin : minimum
            counter_update #(.TABLES(ROWS), .COUNTER_BITS(COUNTER_BITS),
                .CONSERVATIVE(CONSERVATIVE),
                    .WEIGHT_BITS(WEIGHT_BITS)) update (
                .current(current), .weight(weight), .next(updated), .minimum(updated_estimate));
        end
    endgenerate

    // ---- top list ----
    wire done, found, is_free;
    wire [COUNTER_BITS-1:0] count, peek_count;
    wire [63:0] peek_pc, peek_value;
    wire [SLOT:0] used;
    wire enter_list = found || (is_free ? estimate != 0 : estimate > count);
    top_list #(.ENTRIES(ENTRIES), .COUNT_BITS(COUNTER_BITS)) list (
        .clk(clk), .rst(rst || state == CLEAR), .find(start), .insert(state == STORE && enter_list),
        .decrement(1'b0),
        .pc(pc), .value(value), .insert_data(estimate), .decrement_by({COUNTER_BITS{1'b0}}),
        .done(done),
        .found(found), .is_free(is_free), .data(count), .used(used), .peek(rd_address[SLOT+1:2]),
        .peek_pc(peek_pc), .peek_value(peek_value), .peek_data(peek_count));

    // ---- control ----
    assign in_ready = state == IDLE && !rd_valid && !clear;
    assign idle = state == IDLE;
    assign out_valid = 0;
    assign out_kind = 0;
    assign out_pc = 0;
    assign out_value = 0;
    assign out_count = 0;
    always @(posedge clk) begin
        start <= 0;
        rd_done <= 0;
        if (rst) begin
            state <= CLEAR;
            walk <= 0;
        end else case (state)
            CLEAR: begin
                walk <= walk + 1;
                if (walk == (1 << INDEX_BITS) - 1)
                    state <= IDLE;
            end
            IDLE: if (clear) begin
                walk <= 0;
                state <= CLEAR;
            end else if (rd_valid && !rd_done) begin
                waited <= 0;
                state <= PEEK;
            end else if (in_valid && in_ready) begin
                pc <= in_pc;
                value <= in_value;
                weight <= in_weight;
                start <= in_weight != 0;
                list_done <= 0;
                if (in_weight != 0)
                    state <= FIND;
            end
            FIND: begin
                list_done <= list_done || done;
                if (!start && &hashed && (list_done || done))
                    state <= READ;
            end
            READ: state <= UPDATE;
            UPDATE: begin
                next <= updated;
                estimate <= updated_estimate;
                state <= STORE;
            end
            STORE: state <= IDLE;
            PEEK: begin
                waited <= waited + 1;
                if (waited == 2) begin
                    rd_done <= 1;
                    case (rd_address[31:28])
                        0: rd_data <= used;
                        1: rd_data <= rd_address[1:0] == 0 ? peek_pc : rd_address[1:0] == 1 ?
                            peek_value :
                                      peek_count;
                        default: rd_data <= current[COUNTER_BITS*rd_address[27:24] +: COUNTER_BITS];
                    endcase
                    state <= IDLE;
                end
            end
            default: state <= IDLE;
        endcase
    end
endmodule
