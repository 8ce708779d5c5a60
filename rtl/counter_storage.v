/* SPDX-License-Identifier: MIT */
/* Counters of functions (src/tables/counters/counter_storage.h is the model), in a RAM.
 *
 *     index ──► | counters | ──► + ──► full? ──► the end, or the sum ──┐
 *                    ▲           ▲ units                               │
 *                    │        carry + weight >> exponent               │
 *                    └──────────────────◄──────────────────────────────┘
 *
 *     SHIFT 0   a counter that is full stays full
 *           1   when one would overflow, all are halved, and each unit stands for twice as much;
 *               what is less than a unit stays in `carry` for who is charged next
 *
 * Cycles for an addition: 3; with SHIFT 2^INDEX_BITS + 3 more for each halving. Of what is not
 * `known` only the number is counted. After rst it clears itself, a counter a cycle. Read-out: see
 * leap.v. */
module counter_storage #(
    parameter INDEX_BITS = 8,
    parameter DEPTH = 256,
    parameter COUNTER_BITS = 32,
    parameter SHIFT = 0,
    parameter WEIGHT_BITS = 32
) (
    input clk,
    input rst,
    input go,
    input known,
    input [INDEX_BITS-1:0] index,
    input [WEIGHT_BITS-1:0] weight,
    output reg done,
    output ready,
    input rd_valid,
    input [31:0] rd_address,
    output reg rd_done,
    output reg [63:0] rd_data
);
    localparam [63:0] MOST = ~64'b0 >> (64 - COUNTER_BITS);
    localparam CLEAR = 0, IDLE = 1, READ = 2, ADD = 3, HALVE = 4, AGAIN = 5, PEEK = 6;
    reg [2:0] state;
    reg [INDEX_BITS:0] walk;
    reg [63:0] units, carry, strangers, overflows;
    reg [5:0] exponent;
    reg counted; /* this addition's overflow is */
    reg [1:0] waited;
    wire [63:0] sum = carry + weight;
    wire [COUNTER_BITS-1:0] count;
    wire full = units > MOST - count;
    reg write;
    reg [INDEX_BITS-1:0] at;
    reg [COUNTER_BITS-1:0] next;
    ram #(.WIDTH(COUNTER_BITS), .DEPTH(DEPTH)) counters (
        .clk(clk), .write(write), .write_address(at), .write_data(next),
        .read_address(state == PEEK ? rd_address[INDEX_BITS-1:0] :
                      state == HALVE ? walk[INDEX_BITS-1:0] : index), .read_data(count));
    assign ready = state == IDLE;
    always @(posedge clk) begin
        done <= 0;
        rd_done <= 0;
        write <= 0;
        if (rst) begin
            state <= CLEAR;
            walk <= 0;
            carry <= 0;
            exponent <= 0;
            strangers <= 0;
            overflows <= 0;
        end else case (state)
            CLEAR: begin
                write <= 1;
                at <= walk[INDEX_BITS-1:0];
                next <= 0;
                walk <= walk + 1;
                if (walk == DEPTH - 1)
                    state <= IDLE;
            end
            IDLE: if (go && !known) begin
                strangers <= strangers + 1;
                done <= 1;
            end else if (go) begin
                units <= sum >> exponent;
                carry <= sum - (sum >> exponent << exponent);
                counted <= 0;
                state <= READ;
            end else if (rd_valid && !rd_done) begin
                waited <= 0;
                state <= PEEK;
            end
            READ: state <= ADD;
            ADD: begin
                if (full && !counted) begin
                    overflows <= overflows + 1;
                    counted <= 1;
                end
                if (full && SHIFT != 0) begin
                    carry <= carry + ({63'b0, units[0]} << exponent);
                    units <= units >> 1;
                    walk <= 0;
                    state <= HALVE;
                end else begin
                    write <= 1;
                    at <= index;
                    next <= full ? MOST : count + units;
                    done <= 1;
                    state <= IDLE;
                end
            end
            HALVE: begin /* the word is of walk - 1 */
                walk <= walk + 1;
                write <= walk != 0;
                at <= walk - 1;
                next <= count >> 1;
                if (walk == DEPTH) begin
                    exponent <= exponent + 1;
                    state <= AGAIN;
                end
            end
            AGAIN: state <= READ; /* the last is being written */
            PEEK: begin
                waited <= waited + 1;
                if (waited == 2) begin
                    rd_done <= 1;
                    rd_data <= rd_address[31:28] == 1 ? count : rd_address[1:0] == 0 ? exponent :
                               rd_address[1:0] == 1 ? carry : rd_address[1:0] == 2 ? strangers :
                               overflows;
                    state <= IDLE;
                end
            end
            default: state <= IDLE;
        endcase
    end
endmodule
