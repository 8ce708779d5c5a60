/* SPDX-License-Identifier: MIT */
/* The interval profilers, single-hash and multi-hash (src/tables/interval/interval_table.h is the model).
 *
 *     event ──► accumulator: found? its count goes up
 *                 │ no
 *               hash 0 ──► | counters 0 | ──┐
 *               hash 1 ──► | counters 1 | ──┼──► least ──► raised ──► all >= T? ──► accumulator
 *               ...                         │                │        (promoted)
 *                    ▲──────────────────────┴────────────────┘
 *
 * APPROXIMATE: counters count with a chance that falls as they grow, and what they stand for is compared with T
 * (approximate_raise.v, in the place of raise.v).
 *
 * The hash begins with the look-up and is let go when the tuple is found. Cycles per event: 6
 * when it is found; else 8 / LANES + 6, and 5 more for a promotion (ENTRIES + 7 when that has to
 * search for an entry to replace). With WAYS the accumulator is in sets, by the hash of the first
 * table, which has to come first: 8 / LANES + WAYS + 6 when it is found, 3 more when it is not, and
 * WAYS + 6 more for a promotion; APPROXIMATE what approximate_raise.v says. The end of an interval takes 2 cycles for each entry of the
 * accumulator, as long as messages have to wait, and 2^INDEX_BITS to clear the counters.
 *
 * Messages: at the end of an interval each candidate <pc, value, count>, then one with out_kind
 * = 1: the interval's number, its dropped promotions, its weight. An event of weight 0 counts as
 * an event and changes nothing.
 *
 * What the model has and this has not: bounds of the counts. Counts have
 * COUNT_BITS, which the generator makes wide enough for LENGTH and the largest weight, so they do
 * not overflow. `drops` of an interval stop at their end.
 *
 * Read-out (rd_*), between two events; the answer is there after 4 cycles:
 *     0x0000_0000 + i   0 events of the interval, 1 its weight, 2 its drops, 3 its number,
 *                       4 T, 5 its length
 *     0x1000_0000 + 4i  entry i of the accumulator: pc, value, count, {used, retained}
 *     0x2000_0000 + k << 24 + i   counter i of table k
 * Configuration (cfg_*): 0 T, 1 length; 0x1_0000 + 256 k + i: byte i of hash table k. */
module multihash #(
    parameter TABLES = 4,
    parameter INDEX_BITS = 9,
    parameter COUNTER_BITS = 24,
    parameter COUNT_BITS = 24,
    parameter WEIGHT_BITS = 1,
    parameter ENTRIES = 100,
    parameter WAYS = 0, /* of the accumulator; 0: fully associative */
    parameter CONSERVATIVE = 1,
    parameter APPROXIMATE = 0,
    parameter LEVEL_BITS = 8,      /* of counters that count approximately, */
    parameter EVENT_BITS = 8,      /* of what they stand for, */
    parameter [31:0] TOP = 255,    /* and where they end */
    parameter [63:0] SEED = 1,
    parameter RESET = 0,
    parameter RETAIN = 1,
    parameter LANES = 2,
    parameter [63:0] LENGTH = 10000,
    parameter [63:0] THRESHOLD = 100,
    parameter [2048*TABLES-1:0] BYTES = 0
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
    localparam SLOT = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    localparam SET = WAYS != 0 && ENTRIES > WAYS ? $clog2(ENTRIES / WAYS) : 1;
    localparam [INDEX:0] LAST = (1 << INDEX_BITS) - 1;
    localparam LOOK = 0, CLAIM = 1, END = 2, WIPE = 3; /* of the accumulator */
    localparam IDLE = 0, LOOKING = 1, HASHING = 2, READ = 3, RAISE = 4, STORE = 5, CLAIMING = 6,
               CHECK = 7, ENDING = 8, MARK = 9, ZERO = 10, WIPING = 11, PEEK = 12, RAISING = 13;

    reg [3:0] state;
    reg [63:0] pc, value;
    reg [WEIGHT_BITS-1:0] weight;
    reg [COUNT_BITS-1:0] sum;       /* of the interval's weights */
    reg [63:0] events;              /* of the interval */
    reg [63:0] number;
    reg [31:0] drops;
    reg [COUNT_BITS-1:0] length, threshold;
    reg [INDEX:0] walk;
    reg [COUNT_BITS-1:0] next_least;
    reg [1:0] waited;

    wire [INDEX*TABLES-1:0] index; /* of the tuple's counters */

    /* ---- accumulator ----------------------------------------------------------------- */
    reg go;
    reg [1:0] op;
    wire done, ok, entry_valid;
    wire [63:0] entry_pc, entry_value, peek_pc, peek_value;
    wire [COUNT_BITS-1:0] entry_count, peek_count;
    wire [1:0] peek_flags;
    wire [COUNT_BITS-1:0] amount = op == CLAIM ? next_least : weight;
    generate
        if (WAYS == 0) begin : associative
            accumulator #(.ENTRIES(ENTRIES), .COUNT_BITS(COUNT_BITS), .RETAIN(RETAIN)) entries (
                .clk(clk), .rst(rst), .go(go), .op(op), .pc(pc), .value(value), .amount(amount),
                .threshold(threshold), .done(done), .ok(ok), .out_valid(entry_valid),
                .out_ready(out_ready), .out_pc(entry_pc), .out_value(entry_value),
                .out_count(entry_count), .peek(rd_address[SLOT+1:2]), .peek_pc(peek_pc),
                .peek_value(peek_value), .peek_count(peek_count), .peek_flags(peek_flags));
        end else begin : in_sets
            accumulator_sets #(.ENTRIES(ENTRIES), .WAYS(WAYS), .COUNT_BITS(COUNT_BITS),
                               .RETAIN(RETAIN)) entries (
                .clk(clk), .rst(rst), .go(go), .op(op), .set(index[SET-1:0]), .pc(pc), .value(value), .amount(amount),
                .threshold(threshold), .done(done), .ok(ok), .out_valid(entry_valid),
                .out_ready(out_ready), .out_pc(entry_pc), .out_value(entry_value),
                .out_count(entry_count), .peek(rd_address[SLOT+1:2]), .peek_pc(peek_pc),
                .peek_value(peek_value), .peek_count(peek_count), .peek_flags(peek_flags));
        end
    endgenerate

    /* ---- tables of counters ------------------------------------------------------------ */
    reg start, store;
    wire [TABLES-1:0] hashed;
    wire [COUNTER_BITS*TABLES-1:0] held;
    reg [COUNTER_BITS*TABLES-1:0] next;
    genvar k;
    generate
        for (k = 0; k < TABLES; k = k + 1) begin : bank
            hash #(.BITS(INDEX_BITS), .LANES(LANES), .BYTES(BYTES[2048*k +: 2048])) hashing (
                .clk(clk), .rst(rst), .start(start), .pc(pc), .value(value), .done(hashed[k]),
                .index(index[INDEX*k +: INDEX]),
                .table_write(cfg_write && cfg_address[31:8] == 24'h100 + k),
                .table_address(cfg_address[7:0]), .table_data(cfg_data[7:0]));
            ram #(.WIDTH(COUNTER_BITS), .DEPTH(1 << INDEX_BITS)) counters (
                .clk(clk), .write(state == ZERO || store),
                .write_address(state == ZERO ? walk[INDEX-1:0] : index[INDEX*k +: INDEX]),
                .write_data(state == ZERO ? {COUNTER_BITS{1'b0}} : next[COUNTER_BITS*k +: COUNTER_BITS]),
                .read_address(state == PEEK ? rd_address[INDEX-1:0] : index[INDEX*k +: INDEX]),
                .read_data(held[COUNTER_BITS*k +: COUNTER_BITS]));
        end
    endgenerate

    wire [COUNTER_BITS*TABLES-1:0] raised;
    wire [COUNT_BITS-1:0] raised_least;
    wire raised_done;
    generate
        if (APPROXIMATE != 0) begin : by_chance
            approximate_raise #(.TABLES(TABLES), .COUNTER_BITS(COUNTER_BITS), .LEVEL_BITS(LEVEL_BITS),
                                .EVENT_BITS(EVENT_BITS), .COUNT_BITS(COUNT_BITS), .CONSERVATIVE(CONSERVATIVE),
                                .WEIGHT_BITS(WEIGHT_BITS), .TOP(TOP), .SEED(SEED)) raising (
                .clk(clk), .rst(rst || (state == IDLE && clear)), .go(state == RAISE), .held(held),
                .weight(weight), .done(raised_done), .next(raised), .events(raised_least));
        end else begin : exactly
            wire [COUNTER_BITS-1:0] least;
            raise #(.TABLES(TABLES), .COUNTER_BITS(COUNTER_BITS), .CONSERVATIVE(CONSERVATIVE),
                    .WEIGHT_BITS(WEIGHT_BITS)) raising (
                .held(held), .weight(weight), .next(raised), .least(least));
            assign raised_least = least;
            assign raised_done = 1;
        end
    endgenerate

    /* ---- one event after the other ------------------------------------------------------ */
    assign in_ready = state == IDLE && !rd_valid && !clear;
    assign idle = state == IDLE;
    assign out_kind = state == MARK;
    assign out_valid = entry_valid || state == MARK;
    assign out_pc = state == MARK ? number : entry_pc;
    assign out_value = state == MARK ? {32'b0, drops} : entry_value;
    assign out_count = state == MARK ? sum : entry_count;

    always @(posedge clk) begin
        go <= 0;
        start <= 0;
        store <= 0;
        rd_done <= 0;
        if (cfg_write && cfg_address == 0)
            threshold <= cfg_data[COUNT_BITS-1:0];
        if (cfg_write && cfg_address == 1)
            length <= cfg_data[COUNT_BITS-1:0];
        if (rst) begin
            state <= WIPING;
            go <= 1;
            op <= WIPE;
            sum <= 0;
            events <= 0;
            number <= 0;
            drops <= 0;
            length <= LENGTH[COUNT_BITS-1:0];
            threshold <= THRESHOLD[COUNT_BITS-1:0];
        end else case (state)
            IDLE: if (clear) begin
                state <= WIPING;
                go <= 1;
                op <= WIPE;
                sum <= 0;
                events <= 0;
                number <= 0;
                drops <= 0;
            end else if (rd_valid && !rd_done) begin
                waited <= 0;
                state <= PEEK;
            end else if (in_valid && in_ready) begin
                pc <= in_pc;
                value <= in_value;
                weight <= in_weight;
                events <= events + 1;
                sum <= sum + in_weight;
                go <= WAYS == 0;
                op <= LOOK;
                start <= 1;
                state <= WAYS == 0 ? LOOKING : HASHING;
            end
            LOOKING: if (done)
                state <= ok || weight == 0 ? CHECK : WAYS == 0 ? HASHING : READ;
            HASHING: if (!start && &hashed) begin /* not of the tuple before */
                go <= WAYS != 0;
                state <= WAYS == 0 ? READ : LOOKING;
            end
            READ: state <= RAISE;
            RAISE, RAISING: begin
                next_least <= raised_least;
                next <= raised;
                store <= raised_done;
                state <= raised_done ? STORE : RAISING;
            end
            STORE: if (next_least >= threshold) begin
                go <= 1;
                op <= CLAIM;
                state <= CLAIMING;
            end else
                state <= CHECK;
            CLAIMING: if (done) begin
                if (!ok && drops != 32'hffffffff)
                    drops <= drops + 1;
                if (ok && RESET != 0) begin
                    next <= 0;
                    store <= 1;
                end
                state <= CHECK;
            end
            CHECK: if (sum >= length) begin
                go <= 1;
                op <= END;
                state <= ENDING;
            end else
                state <= IDLE;
            ENDING: if (done)
                state <= MARK;
            MARK: if (out_ready) begin
                sum <= 0;
                events <= 0;
                drops <= 0;
                number <= number + 1;
                walk <= 0;
                state <= ZERO;
            end
            ZERO: begin
                walk <= walk + 1;
                if (walk == LAST)
                    state <= IDLE;
            end
            WIPING: if (done) begin
                walk <= 0;
                state <= ZERO;
            end
            PEEK: begin
                waited <= waited + 1;
                if (waited == 3) begin
                    rd_done <= 1;
                    state <= IDLE;
                    case (rd_address[31:28])
                        0: rd_data <= rd_address[2:0] == 0 ? events :
                                      rd_address[2:0] == 1 ? sum :
                                      rd_address[2:0] == 2 ? drops :
                                      rd_address[2:0] == 3 ? number :
                                      rd_address[2:0] == 4 ? threshold : length;
                        1: rd_data <= rd_address[1:0] == 0 ? peek_pc :
                                      rd_address[1:0] == 1 ? peek_value :
                                      rd_address[1:0] == 2 ? peek_count : peek_flags;
                        2: rd_data <= held[COUNTER_BITS*rd_address[27:24] +: COUNTER_BITS];
                        default: rd_data <= 0;
                    endcase
                end
            end
            default: state <= IDLE;
        endcase
    end
endmodule
