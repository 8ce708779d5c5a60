// SPDX-License-Identifier: MIT
//
// Function profiler LEAP: charges weight to the functions of one program; a hash of a function's
// address selects its counter.
//
// The C model is src/tables/functions/leap.c. An event consists of the start address of a function
// (in_pc) and the weight since the last change of function. A perfect hash (perfect_hash.v) maps
// the address to the index of a counter (counter_storage.v). With CHECK, the address is compared
// with the stored address of the counter, and events of unknown functions are dropped and counted,
// as in the model. The paper's hardware has no such check and charges an unknown function to an
// arbitrary counter, as this module does with CHECK = 0.
//
// For energy, an event consists of seven consecutive inputs, whose in_value is the part: six
// groups of instructions of similar power, and stall cycles (6). GROUP_OF maps each part to one of
// GROUPS counter storages, with three bits per part.
//
// Cycles per event: 8; with SHIFT also 2^INDEX_BITS + 3 per halving. After reset the counters are
// cleared, one per cycle. The module sends no messages.
//
// Read-out: 0x1000_0000 + (g << 24) + i: counter i of storage g. (g << 8): exponent of storage g.
// (g << 8) + 1: its carry. (g << 8) + 3: additions that overflowed. 2: events of unknown
// functions, counted with the first part.
// Configuration: as perfect_hash.v; 0x1000_0000 + i: the address of counter i.
//
//     function ──► perfect_hash ──► index ──► | counters | ──► + units ──┐   saturates, or with
//                                     │           ▲──────────────────────┘   SHIFT all are halved
//     weight ──► (carry + weight) >> exponent ── units
//                                     └──► | addresses | ──► known function?

module leap #(
    parameter INDEX_BITS = 8,
    parameter COUNTER_BITS = 32,
    parameter SHIFT = 0,
    parameter CHECK = 1,
    parameter WEIGHT_BITS = 32,
    parameter GROUPS = 1,
    parameter [20:0] GROUP_OF = 0,
    parameter [31:0] V = 0,
    parameter [4:0] A1 = 0,
    parameter [5:0] A2 = 0,
    parameter [5:0] B1 = 0,
    parameter [31:0] B2 = 0,
    parameter [(INDEX_BITS << INDEX_BITS)-1:0] TAB = 0,
    parameter [(64 << INDEX_BITS)-1:0] ADDRESSES = 0
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
    output rd_done,
    output [63:0] rd_data,
    input cfg_write,
    input [31:0] cfg_address,
    input [63:0] cfg_data,
    input clear,
    output idle
);
    localparam IDLE = 0, HASH = 1, FETCH = 2, CHARGE = 3;
    reg [1:0] state;
    reg [63:0] pc;
    reg [WEIGHT_BITS-1:0] weight;
    reg [2:0] step;
    wire [INDEX_BITS-1:0] index;
    perfect_hash #(.INDEX_BITS(INDEX_BITS), .V(V), .A1(A1), .A2(A2), .B1(B1), .B2(B2), .TAB(TAB))
        hashing (.clk(clk), .rst(rst), .address(pc[31:0]), .index(index),
                 .cfg_write(cfg_write && cfg_address < 32'h1000_0000), .cfg_address(cfg_address),
                 .cfg_data(cfg_data[31:0]));

    wire known;
    generate
        if (CHECK != 0) begin : checked
            reg [63:0] address [0:(1 << INDEX_BITS)-1];
            reg [63:0] owner;
            integer i;
            initial
                for (i = 0; i < 1 << INDEX_BITS; i = i + 1)
                    address[i] = ADDRESSES[64*i +: 64];
            always @(posedge clk) begin
                owner <= address[index];
                if (cfg_write && cfg_address[31:28] == 1)
                    address[cfg_address[INDEX_BITS-1:0]] <= cfg_data;
            end
            assign known = owner == pc;
        end else begin : unchecked
            assign known = 1;
        end
    endgenerate

    reg go, is_known;
    reg [2:0] part;
    wire [2:0] group = GROUPS == 1 ? 3'd0 : GROUP_OF[3*part +: 3];
    wire [2:0] read_group = GROUPS == 1 ? 3'd0 : rd_address[31:28] == 1 ? rd_address[26:24] :
        rd_address[10:8];
    wire [GROUPS-1:0] done_bits, ready_bits, rd_done_bits;
    wire [64*GROUPS-1:0] words;
    genvar g;
    generate
        for (g = 0; g < GROUPS; g = g + 1) begin : of_group
            counter_storage #(.INDEX_BITS(INDEX_BITS), .DEPTH(1 << INDEX_BITS),
                              .COUNTER_BITS(COUNTER_BITS), .SHIFT(SHIFT),
                              .WEIGHT_BITS(WEIGHT_BITS)) storage (
                .clk(clk), .rst(rst || clear && idle), .go(go && group == g), .known(is_known),
                .index(index), .weight(weight), .done(done_bits[g]), .ready(ready_bits[g]),
                .rd_valid(rd_valid && state == IDLE && read_group == g), .rd_address(rd_address),
                .rd_done(rd_done_bits[g]), .rd_data(words[64*g +: 64]));
        end
    endgenerate
    wire done = |done_bits, ready = &ready_bits;
    assign rd_done = |rd_done_bits;
    assign rd_data = words[64*read_group +: 64];

    assign in_ready = state == IDLE && ready && !rd_valid && !clear;
    assign idle = state == IDLE && ready;
    assign out_valid = 0;
    assign out_kind = 0;
    assign out_pc = 0;
    assign out_value = 0;
    assign out_count = 0;
    always @(posedge clk) begin
        go <= 0;
        if (rst)
            state <= IDLE;
        else case (state)
            IDLE: if (in_valid && in_ready) begin
                pc <= in_pc;
                weight <= in_weight;
                part <= in_value[2:0];
                step <= 0;
                state <= HASH;
            end
            HASH: begin
                step <= step + 1;
                if (step == 3) // the index is valid
                    state <= FETCH;
            end
            FETCH: begin
                go <= known || GROUPS == 1 || part == 0;
                is_known <= known;
                state <= known || GROUPS == 1 || part == 0 ? CHARGE : IDLE;
                if (step == 4) begin // the stored address is valid one cycle later
                    go <= 0;
                    step <= 5;
                    state <= FETCH;
                end
            end
            CHARGE: if (done)
                state <= IDLE;
        endcase
    end
endmodule
