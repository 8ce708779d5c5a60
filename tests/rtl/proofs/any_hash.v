/* In the place of hash.v: any function of the two lowest bits of the pc, two cycles later. */
module hash #(
    parameter BITS = 1,
    parameter LANES = 2,
    parameter [2047:0] BYTES = 0,
    parameter OUT = BITS > 0 ? BITS : 1
) (
    input clk,
    input rst,
    input start,
    input [63:0] pc,
    input [63:0] value,
    output reg done,
    output reg [OUT-1:0] index,
    input table_write,
    input [7:0] table_address,
    input [7:0] table_data
);
    (* anyconst *) reg [4*OUT-1:0] indexes;
    always @(posedge clk) begin
        done <= !start;
        if (start)
            index <= indexes[OUT*pc[1:0] +: OUT];
    end
endmodule
