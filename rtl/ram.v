// SPDX-License-Identifier: MIT
//
// Memory with one synchronous read port and one synchronous write port, like a block RAM of an
// FPGA.
//
// read_data is the word at read_address with a latency of one cycle. If the same word is written
// in the cycle in which it is read, the old word is read. The content is undefined until it is
// written: a module that uses the memory must initialize it. DEPTH is the number of words, and
// WIDTH is the number of bits of a word.
//
//     write, write_address, write_data ──► | mem | ──► read_data, one cycle after read_address

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
