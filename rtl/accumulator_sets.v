// SPDX-License-Identifier: MIT
//
// Set-associative accumulator of the interval profilers (multihash.v): a table that counts the most
// frequent tuples of an interval exactly.
//
// A tuple can only be in one of the WAYS entries of its set. A single comparator is therefore
// enough: it scans the set, one entry per cycle, and all entries are in RAMs. The module has the
// ports of accumulator.v and one more input, `set_index`, which must stay stable until `done`.
// The C model is src/tables/interval/interval_sets.c.
//
//   op              function                                                        cycles
//   0  LOOKUP       If the tuple is stored, sets `ok` and adds `amount` to its count.
//                                                                                 up to WAYS + 2
//   1  ALLOCATE     Stores the tuple with the count `amount` and sets `ok`. It uses the
//                   lowest empty entry of the set. If none is empty, it replaces the
//                   retained entry of the set with the lowest count below `threshold`
//                   (the lowest entry on a tie). If there is none, `ok` is 0.       WAYS + 4
//   2  END          Sends every entry whose count is at least `threshold`. With RETAIN,
//                   these entries stay as retained entries with count 0. All others
//                   are freed.             2 per entry, plus waiting for out_ready
//   3  CLEAR        Frees all entries.                                      ENTRIES + 2
//
//     set_index ──► entry of the set, one per cycle ──► | tuples | ──► = pc, value
//                                                       | flags  | ──► used, retained
//                                                       | counts | ──► + amount ──┐
//                                                            ▲────────────────────┘

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
    input [SET-1:0] set_index,
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
    output [1:0] peek_flags // {used, retained}
);
    localparam LOOKUP = 0, ALLOCATE = 1, END = 2, CLEAR = 3;
    localparam IDLE = 0, SEARCH = 1, SCAN = 2, WRITE_ENTRY = 3, WALK = 4, SEND = 5, WIPE_ENTRY = 6;
    localparam ONE_SET = ENTRIES == WAYS;

    reg [2:0] state;
    reg [SLOT:0] base; // first entry of the scan: of the set, or 0
    reg [SLOT:0] walk; // offset of the entry that is read next
    reg [SLOT-1:0] slot, empty, victim;
    reg any_empty, any_victim;
    reg [COUNT_BITS-1:0] minimum;
    wire [SLOT:0] read_slot = base + walk, compared_slot = read_slot - 1;

    reg write_count_enable, write_flags_enable;
    reg [SLOT-1:0] write_slot;
    reg [COUNT_BITS-1:0] write_count;
    reg [1:0] write_flags;
    wire [SLOT-1:0] address = state == IDLE ? peek :
                              state == SEARCH || state == SCAN || state == WALK ?
                                  read_slot[SLOT-1:0] : slot;
    wire [COUNT_BITS-1:0] count;
    wire [127:0] tuple;
    wire [1:0] flags;
    wire used = flags[1], retained = flags[0];
    reg write_tuple_enable;

    ram #(.WIDTH(COUNT_BITS), .DEPTH(ENTRIES)) count_memory (
        .clk(clk), .write(write_count_enable), .write_address(write_slot), .write_data(write_count),
        .read_address(address), .read_data(count));
    ram #(.WIDTH(2), .DEPTH(ENTRIES)) flag_memory (
        .clk(clk), .write(write_flags_enable), .write_address(write_slot), .write_data(write_flags),
        .read_address(address), .read_data(flags));
    ram #(.WIDTH(128), .DEPTH(ENTRIES)) tuple_memory (
        .clk(clk), .write(write_tuple_enable), .write_address(write_slot), .write_data({value, pc}),
        .read_address(address), .read_data(tuple));
    assign peek_pc = tuple[63:0];
    assign peek_value = tuple[127:64];
    assign peek_count = count;
    assign peek_flags = flags;

    wire match = used && tuple == {value, pc};
    always @(posedge clk) begin
        done <= 0;
        write_count_enable <= 0;
        write_flags_enable <= 0;
        write_tuple_enable <= 0;
        if (rst) begin
            state <= IDLE;
            out_valid <= 0;
        end else case (state)
            IDLE: if (go) begin
                base <= op == END || op == CLEAR || ONE_SET ? 0 : set_index * WAYS;
                walk <= 0;
                any_empty <= 0;
                any_victim <= 0;
                minimum <= threshold;
                case (op)
                    LOOKUP: state <= SEARCH;
                    ALLOCATE: state <= SCAN;
                    END: state <= WALK;
                    CLEAR: state <= WIPE_ENTRY;
                endcase
            end
            SEARCH: begin
                walk <= walk + 1;
                if (walk != 0 && (match || walk == WAYS)) begin
                    write_count_enable <= match;
                    write_slot <= compared_slot[SLOT-1:0];
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
                        empty <= compared_slot[SLOT-1:0];
                    end
                    if (used && retained && count < minimum) begin
                        victim <= compared_slot[SLOT-1:0];
                        minimum <= count;
                        any_victim <= 1;
                    end
                end
                if (walk == WAYS + 1) begin
                    slot <= any_empty ? empty : victim;
                    ok <= any_empty || any_victim;
                    done <= !any_empty && !any_victim;
                    state <= any_empty || any_victim ? WRITE_ENTRY : IDLE;
                end
            end
            WRITE_ENTRY: begin
                write_tuple_enable <= 1;
                write_flags_enable <= 1;
                write_count_enable <= 1;
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
                    write_flags_enable <= 1;
                    write_count_enable <= 1;
                    write_slot <= slot;
                    write_flags <= used && RETAIN != 0 && count >= threshold ? 2'b11 : 2'b00;
                    write_count <= 0;
                    walk <= walk + 1;
                    state <= WALK;
                end
            end
            WIPE_ENTRY: begin
                write_flags_enable <= 1;
                write_count_enable <= 1;
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
