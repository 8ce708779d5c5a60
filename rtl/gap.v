/* SPDX-License-Identifier: MIT */
/* How many elements it takes to the next one that is selected (src/tables/compress/sampler.h):
 *
 *     UNIFORM = 1   1 + a number below 2 RATE - 1                          about 205 cycles
 *     UNIFORM = 0   geometric, by search in tables of q^g, three levels     mostly about 160
 *
 *     random ──► u ──► search | gap_table, 3 x 1024 words | ──► gap = gap * 1024 + found
 *                         10 steps of 2 cycles, a level after the other
 *
 * gap_table is made for the rate by the generator. */
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
    localparam IDLE = 0, DRAW = 1, LAST = 2, LASTED = 3, PROBE = 4, PROBED = 5, FOUND = 6,
               DOWN = 7, DOWNED = 8, REDRAW = 9;
    reg [3:0] state;
    reg [1:0] level;
    reg [9:0] above, half;
    reg [63:0] u;
    reg [GAP_BITS-1:0] whole; /* what the levels above say */
    reg ask, bounded;
    reg [63:0] limit;
    wire ready;
    wire [63:0] number, longer;
    reg [11:0] address;
    random #(.SEED(SEED)) generator (.clk(clk), .rst(rst), .go(ask), .bounded(bounded),
                                     .limit(limit), .done(ready), .number(number));
    generate
        if (UNIFORM == 0) begin : geometric
            gap_table words (.clk(clk), .address(address), .word(longer));
        end else begin : uniform
            assign longer = 0;
        end
    endgenerate

    always @(posedge clk) begin
        ask <= 0;
        done <= 0;
        if (rst)
            state <= IDLE;
        else case (state)
            IDLE: if (go) begin
                ask <= 1;
                bounded <= UNIFORM != 0;
                limit <= 2 * RATE - 1;
                level <= 0;
                whole <= 0;
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
            LAST: state <= LASTED;
            LASTED: if (u < longer) begin /* a whole block is passed over */
                if (level != 2)
                    level <= level + 1;
                else
                    whole <= whole + 1;
                ask <= 1;
                bounded <= 0;
                state <= DRAW;
            end else begin
                above <= 0;
                half <= 512;
                address <= {level, 10'd511};
                state <= PROBE;
            end
            PROBE: state <= PROBED;
            PROBED: begin
                if (longer > u)
                    above <= above + half;
                half <= half >> 1;
                address <= {level, above + (longer > u ? half : 10'd0) + (half >> 1) - 10'd1};
                state <= half == 1 ? FOUND : PROBE;
            end
            FOUND: begin
                whole <= (whole << 10) + above + 1;
                drawn <= (whole << 10) + above + 1;
                if (level == 0) begin
                    done <= 1;
                    state <= IDLE;
                end else begin
                    level <= level - 1;
                    address <= {level - 2'd1, 10'd1023};
                    state <= DOWN;
                end
            end
            DOWN: state <= DOWNED;
            DOWNED: begin
                limit <= -longer;
                bounded <= 1;
                ask <= 1;
                state <= REDRAW;
            end
            REDRAW: if (ready) begin
                u <= number + longer;
                above <= 0;
                half <= 512;
                address <= {level, 10'd511};
                state <= PROBE;
            end
            default: state <= IDLE;
        endcase
    end
endmodule
