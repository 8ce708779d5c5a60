/* SPDX-License-Identifier: MIT */
/* The accumulator of the interval profilers in sets (src/tables/interval/interval_sets.c is the model): a
 * tuple can be in WAYS entries only, those of its set. So everything is in memories, and one
 * comparator looks at the entries of the set one after the other.
 *
 *     set ──► entry of the set, one a cycle ──► | tuples | ──► = pc, value
 *                                               | flags  | ──► used, retained
 *                                               | counts | ──► + weight ──┐
 *                                                    ▲────────────────────┘
 *
 * op    what it does, and how many cycles it takes
 *  0    LOOK    finds the tuple (ok), adds `amount` to its count                 up to WAYS + 2
 *  1    CLAIM   a new entry for the tuple with the count `amount`: in the lowest empty one of its
 *               set, or that of the retained entry of the set with the lowest count below the
 *               threshold, the lowest on a tie; not ok if there is none          WAYS + 4
 *  2    END     sends the entries that count `threshold` or more; keeps those, with RETAIN, as
 *               retained with count 0, and frees the others                      2 an entry, and
 *               as long as whoever takes the messages lets it wait
 *  3    CLEAR   frees all                                                        ENTRIES + 2
 *
 * Its ports are those of accumulator.v, and the set, which has to stay like the words. */
module accumulator_sets #(
    parameter ENTRIES = 128,
    parameter WAYS = 4,
    parameter COUNT_BITS = 24,
    parameter RETAIN = 1,
    parameter SLOT = ENTRIES > 1 ? $clog2(ENTRIES) : 1,
    parameter SET = ENTRIES > WAYS ? $clog2(ENTRIES / WAYS) : 1
) (
    input clk,
    input rst,
    input go,
    input [1:0] op,
    input [SET-1:0] set,
    input [63:0] pc,
    input [63:0] value,
    input [COUNT_BITS-1:0] amount,
    input [COUNT_BITS-1:0] threshold,
    output reg done,
    output reg ok,
    output reg out_valid,
    input out_ready,
    output reg [63:0] out_pc,
    output reg [63:0] out_value,
    output reg [COUNT_BITS-1:0] out_count,
    input [SLOT-1:0] peek,
    output [63:0] peek_pc,
    output [63:0] peek_value,
    output [COUNT_BITS-1:0] peek_count,
    output [1:0] peek_flags /* used, retained */
);
    localparam LOOK = 0, CLAIM = 1, END = 2, CLEAR = 3;
    localparam IDLE = 0, SEEK = 1, SCAN = 2, TAKE = 3, WALK = 4, SEND = 5, WIPE = 6;
    localparam ONE_SET = ENTRIES == WAYS;

    reg [2:0] state;
    reg [SLOT:0] base; /* the first entry of what is walked through: a set, or all */
    reg [SLOT:0] walk; /* the one that is asked for now, from there */
    reg [SLOT-1:0] slot, empty, lowest;
    reg any_empty, some;
    reg [COUNT_BITS-1:0] least;
    wire [SLOT:0] asked = base + walk, arrived = asked - 1;

    reg keep, mark;
    reg [SLOT-1:0] write_slot;
    reg [COUNT_BITS-1:0] write_count;
    reg [1:0] write_flags;
    wire [SLOT-1:0] address = state == IDLE ? peek :
                              state == SEEK || state == SCAN || state == WALK ? asked[SLOT-1:0] : slot;
    wire [COUNT_BITS-1:0] count;
    wire [127:0] tuple;
    wire [1:0] flags;
    wire used = flags[1], retained = flags[0];
    reg put;

    ram #(.WIDTH(COUNT_BITS), .DEPTH(ENTRIES)) counts (
        .clk(clk), .write(keep), .write_address(write_slot), .write_data(write_count),
        .read_address(address), .read_data(count));
    ram #(.WIDTH(2), .DEPTH(ENTRIES)) marks (
        .clk(clk), .write(mark), .write_address(write_slot), .write_data(write_flags),
        .read_address(address), .read_data(flags));
    ram #(.WIDTH(128), .DEPTH(ENTRIES)) tuples (
        .clk(clk), .write(put), .write_address(write_slot), .write_data({value, pc}),
        .read_address(address), .read_data(tuple));
    assign peek_pc = tuple[63:0];
    assign peek_value = tuple[127:64];
    assign peek_count = count;
    assign peek_flags = flags;

    wire match = used && tuple == {value, pc};
    always @(posedge clk) begin
        done <= 0;
        keep <= 0;
        mark <= 0;
        put <= 0;
        if (rst) begin
            state <= IDLE;
            out_valid <= 0;
        end else case (state)
            IDLE: if (go) begin
                base <= op == END || op == CLEAR || ONE_SET ? 0 : set * WAYS;
                walk <= 0;
                any_empty <= 0;
                some <= 0;
                least <= threshold;
                case (op)
                    LOOK: state <= SEEK;
                    CLAIM: state <= SCAN;
                    END: state <= WALK;
                    CLEAR: state <= WIPE;
                endcase
            end
            SEEK: begin
                walk <= walk + 1;
                if (walk != 0 && (match || walk == WAYS)) begin
                    keep <= match;
                    write_slot <= arrived[SLOT-1:0];
                    write_count <= count + amount;
                    ok <= match;
                    done <= 1;
                    state <= IDLE;
                end
            end
            SCAN: begin
                walk <= walk + 1;
                if (walk != 0 && walk <= WAYS) begin
                    if (!used && !any_empty) begin
                        any_empty <= 1;
                        empty <= arrived[SLOT-1:0];
                    end
                    if (used && retained && count < least) begin
                        lowest <= arrived[SLOT-1:0];
                        least <= count;
                        some <= 1;
                    end
                end
                if (walk == WAYS + 1) begin
                    slot <= any_empty ? empty : lowest;
                    ok <= any_empty || some;
                    done <= !any_empty && !some;
                    state <= any_empty || some ? TAKE : IDLE;
                end
            end
            TAKE: begin
                put <= 1;
                mark <= 1;
                keep <= 1;
                write_slot <= slot;
                write_flags <= 2'b10;
                write_count <= amount;
                done <= 1;
                state <= IDLE;
            end
            WALK: begin
                slot <= walk[SLOT-1:0];
                if (walk == ENTRIES) begin
                    done <= 1;
                    ok <= 1;
                    state <= IDLE;
                end else
                    state <= SEND;
            end
            SEND: if (!out_valid || out_ready) begin
                out_valid <= 0;
                if (!out_valid && used && count >= threshold) begin
                    out_valid <= 1;
                    out_pc <= tuple[63:0];
                    out_value <= tuple[127:64];
                    out_count <= count;
                end else begin
                    mark <= 1;
                    keep <= 1;
                    write_slot <= slot;
                    write_flags <= used && RETAIN != 0 && count >= threshold ? 2'b11 : 2'b00;
                    write_count <= 0;
                    walk <= walk + 1;
                    state <= WALK;
                end
            end
            WIPE: begin
                mark <= 1;
                keep <= 1;
                write_slot <= walk[SLOT-1:0];
                write_flags <= 0;
                write_count <= 0;
                walk <= walk + 1;
                if (walk == ENTRIES - 1) begin
                    done <= 1;
                    ok <= 1;
                    state <= IDLE;
                end
            end
            default: state <= IDLE;
        endcase
    end
endmodule
