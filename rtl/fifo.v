// SPDX-License-Identifier: MIT
//
// First-in first-out queue in registers, with valid/ready handshakes at both ends.
//
// The queue stores up to DEPTH words of WIDTH bits; DEPTH must be a power of two. One word can
// enter and one word can leave per cycle. in_ready is 0 if the queue is full and does not depend
// on out_ready. out_valid is 0 if the queue is empty and does not depend on in_valid. `fill` is
// the number of stored words. A word is visible at the output in the cycle after it entered.
//
//     in ──► | DEPTH words | ──► out

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
    output [ADDRESS:0] fill
);
    reg [WIDTH-1:0] word [0:DEPTH-1];
    reg [ADDRESS:0] head, tail; // one more bit than an address distinguishes full from empty
    assign fill = tail - head;
    assign in_ready = fill != DEPTH;
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
