/* SPDX-License-Identifier: MIT */
/* The random byte table of one hash function, with two read ports: a block of RAM that holds
 * BYTES from the start and can be written again.
 *
 *     address_a ──► | 256 bytes | ──► byte_a, one cycle later      (b likewise) */
module byte_table #(
    parameter [2047:0] BYTES = 0
) (
    input clk,
    input write,
    input [7:0] write_address,
    input [7:0] write_data,
    input [7:0] address_a,
    input [7:0] address_b,
    output reg [7:0] byte_a,
    output reg [7:0] byte_b
);
    reg [7:0] bytes [0:255];
    integer i;
    initial
        for (i = 0; i < 256; i = i + 1)
            bytes[i] = BYTES[8*i +: 8];
    always @(posedge clk) begin
        if (write)
            bytes[write_address] <= write_data;
        byte_a <= bytes[address_a];
        byte_b <= bytes[address_b];
    end
endmodule
