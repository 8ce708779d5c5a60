// SPDX-License-Identifier: MIT
//
// HeavyKeeper: counters with fingerprints that decay, and a top list of the largest counts.
//
// The C model is src/tables/sketches/heavykeeper.c. A tuple has one bucket in each row. An empty
// bucket gets the tuple's fingerprint and the weight of the event. If the fingerprint of the bucket
// matches, the count increases by the weight. There is one exception: the count stays if the top
// list is full and does not contain the tuple, and the list's smallest count is below the count of
// the bucket. If the fingerprint does not match, the count decreases by the weight, with a
// probability that falls with the count. When the count reaches 0, the tuple takes the bucket. The
// estimate of the tuple is the largest count of its matching buckets. The top list stores the
// tuples with the largest estimates.
//
// The probabilities are in a memory for counts up to 1023; larger counts never decay. Rows are
// processed one after the other. The search of the top list and the hash start together. Counts
// saturate. The model also counts the weight that is lost by saturation; the hardware does not.
//
// Cycles per event: the larger of 8 / LANES + 6 and ENTRIES + 6; plus 3 per row and 137 for each
// row with another fingerprint; plus 2. An event of weight 0 takes 1 cycle and changes nothing.
// After reset the module clears its buckets, one per cycle. It sends no messages.
//
// Read-out: 0: number of entries of the top list. 0x1000_0000 + 4i: pc, value and count of entry
// i. 0x2000_0000 + (k << 24) + 2i: count and fingerprint of bucket i of row k.
// Configuration: 0x1_0000 + 256 k + i: byte i of hash table k.
//
//     event ─┬─► hash of each row ──► | fingerprint | count | ──► one row after the other:
//            │                              ▲                       empty      set
//            │   chance_table ─► > random ──┤                       match      count + weight
//            │                              └───────────────────    decay      count - weight
//            └─► top list: entry of the tuple, empty one, or smallest ◄── estimate

module heavykeeper #(
    parameter ROWS = 2,
    parameter INDEX_BITS = 9,
    parameter FINGERPRINT = 16,
    parameter COUNTER_BITS = 32,
    parameter ENTRIES = 64,
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
    localparam SLOT = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    localparam BUCKET = FINGERPRINT + COUNTER_BITS;
    localparam WIDE = COUNTER_BITS > WEIGHT_BITS ? COUNTER_BITS : WEIGHT_BITS;
    localparam CLEAR = 0, IDLE = 1, FIND = 2, READ = 3, COMPARE = 4, DRAW = 5, STORE = 6,
               UPDATE_LIST = 7, PEEK = 8;
    reg [3:0] state;
    reg [63:0] pc, value;
    reg [WEIGHT_BITS-1:0] weight;
    reg [INDEX_BITS:0] walk;
    reg [1:0] row; // row that is processed
    reg start, list_done, draw;
    reg [1:0] waited;
    wire reset = rst || (state == IDLE && clear);

    // ---- rows of buckets ----
    wire [ROWS-1:0] hashed;
    wire [BUCKET*ROWS-1:0] current;
    reg [BUCKET-1:0] next;
    genvar k;
    generate
        for (k = 0; k < ROWS; k = k + 1) begin : rows
            wire [INDEX_BITS-1:0] index;
            hash #(.BITS(INDEX_BITS), .LANES(LANES), .BYTES(BYTES[2048*k +: 2048])) hashing (
                .clk(clk), .rst(rst), .start(start), .pc(pc), .value(value), .done(hashed[k]),
                .index(index), .table_write(cfg_write && cfg_address[31:8] == 24'h100 + k),
                .table_address(cfg_address[7:0]), .table_data(cfg_data[7:0]));
            ram #(.WIDTH(BUCKET), .DEPTH(1 << INDEX_BITS)) buckets (
                .clk(clk), .write(state == CLEAR || (state == STORE && row == k)),
                .write_address(state == CLEAR ? walk[INDEX_BITS-1:0] : index),
                .write_data(state == CLEAR ? {BUCKET{1'b0}} : next),
                .read_address(state == PEEK ? rd_address[INDEX_BITS:1] : index),
                .read_data(current[BUCKET*k +: BUCKET]));
        end
    endgenerate

    wire [FINGERPRINT-1:0] fingerprint;
    fold #(.WIDTH(64), .BITS(FINGERPRINT)) fold_tuple (.word(pc ^ value), .folded(fingerprint));
    wire [BUCKET-1:0] bucket = current[BUCKET*row +: BUCKET];
    wire [COUNTER_BITS-1:0] bucket_count = bucket[COUNTER_BITS-1:0];
    wire match = bucket_count != 0 && bucket[COUNTER_BITS +: FINGERPRINT] == fingerprint;
    wire [COUNTER_BITS-1:0] increased;
    saturating_add #(.BITS(COUNTER_BITS), .ADDEND_BITS(WEIGHT_BITS)) adding (
        .count(match ? bucket_count : {COUNTER_BITS{1'b0}}), .addend(weight), .sum(increased));
    wire [WIDE-1:0] wide_count = bucket_count, wide_weight = weight;
    wire survives = wide_weight < wide_count; // the count stays above 0 after the decay
    wire [COUNTER_BITS-1:0] decremented = bucket_count - weight;

    wire drawn;
    wire [63:0] number, chance;
    random #(.SEED(SEED)) numbers (.clk(clk), .rst(reset), .go(draw), .bounded(1'b0), .limit(64'b0),
                                   .done(drawn), .number(number));
    wire [63:0] wide = bucket_count;
    chance_table chances (.clk(clk), .address(wide[9:0]), .word(chance));

    // ---- top list ----
    wire done, found, is_free;
    wire [COUNTER_BITS-1:0] count, peek_count;
    wire [63:0] peek_pc, peek_value;
    wire [SLOT:0] used;
    reg [COUNTER_BITS-1:0] estimate;
    wire full = !found && !is_free;
    wire [WIDE-1:0] above = estimate - count;
    wire enter_list = found || is_free ? estimate > count : estimate > count &&
        above <= wide_weight;
    top_list #(.ENTRIES(ENTRIES), .COUNT_BITS(COUNTER_BITS)) list (
        .clk(clk), .rst(reset), .find(start), .insert(state == UPDATE_LIST && enter_list),
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
    wire [BUCKET-1:0] peeked = current[BUCKET*rd_address[25:24] +: BUCKET];
    wire last = row == ROWS - 1;

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
                list_done <= 0;
                row <= 0;
                estimate <= 0;
                if (in_weight != 0)
                    state <= FIND;
            end
            FIND: begin
                list_done <= list_done || done;
                if (!start && &hashed && (list_done || done))
                    state <= READ;
            end
            READ: state <= COMPARE;
            COMPARE: begin
                next <= bucket;
                if (bucket_count == 0 || (match && (!full || bucket_count <= count)))
                    next <= {fingerprint, increased};
                draw <= !match && bucket_count != 0 && wide < 1024;
                state <= !match && bucket_count != 0 && wide < 1024 ? DRAW : STORE;
            end
            DRAW: if (drawn) begin
                if (number < chance)
                    next <= survives ? {bucket[COUNTER_BITS +: FINGERPRINT], decremented} :
                        {fingerprint, increased};
                state <= STORE;
            end
            STORE: begin
                if (next[COUNTER_BITS +: FINGERPRINT] == fingerprint &&
                    next[COUNTER_BITS-1:0] > estimate)
                    estimate <= next[COUNTER_BITS-1:0];
                row <= row + !last;
                state <= last ? UPDATE_LIST : COMPARE;
            end
            UPDATE_LIST: state <= IDLE;
            PEEK: begin
                waited <= waited + 1;
                if (waited == 2) begin
                    rd_done <= 1;
                    case (rd_address[31:28])
                        0: rd_data <= used;
                        1: rd_data <= rd_address[1:0] == 0 ? peek_pc : rd_address[1:0] == 1 ?
                            peek_value :
                                      peek_count;
                        default: rd_data <= rd_address[0] ? peeked[COUNTER_BITS +: FINGERPRINT] :
                                            peeked[COUNTER_BITS-1:0];
                    endcase
                    state <= IDLE;
                end
            end
            default: state <= IDLE;
        endcase
    end
endmodule
