/* SPDX-License-Identifier: MIT */
/* One hash function of a tuple <pc, value>:
 *
 *     index = fold(flip(rand(pc)) ^ rand(value), BITS)
 *
 * rand replaces each of the 8 bytes of a word through the byte table, flip reverses the bytes.
 * LANES byte tables work side by side, so that a tuple takes 8 / LANES cycles and two more:
 *
 *     pc, value ──► bytes of LANES places ──► byte_table ──► ^ ──► mixed (64) ──► fold ──► index
 *                   a step a cycle                           └──────┘
 *
 * `start` begins with the tuple that is there, which has to stay until `done`, which stays set
 * until the next start. */
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

    reg [3:0] step;     /* that is being looked up; STEPS: none */
    reg [3:0] arriving; /* whose bytes arrive now; STEPS: none */
    reg [63:0] mixed;
    wire [64*LANES-1:0] part;
    genvar lane;
    generate
        for (lane = 0; lane < LANES; lane = lane + 1) begin : lanes
            wire [2:0] place = step[2:0] * LANES + lane;
            wire [2:0] arrived = arriving[2:0] * LANES + lane;
            wire [7:0] of_pc, of_value;
            byte_table #(.BYTES(BYTES)) bytes (
                .clk(clk), .write(table_write), .write_address(table_address),
                .write_data(table_data), .address_a(pc[8*place +: 8]),
                .address_b(value[8*place +: 8]), .byte_a(of_pc), .byte_b(of_value));
            assign part[64*lane +: 64] = ({56'b0, of_value} << 8 * arrived) ^
                                         ({of_pc, 56'b0} >> 8 * arrived);
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
            arriving <= STEPS;
        end else if (start) begin
            step <= 0;
            arriving <= STEPS;
            mixed <= 0;
        end else begin
            if (step != STEPS)
                step <= step + 1;
            arriving <= step;
            if (arriving != STEPS)
                mixed <= mixed ^ parts;
        end

    assign done = step == STEPS && arriving == STEPS;
    fold #(.WIDTH(64), .BITS(BITS)) folding (.word(mixed), .folded(index));
endmodule
