/* SPDX-License-Identifier: MIT */
/* Counters that count with a chance that falls as they grow: groups of Morris's, or the
 * floating-point counter (src/tables/counters/approximate.h and draws.h are the model).
 *
 *     number ──► | value, register | value, register | ...   a group, side by side
 *                    │       ▲ └─ lfsr_step: how far it moves for a draw
 *                  level ──► draw succeeds? ──► value + 1
 *
 * A value v is at level v >> MANTISSA. At level 0 every event counts and nothing moves; above, a
 * draw succeeds if the register, its lowest bit first as a binary fraction, is below the chance of
 * the level (BASE2: if its `level` lowest bits are all 0). At TOP it stays. STEPS: how far the
 * register moves for a draw: 0 all its bits, 1 as many as the level, 2 one.
 *
 * SHARED: there is one register for the k-th counters of all groups, outside the memory, and all of them
 * move with each draw of any group, at level 0 and at TOP, too.
 *
 * A weight is so many events. Cycles: 3, and 1 for each unit of weight; with STEPS = 1 the largest
 * level of the group more for each. After rst the registers are loaded with the seeds of
 * seed_table, and values cleared, a group a cycle. in_pc is the number; one that has no counters
 * is dropped and counted.
 *
 * Read-out: 0x1000_0000 + i << 8 + j: value of counter j of group i; 0: events dropped;
 * 0x2000_0000 + j: the shared register of the counters j. */
module approximate #(
    parameter COUNTERS = 29,
    parameter GROUP = 5,
    parameter VALUE_BITS = 6,
    parameter MANTISSA = 0,
    parameter [31:0] TOP = 63,
    parameter LFSR = 64,
    parameter TAP_A = 15,
    parameter TAP_B = 28,
    parameter TAP_C = 45,
    parameter STEPS = 0,
    parameter BASE2 = 1,
    parameter SHARED = 0,
    parameter WEIGHT_BITS = 16
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
    localparam NUMBER = COUNTERS > 1 ? $clog2(COUNTERS) : 1;
    localparam ONE = (SHARED != 0 ? 0 : LFSR) + VALUE_BITS;
    localparam WORD = ONE * GROUP;
    localparam LOAD = 0, IDLE = 1, READ = 2, START = 3, DRAW = 4, MOVE = 5, STORE = 6, PEEK = 7;
    reg [2:0] state;
    reg [NUMBER:0] walk;
    reg [NUMBER-1:0] number;
    reg [WEIGHT_BITS-1:0] weight;
    reg [63:0] dropped;
    reg [WORD-1:0] group;
    reg [1:0] waited;
    wire [WORD-1:0] word;
    wire [LFSR*GROUP-1:0] seeds;
    wire [WORD-1:0] fresh;
    reg [LFSR*GROUP-1:0] common; /* with SHARED */
    wire [LFSR*GROUP-1:0] common_moved;
    seed_table #(.WIDTH(LFSR * GROUP), .ADDRESS(NUMBER)) seeding (.address(walk[NUMBER-1:0]),
                                                                  .word(seeds));
    ram #(.WIDTH(WORD), .DEPTH(COUNTERS)) groups (
        .clk(clk), .write(state == LOAD || state == STORE),
        .write_address(state == LOAD ? walk[NUMBER-1:0] : number),
        .write_data(state == LOAD ? fresh : group),
        .read_address(state == PEEK ? rd_address[8 +: NUMBER] : number), .read_data(word));

    /* One draw of each counter of the group. */
    wire [WORD-1:0] drawn;
    wire [GROUP-1:0] moving;
    genvar g;
    generate
        for (g = 0; g < GROUP; g = g + 1) begin : counter
            wire [VALUE_BITS-1:0] value = group[ONE*g +: VALUE_BITS];
            wire [LFSR-1:0] register;
            assign fresh[ONE*g +: VALUE_BITS] = 0;
            if (SHARED != 0) begin : from_all
                assign register = common[LFSR*g +: LFSR];
            end else begin : its_own
                assign fresh[ONE*g + VALUE_BITS +: LFSR] = seeds[LFSR*g +: LFSR];
                assign register = group[ONE*g + VALUE_BITS +: LFSR];
            end
            wire [VALUE_BITS-1:0] level = value >> MANTISSA;
            wire [LFSR-1:0] moved;
            wire success;
            if (BASE2 != 0) begin : halves
                wire [LFSR-1:0] looked_at = level >= LFSR ? {LFSR{1'b1}} : ~({LFSR{1'b1}} << level);
                assign success = (register & looked_at) == 0;
            end else begin : table_of_chances
                wire [LFSR-1:0] chance;
                reg [LFSR-1:0] fraction;
                integer b;
                always @*
                    for (b = 0; b < LFSR; b = b + 1)
                        fraction[b] = register[LFSR-1-b];
                chance_table #(.WIDTH(LFSR), .ADDRESS(VALUE_BITS)) chances (.level(level),
                                                                            .chance(chance));
                assign success = fraction < chance;
            end
            lfsr_step #(.WIDTH(LFSR), .TAP_A(TAP_A), .TAP_B(TAP_B), .TAP_C(TAP_C),
                        .STEPS(STEPS == 0 ? LFSR : 1)) stepping (.state(register), .next(moved));
            reg [VALUE_BITS-1:0] left; /* steps of this draw, with STEPS = 1 */
            wire still = level == 0 || value == TOP;
            assign moving[g] = STEPS == 1 && left != 0;
            assign common_moved[LFSR*g +: LFSR] = moved;
            assign drawn[ONE*g +: ONE] = SHARED != 0 ? value + (value != TOP && (level == 0 || success)) :
                state == MOVE ? {left != 0 ? moved : register, value} :
                value == TOP ? {register, value} :
                level == 0 ? {register, value + 1'b1} :
                {STEPS == 1 ? register : moved, value + success};
            always @(posedge clk)
                if (state == DRAW)
                    left <= still ? 0 : level;
                else if (left != 0)
                    left <= left - 1;
        end
    endgenerate

    assign in_ready = state == IDLE && !rd_valid && !clear;
    assign idle = state == IDLE;
    assign out_valid = 0;
    assign out_kind = 0;
    assign out_pc = 0;
    assign out_value = 0;
    assign out_count = 0;
    always @(posedge clk) begin
        rd_done <= 0;
        if (rst) begin
            state <= LOAD;
            walk <= 0;
            dropped <= 0;
        end else case (state)
            LOAD: begin
                if (walk == 0)
                    common <= seeds;
                walk <= walk + 1;
                if (walk == COUNTERS - 1)
                    state <= IDLE;
            end
            IDLE: if (clear) begin
                walk <= 0;
                dropped <= 0;
                state <= LOAD;
            end else if (rd_valid && !rd_done) begin
                waited <= 0;
                state <= PEEK;
            end else if (in_valid && in_ready) begin
                number <= in_pc[NUMBER-1:0];
                weight <= in_weight;
                if (in_pc >= COUNTERS)
                    dropped <= dropped + 1;
                else if (in_weight != 0)
                    state <= READ;
            end
            READ: state <= START;
            START: begin
                group <= word;
                state <= DRAW;
            end
            DRAW: begin
                group <= drawn;
                common <= common_moved;
                weight <= weight - 1;
                state <= STEPS == 1 ? MOVE : weight == 1 ? STORE : DRAW;
            end
            MOVE: begin
                group <= drawn;
                if (!(|moving))
                    state <= weight == 0 ? STORE : DRAW;
            end
            STORE: state <= IDLE;
            PEEK: begin
                waited <= waited + 1;
                if (waited == 2) begin
                    rd_done <= 1;
                    rd_data <= rd_address[31:28] == 0 ? dropped :
                               rd_address[31:28] == 1 ? word[ONE*rd_address[7:0] +: VALUE_BITS] :
                               common[LFSR*rd_address[7:0] +: LFSR];
                    state <= IDLE;
                end
            end
        endcase
    end
endmodule
