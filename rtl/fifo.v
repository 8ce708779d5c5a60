/* SPDX-License-Identifier: MIT */
/* A queue of DEPTH words (a power of two), in registers: valid/ready at both ends.
 *
 *     in ──► | DEPTH words | ──► out
 *
 * A word a cycle at each end. in_ready does not depend on out_ready, out_valid not on in_valid. */
module fifo #(
    parameter WIDTH = 64,
    parameter DEPTH = 4,
    parameter ADDRESS = $clog2(DEPTH)
) (
    input clk,
    input rst,
    input in_valid,
    output in_ready,
    input [WIDTH-1:0] in_data,
    output out_valid,
    input out_ready,
    output [WIDTH-1:0] out_data,
    output [ADDRESS:0] held
);
    reg [WIDTH-1:0] word [0:DEPTH-1];
    reg [ADDRESS:0] head, tail; /* one bit more than an address: full and empty differ */
    assign held = tail - head;
    assign in_ready = held != DEPTH;
    assign out_valid = head != tail;
    assign out_data = word[head[ADDRESS-1:0]];
    always @(posedge clk)
        if (rst) begin
            head <= 0;
            tail <= 0;
        end else begin
            if (in_valid && in_ready) begin
                word[tail[ADDRESS-1:0]] <= in_data;
                tail <= tail + 1;
            end
            if (out_valid && out_ready)
                head <= head + 1;
        end
endmodule
