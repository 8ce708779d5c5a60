/* SPDX-License-Identifier: MIT */
/* A memory with one read port and one write port, both synchronous: a block of RAM in an FPGA.
 *
 *     write, write_address, write_data ──► | mem | ──► read_data, one cycle after read_address
 *
 * A word that is read in the cycle in which it is written is the old one. Nothing is cleared:
 * whoever owns the memory writes it before it reads. */
module ram #(
    parameter WIDTH = 32,
    parameter DEPTH = 512,
    parameter ADDRESS = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input clk,
    input write,
    input [ADDRESS-1:0] write_address,
    input [WIDTH-1:0] write_data,
    input [ADDRESS-1:0] read_address,
    output reg [WIDTH-1:0] read_data
);
    reg [WIDTH-1:0] mem [0:DEPTH-1];
    always @(posedge clk) begin
        if (write)
            mem[write_address] <= write_data;
        read_data <= mem[read_address];
    end
endmodule
