// SPDX-License-Identifier: MIT
//
// Queue with several inputs: accepts up to LANES words per cycle and passes on one.
//
// A processor may retire several instructions per cycle, and the modules after the funnel accept
// one event per cycle. Lane 0 is the oldest. If there is not enough space for LANES words, the
// input `dropping` decides. With dropping = 0, `ready` is 0 and no word enters. With dropping = 1,
// `ready` stays 1, and the words of that cycle are dropped and counted in `dropped`, which
// saturates; `overflow` stays set until `clear_drops`. `ready` depends only on the fill level and
// on `dropping`. DEPTH must be a power of two and at least LANES.
//
//     in[0] ──┐
//     in[1] ──┼──► | DEPTH words | ──► out
//      ...  ──┘

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
    input clear_drops,
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
    reg [ADDRESS:0] head, tail; // one more bit than an address distinguishes full from empty
    wire [ADDRESS:0] fill = tail - head;
    wire has_space = fill <= DEPTH - LANES;
    assign ready = has_space || dropping;
    assign out_valid = head != tail;
    assign out_data = word[head[ADDRESS-1:0]];

    integer i;
    reg [ADDRESS:0] next_tail;
    reg [COUNT:0] next_dropped;
    always @(posedge clk)
        if (rst) begin
            head <= 0;
            tail <= 0;
            overflow <= 0;
            dropped <= 0;
        end else begin
            next_tail = tail;
            next_dropped = dropped;
            for (i = 0; i < LANES; i = i + 1)
                if (in_valid[i]) begin
                    if (has_space) begin
                        word[next_tail[ADDRESS-1:0]] <= in_data[WIDTH*i +: WIDTH];
                        next_tail = next_tail + 1;
                    end else if (dropping && !next_dropped[COUNT])
                        next_dropped = next_dropped + 1;
                end
            tail <= next_tail;
            dropped <= next_dropped[COUNT] ? {COUNT{1'b1}} : next_dropped[COUNT-1:0];
            if (dropping && !has_space && in_valid != 0)
                overflow <= 1;
            if (clear_drops) begin
                overflow <= 0;
                dropped <= 0;
            end
            if (out_valid && out_ready)
                head <= head + 1;
        end
endmodule
