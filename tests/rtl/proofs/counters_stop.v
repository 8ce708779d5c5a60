/* Counters stop at their end and do not wrap, whatever is added: three tables of 5-bit counters,
 * weights of 7 bits, conservative and not. */
module counters_stop (
    input clk,
    input [14:0] held,
    input [6:0] weight
);
    wire [14:0] all, some;
    raise #(.TABLES(3), .COUNTER_BITS(5), .CONSERVATIVE(0), .WEIGHT_BITS(7)) adding (
        .held(held), .weight(weight), .next(all), .least());
    raise #(.TABLES(3), .COUNTER_BITS(5), .CONSERVATIVE(1), .WEIGHT_BITS(7)) raising (
        .held(held), .weight(weight), .next(some), .least());
    integer i;
    reg [7:0] sum;
    always @(posedge clk)
        for (i = 0; i < 3; i = i + 1) begin
            sum = held[5*i +: 5] + weight;
            assert (all[5*i +: 5] == (sum > 31 ? 31 : sum));
            assert (some[5*i +: 5] >= held[5*i +: 5]);
            assert (some[5*i +: 5] <= all[5*i +: 5]);
        end
endmodule
