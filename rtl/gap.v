// SPDX-License-Identifier: MIT
//
// Generator of the random gaps of a sampler. A gap is the number of elements up to and including
// the next sampled element.
//
// The C model is src/tables/compress/sampler.h. With UNIFORM = 1, gaps are uniformly distributed
// from 1 to 2 RATE - 1. With UNIFORM = 0, they have the geometric distribution with probability 1 /
// RATE. They are then found by binary search in gap_table, which has three levels of 1024 words and
// contains the probabilities q^g (q = 1 - 1 / RATE) that a gap is longer than g. `sluice rtl`
// writes gap_table for the rate. `go` starts, and `done` is set for one cycle when `drawn` has the
// gap.
//
// Cycles: about 205 with UNIFORM = 1, usually about 160 otherwise.
//
//     random ──► u ──► search | gap_table, 3 x 1024 words | ──► gap = gap * 1024 + found
//                         10 steps of 2 cycles, one level after the other

module gap #(
    parameter UNIFORM = 0,
    parameter [63:0] RATE = 256,
    parameter [63:0] SEED = 1,
    parameter GAP_BITS = 40
) (
    input clk,
    input rst,
    input go,
    output reg done,
    output reg [GAP_BITS-1:0] drawn
);
    localparam IDLE = 0, DRAW = 1, LAST = 2, LAST_WAIT = 3, PROBE = 4, PROBE_WAIT = 5, FOUND = 6,
               DOWN = 7, DOWN_WAIT = 8, REDRAW = 9;
    reg [3:0] state;
    reg [1:0] level;
    reg [9:0] position, half;
    reg [63:0] u;
    reg [GAP_BITS-1:0] upper_gap; // gap from the upper levels
    reg request, bounded;
    reg [63:0] limit;
    wire ready;
    wire [63:0] number, longer;
    reg [11:0] address;
    random #(.SEED(SEED)) generator (.clk(clk), .rst(rst), .go(request), .bounded(bounded),
                                     .limit(limit), .done(ready), .number(number));
    generate
        if (UNIFORM == 0) begin : geometric
            gap_table words (.clk(clk), .address(address), .word(longer));
        end else begin : uniform
            assign longer = 0;
        end
    endgenerate

    always @(posedge clk) begin
        request <= 0;
        done <= 0;
        if (rst)
            state <= IDLE;
        else case (state)
            IDLE: if (go) begin
                request <= 1;
                bounded <= UNIFORM != 0;
                limit <= 2 * RATE - 1;
                level <= 0;
                upper_gap <= 0;
                state <= DRAW;
            end
            DRAW: if (ready) begin
                if (UNIFORM != 0) begin
                    drawn <= number + 1;
                    done <= 1;
                    state <= IDLE;
                end else begin
                    u <= number;
                    address <= {level, 10'd1023};
                    state <= LAST;
                end
            end
            LAST: state <= LAST_WAIT;
            LAST_WAIT: if (u < longer) begin // the gap is longer than a block of this level
                if (level != 2)
                    level <= level + 1;
                else
                    upper_gap <= upper_gap + 1;
                request <= 1;
                bounded <= 0;
                state <= DRAW;
            end else begin
                position <= 0;
                half <= 512;
                address <= {level, 10'd511};
                state <= PROBE;
            end
            PROBE: state <= PROBE_WAIT;
            PROBE_WAIT: begin
                if (longer > u)
                    position <= position + half;
                half <= half >> 1;
                address <= {level, position + (longer > u ? half : 10'd0) + (half >> 1) - 10'd1};
                state <= half == 1 ? FOUND : PROBE;
            end
            FOUND: begin
                upper_gap <= (upper_gap << 10) + position + 1;
                drawn <= (upper_gap << 10) + position + 1;
                if (level == 0) begin
                    done <= 1;
                    state <= IDLE;
                end else begin
                    level <= level - 1;
                    address <= {level - 2'd1, 10'd1023};
                    state <= DOWN;
                end
            end
            DOWN: state <= DOWN_WAIT;
            DOWN_WAIT: begin
                limit <= -longer;
                bounded <= 1;
                request <= 1;
                state <= REDRAW;
            end
            REDRAW: if (ready) begin
                u <= number + longer;
                position <= 0;
                half <= 512;
                address <= {level, 10'd511};
                state <= PROBE;
            end
            default: state <= IDLE;
        endcase
    end
endmodule
