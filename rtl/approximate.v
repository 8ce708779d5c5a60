// SPDX-License-Identifier: MIT
//
// Approximate counters: the larger a counter is, the less likely an event is to increment it.
//
// The module implements Morris counters (MANTISSA = 0) and floating-point counters (MANTISSA > 0).
// The C model is in src/tables/counters/approximate.h and src/tables/draws.h. A counter with the
// value v is at level v >> MANTISSA. At level 0 every event increments the counter. At higher
// levels a random draw decides: the bits of a shift register, lowest bit first, are read as a
// binary fraction, and the draw succeeds if the fraction is below the probability of the level. If
// BASE2 is 1, the draw succeeds if the `level` lowest bits are all 0. A counter stops at TOP. A
// group of counters, each with its own register, counts the same events.
//
// STEPS: how far a register moves per draw: 0 by its width, 1 by the level, 2 by one step. SHARED:
// one register serves the k-th counters of all groups. It is outside of the memory and moves with
// every event of any group, also at level 0 and at TOP.
//
// Interface: in_pc is the index of the group. An event for an index >= COUNTERS is dropped and
// counted. An event of weight w is w draws. Cycles per event: 3, plus 1 per unit of weight; with
// STEPS = 1 also the largest level of the group for each draw. After reset, the registers are
// loaded with the seeds from seed_table and the values are cleared, one group per cycle. The
// module sends no messages.
//
// Read-out: 0: dropped events. 0x1000_0000 + (i << 8) + j: value of counter j of group i.
// 0x2000_0000 + j: the shared register of the counters j.
//
//     index ──► | value, register | value, register | ...   the counters of a group
//                   │       ▲ └─ lfsr_step: moves the register per draw
//                 level ──► draw succeeds? ──► value + 1

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
    wire [WORD-1:0] initial_word;
    reg [LFSR*GROUP-1:0] shared_regs; // only with SHARED
    wire [LFSR*GROUP-1:0] shared_next;
    seed_table #(.WIDTH(LFSR * GROUP), .ADDRESS(NUMBER)) seeding (.address(walk[NUMBER-1:0]),
                                                                  .word(seeds));
    ram #(.WIDTH(WORD), .DEPTH(COUNTERS)) groups (
        .clk(clk), .write(state == LOAD || state == STORE),
        .write_address(state == LOAD ? walk[NUMBER-1:0] : number),
        .write_data(state == LOAD ? initial_word : group),
        .read_address(state == PEEK ? rd_address[8 +: NUMBER] : number), .read_data(word));

    // One draw for each counter of the group.
    wire [WORD-1:0] drawn_group;
    wire [GROUP-1:0] moving;
    genvar g;
    generate
        for (g = 0; g < GROUP; g = g + 1) begin : counter
            wire [VALUE_BITS-1:0] value = group[ONE*g +: VALUE_BITS];
            wire [LFSR-1:0] register;
            assign initial_word[ONE*g +: VALUE_BITS] = 0;
            if (SHARED != 0) begin : shared
                assign register = shared_regs[LFSR*g +: LFSR];
            end else begin : own
                assign initial_word[ONE*g + VALUE_BITS +: LFSR] = seeds[LFSR*g +: LFSR];
                assign register = group[ONE*g + VALUE_BITS +: LFSR];
            end
            wire [VALUE_BITS-1:0] level = value >> MANTISSA;
            wire [LFSR-1:0] stepped;
            wire success;
            if (BASE2 != 0) begin : base2
                wire [LFSR-1:0] level_mask = level >= LFSR ? {LFSR{1'b1}} :
                    ~({LFSR{1'b1}} << level);
                assign success = (register & level_mask) == 0;
            end else begin : by_table
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
                        .STEPS(STEPS == 0 ? LFSR : 1)) stepping (.state(register), .next(stepped));
            reg [VALUE_BITS-1:0] steps_left; // remaining steps of this draw, with STEPS = 1
            wire no_steps = level == 0 || value == TOP;
            assign moving[g] = STEPS == 1 && steps_left != 0;
            assign shared_next[LFSR*g +: LFSR] = stepped;
            assign drawn_group[ONE*g +: ONE] = SHARED != 0 ? value + (value != TOP &&
                (level == 0 || success)) :
                state == MOVE ? {steps_left != 0 ? stepped : register, value} :
                value == TOP ? {register, value} :
                level == 0 ? {register, value + 1'b1} :
                {STEPS == 1 ? register : stepped, value + success};
            always @(posedge clk)
                if (state == DRAW)
                    steps_left <= no_steps ? 0 : level;
                else if (steps_left != 0)
                    steps_left <= steps_left - 1;
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
                    shared_regs <= seeds;
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
                group <= drawn_group;
                shared_regs <= shared_next;
                weight <= weight - 1;
                state <= STEPS == 1 ? MOVE : weight == 1 ? STORE : DRAW;
            end
            MOVE: begin
                group <= drawn_group;
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
                               shared_regs[LFSR*rd_address[7:0] +: LFSR];
                    state <= IDLE;
                end
            end
        endcase
    end
endmodule
