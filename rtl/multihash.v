// SPDX-License-Identifier: MIT
//
// Interval profilers single-hash and multi-hash: hash tables of counters find the frequent tuples
// of each interval, and a small table, the accumulator, counts these tuples exactly.
//
// The C model is src/tables/interval/interval_table.h. The module first looks up an event's tuple
// in the accumulator. If the accumulator contains the tuple, it increases the tuple's count.
// Otherwise the module updates one counter in each of TABLES hash tables, selected by the table's
// own hash function. If the minimum of these counters reaches the threshold, the tuple is promoted
// to the accumulator. The computation of the hashes starts together with the lookup, and its result
// is ignored if the accumulator contains the tuple. With APPROXIMATE, the counters are approximate
// (approximate_update.v in place of counter_update.v), and their estimates are compared with the
// threshold. An event of weight 0 increases the number of events and changes no counters.
//
// At the end of an interval the module sends one message <pc, value, count> per candidate, and
// then one with out_kind = 1: number of the interval, its dropped promotions, its weight.
// COUNT_BITS is wide enough for LENGTH and the largest weight, so that counts do not overflow. The
// count of dropped promotions saturates. The model also computes bounds of the counts; the
// hardware does not.
//
// Cycles per event: 6 for a hit; otherwise 8 / LANES + 6, and 5 more for a promotion (ENTRIES + 7
// if it searches for an entry to replace). With WAYS > 0 the accumulator is set-associative, and
// its set is the hash of the first table, which must be computed first: 8 / LANES + WAYS + 6 for a
// hit, 3 more for a miss, and WAYS + 6 more for a promotion. For APPROXIMATE see
// approximate_update.v. The end of an interval takes 2 cycles per entry of the accumulator, plus
// waiting for out_ready, plus 2^INDEX_BITS to clear the counters.
//
// Read-out (rd_*), between two events; the answer takes 4 cycles:
//     0x0000_0000 + i   0 events of the interval, 1 its weight, 2 dropped promotions, 3 its number,
//                       4 threshold, 5 length
//     0x1000_0000 + 4i  entry i of the accumulator: pc, value, count, {used, retained}
//     0x2000_0000 + (k << 24) + i   counter i of table k
// Configuration (cfg_*): 0 threshold; 1 length; 0x1_0000 + 256 k + i: byte i of hash table k.
//
//     event ──► accumulator: hit? its count increases
//                 │ miss
//               hash 0 ──► | counters 0 | ──┐
//               hash 1 ──► | counters 1 | ──┼──► minimum ──► update ──► minimum >= T? ──► promoted
//               ...                         │                  │
//                    ▲──────────────────────┴──────────────────┘

module multihash #(
    parameter TABLES = 4,
    parameter INDEX_BITS = 9,
    parameter COUNTER_BITS = 24,
    parameter COUNT_BITS = 24,
    parameter WEIGHT_BITS = 1,
    parameter ENTRIES = 100,
    parameter WAYS = 0, // ways of the accumulator; 0: fully associative
    parameter CONSERVATIVE = 1,
    parameter APPROXIMATE = 0,
    parameter LEVEL_BITS = 8,      // bits of an approximate counter
    parameter EVENT_BITS = 8,      // bits of its estimate
    parameter [31:0] TOP = 255,    // its largest value
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
    localparam LOOKUP = 0, ALLOCATE = 1, END = 2, CLEAR = 3; // operations of the accumulator
    localparam IDLE = 0, LOOKING_UP = 1, HASHING = 2, READ = 3, UPDATE = 4, STORE = 5,
               ALLOCATING = 6, CHECK_INTERVAL = 7, ENDING = 8, INTERVAL_MESSAGE = 9,
               CLEAR_COUNTERS = 10, CLEARING_ENTRIES = 11, PEEK = 12, UPDATING = 13;

    reg [3:0] state;
    reg [63:0] pc, value;
    reg [WEIGHT_BITS-1:0] weight;
    reg [COUNT_BITS-1:0] sum;       // weight of the interval
    reg [63:0] events;              // events of the interval
    reg [63:0] number;
    reg [31:0] drops;
    reg [COUNT_BITS-1:0] length, threshold;
    reg [INDEX:0] walk;
    reg [COUNT_BITS-1:0] next_minimum;
    reg [1:0] waited;

    wire [INDEX*TABLES-1:0] index; // indices of the tuple's counters

    // ---- accumulator ----
    reg go;
    reg [1:0] op;
    wire done, ok, entry_valid;
    wire [63:0] entry_pc, entry_value, peek_pc, peek_value;
    wire [COUNT_BITS-1:0] entry_count, peek_count;
    wire [1:0] peek_flags;
    wire [COUNT_BITS-1:0] amount = op == ALLOCATE ? next_minimum : weight;
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
                .clk(clk), .rst(rst), .go(go), .op(op), .set_index(index[SET-1:0]), .pc(pc),
                .value(value), .amount(amount),
                .threshold(threshold), .done(done), .ok(ok), .out_valid(entry_valid),
                .out_ready(out_ready), .out_pc(entry_pc), .out_value(entry_value),
                .out_count(entry_count), .peek(rd_address[SLOT+1:2]), .peek_pc(peek_pc),
                .peek_value(peek_value), .peek_count(peek_count), .peek_flags(peek_flags));
        end
    endgenerate

    // ---- tables of counters ----
    reg start, store;
    wire [TABLES-1:0] hashed;
    wire [COUNTER_BITS*TABLES-1:0] current;
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
                .clk(clk), .write(state == CLEAR_COUNTERS || store),
                .write_address(state == CLEAR_COUNTERS ? walk[INDEX-1:0] : index[INDEX*k +: INDEX]),
                .write_data(state == CLEAR_COUNTERS ? {COUNTER_BITS{1'b0}} :
                next[COUNTER_BITS*k +: COUNTER_BITS]),
                .read_address(state == PEEK ? rd_address[INDEX-1:0] : index[INDEX*k +: INDEX]),
                .read_data(current[COUNTER_BITS*k +: COUNTER_BITS]));
        end
    endgenerate

    wire [COUNTER_BITS*TABLES-1:0] updated;
    wire [COUNT_BITS-1:0] updated_minimum;
    wire updated_done;
    generate
        if (APPROXIMATE != 0) begin : approximate
            approximate_update #(.TABLES(TABLES), .COUNTER_BITS(COUNTER_BITS),
                .LEVEL_BITS(LEVEL_BITS),
                                .EVENT_BITS(EVENT_BITS), .COUNT_BITS(COUNT_BITS),
                                .CONSERVATIVE(CONSERVATIVE),
                                .WEIGHT_BITS(WEIGHT_BITS), .TOP(TOP), .SEED(SEED)) update (
                .clk(clk), .rst(rst || (state == IDLE && clear)), .go(state == UPDATE),
                .current(current),
                .weight(weight), .done(updated_done), .next(updated), .events(updated_minimum));
        end else begin : exact
            wire [COUNTER_BITS-1:0] minimum;
            counter_update #(.TABLES(TABLES), .COUNTER_BITS(COUNTER_BITS),
                .CONSERVATIVE(CONSERVATIVE),
                    .WEIGHT_BITS(WEIGHT_BITS)) update (
                .current(current), .weight(weight), .next(updated), .minimum(minimum));
            assign updated_minimum = minimum;
            assign updated_done = 1;
        end
    endgenerate

    // ---- control ----
    assign in_ready = state == IDLE && !rd_valid && !clear;
    assign idle = state == IDLE;
    assign out_kind = state == INTERVAL_MESSAGE;
    assign out_valid = entry_valid || state == INTERVAL_MESSAGE;
    assign out_pc = state == INTERVAL_MESSAGE ? number : entry_pc;
    assign out_value = state == INTERVAL_MESSAGE ? {32'b0, drops} : entry_value;
    assign out_count = state == INTERVAL_MESSAGE ? sum : entry_count;

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
            state <= CLEARING_ENTRIES;
            go <= 1;
            op <= CLEAR;
            sum <= 0;
            events <= 0;
            number <= 0;
            drops <= 0;
            length <= LENGTH[COUNT_BITS-1:0];
            threshold <= THRESHOLD[COUNT_BITS-1:0];
        end else case (state)
            IDLE: if (clear) begin
                state <= CLEARING_ENTRIES;
                go <= 1;
                op <= CLEAR;
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
                op <= LOOKUP;
                start <= 1;
                state <= WAYS == 0 ? LOOKING_UP : HASHING;
            end
            LOOKING_UP: if (done)
                state <= ok || weight == 0 ? CHECK_INTERVAL : WAYS == 0 ? HASHING : READ;
            HASHING: if (!start && &hashed) begin // `hashed` is for this tuple
                go <= WAYS != 0;
                state <= WAYS == 0 ? READ : LOOKING_UP;
            end
            READ: state <= UPDATE;
            UPDATE, UPDATING: begin
                next_minimum <= updated_minimum;
                next <= updated;
                store <= updated_done;
                state <= updated_done ? STORE : UPDATING;
            end
            STORE: if (next_minimum >= threshold) begin
                go <= 1;
                op <= ALLOCATE;
                state <= ALLOCATING;
            end else
                state <= CHECK_INTERVAL;
            ALLOCATING: if (done) begin
                if (!ok && drops != 32'hffffffff)
                    drops <= drops + 1;
                if (ok && RESET != 0) begin
                    next <= 0;
                    store <= 1;
                end
                state <= CHECK_INTERVAL;
            end
            CHECK_INTERVAL: if (sum >= length) begin
                go <= 1;
                op <= END;
                state <= ENDING;
            end else
                state <= IDLE;
            ENDING: if (done)
                state <= INTERVAL_MESSAGE;
            INTERVAL_MESSAGE: if (out_ready) begin
                sum <= 0;
                events <= 0;
                drops <= 0;
                number <= number + 1;
                walk <= 0;
                state <= CLEAR_COUNTERS;
            end
            CLEAR_COUNTERS: begin
                walk <= walk + 1;
                if (walk == LAST)
                    state <= IDLE;
            end
            CLEARING_ENTRIES: if (done) begin
                walk <= 0;
                state <= CLEAR_COUNTERS;
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
                        2: rd_data <= current[COUNTER_BITS*rd_address[27:24] +: COUNTER_BITS];
                        default: rd_data <= 0;
                    endcase
                end
            end
            default: state <= IDLE;
        endcase
    end
endmodule
