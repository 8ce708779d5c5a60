/* SPDX-License-Identifier: MIT */
/* The accumulator of the interval profilers, fully associative: tuples in registers, each with
 * a comparator; counts in a RAM.
 *
 *     pc, value ──► = = = = ... ──► match ──► slot ──► | counts | ──► + weight ──┐
 *                   tuple, used, retained                  ▲─────────────────────┘
 *
 * op    what it does, and how many cycles it takes
 *  0    LOOK    finds the tuple (ok), adds `amount` to its count                 4
 *  1    CLAIM   a new entry for the tuple with the count `amount`: in the lowest empty slot,
 *               or that of the retained entry with the lowest count below the threshold, the
 *               lowest slot on a tie; not ok if there is none                    3, or ENTRIES + 5
 *  2    END     sends the entries that count `threshold` or more; keeps those, with RETAIN, as
 *               retained with count 0, and frees the others                      2 an entry, and
 *               as long as whoever takes the messages lets it wait
 *  3    CLEAR   frees all                                                        ENTRIES + 2
 *
 * `go` begins an operation; `done` is set for one cycle at its end, with `ok`. The words have
 * to stay until then. Read-out: entry `peek` is at the outputs peek_* two cycles later, while
 * no operation is under way. */
module accumulator #(
    parameter ENTRIES = 100,
    parameter COUNT_BITS = 24,
    parameter RETAIN = 1,
    parameter SLOT = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
    input clk,
    input rst,
    input go,
    input [1:0] op,
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
    output reg [63:0] peek_pc,
    output reg [63:0] peek_value,
    output [COUNT_BITS-1:0] peek_count,
    output reg [1:0] peek_flags /* used, retained */
);
    localparam LOOK = 0, CLAIM = 1, END = 2, CLEAR = 3;
    localparam IDLE = 0, MATCH = 1, READ = 2, ADD = 3, PICK = 4, SCAN = 5, TAKE = 6, WALK = 7,
               SEND = 8, WIPE = 9;

    reg [63:0] tuple_pc [0:ENTRIES-1];
    reg [63:0] tuple_value [0:ENTRIES-1];
    reg [ENTRIES-1:0] used;
    reg [ENTRIES-1:0] retained;

    reg [3:0] state;
    reg [ENTRIES-1:0] match;
    reg [SLOT-1:0] slot, matched, empty, lowest;
    reg any_match, any_empty, some;
    reg [COUNT_BITS-1:0] least;
    reg [SLOT:0] walk; /* the slot whose count is read next */
    reg write;
    reg [SLOT-1:0] write_slot;
    reg [COUNT_BITS-1:0] write_count;
    wire [COUNT_BITS-1:0] count;

    ram #(.WIDTH(COUNT_BITS), .DEPTH(ENTRIES)) counts (
        .clk(clk), .write(write), .write_address(write_slot), .write_data(write_count),
        .read_address(state == IDLE ? peek : state == SCAN || state == WALK ? walk[SLOT-1:0] : slot),
        .read_data(count));
    assign peek_count = count;

    integer i;
    always @* begin
        matched = 0;
        any_match = 0;
        empty = 0;
        any_empty = 0;
        for (i = ENTRIES - 1; i >= 0; i = i - 1) begin
            if (match[i]) begin
                matched = i;
                any_match = 1;
            end
            if (!used[i]) begin
                empty = i;
                any_empty = 1;
            end
        end
    end

    wire [SLOT-1:0] scanned = walk[SLOT-1:0] - 1; /* whose count arrives */
    always @(posedge clk) begin
        done <= 0;
        write <= 0;
        peek_pc <= tuple_pc[peek];
        peek_value <= tuple_value[peek];
        peek_flags <= {used[peek], retained[peek]};
        if (go) for (i = 0; i < ENTRIES; i = i + 1)
            match[i] <= used[i] && tuple_pc[i] == pc && tuple_value[i] == value;
        if (rst) begin
            state <= IDLE;
            out_valid <= 0;
            used <= 0;
            retained <= 0;
        end else case (state)
            IDLE: if (go) begin
                walk <= 0;
                some <= 0;
                least <= threshold;
                case (op)
                    LOOK: state <= MATCH;
                    CLAIM: state <= PICK;
                    END: state <= WALK;
                    CLEAR: state <= WIPE;
                endcase
            end
            MATCH: begin /* `match` is of this tuple now */
                slot <= matched;
                ok <= any_match;
                done <= !any_match;
                state <= any_match ? READ : IDLE;
            end
            READ: state <= ADD;
            ADD: begin
                write <= 1;
                write_slot <= slot;
                write_count <= count + amount;
                done <= 1;
                state <= IDLE;
            end
            PICK: begin
                slot <= empty;
                ok <= any_empty;
                state <= any_empty ? TAKE : SCAN;
            end
            SCAN: begin
                walk <= walk + 1;
                if (walk != 0 && retained[scanned] && count < least) begin
                    lowest <= scanned;
                    least <= count;
                    some <= 1;
                end
                if (walk == ENTRIES + 1) begin
                    slot <= lowest;
                    ok <= some;
                    done <= !some;
                    state <= some ? TAKE : IDLE;
                end
            end
            TAKE: begin
                tuple_pc[slot] <= pc;
                tuple_value[slot] <= value;
                used[slot] <= 1;
                retained[slot] <= 0;
                write <= 1;
                write_slot <= slot;
                write_count <= amount;
                done <= 1;
                state <= IDLE;
            end
            WALK: begin /* the count of `walk` is asked for */
                slot <= walk[SLOT-1:0];
                if (walk == ENTRIES) begin
                    done <= 1;
                    ok <= 1;
                    state <= IDLE;
                end else
                    state <= SEND;
            end
            SEND: begin
                if (!out_valid || out_ready) begin
                    out_valid <= 0;
                    if (!out_valid && used[slot] && count >= threshold) begin
                        out_valid <= 1;
                        out_pc <= tuple_pc[slot];
                        out_value <= tuple_value[slot];
                        out_count <= count;
                    end else begin
                        if (used[slot] && RETAIN != 0 && count >= threshold) begin
                            retained[slot] <= 1;
                        end else begin
                            used[slot] <= 0;
                            retained[slot] <= 0;
                        end
                        write <= 1;
                        write_slot <= slot;
                        write_count <= 0;
                        walk <= walk + 1;
                        state <= WALK;
                    end
                end
            end
            WIPE: begin
                used <= 0;
                retained <= 0;
                write <= 1;
                write_slot <= walk[SLOT-1:0];
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
