// SPDX-License-Identifier: MIT
//
// Hash function of a tuple <pc, value>, computed with random byte tables and an XOR fold.
//
//     index = fold(flip(rand(pc)) ^ rand(value), BITS)
//
// `rand` replaces each of the 8 bytes of a word by its entry in the byte table (byte_table.v), and
// `flip` reverses the order of the bytes. There are LANES copies of the byte table, which work in
// parallel, so that hashing a tuple takes 8 / LANES + 2 cycles. `start` begins to hash the current
// tuple, which must stay stable until `done`. `done` stays set until the next `start`. table_write
// replaces one byte of the table.
//
//     pc, value ──► LANES bytes per cycle ──► byte_table ──► ^ ──► mixed (64) ──► fold ──► index

module hash #(
    parameter BITS = 9,
    parameter LANES = 2,
    parameter [2047:0] BYTES = 0,
    parameter OUT = BITS > 0 ? BITS : 1
) (
    input clk,
    input rst,
    input start,
    input [63:0] pc,
    input [63:0] value,
    output done,
    output [OUT-1:0] index,
    input table_write,
    input [7:0] table_address,
    input [7:0] table_data
);
    localparam STEPS = 8 / LANES;

    reg [3:0] step;     // step that is looked up; STEPS: none
    reg [3:0] read_step; // step whose bytes were read; STEPS: none
    reg [63:0] mixed;
    wire [64*LANES-1:0] part;
    genvar lane;
    generate
        for (lane = 0; lane < LANES; lane = lane + 1) begin : lanes
            wire [2:0] byte_index = step[2:0] * LANES + lane;
            wire [2:0] read_index = read_step[2:0] * LANES + lane;
            wire [7:0] pc_byte, value_byte;
            byte_table #(.BYTES(BYTES)) bytes (
                .clk(clk), .write(table_write), .write_address(table_address),
                .write_data(table_data), .address_a(pc[8*byte_index +: 8]),
                .address_b(value[8*byte_index +: 8]), .byte_a(pc_byte), .byte_b(value_byte));
            assign part[64*lane +: 64] = ({56'b0, value_byte} << 8 * read_index) ^
                                         ({pc_byte, 56'b0} >> 8 * read_index);
        end
    endgenerate

    reg [63:0] parts;
    integer i;
    always @* begin
        parts = 0;
        for (i = 0; i < LANES; i = i + 1)
            parts = parts ^ part[64*i +: 64];
    end

    always @(posedge clk)
        if (rst) begin
            step <= STEPS;
            read_step <= STEPS;
        end else if (start) begin
            step <= 0;
            read_step <= STEPS;
            mixed <= 0;
        end else begin
            if (step != STEPS)
                step <= step + 1;
            read_step <= step;
            if (read_step != STEPS)
                mixed <= mixed ^ parts;
        end

    assign done = step == STEPS && read_step == STEPS;
    fold #(.WIDTH(64), .BITS(BITS)) folding (.word(mixed), .folded(index));
endmodule
