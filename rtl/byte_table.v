// SPDX-License-Identifier: MIT
//
// Table of 256 random bytes for a hash function, in a RAM block with two read ports.
//
// The table maps a byte to a random byte. The parameter BYTES contains the initial values of the
// entries, and `write` replaces single entries. Both read ports have a latency of one cycle: byte_a
// is the entry at address_a, byte_b the entry at address_b. hash.v uses one table per lane, with
// one port for the pc and one for the value of a tuple.
//
//     address_a ──► | 256 bytes | ──► byte_a
//     address_b ──►               ──► byte_b

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
