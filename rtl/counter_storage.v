// SPDX-License-Identifier: MIT
//
// Function counters of the LEAP profiler (leap.v), stored in a RAM.
//
// The C model is src/tables/functions/function_counters.h. When `go` is set, the module adds
// `weight` to the counter `index`. SHIFT selects what happens when a counter overflows. With
// SHIFT = 0 the counter saturates. With SHIFT = 1 all counters are halved, so that one unit of a
// counter represents twice as much weight. Weight below one unit stays in `carry` and is added with
// the next event. For events of unknown functions (`known` = 0), the module only counts the events.
//
// Cycles per addition: 3; with SHIFT also 2^INDEX_BITS + 3 per halving. After reset the module
// clears its counters, one per cycle. `done` is set for one cycle at the end. leap.v lists the
// read-out addresses.
//
//     index ──► | counters | ──► + ──► full? ──► saturated sum ──┐
//                    ▲           ▲ units                         │
//                    │        (carry + weight) >> exponent       │
//                    └───────────────────────────────────────────┘

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
    localparam CLEAR = 0, IDLE = 1, READ = 2, ADD = 3, HALVE = 4, RETRY = 5, PEEK = 6;
    reg [2:0] state;
    reg [INDEX_BITS:0] walk;
    reg [63:0] units, carry, unknown, overflows;
    reg [5:0] exponent;
    reg overflow_counted; // the overflow of this addition was counted
    reg [1:0] waited;
    wire [63:0] sum = carry + weight;
    wire [COUNTER_BITS-1:0] count;
    wire full = units > MOST - count;
    reg write;
    reg [INDEX_BITS-1:0] write_index;
    reg [COUNTER_BITS-1:0] next;
    ram #(.WIDTH(COUNTER_BITS), .DEPTH(DEPTH)) counters (
        .clk(clk), .write(write), .write_address(write_index), .write_data(next),
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
            unknown <= 0;
            overflows <= 0;
        end else case (state)
            CLEAR: begin
                write <= 1;
                write_index <= walk[INDEX_BITS-1:0];
                next <= 0;
                walk <= walk + 1;
                if (walk == DEPTH - 1)
                    state <= IDLE;
            end
            IDLE: if (go && !known) begin
                unknown <= unknown + 1;
                done <= 1;
            end else if (go) begin
                units <= sum >> exponent;
                carry <= sum - (sum >> exponent << exponent);
                overflow_counted <= 0;
                state <= READ;
            end else if (rd_valid && !rd_done) begin
                waited <= 0;
                state <= PEEK;
            end
            READ: state <= ADD;
            ADD: begin
                if (full && !overflow_counted) begin
                    overflows <= overflows + 1;
                    overflow_counted <= 1;
                end
                if (full && SHIFT != 0) begin
                    carry <= carry + ({63'b0, units[0]} << exponent);
                    units <= units >> 1;
                    walk <= 0;
                    state <= HALVE;
                end else begin
                    write <= 1;
                    write_index <= index;
                    next <= full ? MOST : count + units;
                    done <= 1;
                    state <= IDLE;
                end
            end
            HALVE: begin // the word that was read is walk - 1
                walk <= walk + 1;
                write <= walk != 0;
                write_index <= walk - 1;
                next <= count >> 1;
                if (walk == DEPTH) begin
                    exponent <= exponent + 1;
                    state <= RETRY;
                end
            end
            RETRY: state <= READ; // waits until the last counter is written
            PEEK: begin
                waited <= waited + 1;
                if (waited == 2) begin
                    rd_done <= 1;
                    rd_data <= rd_address[31:28] == 1 ? count : rd_address[1:0] == 0 ? exponent :
                               rd_address[1:0] == 1 ? carry : rd_address[1:0] == 2 ? unknown :
                               overflows;
                    state <= IDLE;
                end
            end
            default: state <= IDLE;
        endcase
    end
endmodule
