/* In the place of random.v: any number, below the limit if there is one, a cycle later. */
module random #(
    parameter [63:0] SEED = 1
) (
    input clk,
    input rst,
    input go,
    input bounded,
    input [63:0] limit,
    output reg done,
    output [63:0] number
);
    (* anyseq *) reg [7:0] any;
    assign number = {56'b0, any};
    always @(posedge clk) begin
        done <= go && !rst;
        if (done && bounded)
            assume (number < limit);
    end
endmodule

/* The chances of heavykeeper.v, which a spec gives: any. */
module chance_table (
    input clk,
    input [9:0] address,
    output [63:0] word
);
    (* anyseq *) reg [7:0] any;
    assign word = {56'b0, any};
endmodule
