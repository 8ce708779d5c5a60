/* SPDX-License-Identifier: MIT */
/* LEAP's address hash and counter storage (src/tables/functions/leap.c is the model): what was counted since
 * the last change of function goes to the counter of the function that was left.
 *
 *     function ──► perfect_hash ──► index ──► | counters | ──► + units ──┐   stops at its end,
 *                                     │           ▲────────────────────┘     or (SHIFT) all are
 *     weight ──► carry + weight >> exponent ── units                         halved
 *                                     └──► | addresses | ──► whose counter is it?
 *
 * Where energy is counted a function has GROUPS counters: of instructions in each of six groups of
 * about the same power, or of fewer put together, and of cycles of stalls. An event is then one of
 * seven in a row, with the number of the part (0 to 6, stalls last) as in_value; GROUP_OF says which
 * counter it goes to, three bits each. Each group is a storage of its own.
 *
 * The addresses beside the counters (CHECK) tell strangers: functions that the hash was not made
 * for are dropped and counted, as in the model. The document's hardware has none, and charges them
 * to somebody; with CHECK = 0 so does this.
 *
 * Cycles per event: 8; with SHIFT, 2^INDEX_BITS + 3 more for each halving. After rst the counters
 * are cleared, one a cycle.
 *
 * Read-out: 0x1000_0000 + g << 24 + i counter i of group g; g << 8: its exponent, + 1: its carry,
 * + 3: additions that found no room; 2: strangers, counted with the first part. cfg: as perfect_hash; 0x1000_0000 + i: the address of counter i. */
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
        end else begin : trusting
            assign known = 1;
        end
    endgenerate

    reg go, counts;
    reg [2:0] part;
    wire [2:0] group = GROUPS == 1 ? 3'd0 : GROUP_OF[3*part +: 3];
    wire [2:0] asked = GROUPS == 1 ? 3'd0 : rd_address[31:28] == 1 ? rd_address[26:24] : rd_address[10:8];
    wire [GROUPS-1:0] dones, readies, rd_dones;
    wire [64*GROUPS-1:0] words;
    genvar g;
    generate
        for (g = 0; g < GROUPS; g = g + 1) begin : of_group
            counter_storage #(.INDEX_BITS(INDEX_BITS), .DEPTH(1 << INDEX_BITS),
                              .COUNTER_BITS(COUNTER_BITS), .SHIFT(SHIFT), .WEIGHT_BITS(WEIGHT_BITS)) storage (
                .clk(clk), .rst(rst || clear && idle), .go(go && group == g), .known(counts),
                .index(index), .weight(weight), .done(dones[g]), .ready(readies[g]),
                .rd_valid(rd_valid && state == IDLE && asked == g), .rd_address(rd_address),
                .rd_done(rd_dones[g]), .rd_data(words[64*g +: 64]));
        end
    endgenerate
    wire done = |dones, ready = &readies;
    assign rd_done = |rd_dones;
    assign rd_data = words[64*asked +: 64];

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
                if (step == 3) /* the index is there */
                    state <= FETCH;
            end
            FETCH: begin
                go <= known || GROUPS == 1 || part == 0;
                counts <= known;
                state <= known || GROUPS == 1 || part == 0 ? CHARGE : IDLE;
                if (step == 4) begin /* the owner is only now */
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
