/* SPDX-License-Identifier: MIT */
/* HeavyKeeper (src/tables/sketches/heavykeeper.c is the model): counters with a fingerprint, which those who find
 * another's wear down with a chance that falls with the count; and a shelf with the names of the heaviest.
 *
 *     event ─┬─► hash of each row ──► | fingerprint | count | ──► one row after the other:
 *            │                              ▲                       empty    ours from now on
 *            │   chance_table ─► > random ──┤                       ours     count + weight
 *            │                              └───────────────────    another's, worn: count - weight
 *            └─► shelf: the tuple's place, a free one, or the least ◄── the largest count of its own
 *
 * A count whose tuple is not on the shelf does not grow above the least there. Another's is worn down if a
 * random number (random.v) is below the chance of its count, from a memory for counts up to 1023; above that
 * nothing is drawn. The walk through the shelf and the hash begin together.
 *
 * Cycles per event: 8 / LANES + 6, or ENTRIES + 6 where that is more; 3 for each row, and 137 for each that
 * is another's; 2 more. An event of weight 0 takes 1 and changes nothing. After rst it clears itself, a
 * bucket a cycle. Not here: how much weight found a counter full.
 *
 * Read-out: 0: places that are taken; 0x1000_0000 + 4i: place i: pc, value, count;
 * 0x2000_0000 + k << 24 + 2i: bucket i of row k: count, fingerprint. Configuration: 0x1_0000 + 256 k + i: byte i
 * of hash table k. */
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
    localparam CLEAR = 0, IDLE = 1, FIND = 2, READ = 3, MEET = 4, DRAW = 5, STORE = 6, NAME = 7, PEEK = 8;
    reg [3:0] state;
    reg [63:0] pc, value;
    reg [WEIGHT_BITS-1:0] weight;
    reg [INDEX_BITS:0] walk;
    reg [1:0] row; /* whose turn it is */
    reg start, sought, draw;
    reg [1:0] waited;
    wire forget = rst || (state == IDLE && clear);

    /* ---- rows of buckets ------------------------------------------------------------------- */
    wire [ROWS-1:0] hashed;
    wire [BUCKET*ROWS-1:0] held;
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
                .read_data(held[BUCKET*k +: BUCKET]));
        end
    endgenerate

    wire [FINGERPRINT-1:0] own;
    fold #(.WIDTH(64), .BITS(FINGERPRINT)) of_tuple (.word(pc ^ value), .folded(own));
    wire [BUCKET-1:0] bucket = held[BUCKET*row +: BUCKET];
    wire [COUNTER_BITS-1:0] met = bucket[COUNTER_BITS-1:0];
    wire ours = met != 0 && bucket[COUNTER_BITS +: FINGERPRINT] == own;
    wire [COUNTER_BITS-1:0] grown;
    add_full #(.BITS(COUNTER_BITS), .MORE(WEIGHT_BITS)) adding (
        .count(ours ? met : {COUNTER_BITS{1'b0}}), .more(weight), .sum(grown));
    wire [WIDE-1:0] wide_met = met, wide_weight = weight;
    wire survives = wide_weight < wide_met; /* being worn down */
    wire [COUNTER_BITS-1:0] worn = met - weight;

    wire drawn;
    wire [63:0] number, chance;
    random #(.SEED(SEED)) numbers (.clk(clk), .rst(forget), .go(draw), .bounded(1'b0), .limit(64'b0),
                                   .done(drawn), .number(number));
    wire [63:0] wide = met;
    chance_table chances (.clk(clk), .address(wide[9:0]), .word(chance));

    /* ---- names ------------------------------------------------------------------------------ */
    wire done, found, fresh;
    wire [COUNTER_BITS-1:0] count, peek_count;
    wire [63:0] peek_pc, peek_value;
    wire [SLOT:0] used;
    reg [COUNTER_BITS-1:0] estimate;
    wire full = !found && !fresh;
    wire [WIDE-1:0] above = estimate - count;
    wire named = found || fresh ? estimate > count : estimate > count && above <= wide_weight;
    shelf #(.ENTRIES(ENTRIES), .COUNT_BITS(COUNTER_BITS)) names (
        .clk(clk), .rst(forget), .seek(start), .put(state == NAME && named), .wear(1'b0),
        .pc(pc), .value(value), .put_data(estimate), .less({COUNTER_BITS{1'b0}}), .done(done),
        .found(found), .fresh(fresh), .data(count), .used(used), .peek(rd_address[SLOT+1:2]),
        .peek_pc(peek_pc), .peek_value(peek_value), .peek_data(peek_count));

    /* ---- one event after the other ---------------------------------------------------------- */
    assign in_ready = state == IDLE && !rd_valid && !clear;
    assign idle = state == IDLE;
    assign out_valid = 0;
    assign out_kind = 0;
    assign out_pc = 0;
    assign out_value = 0;
    assign out_count = 0;
    wire [BUCKET-1:0] peeked = held[BUCKET*rd_address[25:24] +: BUCKET];
    wire last = row == ROWS - 1;

    always @(posedge clk) begin
        start <= 0;
        draw <= 0;
        rd_done <= 0;
        if (forget) begin
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
                sought <= 0;
                row <= 0;
                estimate <= 0;
                if (in_weight != 0)
                    state <= FIND;
            end
            FIND: begin
                sought <= sought || done;
                if (!start && &hashed && (sought || done))
                    state <= READ;
            end
            READ: state <= MEET;
            MEET: begin
                next <= bucket;
                if (met == 0 || (ours && (!full || met <= count)))
                    next <= {own, grown};
                draw <= !ours && met != 0 && wide < 1024;
                state <= !ours && met != 0 && wide < 1024 ? DRAW : STORE;
            end
            DRAW: if (drawn) begin
                if (number < chance)
                    next <= survives ? {bucket[COUNTER_BITS +: FINGERPRINT], worn} : {own, grown};
                state <= STORE;
            end
            STORE: begin
                if (next[COUNTER_BITS +: FINGERPRINT] == own && next[COUNTER_BITS-1:0] > estimate)
                    estimate <= next[COUNTER_BITS-1:0];
                row <= row + !last;
                state <= last ? NAME : MEET;
            end
            NAME: state <= IDLE;
            PEEK: begin
                waited <= waited + 1;
                if (waited == 2) begin
                    rd_done <= 1;
                    case (rd_address[31:28])
                        0: rd_data <= used;
                        1: rd_data <= rd_address[1:0] == 0 ? peek_pc : rd_address[1:0] == 1 ? peek_value :
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
