/* SPDX-License-Identifier: MIT */
/* A queue that takes up to LANES words a cycle and gives one: where a processor retires several
 * instructions at once, and what watches them takes one after the other.
 *
 *     in[0] ──┐
 *     in[1] ──┼──► | DEPTH words | ──► out
 *      ...  ──┘
 *              dropping: what finds less room than for LANES words is dropped, and counted
 *                        else `ready` falls: nothing is taken
 *
 * A lower lane is the older. `ready` depends on what is held alone. DEPTH is a power of two and at
 * least LANES. `dropped` stops at its end. */
module funnel #(
    parameter LANES = 2,
    parameter WIDTH = 64,
    parameter DEPTH = 16,
    parameter COUNT = 32,
    parameter ADDRESS = $clog2(DEPTH)
) (
    input clk,
    input rst,
    input dropping,
    input forget,
    output reg overflow,
    output reg [COUNT-1:0] dropped,
    input [LANES-1:0] in_valid,
    output ready,
    input [WIDTH*LANES-1:0] in_data,
    output out_valid,
    input out_ready,
    output [WIDTH-1:0] out_data
);
    reg [WIDTH-1:0] word [0:DEPTH-1];
    reg [ADDRESS:0] head, tail; /* one bit more than an address: full and empty differ */
    wire [ADDRESS:0] held = tail - head;
    wire room = held <= DEPTH - LANES;
    assign ready = room || dropping;
    assign out_valid = head != tail;
    assign out_data = word[head[ADDRESS-1:0]];

    integer i;
    reg [ADDRESS:0] behind;
    reg [COUNT:0] lost;
    always @(posedge clk)
        if (rst) begin
            head <= 0;
            tail <= 0;
            overflow <= 0;
            dropped <= 0;
        end else begin
            behind = tail;
            lost = dropped;
            for (i = 0; i < LANES; i = i + 1)
                if (in_valid[i]) begin
                    if (room) begin
                        word[behind[ADDRESS-1:0]] <= in_data[WIDTH*i +: WIDTH];
                        behind = behind + 1;
                    end else if (dropping && !lost[COUNT])
                        lost = lost + 1;
                end
            tail <= behind;
            dropped <= lost[COUNT] ? {COUNT{1'b1}} : lost[COUNT-1:0];
            if (dropping && !room && in_valid != 0)
                overflow <= 1;
            if (forget) begin
                overflow <= 0;
                dropped <= 0;
            end
            if (out_valid && out_ready)
                head <= head + 1;
        end
endmodule
