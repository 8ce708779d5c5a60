// SPDX-License-Identifier: MIT
//
// Fully associative accumulator of the interval profilers (multihash.v): a table that counts the
// most frequent tuples of an interval exactly.
//
// Each entry has a register for its tuple and its own comparator; the counts are in a RAM. `go`
// starts the operation `op` on the inputs, which must stay stable until `done` is set. `done` is
// set for one cycle; in this cycle `ok` is valid.
//
//   op              function                                                        cycles
//   0  LOOKUP       If the tuple is stored, sets `ok` and adds `amount` to its count.  4
//   1  ALLOCATE     Stores the tuple with the count `amount` and sets `ok`. It uses the
//                   lowest empty slot. If no slot is empty, it replaces the retained
//                   entry with the lowest count below `threshold` (the lowest slot on
//                   a tie). If there is none, `ok` is 0.                     3 or ENTRIES + 5
//   2  END          Sends every entry whose count is at least `threshold`. With RETAIN,
//                   these entries stay as retained entries with count 0. All others
//                   are freed.             2 per entry, plus waiting for out_ready
//   3  CLEAR        Frees all entries.                                      ENTRIES + 2
//
// Read-out: when no operation is in progress, the peek_* outputs show entry `peek` with a latency
// of two cycles.
//
//     pc, value ──► = = = = ... ──► match ──► slot ──► | counts | ──► + amount ──┐
//                   tuple, used, retained                  ▲─────────────────────┘

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
    output reg [1:0] peek_flags // {used, retained}
);
    localparam LOOKUP = 0, ALLOCATE = 1, END = 2, CLEAR = 3;
    localparam IDLE = 0, MATCH = 1, READ = 2, ADD = 3, FIND_EMPTY = 4, SCAN = 5, WRITE_ENTRY = 6,
               WALK = 7, SEND = 8, WIPE_ENTRY = 9;

    reg [63:0] tuple_pc [0:ENTRIES-1];
    reg [63:0] tuple_value [0:ENTRIES-1];
    reg [ENTRIES-1:0] used;
    reg [ENTRIES-1:0] retained;

    reg [3:0] state;
    reg [ENTRIES-1:0] match;
    reg [SLOT-1:0] slot, matched, empty, victim;
    reg any_match, any_empty, any_victim;
    reg [COUNT_BITS-1:0] minimum;
    reg [SLOT:0] walk; // slot of the scan, read next
    reg write;
    reg [SLOT-1:0] write_slot;
    reg [COUNT_BITS-1:0] write_count;
    wire [COUNT_BITS-1:0] count;

    ram #(.WIDTH(COUNT_BITS), .DEPTH(ENTRIES)) counts (
        .clk(clk), .write(write), .write_address(write_slot), .write_data(write_count),
        .read_address(state == IDLE ? peek : state == SCAN || state == WALK ? walk[SLOT-1:0] :
        slot),
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

    wire [SLOT-1:0] scan_slot = walk[SLOT-1:0] - 1; // slot of the count that was read
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
                any_victim <= 0;
                minimum <= threshold;
                case (op)
                    LOOKUP: state <= MATCH;
                    ALLOCATE: state <= FIND_EMPTY;
                    END: state <= WALK;
                    CLEAR: state <= WIPE_ENTRY;
                endcase
            end
            MATCH: begin // `match` is valid for this tuple
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
            FIND_EMPTY: begin
                slot <= empty;
                ok <= any_empty;
                state <= any_empty ? WRITE_ENTRY : SCAN;
            end
            SCAN: begin
                walk <= walk + 1;
                if (walk != 0 && retained[scan_slot] && count < minimum) begin
                    victim <= scan_slot;
                    minimum <= count;
                    any_victim <= 1;
                end
                if (walk == ENTRIES + 1) begin
                    slot <= victim;
                    ok <= any_victim;
                    done <= !any_victim;
                    state <= any_victim ? WRITE_ENTRY : IDLE;
                end
            end
            WRITE_ENTRY: begin
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
            WALK: begin // reads the count of slot `walk`
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
            WIPE_ENTRY: begin
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
