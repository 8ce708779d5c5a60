// SPDX-License-Identifier: MIT
//
// CocoSketch: several rows of buckets, each of which stores a tuple and a count.
//
// The C model is src/tables/sketches/cocosketch.c. A tuple has one bucket in each row, selected by
// the row's hash function. If one of these buckets stores the tuple, its count increases by the
// event's weight. Otherwise the weight is added to the smallest count of these buckets (in the
// first row on a tie), and the tuple replaces the tuple of that bucket with the probability weight
// / new count. Counts saturate. The model also counts the weight that is lost by saturation; the
// hardware does not.
//
// Cycles per event: 8 / LANES + 7, and 201 more if no bucket holds the tuple, for the random
// number (random.v). An event of weight 0 takes 1 cycle and changes nothing. After reset the
// module clears its buckets, one per cycle. It sends no messages.
//
// Read-out: 0x2000_0000 + (k << 24) + 4i: pc, value and count of bucket i of row k.
// Configuration: 0x1_0000 + 256 k + i: byte i of hash table k.
//
//     event ──► hash of each row ──► | tuple (128) | count | ──► hit, or smallest ──► + weight ──┐
//                                           ▲                                                    │
//                                           └── tuple, if random below the new count < weight ◄──┘

module cocosketch #(
    parameter ROWS = 2,
    parameter INDEX_BITS = 8,
    parameter COUNTER_BITS = 32,
    parameter WEIGHT_BITS = 32,
    parameter LANES = 2,
    parameter [63:0] SEED = 1,
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
    localparam INDEX = INDEX_BITS > 0 ? INDEX_BITS : 1;
    localparam BUCKET = 128 + COUNTER_BITS;
    localparam CLEAR = 0, IDLE = 1, HASHING = 2, READ = 3, PICK = 4, ADD = 5, DRAW = 6, STORE = 7,
               PEEK = 8;
    reg [3:0] state;
    reg [63:0] pc, value;
    reg [WEIGHT_BITS-1:0] weight;
    reg [INDEX:0] walk;
    reg start, draw;
    reg [1:0] waited;
    wire reset = rst || (state == IDLE && clear);

    wire [ROWS-1:0] hashed;
    wire [BUCKET*ROWS-1:0] current;
    reg [BUCKET-1:0] next;
    reg [1:0] row; // the row that is written
    reg hit;
    genvar k;
    generate
        for (k = 0; k < ROWS; k = k + 1) begin : rows
            wire [INDEX-1:0] index;
            hash #(.BITS(INDEX_BITS), .LANES(LANES), .BYTES(BYTES[2048*k +: 2048])) hashing (
                .clk(clk), .rst(rst), .start(start), .pc(pc), .value(value), .done(hashed[k]),
                .index(index), .table_write(cfg_write && cfg_address[31:8] == 24'h100 + k),
                .table_address(cfg_address[7:0]), .table_data(cfg_data[7:0]));
            ram #(.WIDTH(BUCKET), .DEPTH(1 << INDEX_BITS)) buckets (
                .clk(clk), .write(state == CLEAR || (state == STORE && row == k)),
                .write_address(state == CLEAR ? walk[INDEX-1:0] : index),
                .write_data(state == CLEAR ? {BUCKET{1'b0}} : next),
                .read_address(state == PEEK ? rd_address[INDEX+1:2] : index),
                .read_data(current[BUCKET*k +: BUCKET]));
        end
    endgenerate

    // Selects the first row with the tuple, else the first row with the smallest count.
    reg [1:0] chosen;
    reg any_hit;
    integer r;
    always @* begin
        chosen = 0;
        any_hit = 0;
        for (r = 1; r < ROWS; r = r + 1)
            if (current[BUCKET*r +: COUNTER_BITS] < current[BUCKET*chosen +: COUNTER_BITS])
                chosen = r;
        for (r = ROWS - 1; r >= 0; r = r - 1)
            if (current[BUCKET*r +: COUNTER_BITS] != 0 &&
                current[BUCKET*r + COUNTER_BITS +: 128] == {pc, value}) begin
                chosen = r;
                any_hit = 1;
            end
    end
    wire [COUNTER_BITS-1:0] sum;
    saturating_add #(.BITS(COUNTER_BITS), .ADDEND_BITS(WEIGHT_BITS)) adding (
        .count(next[COUNTER_BITS-1:0]), .addend(weight), .sum(sum));
    wire drawn;
    wire [63:0] number;
    wire [63:0] limit = next[COUNTER_BITS-1:0];
    random #(.SEED(SEED)) numbers (.clk(clk), .rst(reset), .go(draw), .bounded(1'b1), .limit(limit),
                                   .done(drawn), .number(number));

    assign in_ready = state == IDLE && !rd_valid && !clear;
    assign idle = state == IDLE;
    assign out_valid = 0;
    assign out_kind = 0;
    assign out_pc = 0;
    assign out_value = 0;
    assign out_count = 0;
    wire [BUCKET-1:0] peeked = current[BUCKET*rd_address[25:24] +: BUCKET];
    always @(posedge clk) begin
        start <= 0;
        draw <= 0;
        rd_done <= 0;
        if (reset) begin
            state <= CLEAR;
            walk <= 0;
        end else case (state)
            CLEAR: begin
                walk <= walk + 1;
                if (walk == (1 << INDEX_BITS) - 1)
                    state <= IDLE;
            end
            IDLE: if (rd_valid && !rd_done) begin
                waited <= 0;
                state <= PEEK;
            end else if (in_valid && in_ready) begin
                pc <= in_pc;
                value <= in_value;
                weight <= in_weight;
                start <= in_weight != 0;
                if (in_weight != 0)
                    state <= HASHING;
            end
            HASHING: if (!start && &hashed)
                state <= READ;
            READ: state <= PICK;
            PICK: begin
                row <= chosen;
                hit <= any_hit;
                next <= current[BUCKET*chosen +: BUCKET];
                state <= ADD;
            end
            ADD: begin
                next[COUNTER_BITS-1:0] <= sum;
                draw <= !hit;
                state <= hit ? STORE : DRAW;
            end
            DRAW: if (drawn) begin
                if (number < weight)
                    next[BUCKET-1 -: 128] <= {pc, value};
                state <= STORE;
            end
            STORE: state <= IDLE;
            PEEK: begin
                waited <= waited + 1;
                if (waited == 2) begin
                    rd_done <= 1;
                    rd_data <= rd_address[1:0] == 0 ? peeked[BUCKET-1 -: 64] :
                               rd_address[1:0] == 1 ? peeked[COUNTER_BITS +: 64] :
                                   peeked[COUNTER_BITS-1:0];
                    state <= IDLE;
                end
            end
            default: state <= IDLE;
        endcase
    end
endmodule
