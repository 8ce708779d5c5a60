// SPDX-License-Identifier: MIT
//
// Function profiler SnoopP: two comparators and a counter for each address range of a program, all
// in parallel.
//
// The C model is src/tables/functions/snoopp.c. An event adds its weight to the counter of the
// range that contains its pc. Ranges and counters are in registers, so that the area grows with
// RANGES, as in the hardware that the LEAP paper describes. The lowest ADDRESS_BITS bits of the pc
// are compared; a pc with higher bits set is in no range. Counters saturate. Cycles per event: 2.
// The module sends no messages.
//
// Read-out: 0x1000_0000 + i: counter i. 2: events in no range. 3: additions that saturated.
// Configuration: 2i the start, 2i + 1 the end of range i.
//
//     pc ──┬─────────────────────┬────────────────────┬───
//       start <= pc < end?    start <= pc < end?      ...      registers
//          │                     │
//       + weight              + weight                         counters, also registers

module snoopp #(
    parameter RANGES = 32,
    parameter ADDRESS_BITS = 32,
    parameter COUNTER_BITS = 32,
    parameter WEIGHT_BITS = 32,
    parameter [ADDRESS_BITS*RANGES-1:0] STARTS = 0,
    parameter [ADDRESS_BITS*RANGES-1:0] ENDS = 0,
    parameter INDEX = RANGES > 1 ? $clog2(RANGES) : 1
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
    localparam [63:0] MOST = ~64'b0 >> (64 - COUNTER_BITS);
    reg busy;
    reg [WEIGHT_BITS-1:0] weight;
    reg [63:0] unknown, overflows;
    wire [RANGES-1:0] hits, full;
    wire [COUNTER_BITS*RANGES-1:0] counts;
    wire high = in_pc >> (ADDRESS_BITS - 1) > 1; // a bit above ADDRESS_BITS is set
    genvar r;
    generate
        for (r = 0; r < RANGES; r = r + 1) begin : range
            reg [ADDRESS_BITS-1:0] start, range_end;
            reg [COUNTER_BITS-1:0] count;
            reg match;
            assign hits[r] = match;
            assign full[r] = weight > MOST - count;
            assign counts[COUNTER_BITS*r +: COUNTER_BITS] = count;
            always @(posedge clk) begin
                match <= in_pc[ADDRESS_BITS-1:0] >= start && in_pc[ADDRESS_BITS-1:0] < range_end &&
                    !high;
                if (rst || clear)
                    count <= 0;
                else if (busy && match)
                    count <= full[r] ? MOST : count + weight;
                if (rst) begin
                    start <= STARTS[ADDRESS_BITS*r +: ADDRESS_BITS];
                    range_end <= ENDS[ADDRESS_BITS*r +: ADDRESS_BITS];
                end else if (cfg_write && cfg_address[31:1] == r) begin
                    if (cfg_address[0])
                        range_end <= cfg_data;
                    else
                        start <= cfg_data;
                end
            end
        end
    endgenerate
    assign in_ready = !busy && !rd_valid && !clear;
    assign idle = !busy;
    assign out_valid = 0;
    assign out_kind = 0;
    assign out_pc = 0;
    assign out_value = 0;
    assign out_count = 0;
    always @(posedge clk) begin
        busy <= in_valid && in_ready;
        weight <= in_weight;
        rd_done <= rd_valid && !rd_done && !busy;
        rd_data <= rd_address[31:28] == 1 ?
            counts[COUNTER_BITS*rd_address[INDEX-1:0] +: COUNTER_BITS]
                   : rd_address[0] ? overflows : unknown;
        if (rst || clear) begin
            busy <= 0;
            unknown <= 0;
            overflows <= 0;
        end else if (busy) begin
            if (!(|hits))
                unknown <= unknown + 1;
            else if (|(hits & full))
                overflows <= overflows + 1;
        end
    end
endmodule
